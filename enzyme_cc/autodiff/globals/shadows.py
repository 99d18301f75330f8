"""Shadows of global variables: their names, their definitions, and the shadows of constants that refer to globals."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...analysis.callees import CHANNEL, plain_name
from ...analysis.references import is_constant_data
from ...ir.constants import Constant, ConstantAggregate, ConstantExpr, ConstantSplat, GlobalRef, brackets, references
from ...ir.folding import zero
from ...ir.module import Module, global_name
from ...ir.types import is_float, is_opaque
from ...report import EnzymeError
from ..core.registrations import Registrations
from ..core.round import Round


def _suffix(round_number: int) -> str:
    """Returns the end of a shadow's name.

    Each round of nested requests has its own: outer derivatives differentiate the adjoints of inner ones.
    """
    return f"_round{round_number}_shadow" if round_number else "_shadow"


def with_shadow(module: Module, registered: Registrations, round_number: int) -> Iterator[str]:
    """Yields the mutable globals whose shadow the program defines or registers: it wants their derivatives."""
    if round_number == 0:
        yield from registered.shadows
    yield from (name for name in module.globals if plain_name(name).startswith(CHANNEL))
    suffix = _suffix(round_number)
    for name in module.globals:
        if plain_name(name).endswith(suffix):
            primal = global_name(plain_name(name).removesuffix(suffix))
            if primal in module.globals and not module.globals[primal].constant:
                yield primal


class Shadows(Struct, frozen=True):
    """Selects the shadows of one round's globals: those of one direction, in forward mode or in reverse mode."""

    round: Round
    direction: int = 0
    forward: bool = False


def constant_shadow(shadows: Shadows, constant: Constant) -> Constant:
    """Returns the shadow of a constant, with each active global in it replaced by that global's shadow.

    - Constant data has a shadow of zeros.
    - Any other constant is its own shadow.
    """
    match constant:
        case GlobalRef():
            if constant.name in shadows.round.state.active_globals:
                return _shadow_global(shadows, constant.name)
            if is_constant_data(shadows.round.source, constant.name):
                return _zeros(shadows, constant.name) if shadows.forward else _shadow_global(shadows, constant.name)
        case ConstantExpr():
            operands = tuple(constant_shadow(shadows, o) for o in constant.operands)
            if operands != tuple(constant.operands):
                return ConstantExpr(constant.type, constant.opcode, operands, constant.source, constant.flags)
        case ConstantAggregate():
            elements = (zero(e.type) if is_float(e.type) else constant_shadow(shadows, e) for e in constant.elements)
            return ConstantAggregate(constant.type, tuple(elements))
        case ConstantSplat():
            return ConstantSplat(constant.type, constant_shadow(shadows, constant.element))
    return constant


def _zeros(shadows: Shadows, name: str) -> GlobalRef:
    """Returns the tangent of constant data: numbers become zero, pointers become their shadows."""
    return _add_shadow(shadows, name, global_name(f"{plain_name(name)}_zeros"), "constant")


def _shadow_global(shadows: Shadows, name: str) -> GlobalRef:
    """Returns the zero-initialised `<name>_shadow`, or the shadow that the program declares itself.

    - In vector mode, the shadows of further directions are `<name>_shadow1` and so on.
    - In round k of nested requests, the shadow is `<name>_roundk_shadow`.
    - If the program does not name the shadow, each mode has its own: a tangent left there must not seed reverse mode.
    """
    round = shadows.round
    registered = round.registered.shadows.get(name) if round.options.round_number == 0 else None
    if registered is not None and shadows.direction == 0:
        return GlobalRef.of(registered)
    suffix = _suffix(round.options.round_number)
    first = plain_name(name) + suffix if registered is None else plain_name(registered)
    if shadows.forward and name not in round.declared:
        first += "_forward"
    thread = "thread_local " if shadows.round.source.globals[name].thread_local else ""
    return _add_shadow(shadows, name, global_name(f"{first}{shadows.direction or ''}"), f"{thread}global")


def _add_shadow(shadows: Shadows, name: str, shadow: str, kind: str) -> GlobalRef:
    module = shadows.round.output
    is_declared = shadow in module.globals and module.globals[shadow].external
    if shadow not in module.globals or is_declared:
        variable = shadows.round.source.globals[name]
        if is_opaque(variable.value_type):
            raise EnzymeError.of(
                "EZ0306",
                f"the global {plain_name(name)} has no shadow",
                reason="its type is incomplete where the program declares it, so its size is unknown",
            )
        head = f"{shadow} = {'' if is_declared else 'internal '}{kind} {variable.value_type}"
        module.add_global(f"{head} zeroinitializer, align 16")
        pointers = variable.initializer
        if pointers is not None and any(True for _ in references(pointers)):
            text = _shadow_initializer(shadows, pointers)
            del module.globals[shadow]
            module.add_global(f"{head} {text}, align 16")
    return GlobalRef.of(shadow)


def _shadow_initializer(shadows: Shadows, initializer: Constant) -> str:
    """Returns the initializer as text, with pointers replaced by their shadows and numbers by zero."""
    if isinstance(initializer, ConstantAggregate):
        elements = [f"{e.type} {_shadow_initializer(shadows, e)}" for e in initializer.elements]
        before, after = brackets(initializer.type)
        return before + ", ".join(elements) + after
    if isinstance(initializer, GlobalRef | ConstantExpr):
        return str(constant_shadow(shadows, initializer))
    return "0.0" if is_float(initializer.type) else "zeroinitializer"
