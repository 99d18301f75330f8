"""Rewrites vectors of integers that hold the bits of numbers as vectors of these numbers, which have adjoints.

Programs cast vectors of numbers to integers to shuffle or copy them, and LLVM extracts lanes through integers that are
several lanes wide. This pass rewrites what moves whole numbers. An operation that cuts numbers is refused later, if it
carries a derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ....analysis.type_analysis.analysis import Kind, TypeAnalysis
from ....ir.builder import Builder, put_in_place
from ....ir.cfg import reverse_postorder
from ....ir.constants import ConstantAggregate, ConstantInt, ConstantWord
from ....ir.folding import numbers_of_bits, zero
from ....ir.graphs import reachable
from ....ir.instructions import INTO_INTEGER
from ....ir.leaves import shuffle_lanes
from ....ir.types import (
    DOUBLE,
    FLOAT,
    I64,
    FloatType,
    IntType,
    PointerType,
    Type,
    VectorType,
    alloc_size,
    scalar,
    store_size,
)
from ....ir.value_edges import LANES_OF_BITS
from ....ir.values import Function, Instruction, Value
from ..bits.parts_of_words import load_instead
from .vector_masks import constant_numbers, is_mask, masked

#: the vector of numbers for each vector of integers
Floats = dict[Value, Value]

_WORD = 64  # bits
_NUMBERS: dict[Kind, FloatType] = {Kind.DOUBLE: DOUBLE, Kind.FLOAT: FLOAT}
_SPECIAL = frozenset(["atomic", "volatile"])


def follow_lanes(function: Function) -> None:
    """Rewrites the function in place."""
    for i in list(function.instructions()):
        if i.opcode == "load" and not _SPECIAL & set(i.flags):
            _load_otherwise(i)
    floats: Floats = {}
    for i in [i for block in reverse_postorder(function.entry) for i in block.instructions]:  # operands come first
        step = _STEPS.get(i.opcode)
        if step is not None:
            step(floats, i)
    for i in reversed(list(function.instructions())):
        is_lanes = i.opcode in LANES_OF_BITS or i.opcode == "insertelement"
        if is_lanes and _is_integers(i.type) and not i.users:
            i.erase()


def follow_loaded_lanes(functions: Iterable[Function], types: TypeAnalysis) -> bool:
    """As follow_lanes, for loads whose type only the type analysis knows: masks, and moves of several pointers.

    Returns true if anything changed.
    """
    found = False
    for function in functions:
        loads = [i for i in function.instructions() if i.opcode == "load" and not _SPECIAL & set(i.flags)]
        known = {i: _numbers_in_memory(types, i) for i in loads if _is_integers(i.type) and any(map(is_mask, i.users))}
        for i, type_ in known.items():
            if type_ is not None:
                put_in_place(i, partial(loaded_as, type_))
        if any(known.values()):
            follow_lanes(function)
            found = True
        for i in [i for i in loads if i.block is not None and _moves_pointers(types, i)]:
            _move_words(i)
            found = True
    return found


def _moves_pointers(types: TypeAnalysis, i: Instruction) -> bool:
    """Returns whether an integer wider than a pointer is only loaded and stored, and may hold pointers.

    It is not split where a long double may lie.
    """
    if not isinstance(i.type, IntType) or i.type.bits <= _WORD or i.type.bits % _WORD:
        return False
    if not all(u.opcode == "store" and u.operands[0] is i and not _SPECIAL & set(u.flags) for u in i.users):
        return False
    places = [i.operands[0], *(u.operands[1] for u in i.users)]
    kinds = frozenset().union(*types.contents_of(places, store_size(i.type)).words())
    return Kind.POINTER in kinds and not kinds & {Kind.X86_FP80, Kind.FP128}


def _move_words(i: Instruction) -> None:
    """Loads and stores each word by itself."""
    stores = list(i.users)
    for at in range(0, store_size(i.type), _WORD // 8):
        b = Builder.before(i)
        word = b.load(I64, b.offset(i.operands[0], at, ()), min(i.memory.align or 1, _WORD // 8))
        for store in stores:
            b = Builder.before(store)
            b.store(word, b.offset(store.operands[1], at, ()), min(store.memory.align or 1, _WORD // 8))
    for store in stores:
        store.erase()
    i.erase()


def _numbers_in_memory(types: TypeAnalysis, i: Instruction) -> VectorType | None:
    layout = types.contents(i.operands[0], store_size(i.type)).layout
    kinds = {segment.kind for segment in layout.segments} if layout is not None else set()
    element = _NUMBERS.get(kinds.pop()) if len(kinds) == 1 else None
    return None if element is None else VectorType(element, store_size(i.type) // alloc_size(element))


def _is_integers(type_: Type) -> bool:
    return isinstance(type_, VectorType) and isinstance(type_.element, IntType) and type_.element.bits >= 8


def _is_numbers(type_: Type) -> bool:
    return isinstance(type_, VectorType) and not type_.scalable and isinstance(type_.element, FloatType)


def _is_moved_whole(type_: Type) -> bool:
    """Returns whether a store of the type loses nothing: numbers, pointers, or one word."""
    return _is_numbers(type_) or isinstance(type_, IntType | FloatType) or isinstance(scalar(type_), PointerType)


def _element(vector: Value) -> Type:
    assert isinstance(vector.type, VectorType)
    return vector.type.element


# -- memory


def _load_otherwise(i: Instruction) -> None:
    if isinstance(i.type, VectorType) and not i.type.scalable and alloc_size(i.type.element) == _WORD // 8:
        _load_pointers(i, i.type)
    if _is_integers(i.type):
        _load_numbers(i)
    elif isinstance(i.type, IntType) and i.type.bits > _WORD:
        _load_parts(i)


def _load_numbers(i: Instruction) -> None:
    """Loads numbers, if all casts of the vector agree on their type; or one integer, if the vector is only stored."""
    moved = list(reachable([i], _moved))
    elements = {_element(u) for v in moved for u in v.users if u.opcode == "bitcast" and _is_numbers(u.type)}
    casts = [u for v in moved for u in v.users if u.opcode == "bitcast"]
    if len(elements) == 1 and all(_is_numbers(cast.type) for cast in casts):
        element = elements.pop()
        put_in_place(i, partial(loaded_as, VectorType(element, store_size(i.type) // alloc_size(element))))
    elif i.users and all(u.opcode == "store" and u.operands[0] is i for u in i.users):
        put_in_place(i, partial(loaded_as, IntType(8 * store_size(i.type))))


def _load_pointers(i: Instruction, vector: VectorType) -> None:
    """Loads the lanes that are pointers as such, where LLVM loads numbers and pointers beside them as one vector."""
    for cast in [u for u in i.users if u.opcode == "inttoptr"]:
        load_instead(i, cast, 0)
    found = list(pointers_in(i, vector))
    for chain, cast, lane in found:
        load_instead(i, cast, lane * _WORD // 8)
        for step in chain:
            if not step.users:
                step.erase()
    pointers = {lane for _, _, lane in found}
    read = [_lanes_read(i, user, vector.count) for user in i.users]
    if pointers and not any(pointers & lanes for lanes in read):
        b = Builder.before(i)
        numbers: Value = zero(vector)
        for lane in sorted(set().union(*read)):
            place = b.offset(i.operands[0], lane * _WORD // 8, ())
            numbers = b.with_lane(numbers, b.load(vector.element, place, min(i.memory.align or 1, _WORD // 8)), lane)
        i.replace_uses(numbers)
        i.erase()


def pointers_in(i: Instruction, vector: VectorType) -> Iterator[tuple[tuple[Instruction, ...], Instruction, int]]:
    """Yields the casts of lanes to pointers, each with what leads to it, the last first, and the lane's number."""
    for cast in (None, *(u for u in list(i.users) if u.opcode == "bitcast")):
        of = cast or i
        for part in [u for u in of.users if u.opcode == "extractelement" and alloc_size(u.type) == _WORD // 8]:
            index = part.operands[1]
            for word in (None, *(u for u in list(part.users) if u.opcode == "bitcast")):
                for pointer in [u for u in (word or part).users if u.opcode == "inttoptr"]:
                    if isinstance(index, ConstantInt) and index.value < vector.count:
                        yield tuple(step for step in (word, part, cast) if step is not None), pointer, index.value


def _lanes_read(i: Instruction, user: Instruction, count: int) -> set[int]:
    """The lanes of a vector that an instruction reads."""
    if user.opcode == "extractelement" and isinstance(user.operands[1], ConstantInt):
        return {user.operands[1].value}
    if user.opcode == "shufflevector":
        starts = [k * count for k, operand in enumerate(user.operands[:2]) if operand is i]
        return {at - start for at in shuffle_lanes(user.operands[2]) for start in starts if 0 <= at - start < count}
    return set(range(count))


def _moved(vector: Instruction) -> list[Instruction]:
    """Returns the vectors of integers that hold what a vector of integers holds, in other lanes or with other signs."""
    return [u for u in LANES_OF_BITS.users(vector) if _is_integers(u.type)]


def _load_parts(i: Instruction) -> None:
    """Loads each part that is extracted from a wide integer by itself."""
    for user in list(i.users):
        by = user.operands[1] if user.opcode == "lshr" else None
        if user.opcode == "trunc":
            _load_part(i, user, 0)
        elif isinstance(by, ConstantInt) and by.value % 8 == 0:
            for part in [u for u in user.users if u.opcode == "trunc"]:
                _load_part(i, part, by.value // 8)
            if not user.users:
                user.erase()


def _load_part(i: Instruction, part: Instruction, offset: int) -> None:
    assert isinstance(i.type, IntType) and isinstance(part.type, IntType)
    size = part.type.bits // 8
    if part.type.bits % 16 or 8 * (offset + size) > i.type.bits:
        return
    load_instead(i, part, offset)


def loaded_as(type_: Type, b: Builder, i: Instruction) -> Value:
    """Returns the value of a load, which is read in another type and cast to the load's type."""
    new = b.load(type_, i.operands[0], i.memory.align or 1)
    return b.cast("bitcast", new, i.type)


def _store(floats: Floats, i: Instruction) -> None:
    value = i.operands[0]
    if not _is_integers(value.type):
        return
    source = floats.get(value)
    if source is None and isinstance(value, Instruction) and value.opcode in INTO_INTEGER:
        source = value.operands[0]
    if source is not None and (_is_moved_whole(source.type) and store_size(source.type) == store_size(value.type)):
        i.replace_operand(value, source)


# -- registers


def _bitcast(floats: Floats, i: Instruction) -> None:
    source = floats.get(i.operands[0], i.operands[0])
    if _is_integers(i.type):
        if _is_numbers(source.type):
            floats[i] = source
    elif source is not i.operands[0]:
        put_in_place(i, lambda b, i: source if source.type == i.type else b.cast("bitcast", source, i.type))


def _select(floats: Floats, i: Instruction) -> None:
    condition, first, second = i.operands
    a, c = floats.get(first), floats.get(second)
    if a is not None and c is None:
        c = constant_numbers(second, a.type)
    elif c is not None and a is None:
        a = constant_numbers(first, c.type)
    if a is None or c is None or a.type != c.type or not _is_integers(i.type):
        return
    if isinstance(condition.type, VectorType) and alloc_size(_element(i)) != alloc_size(_element(a)):
        return
    _note(floats, i, lambda b: b.select(condition, a, c))


def _phi(floats: Floats, i: Instruction) -> None:
    """Rewrites a phi of vectors that are all known. The phi of a loop stays: it comes before its last operand."""
    known = [floats.get(value) for value, _ in i.incoming]
    types = {numbers.type for numbers in known if numbers is not None}
    if len(types) != 1 or not _is_integers(i.type) or i.block is None:
        return
    (type_,) = types
    made = [constant_numbers(v, type_) if n is None else n for n, (v, _) in zip(known, i.incoming, strict=True)]
    found = [(numbers, block) for numbers, (_, block) in zip(made, i.incoming, strict=True) if numbers is not None]
    if len(found) == len(made):
        floats[i] = Builder(i.block).phi(type_, found)


def _shuffle(floats: Floats, i: Instruction) -> None:
    first, second, mask = i.operands
    a = floats.get(first)
    if a is None:
        return
    c = floats.get(second, zero(a.type) if isinstance(second, ConstantWord) else None)
    if c is None or c.type != a.type or first.type != second.type:
        return
    lanes = _regrouped(shuffle_lanes(mask), alloc_size(_element(first)), alloc_size(_element(a)))
    if lanes is not None:
        _note(floats, i, lambda b: b.shuffle(a, c, lanes))


def _insert(floats: Floats, i: Instruction) -> None:
    """Notes a lane that holds the bits of a number, among numbers or constants; or a constant lane among numbers."""
    vector, word, index = i.operands
    among = floats.get(vector)
    number = word.operands[0] if isinstance(word, Instruction) and word.opcode == "bitcast" else None
    if not isinstance(i.type, VectorType) or not _is_integers(i.type) or (number is None and among is None):
        return
    element = number.type if number is not None else _element(vector if among is None else among)
    if not isinstance(element, FloatType):
        return
    type_ = VectorType(element, i.type.count)
    others = _constants(vector, type_) if among is None else among
    lane = _constant_lane(word, element) if number is None else number
    if others is not None and lane is not None and others.type == type_ and store_size(type_) == store_size(i.type):
        _note(floats, i, lambda b: b.with_lane(others, lane, index))


def _constants(vector: Value, type_: VectorType) -> Value | None:
    return zero(type_) if isinstance(vector, ConstantWord) else constant_numbers(vector, type_)


def _constant_lane(word: Value, element: FloatType) -> Value | None:
    if not isinstance(word, ConstantInt) or not isinstance(word.type, IntType):
        return None
    found = numbers_of_bits(word.value % (1 << word.type.bits), VectorType(element, 1))
    if isinstance(found, ConstantAggregate):
        return found.elements[0]
    return None if found is None else zero(element)


def _mask(floats: Floats, i: Instruction) -> None:
    if _is_integers(i.type):
        made = masked(Builder.before(i), i, *(floats.get(operand) for operand in i.operands))
        if made is not None:
            floats[i] = made


def _regrouped(lanes: list[int], size: int, wanted: int) -> list[int] | None:
    """The same shuffle for lanes of another size in bytes; None if it cuts these."""
    if size >= wanted:
        n = size // wanted
        return [lane * n + k if lane >= 0 else 0 for lane in lanes for k in range(n)]
    n = wanted // size
    if len(lanes) % n:
        return None
    found = []
    for k in range(0, len(lanes), n):
        firsts = {lane - at for at, lane in enumerate(lanes[k : k + n]) if lane >= 0} or {0}
        first = firsts.pop()
        if firsts or first % n:
            return None
        found.append(first // n)
    return found


def _extract(floats: Floats, i: Instruction) -> None:
    vector, index = i.operands
    source = floats.get(vector)
    if source is not None and isinstance(index, ConstantInt):
        size = alloc_size(i.type)
        _take(i, source, index.value * size, size)


def _truncate(floats: Floats, i: Instruction) -> None:
    source: Value = i.operands[0]
    bits, shift = (source, 0) if not isinstance(source, Instruction) else _shifted(source)
    if isinstance(bits, Instruction) and bits.opcode == "bitcast" and _is_numbers(bits.operands[0].type):
        assert isinstance(i.type, IntType)
        if shift % 8 == 0 and i.type.bits % 8 == 0:
            _take(i, bits.operands[0], shift // 8, i.type.bits // 8)


def _shifted(value: Instruction) -> tuple[Value, int]:
    """The value that is shifted right, and by how many bits."""
    by = value.operands[1] if value.opcode == "lshr" else None
    return (value.operands[0], by.value) if isinstance(by, ConstantInt) else (value, 0)


def _take(i: Instruction, source: Value, offset: int, size: int) -> None:
    """Replaces an integer by whole lanes of `source`, if it consists of such."""
    width = alloc_size(_element(source))
    assert isinstance(source.type, VectorType)
    if offset % width or size % width or offset + size > width * source.type.count:
        return
    lanes = range(offset // width, (offset + size) // width)

    def taken(b: Builder, i: Instruction) -> Value:
        part = b.lane(source, lanes[0]) if len(lanes) == 1 else b.shuffle(source, source, lanes)
        return b.cast("bitcast", part, i.type)

    put_in_place(i, taken)


def _note(floats: Floats, i: Instruction, make: Callable[[Builder], Value]) -> None:
    """Makes the vector of numbers whose bits the vector of integers holds. In the end nothing uses the latter."""
    floats[i] = make(Builder.before(i))


_STEPS: dict[str, Callable[[Floats, Instruction], None]] = {
    "bitcast": _bitcast,
    "phi": _phi,
    "select": _select,
    "shufflevector": _shuffle,
    "insertelement": _insert,
    "and": _mask,
    "or": _mask,
    "xor": _mask,
    "extractelement": _extract,
    "trunc": _truncate,
    "store": _store,
}
