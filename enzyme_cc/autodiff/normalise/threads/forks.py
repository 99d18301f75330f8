"""Makes, of each fork of OpenMP's library, a call of the region's function (analysis/region_calls.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ....analysis.callees import plain_name
from ....analysis.references import functions_referenced, thread_locals_referenced
from ....analysis.region_calls import LEADING, REGION, TASK, THREAD
from ....analysis.storage.work_loops import narrow_ends
from ....ir.builder import Builder
from ....ir.cfg import ControlFlow
from ....ir.constants import GlobalRef
from ....ir.folding import int_constant
from ....ir.graphs import reachable
from ....ir.instructions import ACCESSES, EXTENSIONS
from ....ir.module import Module
from ....ir.types import I32, VOID, FunctionType
from ....ir.values import CallInfo, Function, Instruction, Value
from ....report.diagnostics import NotOnTeams
from ....rules.parallel import fibers, openmp
from ....rules.parallel.openmp import FORK, UNORDERED_UPDATES
from .atomic_sums import add_at_once
from .captures import read_captures_once
from .critical_sums import add_without_order
from .restricted_reads import hoist_restricted_reads


def call_regions(source: Module, function: Function, alone: Mapping[str, str]) -> None:
    """Replaces each fork, in place. `alone`: functions that one thread runs, and why. Raises `NotOnTeams`."""
    for i in list(function.instructions()):
        if i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name == f"@{FORK}":
            _prepare(source, i.arguments[2], alone)
            _call_region(function, i)
        elif i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name == f"@{openmp.TASK}":
            _call_task(source, i)
        elif i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name == f"@{fibers.CALL}":
            _call_thread(source, i)


def _call_task(source: Module, made: Instruction) -> None:
    """Calls the task's function: all analyses see what it does, as if it ran at once."""
    thread, task, routine = made.arguments
    routine = _stored_routine(routine)
    if not isinstance(routine, GlobalRef) or source.functions[routine.name].is_declaration:
        raise NotOnTeams("the function of a task is not known")
    info = CallInfo(FunctionType(I32, (thread.type, task.type)), ("", ""), attributes=TASK)
    call = Instruction("call", I32, [thread, task, routine], info, metadata=made.metadata)
    Builder.before(made).insert(call)
    made.erase()


def _call_thread(source: Module, made: Instruction) -> None:
    """Calls the routine of a thread: analyses see what it does, until others run (rules/parallel/fibers.py)."""
    routine, *passed = made.arguments
    assert isinstance(routine, GlobalRef), "stand-ins name the routine"
    types = tuple(value.type for value in passed)
    info = CallInfo(FunctionType(VOID, types), ("",) * len(types), attributes=THREAD)
    Builder.before(made).insert(Instruction("call", VOID, [*passed, routine], info, metadata=made.metadata))
    made.erase()


def _stored_routine(routine: Value) -> Value:
    """Returns the function that is read from a new task, if only one is stored there (toolchain/stand_ins/teams.c)."""
    place = routine.operands[0] if isinstance(routine, Instruction) and routine.opcode == "load" else None
    if not isinstance(place, Instruction):
        return routine
    stores = [user for user in place.users if user.opcode == "store" and user.operands[1] is place]
    return stores[0].operands[0] if len(stores) == 1 else routine


def _prepare(source: Module, region: Value, alone: Mapping[str, str]) -> None:
    if not isinstance(region, GlobalRef) or source.functions[region.name].is_declaration:
        raise NotOnTeams("the function of a region is not known")
    if alone:
        _check_single(source, region.name, alone)
    add_at_once(source.body(region.name))
    add_without_order(source, source.body(region.name))
    _widen_ends(source.body(region.name))
    read_captures_once(source, source.body(region.name))
    hoist_restricted_reads(source.body(region.name))
    obstacle = None if region.name in alone else _obstacle(source, region.name)
    if obstacle is not None:
        why = f"there is an atomic {obstacle} in {plain_name(region.name)}"
        raise NotOnTeams(why, {region.name: why})


def _check_single(source: Module, region: str, alone: Mapping[str, str]) -> None:
    """Raises `NotOnTeams`, for all regions, if one runs in a team of one, and others may know its number of threads.

    They may have made a place for each thread, or divided the work of this region.
    """
    reached = _reached(source, region)
    why = next((alone[name] for name in reached if name in alone), None)
    if why is None:
        return
    telling = [name for name in reached if openmp.library_name(plain_name(name)) in openmp.TELL_THREADS]
    bodies = [source.body(name) for name in reached if not source.functions[name].is_declaration]
    telling += [name for body in bodies for name in thread_locals_referenced(source, body)]
    if telling:
        raise NotOnTeams(f"{why}, and {plain_name(region)} uses {plain_name(telling[0])}")


def _reached(source: Module, region: str) -> list[str]:
    """Returns the functions that a region reaches, with itself."""

    def referenced(name: str) -> Iterable[str]:
        return () if source.functions[name].is_declaration else functions_referenced(source, source.body(name))

    return list(reachable([region], referenced))


def _obstacle(source: Module, region: str) -> str | None:
    """Returns an atomic access of a region, in the order of which derivatives would have to be."""
    for i in _instructions(source, source.body(region)):
        is_access = i.opcode in ACCESSES and "atomic" in i.flags
        if is_access or i.opcode == "cmpxchg" or i.opcode == "fence":
            return i.opcode
        if i.opcode == "atomicrmw" and i.memory.operation not in UNORDERED_UPDATES:
            return i.memory.operation
    return None


def _instructions(source: Module, region: Function) -> Iterator[Instruction]:
    """Yields those of a region, and of what it calls: with debug information, clang puts the body there."""
    yield from region.instructions()
    for name in functions_referenced(source, region):
        if not source.functions[name].is_declaration:
            yield from source.body(name).instructions()


def _widen_ends(region: Function) -> None:
    """Compares whole variables of divided loops with their limits: the number of iterations is known then."""
    for work, test in list(narrow_ends(ControlFlow(region))):
        limit, narrow = test.operands
        start, (entering, *others) = work.variable.start, work.loop.entering
        if others or not isinstance(start, Instruction) or start.opcode not in EXTENSIONS:
            continue
        if not isinstance(narrow, Instruction) or start.operands[0].type != limit.type:
            continue
        wide = Builder.before(entering.terminator).cast(start.opcode, limit, start.type)
        whole = Builder.before(test).icmp(test.predicate, narrow.operands[0], wide)
        test.replace_uses(whole)
        test.erase()


def _call_region(function: Function, fork: Instruction) -> None:
    place, _, region, *captures = fork.arguments
    thread = Builder.first(function.entry).alloca(I32, align=4)
    b = Builder.before(fork)
    b.store(int_constant(0, I32), thread, 4)
    arguments = [thread, place, *captures]
    attributes = ("", "", *fork.call.argument_attributes[LEADING + 1 :])
    info = CallInfo(FunctionType(VOID, tuple(a.type for a in arguments)), attributes, attributes=REGION)
    b.insert(Instruction("call", VOID, [*arguments, region], info, metadata=fork.metadata))
    fork.erase()
