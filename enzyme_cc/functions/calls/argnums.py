"""`argnums`: with respect to which inputs derivatives are returned: by position among those passed, or by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..interface import Interface

Argnums = int | str | Sequence[int | str]


def chosen(interface: Interface, argnums: Argnums, values: Any) -> Any:
    """Returns the derivatives with respect to the inputs that `argnums` names: one for one, a tuple for several.

    `values` are those of all inputs with derivatives: one alone, else a tuple. Raises `ValueError` for another input.
    """
    every = values if len(interface.active_inputs) > 1 else (values,)
    if isinstance(argnums, (int, str)):
        return every[_number(interface, argnums)]
    return tuple(every[_number(interface, one)] for one in argnums)


def _number(interface: Interface, argnum: int | str) -> int:
    """Returns the number of an input among those with derivatives."""
    taken, active = [p.name for p in interface.call_parameters], [p.name for p in interface.active_inputs]
    name = argnum if isinstance(argnum, str) else taken[argnum] if -len(taken) <= argnum < len(taken) else None
    if name not in active:
        what = f"argument {argnum}" if name in (None, argnum) else f"argument {argnum}, {name},"
        raise ValueError(f"argnums: {what} has no derivative; those with one are {', '.join(active) or 'none'}")
    return active.index(name)


def of_jacobian(interface: Interface, argnums: Argnums | None, blocks: Any) -> Any:
    """Returns the columns of a Jacobian that `argnums` names; all without it."""
    if argnums is None:
        return blocks
    if len(interface.active_outputs) > 1:
        return tuple(chosen(interface, argnums, row) for row in blocks)
    return chosen(interface, argnums, blocks)


def of_hessian(interface: Interface, argnums: Argnums | None, blocks: Any) -> Any:
    """Returns the rows and columns of a Hessian that `argnums` names; all without it."""
    if argnums is None:
        return blocks
    rows = chosen(interface, argnums, blocks)
    if len(interface.active_inputs) == 1:
        return rows
    if isinstance(argnums, (int, str)):
        return chosen(interface, argnums, rows)
    return tuple(chosen(interface, argnums, row) for row in rows)
