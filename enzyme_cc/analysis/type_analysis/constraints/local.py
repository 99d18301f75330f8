"""Facts about one function that do not depend on its callers: offsets of addresses, and which integers are numbers.

An integer is *open* if it may only be on its way from one place in memory to another. Then it can carry the bits of
floating-point numbers or pointers, and type analysis gives it a register node. All other integers are just integers.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ....ir.constants import ConstantInt, GlobalRef
from ....ir.graphs import reachable
from ....ir.types import DOUBLE, IntType, is_float
from ....ir.values import Argument, Function, Instruction, Local, Value
from ...integers.bits import COMPUTING, made_into_numbers
from ...integers.signs import at_least
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
ARITHMETIC = frozenset("add sub mul udiv sdiv urem srem ashr sext fptosi fptoui icmp fcmp".split())
_CONVERTS = frozenset(["sitofp", "uitofp"])
_SLICE = frozenset("add sub and or xor phi select freeze".split())
_MARKS = frozenset("add and or xor".split())
_GIVES_WORD = frozenset("load phi select freeze call extractvalue".split())
_MOVES_WORD = frozenset("store phi select freeze call ret insertvalue bitcast".split())
_KEEPS = frozenset("store ret call phi select insertvalue".split())


class LocalFacts:
    """Answers about the values of one function."""

    def __init__(self, function: Function, analysed: frozenset[str]) -> None:
        self.function = function
        self._analysed = analysed
        self._uses: dict[Value, Uses] = {}
        self._packed: dict[Value, bool] = {}
        self.made_into_numbers = made_into_numbers(function)
        self._offsets: dict[Instruction, tuple[tuple[int, int, bool], ...]] = {}
        self.pointerish = _pointer_slice(function)
        self.deciding = [a for a in function.arguments if isinstance(a.type, IntType) and any(map(_decides, a.users))]

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
        if user.opcode in _CONVERTS:
            return any(u in made and u.opcode in COMPUTING for u in value.users)
        return user in made and value in made

    def _use(self, value: Value, user: Instruction, depth: int) -> Uses:
        opcode = user.opcode
        if user in self.pointerish and opcode in _SLICE:
            return _OPEN
        plain = _USE_OF_OPCODE.get(opcode)
        if plain is not None:
            return plain if opcode not in ("insertelement", "getelementptr") else _index_use(value, user)
        if opcode == "select":
            return _OPEN
        if opcode in ("trunc", "lshr") and self.is_packed(value):
            return _OPEN
        if opcode in ("trunc", "zext", "lshr", "shl"):
            return self._part_use(user, depth)
        if opcode in ("and", "or", "xor"):
            return _OPEN.joined(_WEAK) if keeps_bits(user) else _WEAK
        if opcode == "call":
            callee = user.callee
            known = isinstance(callee, GlobalRef) and callee.name not in self._analysed
            return _WEAK if known else _OPEN
        if opcode == "atomicrmw":
            return _OPEN if user.memory.operation == "xchg" else _STRONG
        return _NO_USE

    def _part_use(self, user: Instruction, depth: int) -> Uses:
        """Returns the uses of a part of the bits, or of the bits at another place in a word."""
        if depth > _DEPTH or (user.opcode in ("lshr", "shl") and part_shift(user) is None):
            return _WEAK if user.opcode == "lshr" else _STRONG
        below = self.uses(user, depth + 1)
        return Uses(below.strong, True, below.open)

    def is_packed(self, value: Value) -> bool:
        """Returns whether parts are taken out of the integer. Uses of its parts say nothing of the whole."""
        found = self._packed.get(value)
        if found is None and isinstance(value, Instruction | Argument):
            found = self._packed[value] = any(_takes_part(user) for user in value.users)
        return bool(found)

    def is_open(self, value: Value) -> bool:
        """Returns whether the integer may carry the bits of something else."""
        if isinstance(value.type, IntType) and value.type.bits < 8:
            return False
        if not isinstance(value, Instruction):
            return self.uses(value).open
        if value.opcode in ARITHMETIC and value not in self.pointerish:
            return any(u.opcode == "bitcast" and is_float(u.type) for u in value.users)
        return self.uses(value).open

    def is_number(self, value: Value) -> bool:
        """Returns whether the integer is computed by integer arithmetic."""
        return isinstance(value, Instruction) and value.opcode in ARITHMETIC and value not in self.pointerish

    # -- doubles

    def is_moved(self, value: Value) -> bool:
        """Returns whether a double is passed on as it is: LLVM moves unions as any member that is large enough."""
        if value.type != DOUBLE or not isinstance(value, Instruction | Argument):
            return False
        if isinstance(value, Instruction) and value.opcode not in _GIVES_WORD:
            return False
        return any(u.opcode in _MOVES_WORD for u in value.users)

    # -- addresses

    def offsets(self, i: Instruction) -> tuple[tuple[int, int, bool], ...]:
        """Returns (offset, stride, up) that a getelementptr adds. `up`: never a negative multiple of the stride.

        There are several if an index chooses one of a few fields.
        """
        found = self._offsets.get(i)
        if found is None:
            up = "nuw" in i.flags or all(at_least(index, 0) for index in i.operands[1:])
            chosen = choices(i.operands[1:])
            found = tuple(dict.fromkeys((*address_offset(i.source_type, indices), up) for indices in chosen))
            self._offsets[i] = found
        return found


def _decides(user: Instruction) -> bool:
    """Returns whether a branch depends on an integer that the instruction uses."""
    if user.opcode == "icmp":
        return user.predicate in ("eq", "ne") and any(u.opcode == "br" for u in user.users)
    return user.opcode in ("switch", "br")


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
    """Returns whether the value is a part of a word in its place: zero-extended, shifted up, or masked."""
    if not isinstance(value, Instruction):
        return isinstance(value, ConstantInt)
    if value.opcode == "zext":
        return isinstance(value.operands[0].type, IntType) and value.operands[0].type.bits >= 16
    if value.opcode == "shl":
        return part_shift(value) is not None
    return value.opcode in ("and", "or") and keeps_bits(value)


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
    if not isinstance(value, Instruction) or value.opcode not in _SLICE:
        return
    operands = [o for o in value.operands if isinstance(o.type, IntType)]
    sure = [o for o in operands if _from_pointer(o)] if value.opcode not in ("phi", "select") else operands
    yield from _locals(sure or (operands[:1] if value.opcode == "sub" else operands))


def _marked_addresses(address: Instruction, depth: int = 0) -> Iterator[Instruction]:
    """Yields addresses with bits changed, or a constant added, that are kept: they may become pointers again."""
    for user in address.users:
        marks = user.opcode in _MARKS and user.operands[0] is address and isinstance(user.operands[1], ConstantInt)
        if marks and depth < _DEPTH and isinstance(user.type, IntType) and user.type.bits == 64:
            beyond = list(_marked_addresses(user, depth + 1))
            yield from beyond
            if beyond or any(u.opcode in _KEEPS for u in user.users):
                yield user


def _from_pointer(value: Value) -> bool:
    for _ in range(_DEPTH):
        if not isinstance(value, Instruction):
            return False
        if value.opcode == "ptrtoint":
            return True
        if value.opcode not in ("add", "sub", "and", "or"):
            return False
        value = value.operands[0]
    return False


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
