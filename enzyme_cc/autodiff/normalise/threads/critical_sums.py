"""Makes atomic additions of sums in critical sections: in which order threads add does not matter for derivatives.

A section is what runs between taking a lock and giving it back. If all sections of a lock in a region only add to what
threads share, they need no tickets (rules/parallel/openmp.py): the adjoint of an addition reads the sum's adjoint.
The lock stays, since other regions may use it. Reductions are such sections, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from ....analysis.callees import plain_name
from ....analysis.integers.offsets import constant_place
from ....analysis.references import functions_referenced
from ....ir.builder import Builder
from ....ir.constants import GlobalRef
from ....ir.graphs import reachable
from ....ir.instructions import FLOAT_SUMS, INSTRUCTIONS, TERMINATORS
from ....ir.module import Module
from ....ir.types import DOUBLE, FLOAT, alloc_size, is_float
from ....ir.values import Block, Function, Instruction, MemoryInfo, Value
from ....rules import runtime_functions as runtime
from ....rules.parallel.openmp import ORDERED_SECTION, SUMS
from ....rules.runtime_functions import RuntimeFunction
from .shared_variables import SharedVariables, bases_of

_MULTIPLY_ADD = "llvm.fmuladd."
_PLAIN_CALLS = "llvm."


class _Sum(NamedTuple):
    """One sum: the number read, its sum with `part` (a product, of two factors), and the store."""

    read: Instruction
    sum: Instruction
    store: Instruction


class _Section(Struct, frozen=True):
    """The calls that begin and end a section, and the instructions between them."""

    begin: Instruction
    ends: list[Instruction]
    inside: list[Instruction]


def add_without_order(source: Module, region: Function) -> None:
    """Replaces the sums of all locks whose sections only add, in place."""
    captures = SharedVariables(source, region)
    begins = _calls(region, runtime.TEAM_ENTER)
    found = {begin: _section(begin) for begin in begins}
    elsewhere = set(_locks_of_callees(source, region)) if begins else ()
    for lock in [lock for lock in dict.fromkeys(_lock(begin) for begin in begins) if lock not in elsewhere]:
        sections = [section for begin, section in found.items() if _lock(begin) == lock]
        sums = [None if section is None else _sums(section, captures) for section in sections]
        if all(sums) and len(_ends(region, lock)) == sum(len(s.ends) for s in sections if s is not None):
            for section, own in zip(sections, sums, strict=True):
                assert section is not None and own is not None
                _rewrite(section, own)


def _calls(function: Function, row: RuntimeFunction) -> list[Instruction]:
    return [i for i in function.instructions() if _called(i) == row.name]


def _locks_of_callees(source: Module, region: Function) -> Iterator[Value | None]:
    """Yields the locks that functions take which the region calls."""

    def called(function: Function) -> list[Function]:
        names = functions_referenced(source, function)
        return [source.body(name) for name in names if not source.functions[name].is_declaration]

    for function in reachable(called(region), called):
        yield from (_lock(call) for call in _calls(function, runtime.TEAM_ENTER))


def _called(i: Instruction) -> str:
    return plain_name(i.callee_name)


def _lock(call: Instruction) -> Value | None:
    """Returns what stands for a lock: its variable. All locks that are no global are one, and so is `ordered`."""
    lock = call.arguments[1]
    return lock if isinstance(lock, GlobalRef) else None


def _ends(region: Function, lock: Value | None) -> list[Instruction]:
    return [i for i in _calls(region, runtime.TEAM_LEAVE) if _lock(i) == lock]


def _section(begin: Instruction) -> _Section | None:
    """Returns what runs from taking a lock on; None if a path leaves the function with it, or takes another."""
    assert begin.block is not None
    inside, ends = list[Instruction](), list[Instruction]()

    def runs(block: Block, instructions: list[Instruction]) -> list[Block]:
        for i in instructions:
            if _called(i) == runtime.TEAM_LEAVE.name:
                ends.append(i)
                return []
            inside.append(i)
        return block.successors

    at = begin.block.instructions.index(begin) + 1
    first = runs(begin.block, begin.block.instructions[at:])
    blocks = list(reachable(first, lambda block: runs(block, block.instructions)))
    returns = any(i.opcode in TERMINATORS and not i.successors for i in inside)
    same = all(end.arguments[1] == begin.arguments[1] for end in ends)
    return _Section(begin, ends, inside) if ends and same and not returns and begin.block not in blocks else None


def _sums(section: _Section, shared: SharedVariables) -> list[_Sum] | None:
    """Returns the sums of a section; None if it does anything else with memory that threads share."""
    if str(section.begin.arguments[2]) == ORDERED_SECTION:
        return None
    found, own = list[_Sum](), set[Instruction]()
    for i in section.inside:
        if i.opcode == "store" and not _is_local(i.operands[1]):
            made = _sum_of(i)
            if made is None:
                return None
            found.append(made)
            own.update(made)
    others = [i for i in section.inside if i not in own and not _is_harmless(i)]
    is_alone = not others or (all(_is_plain_read(i) for i in others) and _are_elsewhere(others, found, shared))
    return found if is_alone and all(_is_undisturbed(s, found) for s in found) else None


def _are_elsewhere(reads: list[Instruction], sums: list[_Sum], shared: SharedVariables) -> bool:
    """True if none of the numbers read are those that are added to."""
    summed = {base for made in sums for base in bases_of(made.store.operands[1])}
    read = {base for i in reads for base in bases_of(i.operands[0])}
    return not summed & read and all(shared.has_one_name(base) for base in summed)


def _is_plain_read(i: Instruction) -> bool:
    return i.opcode == "load" and not i.flags


def _is_harmless(i: Instruction) -> bool:
    """True for what neither reads a number that threads share, nor writes."""
    if i.opcode == "load":
        return not i.flags and (_is_local(i.operands[0]) or not is_float(i.type))
    if i.opcode == "store":
        return not i.flags and _is_local(i.operands[1])
    if i.opcode == "call":
        return _called(i).startswith(_PLAIN_CALLS) and not any(_is_shared_pointer(a) for a in i.arguments)
    row = INSTRUCTIONS[i.opcode]
    return not (row.reads or row.writes)


def _is_shared_pointer(value: Value) -> bool:
    return str(value.type) == "ptr" and not _is_local(value)


def _is_local(pointer: Value) -> bool:
    return all(isinstance(base, Instruction) and base.opcode == "alloca" for base in bases_of(pointer))


def _sum_of(store: Instruction) -> _Sum | None:
    """Returns the sum that a store ends, if the number is read from the same place, in the same block, for it alone."""
    value, pointer = store.operands
    if (
        not isinstance(value, Instruction)
        or store.flags
        or value.type not in (DOUBLE, FLOAT)
        or value.users != {store: 1}
    ):
        return None
    read = next((o for o in _terms(value) if isinstance(o, Instruction) and _is_read(o, pointer)), None)
    if read is None or read.users != {value: 1} or not (read.block is value.block is store.block):
        return None
    return _Sum(read, value, store) if store.memory.align in (None, alloc_size(value.type)) else None


def _terms(sum_: Instruction) -> list[Value]:
    """Returns the operands that a sum is larger by, if they are."""
    if _called(sum_).startswith(_MULTIPLY_ADD):
        return sum_.arguments[2:]
    if sum_.opcode not in FLOAT_SUMS:
        return []
    return list(sum_.operands[: 1 if sum_.opcode == "fsub" else 2])


def _is_read(i: Instruction, pointer: Value) -> bool:
    return i.opcode == "load" and not i.flags and i.operands[0] is pointer


def _is_undisturbed(made: _Sum, all_: list[_Sum]) -> bool:
    """True if what is stored between a sum's read and its store is surely elsewhere."""
    assert made.read.block is not None
    instructions = made.read.block.instructions
    between = instructions[instructions.index(made.read) : instructions.index(made.store)]
    return all(_are_apart(made.store, i) for i in between if i.opcode == "store" and not _is_local(i.operands[1]))


def _are_apart(store: Instruction, other: Instruction) -> bool:
    (base, offset), (other_base, other_offset) = (constant_place(i.operands[1]) for i in (store, other))
    sizes = alloc_size(store.operands[0].type), alloc_size(other.operands[0].type)
    return base is other_base and (offset + sizes[0] <= other_offset or other_offset + sizes[1] <= offset)


# -- the new instructions


def _rewrite(section: _Section, sums: list[_Sum]) -> None:
    for made in sums:
        _add_atomically(made)
    for call in (section.begin, *section.ends):
        call.set_operand(len(call.operands) - 1, GlobalRef.of(f"@{SUMS[_called(call)]}"))


def _add_atomically(made: _Sum) -> None:
    b = Builder.before(made.store)
    operation, part = _part(b, made)
    info = MemoryInfo(None, alloc_size(part.type), "monotonic", operation)
    b.insert(Instruction("atomicrmw", part.type, (made.store.operands[1], part), info, metadata=made.store.metadata))
    for i in (made.store, made.sum, made.read):
        i.erase()


def _part(b: Builder, made: _Sum) -> tuple[str, Value]:
    if made.sum.opcode == "call":
        return "fadd", b.fmul(*made.sum.arguments[:2])
    a, c = made.sum.operands
    return made.sum.opcode, c if a is made.read else a
