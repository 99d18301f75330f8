"""Marks loops whose counters select elements of small local arrays: LLVM unrolls them, and the arrays become registers.

    double sum[8] = {0};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 8; i++) sum[i] += a[8 * k + i] * b[k];

As memory, such an array has a shadow, and the reverse sweep restores what each iteration overwrites.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator

from ...analysis.integers.loops import TripCount, induction, trip_count
from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import Constant, ConstantInt
from ...ir.instructions import INTEGER_ARITHMETIC, RESIZES
from ...ir.module import Module
from ...ir.text.metadata_numbers import UNROLL_FULLY
from ...ir.types import I1, ArrayType, FloatType, NamedStruct, StructType, Type, is_pointer
from ...ir.values import Function, Instruction, Value

_STRUCT = re.compile(r"^(%\S+|%\"[^\"\n]*\") = type \{ ([^\n]*) \}$", re.MULTILINE)
#: what is left of a struct's or an array's type without this: the types of its members
_PUNCTUATION = re.compile(r"\[\d+ x |[\]{},]")
_MOST_TRIPS = 16
#: of an array, and of a struct of arrays
_MOST_ELEMENTS, _MOST_IN_STRUCT = 16, 128
#: so many instructions the loops may have once they are unrolled
_MOST_INSTRUCTIONS = 1024
_COMPUTES_INDEX = INTEGER_ARITHMETIC | RESIZES
_CONTINUES: dict[str, Callable[[int, int], bool]] = {
    "ne": operator.ne,
    "slt": operator.lt,
    "ult": operator.lt,
    "sle": operator.le,
    "ule": operator.le,
    "sgt": operator.gt,
    "ugt": operator.gt,
    "sge": operator.ge,
    "uge": operator.ge,
}


def with_array_loops_marked(text: str) -> tuple[str, bool]:
    """Returns the module with marks, and whether there are any."""
    array = _array_of_numbers(text)
    if array.search(text) is None:
        return text, False
    module = Module.parse(text)
    names = [name for name, body in module.functions.texts() if array.search(body) is not None]
    loops = [loop for name in names for loop in array_loops(module.body(name))]
    if not loops:
        return text, False
    hint = module.add_metadata(f"!{{{UNROLL_FULLY}}}")
    for loop in loops:
        node = module.add_metadata("distinct !{}")
        module.metadata[node] = f"distinct !{{{node}, {hint}}}"
        branch = loop.latches[0].terminator
        others = tuple(entry for entry in branch.metadata if entry[0] != "!llvm.loop")
        branch.metadata = (*others, ("!llvm.loop", node))
    return str(module), True


def _array_of_numbers(text: str) -> re.Pattern[str]:
    """Returns what finds a local array of numbers, or a struct of such, in the text of a function."""
    structs = {name: set(_PUNCTUATION.sub(" ", members).split()) for name, members in _STRUCT.findall(text)}
    known = {"double", "float"}
    while more := {name for name, members in structs.items() if members <= known} - known:
        known |= more
    named = "|".join(re.escape(name) for name in sorted(known - {"double", "float"}))
    array = r"(?:\[\d+ x )+(?:double|float)\b"
    return re.compile(rf" = alloca (?:{array}|\{{|(?:{named or '(?!)'})(?=[,\n]))")


def array_loops(function: Function) -> list[Loop]:
    """Returns the loops that must be unrolled so that small arrays of the function become registers."""
    arrays = [i for i in function.instructions() if i.opcode == "alloca" and _is_small(i.memory.accessed)]
    if not arrays:
        return []
    flow = ControlFlow(function)
    live = {*function.blocks}
    trips = {loop: 2 if _runs_twice(loop) else _trips(trip_count(loop, flow, live)) for loop in flow.loops}
    short = {loop: count for loop, count in trips.items() if 1 <= count <= _MOST_TRIPS}
    counters = {phi: loop for loop in short for phi in loop.header.phis if _counts(phi, loop)}
    found: dict[Loop, None] = {}
    for array in arrays:
        selecting = _selecting(array, counters)
        if selecting and all(_size(loop, selecting, short) <= _MOST_INSTRUCTIONS for loop in selecting):
            found.update(dict.fromkeys(selecting))
    return list(found)


def _is_small(type_: Type | None) -> bool:
    """True for a small array of numbers, and for a struct of such arrays, of numbers, and of such structs."""
    if isinstance(type_, ArrayType):
        return _is_small_array(type_)
    members = [] if type_ is None else _members(type_)
    numbers = sum(_numbers(member) for member in members)
    return 1 < numbers <= _MOST_IN_STRUCT and all(isinstance(m, FloatType) or _is_small_array(m) for m in members)


def _is_small_array(type_: Type) -> bool:
    return isinstance(type_, ArrayType) and 0 < _numbers(type_) <= _MOST_ELEMENTS


def _members(type_: Type) -> list[Type]:
    """Returns the members of a struct, and those of structs in it."""
    if isinstance(type_, NamedStruct):
        return [] if type_.body is None else _members(type_.body)
    if isinstance(type_, StructType):
        return [member for field in type_.fields for member in _members(field)]
    return [type_]


def _numbers(type_: Type) -> int:
    """Returns how many numbers are in a number, or in an array of any rank; 0 if other things are."""
    if isinstance(type_, ArrayType):
        return type_.count * _numbers(type_.element)
    return int(isinstance(type_, FloatType))


def _runs_twice(loop: Loop) -> bool:
    """True if the loop is left where a flag says so that is a constant in the first iteration, and its opposite later.

    LLVM gives this form to all loops that run twice.
    """
    if len(loop.exit_edges) != 1 or len(loop.latches) != 1:
        return False
    leaving, beyond = loop.exit_edges[0]
    branch, flag = leaving.terminator, leaving.terminator.operands[0]
    if len(branch.operands) != 3 or flag not in loop.header.phis:
        return False
    leaves_if = branch.operands[1] is beyond
    given = {block in loop.latches: value for value, block in flag.incoming}
    return given == {False: ConstantInt(I1, not leaves_if), True: ConstantInt(I1, leaves_if)}


def _counts(phi: Instruction, loop: Loop) -> bool:
    """True if the value of a header's phi is known in each iteration of a loop that runs a constant number of times."""
    if induction(phi, loop) is not None:
        return True
    return _runs_twice(loop) and all(isinstance(v, ConstantInt) or is_pointer(v.type) for v, _ in phi.incoming)


def _trips(count: TripCount | None) -> int:
    """Returns how often the loop's body runs; 0 if that is no constant or too often."""
    if count is None or not isinstance(count.start, ConstantInt) or not isinstance(count.bound, ConstantInt):
        return 0
    at = count.start.value + count.step * count.tests_next
    goes_on = _CONTINUES.get(count.predicate)
    for trips in range(1, _MOST_TRIPS + 1):
        if goes_on is None or not goes_on(at, count.bound.value):
            return trips if goes_on is not None else 0
        at += count.step
    return 0


def _selecting(array: Instruction, counters: dict[Instruction, Loop]) -> dict[Loop, None]:
    """Returns the loops whose counters select elements; none if something else does, or if its address is passed on."""
    found: dict[Loop, None] = {}
    pointers: list[Instruction] = [array]
    for pointer in pointers:
        for user in pointer.users:
            if user.opcode == "getelementptr" and user.operands[0] is pointer:
                loops = [loop for index in user.operands[1:] for loop in _loops_of(index, counters)]
                if None in loops:
                    return {}
                found.update((loop, None) for loop in loops if loop is not None)
                pointers.append(user)
            elif user in counters and _runs_twice(counters[user]):  # it points at two places, one after the other
                found[counters[user]] = None
                pointers += [] if user in pointers else [user]
            elif not _is_access(user, pointer):
                return {}
    return found


def _loops_of(index: Value, counters: dict[Instruction, Loop]) -> Iterator[Loop | None]:
    """Yields the loops whose counters the index is computed from; None if it also comes from something else."""
    if isinstance(index, Constant):
        return
    if index in counters:
        yield counters[index]
    elif isinstance(index, Instruction) and index.opcode in _COMPUTES_INDEX:
        for operand in index.operands:
            yield from _loops_of(operand, counters)
    else:
        yield None


def _is_access(user: Instruction, pointer: Value) -> bool:
    """Returns whether the instruction reads or writes numbers there, fills the array, or ends its life."""
    if user.opcode == "load":
        return not user.flags
    if user.opcode == "store":
        return not user.flags and user.operands[0] is not pointer
    return user.is_lifetime_marker or (user.is_call and user.callee_name.startswith("@llvm.memset."))


def _size(loop: Loop, unrolled: Iterable[Loop], trips: dict[Loop, int]) -> int:
    """Returns the number of instructions of the loop once these loops are unrolled."""
    inner = {block for child in loop.children for block in child.blocks}
    own = sum(len(block.instructions) for block in loop.blocks - inner)
    once = own + sum(_size(child, unrolled, trips) for child in loop.children)
    return once * trips[loop] if loop in unrolled else once
