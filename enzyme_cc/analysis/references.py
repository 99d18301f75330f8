"""Functions and globals that code names, directly or through initialisers of globals."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.constants import Constant, ConstantString, references
from ..ir.graphs import reachable
from ..ir.module import Module
from ..ir.values import Function
from ..ir.vtables import is_vtable
from .callees import plain_name


def _direct_references(function: Function) -> set[str]:
    found: set[str] = set()
    for i in function.instructions():
        for operand in i.operands:
            if isinstance(operand, Constant):
                found.update(references(operand))
    return found


def _through_initialisers(module: Module, names: Iterable[str]) -> set[str]:
    def referenced(name: str) -> Iterable[str]:
        initializer = module.globals[name].initializer if name in module.globals else None
        return () if initializer is None else references(initializer)

    return set(reachable(names, referenced))


def functions_referenced(module: Module, function: Function) -> list[str]:
    """Returns the functions that the body names, directly or through initialisers of globals."""
    return sorted(n for n in _through_initialisers(module, _direct_references(function)) if n in module.functions)


def thread_locals_referenced(module: Module, function: Function) -> list[str]:
    """Returns the variables of which each thread has its own that the body names, directly or through initialisers."""
    named = _through_initialisers(module, _direct_references(function))
    return sorted(n for n in named if n in module.globals and module.globals[n].thread_local)


def mutable_globals_reached(module: Module, functions: list[str]) -> dict[str, frozenset[str]]:
    """Returns, for each function, the mutable globals that it or its callees name."""
    direct: dict[str, set[str]] = {}
    calls: dict[str, list[str]] = {}
    known = set(functions)
    for name in functions:
        reached = _through_initialisers(module, _direct_references(module.body(name)))
        direct[name] = {g for g in reached if g in module.globals and not module.globals[g].constant}
        calls[name] = sorted(n for n in reached if n in known)
    changed = True
    while changed:
        changed = False
        for name in functions:
            before = len(direct[name])
            for other in calls[name]:
                direct[name] |= direct[other]
            changed |= len(direct[name]) != before
    return {name: frozenset(globals_) for name, globals_ in direct.items()}


def functions_that_reach(module: Module, functions: Iterable[str], targets: Iterable[str]) -> frozenset[str]:
    """Returns the targets, and those of the functions that name one of them, directly or through others."""
    users: dict[str, list[str]] = {}
    for name in functions:
        for other in functions_referenced(module, module.body(name)):
            users.setdefault(other, []).append(name)
    return frozenset(reachable(targets, lambda name: users.get(name, ())))


def constant_tables(module: Module, functions: Iterable[Function]) -> dict[str, frozenset[str]]:
    """Returns the constant globals that the functions name and that point at mutable ones, each with these."""

    def pointed(name: str) -> Iterable[str]:
        return references(module.globals[name].initializer) if is_table(name) else ()

    def is_table(name: str) -> bool:
        variable = module.globals.get(name)
        is_constant = variable is not None and variable.constant and variable.initializer is not None
        return is_constant and not _is_of_class(name)

    named = reachable({name for function in functions for name in _direct_references(function)}, pointed)
    found = {name: frozenset(reachable([name], pointed)) for name in named if is_table(name)}
    mutable = {name for name, variable in module.globals.items() if not variable.constant}
    return {name: reached & mutable for name, reached in found.items() if reached & mutable}


def _is_of_class(name: str) -> bool:
    """Returns whether a global is a vtable of C++ or describes a type."""
    return is_vtable(plain_name(name)) or plain_name(name).startswith("_ZTI")


def is_constant_data(module: Module, name: str) -> bool:
    """Returns whether a global holds constant numbers.

    They are never active, but a pointer variable may point to them at one time and to active memory at another. So they
    have a shadow: in reverse mode it takes adjoints that nobody reads, in forward mode it is zero.
    """
    variable = module.globals.get(name)
    return (
        variable is not None
        and variable.constant
        and variable.initializer is not None
        and not isinstance(variable.initializer, ConstantString)
    )
