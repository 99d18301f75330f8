"""Decides whether a function can be evaluated again after it has run: it must not have overwritten what it reads.

Different arguments are assumed to point to different memory, since each has a shadow of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.constants import GlobalRef
from ...ir.instructions import CALLS, READS_MEMORY
from ...ir.types import PointerType
from ...ir.values import Function, Instruction, Value
from ...rules.knowledge import CalleeKind
from ..callees import Callees
from .dead_writes import DeadWriteAnalysis
from .effects import Any
from .facts import MemoryFacts
from .objects import Object, ObjectKind

#: memory that belongs to one evaluation
_OWN = frozenset([ObjectKind.STACK, ObjectKind.HEAP, ObjectKind.CONSTANT_NULL])
#: calls that read nothing through their pointers
_READ_NOTHING = frozenset([CalleeKind.FILL, CalleeKind.FREE, CalleeKind.STACK])


def overwrites_inputs(
    function: Function,
    facts: MemoryFacts,
    callees: Callees,
    dead_writes: DeadWriteAnalysis,
    reached_globals: frozenset[str],
) -> Instruction | None:
    """Returns an instruction that may write what the function or its callees read, or None.

    `reached_globals` names the mutable globals that they use.
    """
    reads = {
        found for i in function.instructions() for p in _read(i, callees, dead_writes) for found in facts.objects(p)
    }
    for i in function.instructions():
        if any(_is_lost(found, reads, reached_globals) for found in _written(i, facts)):
            return i
    return None


def _written(i: Instruction, facts: MemoryFacts) -> Iterator[Object]:
    writes = facts.writes(i)
    if isinstance(writes, Any):
        yield Object(ObjectKind.UNKNOWN)
        return
    for write in writes:
        yield from facts.objects(write.pointer)


def _is_lost(written: Object, reads: set[Object], reached_globals: frozenset[str]) -> bool:
    if written.kind in _OWN:
        return False
    if written.kind is ObjectKind.GLOBAL:
        return isinstance(written.value, GlobalRef) and written.value.name in reached_globals
    return written.kind is not ObjectKind.ARGUMENT or written in reads


def _read(i: Instruction, callees: Callees, dead_writes: DeadWriteAnalysis) -> Iterator[Value]:
    """Yields the pointers through which the instruction reads."""
    if i.opcode in READS_MEMORY - CALLS and i.operands:
        yield i.operands[0]
    elif i.is_call:
        callee = callees.of(i)
        if callee.kind is CalleeKind.COPY and callee.known is not None:
            yield i.arguments[callee.known.source]
        elif callee.kind not in _READ_NOTHING:
            yield from (a for k, a in enumerate(i.arguments) if _reads_argument(i, k, callees, dead_writes))


def _reads_argument(i: Instruction, k: int, callees: Callees, dead_writes: DeadWriteAnalysis) -> bool:
    if not isinstance(i.arguments[k].type, PointerType):
        return False
    if callees.of(i).kind is not CalleeKind.DEFINED:
        return True
    parameters = dead_writes.module.functions[callees.of(i).name].arguments
    return k >= len(parameters) or dead_writes.of(parameters[k]) is None
