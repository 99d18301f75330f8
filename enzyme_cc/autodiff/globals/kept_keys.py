"""Keys of results that the program keeps from call to call: a request begins without them.

    static double last_x, last_y;
    if (x == last_x) return last_y;

A call of f before the request, at the same x, leaves its result behind. Its derivative is not known: the request would
return the derivative of a constant. So each request overwrites such keys when it begins, and f computes its result
again. When the request ends, a key that f has not stored anew gets its old value. A key is memory in a global that the
merged code only writes, and compares with something else: for equality, by the distance, or by `memcmp`. A number that
is compared with a constant, too, tells whether the memory has been set up: it stays (kept_results.py asks about it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...analysis.integers.offsets import Offset, Residue, global_of, may_overlap, moved, offset_in_global, offset_of
from ...analysis.values.flow import uses
from ...ir.builder import Builder
from ...ir.constants import Constant, ConstantInt, GlobalRef, references
from ...ir.folding import int_constant
from ...ir.types import I1, I8, VOID, ArrayType, IntType, store_size
from ...ir.value_edges import COMPARED_NUMBER
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.round import ExploredRound, Round
from .global_users import Users, named_globals
from .pointing import size_of

#: This byte repeated is a number of 1e38 (float) or 1e306 (double): no argument is equal or near to it.
_NO_KEY = int_constant(0x7F, I8)
_EQUALITIES = {"oeq", "ueq", "one", "une"}
_FILLS = ("@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset.")
COMPARISONS = {"@memcmp", "@bcmp"}


class _Access(NamedTuple):
    """Bytes of a global that an instruction reads or writes; a size of None is unknown."""

    offset: Offset
    size: int | None
    compares: bool = False
    writes: bool = False


class _Unclear(Exception):
    """The program may access the global in a way that is not seen."""


def kept_keys(round: ExploredRound) -> dict[str, list[tuple[int, int]]]:
    """Returns the offsets and sizes of the keys in each global of these functions that holds active numbers."""
    functions = round.differentiated
    reached = frozenset().union(*(round.globals_of.get(name, frozenset()) for name in functions))
    candidates = (reached & round.state.active_globals) - round.declared
    compared = set[str]()
    for i in (i for name in functions for i in round.source.body(name).instructions()):
        for name in named_globals(i) & candidates:
            found = _accesses([i], name)
            if found is not None and any(access.compares for access in found):
                compared.add(name)
    users = Users(round)
    users.find(compared)
    keys = {name: _keys(_accesses(users.of(name), name), size_of(round, name)) for name in sorted(compared)}
    return {name: places for name, places in keys.items() if places}


def asks_about_keys(round: Round) -> bool:
    """Returns whether derivatives ask the runtime if keys are old (kept_results.py)."""
    return runtime.KEY_IS_OLD.symbol in round.source.functions


class Forgotten(NamedTuple):
    """A key that a request has overwritten: its place, its size, and the memory that holds what was there."""

    place: Value
    size: int
    saved: Value


def forget_keys(round: Round, b: Builder, function: str) -> list[Forgotten]:
    """Emits stores that overwrite the keys of all results that a function may keep.

    Returns what `recall_keys` takes.
    """
    assert b.block.function is not None
    entry, found = Builder.first(b.block.function.entry), []
    for name, places in round.foreign_pointers.keys.items():
        for offset, size in places if name in round.globals_of.get(function, frozenset()) else ():
            place = b.offset(GlobalRef.of(name), int_constant(offset))
            if not round.options.differentiated_again:
                found.append(Forgotten(place, size, entry.alloca(ArrayType(I8, size), align=8)))
                _copy(b, found[-1].saved, place, size)
            b.call("@llvm.memset.p0.i64", VOID, (place, _NO_KEY, int_constant(size), int_constant(0, I1)))
    return found


def recall_keys(b: Builder, keys: Iterable[Forgotten]) -> None:
    """Emits, at the end of a request, stores of the old keys where f has left no new one."""
    for place, size, saved in keys:
        word = IntType(8 * min(size, 8))
        no_key = int_constant(int.from_bytes([0x7F] * min(size, 8), "little"), word)
        left = b.icmp("eq", b.load(word, place, align=1), no_key)
        _copy(b, b.select(left, place, saved), saved, size)


def _copy(b: Builder, to: Value, from_: Value, size: int) -> None:
    b.call("@llvm.memcpy.p0.p0.i64", VOID, (to, from_, int_constant(size), int_constant(0, I1)))


def _keys(accesses: list[_Access] | None, total: int) -> list[tuple[int, int]]:
    """Returns the offsets and sizes of what is only compared and written."""
    keys = [a for a in accesses or () if a.compares]
    others = [a for a in accesses or () if not a.compares and not a.writes]
    found = [a for a in keys if not any(may_overlap(a.offset, a.size, o.offset, o.size) for o in others)]
    return sorted({place for a in found for place in _places(a, total)})


def _places(key: _Access, total: int) -> Iterable[tuple[int, int]]:
    """Returns the offsets and sizes of all places that an access may mean."""
    if key.size is None or key.offset is None:
        return [(0, total)]
    if isinstance(key.offset, Residue):
        return [(k, key.size) for k in range(key.offset.value, total - key.size + 1, key.offset.modulus)]
    return [(key.offset, key.size)]


# -- accesses


def _accesses(users: Iterable[Instruction | None], name: str) -> list[_Access] | None:
    """Returns what these users of a global access; None if that is not clear. A user of None is an initializer."""
    found: list[_Access] = []
    try:
        for i in users:
            if i is None:
                return None
            for k, operand in enumerate(i.operands):
                if isinstance(operand, Constant) and name in references(operand):
                    if global_of(operand) is None:
                        return None
                    found.extend(_follow(i, k, offset_in_global(operand), name))
    except _Unclear:
        return None
    return found


def _follow(i: Instruction, operand: int, offset: Offset, name: str) -> Iterator[_Access]:
    """Yields the accesses by an instruction that has the global's address, moved by an offset, as an operand."""
    callee = str(i.callee) if i.opcode == "call" else ""
    if i.opcode == "load":
        yield _Access(offset, store_size(i.type), compares=_is_key(i, name))
    elif i.opcode == "store" and operand == 1:
        yield _Access(offset, store_size(i.operands[0].type), writes=True)
    elif i.opcode == "getelementptr" and operand == 0:
        yield from _follow_uses(i, moved(offset, offset_of(i.source_type, i.operands[1:])), name)
    elif callee.startswith("@llvm.threadlocal.address."):
        yield from _follow_uses(i, offset, name)
    elif callee in COMPARISONS:
        yield _Access(offset, _constant(i.operands[2]), compares=True)
    elif callee.startswith(_FILLS) and operand == 0:
        yield _Access(offset, _constant(i.operands[2]), writes=True)
    elif callee.startswith(_FILLS):
        yield _Access(offset, _constant(i.operands[2]))
    elif callee not in runtime.ABOUT_KEYS:
        raise _Unclear


def _follow_uses(pointer: Instruction, offset: Offset, name: str) -> Iterator[_Access]:
    for user in pointer.users:
        for k, operand in enumerate(user.operands):
            if operand is pointer:
                yield from _follow(user, k, offset, name)


def _constant(size: Value) -> int | None:
    return size.value if isinstance(size, ConstantInt) else None


def _is_key(number: Instruction, name: str) -> bool:
    """True if a number from a global is only compared with others: for equality, or by the distance from them.

    It may be chosen from several numbers before, and stored in the global again.
    """
    users = [user for value in uses([number], COMPARED_NUMBER) for user in value.users]
    others = [user for user in users if user.opcode not in COMPARED_NUMBER]
    return all(_is_compared(user, name) for user in others) and any(user.opcode != "store" for user in others)


def _is_compared(i: Instruction, name: str) -> bool:
    if i.opcode == "store":
        return global_of(i.operands[1]) == name
    return is_comparison(i) and not compares_constant(i)


def compares_constant(comparison: Instruction) -> bool:
    return any(isinstance(operand, Constant) for operand in comparison.operands[:2])


def is_comparison(i: Instruction) -> bool:
    """True for a comparison for equality, and for a difference of which only the magnitude is used, and compared."""
    if i.plain_opcode == "fsub":
        return bool(i.users) and all(_is_magnitude(user) for user in i.users)
    return i.opcode == "fcmp" and i.predicate in _EQUALITIES


def _is_magnitude(i: Instruction) -> bool:
    """True for the magnitude or the square of a distance, if it is only compared."""
    is_square = i.plain_opcode == "fmul" and i.operands[0] is i.operands[1]
    is_absolute = i.opcode == "call" and str(i.callee).startswith("@llvm.fabs.")
    return (is_square or is_absolute) and bool(i.users) and all(user.opcode == "fcmp" for user in i.users)
