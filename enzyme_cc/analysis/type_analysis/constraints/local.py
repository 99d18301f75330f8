"""Facts about one function that do not depend on its callers: offsets of addresses, and which integers are numbers.

An integer is *open* if it may only be on its way from one place in memory to another. Then it can carry the bits of
floating-point numbers or pointers, and type analysis gives it a register node. All other integers are just integers.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ....ir.constants import ConstantInt, ConstantWord, GlobalRef
from ....ir.graphs import reachable
from ....ir.instructions import (
    BRANCHES,
    CHOICES,
    COMPARISONS,
    COPIES,
    EXTENSIONS,
    FLOAT_TO_INTEGER,
    INTEGER_ARITHMETIC,
    INTEGER_SUMS,
    INTEGER_TO_FLOAT,
    LOGIC,
    LOGICAL_SHIFTS,
    TAKES_PART,
    UNSIGNED_RESIZES,
)
from ....ir.types import DOUBLE, FloatType, IntType, is_float
from ....ir.value_edges import (
    ADDRESS_WORD,
    COMPUTED_ADDRESS,
    COPIED,
    GIVES_WORD,
    PASSES_ON,
    SAME_OBJECT,
    TAGGED,
    TAGGED_BY_CONSTANT,
    UNTAGS,
)
from ....ir.values import Argument, Function, Instruction, Local, Value
from ....rules.library_functions import computes_integer
from ...integers.bit_steps import COMPUTING
from ...integers.bits import made_into_numbers
from ...integers.signs import Direction, direction
from ...values.flow import origins
from .addresses import address_offset, choices

_DEPTH = 6


class Uses(NamedTuple):
    """How an integer is used.

    `strong`: as an integer. `weak`: as an integer, but the bits of a float could be used so, too (comparisons).
    `open`: it is passed on.
    """

    strong: bool = False
    weak: bool = False
    open: bool = False

    def joined(self, other: Uses) -> Uses:
        return Uses(self.strong or other.strong, self.weak or other.weak, self.open or other.open)


_STRONG, _WEAK, _OPEN = Uses(strong=True), Uses(weak=True), Uses(open=True)
_NO_USE = Uses()
_USE_OF_OPCODE = {
    **dict.fromkeys(
        "add sub mul udiv sdiv urem srem ashr sitofp uitofp sext switch getelementptr extractelement alloca".split(),
        _STRONG,
    ),
    "icmp": _WEAK,
    **dict.fromkeys(
        "store phi freeze ret bitcast inttoptr insertvalue insertelement cmpxchg invoke callbr va_arg".split(), _OPEN
    ),
}
#: the results of these are integers, whatever they are used for
ARITHMETIC = (INTEGER_ARITHMETIC - LOGIC - LOGICAL_SHIFTS) | FLOAT_TO_INTEGER | COMPARISONS | {"sext"}
#: tags of pointers are smaller than this: the alignment of what they point at
_TAGS = 4096
#: the alignment of memory from malloc: masks of more bits round addresses
_LARGEST_ALIGNMENT = 16
#: how many bits of an address programs keep where they use the others as a tag
_ADDRESS_SIZES = (48, 52, 56, 57)
_ADDRESS_BITS = frozenset((1 << size) - 1 for size in _ADDRESS_SIZES)
_MOVES_WORD = COPIES | PASSES_ON | {"bitcast"}
#: a marked address is kept; that of a freeze counts by its own users only
_KEEPS = CHOICES | PASSES_ON


class LocalFacts:
    """Answers about the values of one function."""

    def __init__(self, function: Function, analysed: frozenset[str]) -> None:
        self.function = function
        self._analysed = analysed
        self._uses: dict[Value, Uses] = {}
        self._packed: dict[Value, bool] = {}
        self.made_into_numbers = made_into_numbers(function)
        self._offsets: dict[Instruction, tuple[tuple[int, int, Direction], ...]] = {}
        self.pointerish = _pointer_slice(function)
        #: words that are others with a changed tag: and, or, exclusive or -> the word, which may hold a pointer
        self.tagged: dict[Instruction, Value] = {}
        self.deciding = [a for a in function.arguments if isinstance(a.type, IntType) and any(map(_decides, a.users))]

    @cached_property
    def tells_calls_apart(self) -> bool:
        """True if calls may pass different memory, or get different memory.

        A function that never returns gives nothing. One that is passed nothing, and returns what it loads, may return
        the same memory to all its callers.
        """
        ends = [block.instructions[-1] for block in self.function.blocks]
        returns = [i for i in ends if i.opcode == "ret"]
        if any(map(self._carries_bytes, self.function.arguments)):
            return bool(returns)
        results = [i.operands[0] for i in returns if i.operands and self._carries_bytes(i.operands[0])]
        return bool(results) and not any(map(_is_load, origins(results, SAME_OBJECT)))

    def _carries_bytes(self, value: Value) -> bool:
        if isinstance(value.type, FloatType):
            return self.is_moved(value)
        return not isinstance(value.type, IntType) or self.may_carry_bits(value)

    @cached_property
    def _calls(self) -> Counter[str]:
        callees = (i.callee for i in self.function.instructions() if i.opcode == "call")
        return Counter(callee.name for callee in callees if isinstance(callee, GlobalRef))

    def calls_of(self, function: str) -> int:
        """Returns in how many places the function may be called, at least one: calls through pointers count as one."""
        return max(1, self._calls[function])

    @property
    def takes_off_tags(self) -> bool:
        """True if the function makes pointers of parts of words."""
        return any(isinstance(v, Instruction) and v.opcode in UNTAGS for v in self.pointerish)

    def follow_tags(self) -> None:
        """Takes words with changed tags for the same words: some function of the program takes pointers out of them."""
        words = ((i, _tagged_word(i)) for i in self.function.instructions() if i not in self.pointerish)
        self.tagged = {i: word for i, word in words if word is not None}

    # -- integers

    def uses(self, value: Value, depth: int = 0) -> Uses:
        """Returns how an integer is used."""
        if not isinstance(value, Instruction | Argument):
            return _NO_USE
        found = self._uses.get(value)
        if found is None:
            found = _NO_USE
            for user in value.users:
                found = found.joined(self._use_for_number(value, user, depth))
            if depth == 0:
                self._uses[value] = found
        return found

    def _use_for_number(self, value: Local, user: Instruction, depth: int) -> Uses:
        """Returns the use. It is weak if the result becomes a float: the operands may be bits of floats, too."""
        use = self._use(value, user, depth)
        return Uses(False, True, use.open) if use.strong and self._computes_number(value, user) else use

    def _computes_number(self, value: Local, user: Instruction) -> bool:
        """Returns whether the use computes a float's bits, or converts an integer from which others compute them."""
        made = self.made_into_numbers
        if user.opcode in INTEGER_TO_FLOAT:
            return any(u in made and u.opcode in COMPUTING for u in value.users)
        return user in made and value in made

    def _use(self, value: Value, user: Instruction, depth: int) -> Uses:
        opcode = user.opcode
        if user in self.pointerish and opcode in ADDRESS_WORD:
            return _OPEN
        plain = _USE_OF_OPCODE.get(opcode)
        if plain is not None:
            return plain if opcode != "insertelement" and opcode != "getelementptr" else _index_use(value, user)
        if opcode == "select":
            return _OPEN
        if opcode in TAKES_PART and self.is_packed(value):
            return _OPEN
        if opcode in UNSIGNED_RESIZES or opcode in LOGICAL_SHIFTS:
            return self._part_use(user, depth)
        if opcode in LOGIC:
            return _OPEN.joined(_WEAK) if keeps_bits(user) or self.tagged.get(user) is value else _WEAK
        if opcode == "call":
            callee = user.callee
            known = isinstance(callee, GlobalRef) and callee.name not in self._analysed
            return _WEAK if known else _OPEN
        if opcode == "atomicrmw":
            return _OPEN if user.memory.operation == "xchg" else _STRONG
        return _NO_USE

    def _part_use(self, user: Instruction, depth: int) -> Uses:
        """Returns the uses of a part of the bits, or of the bits at another place in a word."""
        if depth > _DEPTH or (user.opcode in LOGICAL_SHIFTS and part_shift(user) is None):
            return _WEAK if user.opcode == "lshr" else _STRONG
        below = self.uses(user, depth + 1)
        return Uses(below.strong, True, below.open)

    def is_packed(self, value: Value) -> bool:
        """Returns whether parts are taken out of the integer. Uses of its parts say nothing of the whole."""
        found = self._packed.get(value)
        if found is None and isinstance(value, Instruction | Argument):
            found = self._packed[value] = any(_takes_part(user) for user in value.users)
        return bool(found)

    def may_carry_bits(self, value: Value) -> bool:
        """Returns whether the integer may carry the bits of something else."""
        if isinstance(value.type, IntType) and value.type.bits < 8:
            return False
        if not isinstance(value, Instruction):
            return self.uses(value).open
        if self.is_number(value):
            return any(u.opcode == "bitcast" and is_float(u.type) for u in value.users)
        return self.uses(value).open

    def is_number(self, value: Value) -> bool:
        """Returns whether the integer is computed by integer arithmetic."""
        return isinstance(value, Instruction) and _is_computed(value) and value not in self.pointerish

    # -- doubles

    def is_moved(self, value: Value) -> bool:
        """Returns whether a double is passed on as it is: LLVM moves unions as any member that is large enough."""
        if value.type != DOUBLE or not isinstance(value, Instruction | Argument):
            return False
        if isinstance(value, Instruction) and value.opcode not in GIVES_WORD:
            return False
        return any(u.opcode in _MOVES_WORD for u in value.users)

    # -- addresses

    def offsets(self, i: Instruction) -> tuple[tuple[int, int, Direction], ...]:
        """Returns (offset, stride, direction) that a getelementptr adds.

        There are several if an index chooses one of a few fields.
        """
        found = self._offsets.get(i)
        if found is None:
            leads = Direction.FORWARDS if "nuw" in i.flags else direction(i.operands[1:])
            chosen = choices(i.operands[1:])
            found = tuple(dict.fromkeys((*address_offset(i.source_type, indices), leads) for indices in chosen))
            self._offsets[i] = found
        return found


def _is_computed(i: Instruction) -> bool:
    """Returns whether the result is an integer, whatever bits the operands have: that of arithmetic, or its part."""
    if i.opcode == "extractvalue":  # of the sum and its overflow
        i = i.operands[0] if isinstance(i.operands[0], Instruction) else i
    if i.opcode == "shl":  # a product, unless it moves bytes
        by = i.operands[1]
        return isinstance(by, ConstantInt) and by.value % 8 != 0
    return i.opcode in ARITHMETIC or computes_integer(i.callee_name.removeprefix("@"))


def _decides(user: Instruction) -> bool:
    """Returns whether a branch depends on an integer that the instruction uses."""
    if user.opcode == "icmp":
        return user.predicate in ("eq", "ne") and any(u.opcode == "br" for u in user.users)
    return user.opcode in BRANCHES


def _takes_part(user: Instruction) -> bool:
    if user.opcode == "lshr" and part_shift(user) == 32:
        return True
    return user.opcode == "trunc" and any(u.opcode == "bitcast" for u in user.users)


def _index_use(value: Value, user: Instruction) -> Uses:
    return _OPEN if user.opcode == "insertelement" and user.operands[1] is value else _STRONG


def part_shift(i: Instruction) -> int | None:
    """Returns the bits of a constant shift by multiples of 16; None for other shifts."""
    by = i.operands[1]
    return by.value if isinstance(by, ConstantInt) and by.value > 0 and by.value % 16 == 0 else None


def keeps_bits(i: Instruction) -> bool:
    """Returns whether an and/or/xor keeps what its operands carry: it packs parts, or changes a sign bit only."""
    if i.opcode == "or" and all(_is_part(o) for o in i.operands):
        return True
    return _has_mask(i)


def _has_mask(i: Instruction) -> bool:
    mask = next((o.value for o in i.operands if isinstance(o, ConstantInt)), None)
    if mask is None or not isinstance(i.type, IntType):
        return False
    bits = i.type.bits
    unsigned = mask & ((1 << bits) - 1)
    sign = 1 << (bits - 1)
    if i.opcode == "and":
        return unsigned in (sign - 1, (1 << bits // 2) - 1, ((1 << bits // 2) - 1) << (bits // 2))
    return unsigned == sign


def _is_part(value: Value) -> bool:
    """Returns whether the value is a part of a word in its place, several such parts, or one of several."""
    return all(_is_single_part(v) for v in reachable((value,), _joined) if not _joined(v))


def _joined(value: Value) -> Iterable[Value]:
    """Returns what a choice chooses from, and the operands of an ``or``."""
    if not isinstance(value, Instruction):
        return ()
    if value.opcode == "or" and not _has_mask(value):
        return value.operands
    return COPIED.operands(value)


def _is_single_part(value: Value) -> bool:
    """Returns whether the value is constant, zero-extended, shifted up, or masked."""
    if not isinstance(value, Instruction):
        return isinstance(value, ConstantInt | ConstantWord)
    if value.opcode == "zext":
        return isinstance(value.operands[0].type, IntType) and value.operands[0].type.bits >= 16
    if value.opcode == "shl":
        return part_shift(value) is not None
    return value.opcode in LOGIC and value.opcode != "xor" and _has_mask(value)


def _pointer_slice(function: Function) -> frozenset[Value]:
    """Returns the integers that are computed from addresses and become pointers again."""
    starts = [i.operands[0] for i in function.instructions() if i.opcode == "inttoptr"]
    found = set(reachable(_locals(starts), _address_operands))
    for i in function.instructions():
        if i.opcode == "ptrtoint":
            found.update(_marked_addresses(i))
    return frozenset(found)


def _locals(values: Iterable[Value]) -> Iterator[Value]:
    return (value for value in values if isinstance(value, Instruction | Argument))


def _address_operands(value: Value) -> Iterator[Value]:
    """Yields the operands that may be the address which an integer is computed from."""
    if not isinstance(value, Instruction) or value.opcode not in ADDRESS_WORD:
        return
    operands = [o for o in value.operands if isinstance(o.type, IntType)]
    sure = [o for o in operands if _from_pointer(o)] if value.opcode not in CHOICES else operands
    yield from _locals(sure or (operands[:1] if value.opcode == "sub" else operands))


def _marked_addresses(address: Instruction, depth: int = 0) -> Iterator[Instruction]:
    """Yields addresses with bits changed, or a number added, that are kept: they may become pointers again."""
    for user in address.users:
        if _marks(user, address) and depth < _DEPTH and isinstance(user.type, IntType) and user.type.bits == 64:
            beyond = list(_marked_addresses(user, depth + 1))
            yield from beyond
            if beyond or any(u.opcode in _KEEPS for u in user.users):
                yield user


def _marks(user: Instruction, address: Instruction) -> bool:
    """Returns whether it changes bits of the address. An address and another one make a distance, or a hash."""
    first, *others = user.operands if user.opcode in TAGGED_BY_CONSTANT or user.opcode == "sub" else [None]
    if first is address and isinstance(others[0], ConstantInt):
        return user.opcode in TAGGED_BY_CONSTANT
    if user.opcode not in TAGGED or (user.opcode == "sub" and first is not address):
        return False
    return not any(_from_pointer(o) for o in user.operands if o is not address)


def _from_pointer(value: Value, depth: int = 0) -> bool:
    if not isinstance(value, Instruction) or depth > _DEPTH:
        return False
    if value.opcode == "ptrtoint":
        return True
    return any(_from_pointer(o, depth + 1) for o in COMPUTED_ADDRESS.operands(value))


def _is_load(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode == "load"


def _tagged_word(i: Instruction) -> Value | None:
    """Returns the word of which the instruction changes low bits only, if its form tells."""
    if i.opcode not in LOGIC or not isinstance(i.type, IntType) or i.type.bits != 64:
        return None
    word, other = i.operands
    if i.opcode == "and":
        return word if isinstance(other, ConstantInt) and -_TAGS <= other.value < -1 else None
    if _is_small(word):
        word, other = other, word
    is_word = isinstance(word, Instruction | Argument) and not _is_small(word)
    return word if is_word and _is_small(other) else None


def changes_tag(i: Instruction) -> bool:
    """Returns whether what the instruction changes of an address is a tag, in low or high bits: it is no rounding."""
    if i.opcode in LOGICAL_SHIFTS:
        return True
    first, second = i.operands[0], i.operands[-1]
    if i.opcode in LOGIC and i.opcode != "and":
        return _is_small(first) or _is_small(second)
    if i.opcode != "and" or not isinstance(second, ConstantInt):
        return False
    is_sum = isinstance(first, Instruction) and first.opcode in INTEGER_SUMS
    return (-_LARGEST_ALIGNMENT <= second.value < 0 and not is_sum) or second.value in _ADDRESS_BITS


def _is_small(value: Value) -> bool:
    """Returns whether the integer is a constant, or was made of few bits: a tag."""
    if isinstance(value, ConstantInt):
        return 0 <= value.value < _TAGS
    if not isinstance(value, Instruction):
        return False
    if value.opcode == "and":
        return any(isinstance(o, ConstantInt) and 0 <= o.value < _TAGS for o in value.operands)
    if value.opcode == "shl":
        return isinstance(value.operands[1], ConstantInt) and value.operands[1].value >= min(_ADDRESS_SIZES)
    return value.opcode in EXTENSIONS


def looks_like_float(constant: ConstantInt) -> bool:
    """Returns whether the bits of a constant are likely to be those of a floating-point number.

    Such are zero, numbers of ordinary size, infinities, and NaN: all bits set is how memset makes one. The bits of
    other small negative integers are NaN too, but nobody writes those.
    """
    assert isinstance(constant.type, IntType)
    bits = constant.type.bits
    if bits not in (32, 64):
        return not constant.value
    raw = constant.value & ((1 << bits) - 1)
    if (1 << bits) - (1 << bits // 2) <= raw < (1 << bits) - 1:
        return False
    number = abs(struct.unpack("<f" if bits == 32 else "<d", raw.to_bytes(bits // 8, "little"))[0])
    return number == 0 or math.isnan(number) or math.isinf(number) or bool(1e-30 < number < 1e30)
