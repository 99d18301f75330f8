"""Global variables of differentiated code: which are reached, and the shadows of those that are active."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..analysis.callees import plain_name
from ..ir.module import Module, global_name
from ..ir.values import Constant, ConstantAggregate, ConstantExpr, Function, GlobalRef, references

if TYPE_CHECKING:
    from .session import Session

_SUFFIX = "_shadow"


def _direct_references(function: Function) -> set[str]:
    found: set[str] = set()
    for i in function.instructions():
        for operand in i.operands:
            if isinstance(operand, Constant):
                found.update(references(operand))
    return found


def _through_initialisers(module: Module, names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    work = list(names)
    while work:
        name = work.pop()
        if name in found:
            continue
        found.add(name)
        if name in module.globals:
            initializer = module.globals[name].initializer
            if initializer is not None:
                work.extend(references(initializer))
    return found


def functions_referenced(module: Module, function: Function) -> list[str]:
    """Functions that the body names, directly or through initialisers of globals."""
    return sorted(n for n in _through_initialisers(module, _direct_references(function)) if n in module.functions)


def mutable_globals_reached(module: Module, functions: list[str]) -> dict[str, frozenset[str]]:
    """For each function the mutable globals that it or its callees name. Strongly connected callees share a set."""
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


def with_shadow(session: Session) -> Iterator[str]:
    """Mutable globals whose shadow the program names: it wants their derivatives."""
    yield from session.registered.shadows
    for name in session.source.globals:
        if plain_name(name).endswith(_SUFFIX):
            primal = global_name(plain_name(name).removesuffix(_SUFFIX))
            if primal in session.source.globals and not session.source.globals[primal].constant:
                yield primal


def shadow_global(session: Session, name: str) -> GlobalRef:
    """The zero-initialised `<name>_shadow`; where the program declares one itself, that one."""
    if name in session.registered.shadows:
        return GlobalRef.of(session.registered.shadows[name])
    shadow = global_name(f"{plain_name(name)}{_SUFFIX}")
    module = session.output
    is_declared = shadow in module.globals and module.globals[shadow].external
    if shadow not in module.globals or is_declared:
        variable = session.source.globals[name]
        thread = "thread_local " if variable.thread_local else ""
        linkage = "" if is_declared else "internal "
        module.add_global(f"{shadow} = {linkage}{thread}global {variable.value_type} zeroinitializer, align 16")
        pointers = variable.initializer
        if pointers is not None and any(True for _ in references(pointers)):
            text = _shadow_initializer(session, pointers)
            del module.globals[shadow]
            module.add_global(f"{shadow} = {linkage}{thread}global {variable.value_type} {text}, align 16")
    return GlobalRef.of(shadow)


def _shadow_initializer(session: Session, initializer: Constant) -> str:
    """Pointers become their shadows, numbers zero."""
    from ..ir.types import is_float

    if isinstance(initializer, ConstantAggregate):
        elements = [f"{e.type} {_shadow_initializer(session, e)}" for e in initializer.elements]
        pattern = {"[": "[%s]", "<": "<%s>"}.get(str(initializer.type)[0], "{%s}")
        return pattern % ", ".join(elements)
    if isinstance(initializer, GlobalRef | ConstantExpr):
        shadow = session.constant_shadow(initializer)
        return str(shadow) if isinstance(shadow, Constant) else "null"
    return "0.0" if is_float(initializer.type) else "zeroinitializer"
