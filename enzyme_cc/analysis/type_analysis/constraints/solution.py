"""Solves the constraints of a program. Calls through pointers are bound until nothing is new."""

from __future__ import annotations

from ....ir.values import Function
from ..graph.targets import Targets
from .calls import resolve
from .moved_elements import MovedElements
from .program import Program
from .transfer import run_instance


def solve(program: Program) -> None:
    """Analyses the program until nothing is new.

    First calls through pointers reach the functions that the graph tells. Then, as a last resort, those of which it
    tells nothing reach all functions that fit. In the end, functions that nobody called are roots.
    """
    for function in _roots(program):
        program.root(function)
    moved = MovedElements(program)
    last_resort = False
    while True:
        _reach_fixed_point(program)
        if moved.enter() or program.graph.unify_overlaps():
            continue
        if _resolve(program, last_resort):
            continue
        if not last_resort:
            last_resort = True
            continue
        further = program.escaped() or _uncalled(program)
        if not further:
            return
        for function in further:
            if program.is_dispatcher(function):  # what its callers pass was bound to the functions that they reach
                program.shared(function)
            else:
                program.root(function)


def _uncalled(program: Program) -> list[Function]:
    """Returns functions that no analysed function calls: those that no other of them mentions. In a cycle, one."""
    rest = [function for function, instances in program.instances.items() if not instances]
    mentioned = {name for function in rest for name in program.mentioned(function) if name != function.name}
    return [function for function in rest if function.name not in mentioned] or rest[:1]


def _resolve(program: Program, last_resort: bool) -> bool:
    """Binds calls through pointers to the functions found. Returns whether there was anything new."""
    targets = Targets()
    return sum(resolve(program, call, targets, last_resort) for call in list(program.indirect)) > 0


def _reach_fixed_point(program: Program) -> None:
    while program.queue:
        while program.queue:
            run_instance(program, program.queue.pop())
        program.graph.solve()
    program.graph.solve()


def _roots(program: Program) -> list[Function]:
    if program.roots is not None:
        return [f for name, f in program.functions.items() if name in program.roots]
    functions = program.functions.values()
    called = {name for function in functions for name in program.mentioned(function) if name != function.name}
    return [f for name, f in program.functions.items() if name not in called]
