"""Reads captured pointers and integers of a region once, at its entry, where no thread of the team writes any.

So are members of captured objects, such as the pointers of an object's arrays.

LLVM leaves such reads in loops: calls of OpenMP's library come between, or the loop may not run. The bounds of what a
region reaches are then known when its derivative begins (analysis/storage/linear_places.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ....analysis.callees import plain_name
from ....analysis.integers.offsets import base_of, constant_place
from ....analysis.region_calls import LEADING
from ....analysis.type_analysis.declared.tbaa import Tbaa
from ....analysis.type_analysis.kinds import FLOATS
from ....ir.builder import Builder
from ....ir.constants import GlobalRef
from ....ir.instructions import WRITES_UNSEEN
from ....ir.module import Module
from ....ir.types import IntType, is_pointer, store_size
from ....ir.values import Argument, Function, Instruction, Value

_SIZE = re.compile(r"\bdereferenceable\((\d+)\)")
#: metadata that holds also where the program would not read
_KEPT = frozenset(["!tbaa", "!dbg"])
#: tells whether a value is of some kind
_Kind = Callable[[Value], bool]
#: calls that write nothing but their operands' memory, which is the thread's own
_OF_TEAM = ("__kmpc_", "omp_", "__ez_team_", "llvm.lifetime", "llvm.dbg", "llvm.assume", "llvm.experimental.noalias")


def read_captures_once(source: Module, region: Function) -> None:
    """Makes one of equal reads of captures, in place."""
    for is_kind in (_is_pointer, _is_integer):
        if not any(_may_write(source, i, is_kind) for i in region.instructions()):
            _read_once(region, is_kind)


def _is_pointer(value: Value) -> bool:
    return is_pointer(value.type)


def _is_integer(value: Value) -> bool:
    return isinstance(value.type, IntType)


def _may_write(source: Module, i: Instruction, is_kind: _Kind) -> bool:
    """True if an instruction may write a value of the kind to memory that threads share."""
    if i.opcode == "store":
        return is_kind(i.operands[0]) and not _is_local(i.operands[1])
    if i.opcode == "atomicrmw":
        return is_kind(i.operands[1])
    if i.opcode != "call":
        return i.opcode in WRITES_UNSEEN
    if not isinstance(i.callee, GlobalRef):
        return True
    name = plain_name(i.callee.name)
    if name.startswith(_OF_TEAM) or _fills_numbers(source, i):
        return False
    pointers = [a for a in i.arguments if is_pointer(a.type) and not _is_local(a)]
    known = source.functions.get(i.callee.name)
    return bool(pointers) or known is None or not known.is_declaration


def _fills_numbers(source: Module, i: Instruction) -> bool:
    """True for a fill that is declared as one of numbers: LLVM makes it of a loop that stores zeros."""
    tbaa = Tbaa(source)
    tag = tbaa.tag_of(i) if i.callee_name.startswith("@llvm.memset.") else None
    found = tbaa.scalar_tag(tag.access) if tag is not None else None
    return found is not None and found.kind in FLOATS


def _is_local(pointer: Value) -> bool:
    base = base_of(pointer)
    return isinstance(base, Instruction) and base.opcode == "alloca"


def _read_once(region: Function, is_kind: _Kind) -> None:
    first: dict[tuple[Value, int, str], Instruction] = {}
    for i in list(region.instructions()):
        if i.opcode != "load" or i.flags or not is_kind(i):
            continue
        pointer, key = i.operands[0], (*constant_place(i.operands[0]), str(i.type))
        if key in first:
            i.replace_uses(first[key])
            i.erase()
        elif i.block is region.entry and _is_from_captures(pointer):
            first[key] = i
        elif _is_readable(pointer, store_size(i.type)):
            first[key] = i
            _move_to_entry(region, i)


def _is_from_captures(pointer: Value) -> bool:
    return isinstance(base_of(pointer), Argument | Instruction) and not _is_local(pointer)


def _is_readable(pointer: Value, size: int) -> bool:
    """True for an address in a capture that is known to be the address of enough bytes."""
    capture, offset = constant_place(pointer)
    found = _SIZE.search(capture.attributes) if isinstance(capture, Argument) and capture.index >= LEADING else None
    return found is not None and 0 <= offset <= int(found[1]) - size


def _move_to_entry(region: Function, load: Instruction) -> None:
    assert load.block is not None
    load.block.instructions.remove(load)
    load.metadata = tuple((kind, node) for kind, node in load.metadata if kind in _KEPT)
    at = next(i for i in region.entry.instructions if i.opcode != "alloca")
    load.set_operand(0, Builder.before(at).offset(*constant_place(load.operands[0])))
    region.entry.insert(region.entry.instructions.index(at), load)
