"""Moves integers that may be parts of larger numbers, or of which nothing is known, by copies of their bytes.

A program may move a double as two integers, or byte by byte. Such a part has no adjoint of its own. A copy of its bytes
has: the runtime puts the parts of an adjoint together again (toolchain/runtime/packed.c).

Of a member that the code only copies, as a copy constructor does, type analysis may know nothing. A copy of its bytes
takes along what is there.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....analysis.type_analysis.analysis import Kind, TypeAnalysis
from ....analysis.type_analysis.evidence.places import WIDEST
from ....ir.builder import Builder
from ....ir.folding import int_constant
from ....ir.types import I1, I8, VOID, ArrayType, IntType, store_size
from ....ir.values import Function, Instruction, Value
from ..declared_moves import is_only_moved

_WHOLE_BYTES = frozenset(map(IntType, (8, 16, 32, 64)))


def move_parts_by_copies(functions: Iterable[Function], types: TypeAnalysis) -> list[Function]:
    """Rewrites the functions in place. Returns those that changed: the types of all must be analysed again then."""
    return [function for function in functions if _move_parts(function, types)]


def _move_parts(function: Function, types: TypeAnalysis) -> bool:
    loads = [i for i in function.instructions() if i.opcode == "load" and i.type in _WHOLE_BYTES]
    parts = [i for i in loads if is_only_moved(i) and (_is_unknown(types, i) or _is_part(types, i))]
    for load in parts:
        _move(function, load)
    return bool(parts)


def _is_unknown(types: TypeAnalysis, load: Instruction) -> bool:
    return types.values.kind(load) is Kind.UNKNOWN


def _is_part(types: TypeAnalysis, load: Instruction) -> bool:
    """Returns whether the integer lies within a larger number where it is loaded or where it is stored.

    What is declared an integer at both ends breaks the rules of aliasing if it is one: only sure evidence counts. A
    variable of its very type has no say: what it holds came there by such moves.
    """
    ends = [load, *load.users]
    declared = [i for i in ends if _is_declared(types, i)]
    is_declared = bool(declared) and all(i in declared or _is_of_variable(i) for i in ends)
    contents = (types.contents(i.operands[-1], store_size(load.type)) for i in ends)
    return any(c.holds_part_of_number if is_declared else c.may_be_part_of_number for c in contents)


def _is_declared(types: TypeAnalysis, i: Instruction) -> bool:
    return types.declared.is_integer(i) or types.declared.is_byte_member(i)


def _is_of_variable(i: Instruction) -> bool:
    """Returns whether a store goes to a variable that has the type of the value."""
    place = i.operands[-1]
    if i.opcode != "store" or not isinstance(place, Instruction) or place.opcode != "alloca":
        return False
    return place.memory.accessed == i.operands[0].type


def _move(function: Function, load: Instruction) -> None:
    size = store_size(load.type)
    # a number that begins before the part, or ends behind it, has its place in the same slot
    slot = Builder.first(function.entry).alloca(ArrayType(I8, 3 * WIDEST), align=WIDEST)
    part = Builder.before(load).offset(slot, WIDEST)
    _copy(Builder.before(load), part, load.operands[0], size)
    for store in list(load.users):
        _copy(Builder.before(store), store.operands[1], part, size)
        store.erase()
    load.erase()


def _copy(b: Builder, to: Value, origin: Value, size: int) -> None:
    b.call("@llvm.memcpy.p0.p0.i64", VOID, (to, origin, int_constant(size), int_constant(0, I1)))
