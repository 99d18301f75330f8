"""Predicates of refusal for the bits of a number that are written as digits, and read again as an integer.

The text is only characters to all other analyses: none of them is a part of a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

from msgspec import Struct, field

from ...ir.graphs import leads_to
from ...ir.types import IntType, PointerType, store_size
from ...ir.value_edges import MOVED_BITS, SAME_OBJECT
from ...ir.values import Function, Instruction, Value
from ...rules.knowledge import CalleeKind
from ..callees import plain_name
from ..integers.digits import CHARACTERS, PointedPlace, decides_whether, depends_on_or_place
from ..integers.offsets import base_of
from ..values.flow import origins
from .carriers import GivenBits
from .decided_bits import DecidedBits
from .untracked_bits import UntrackedBits, origins_of_bits


class _Question(Struct, frozen=True, eq=False):
    """Whether a value has certain bits, or leads to such.

    `known`: whether values depend on such bits, as far as that has been asked.
    """

    has_bits: Callable[[Value], bool]
    known: dict[Value | PointedPlace, bool] = field(default_factory=dict)
    leads_there: Callable[[Value], bool] = lambda pointer: False

    def __call__(self, v: Value | PointedPlace) -> bool:
        return not isinstance(v, PointedPlace) and self.has_bits(v)


def writes_digit(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a character that depends on the bits of a number, in a text from which integers are read."""
    return _stores_digit(bits, i, _question(bits))


def _question(bits: UntrackedBits) -> _Question:
    return _Question(bits.holds_bits, bits.dependent)


def assembles_number(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a number whose bits are set one by one, by tests of bits of a number with a derivative."""
    return bits.decided.leaves(i)


def passes_digits(bits: UntrackedBits, i: Instruction) -> str:
    """Returns the name of a called function that does the same with the bits of a number that it is given.

    If nothing in the function carries a derivative, it is not differentiated and not checked. If it is differentiated,
    it counts what it is given as constant unless it uses the shadow.
    """
    callee = bits.activity.callees.of(i)
    if callee.kind is CalleeKind.INACTIVE:
        is_writer = _passes_character(bits, i, _question(bits))
    elif callee.kind is CalleeKind.DEFINED and _may_be_writer(bits, callee.name):
        all_given = frozenset(range(len(i.arguments)))
        is_writer = _is_writer(bits, (callee.name, all_given)) and _is_writer(bits, (callee.name, _given_bits(bits, i)))
    else:
        return ""
    return plain_name(callee.name) if is_writer else ""


def _given_bits(bits: UntrackedBits, call: Instruction) -> frozenset[int]:
    """Returns which arguments are bits, or lead to such. That takes long, and most functions write none in any case."""
    return frozenset(k for k, a in enumerate(call.arguments) if _gives_bits(bits, a))


def _gives_bits(bits: UntrackedBits, given: Value) -> bool:
    if isinstance(given.type, PointerType):
        return bits.moves_number(given, 0) or bits.is_number(given, behind=True) or bits.gets_parts(given)
    return isinstance(given.type, IntType) and any(map(bits.holds_bits, origins_of_bits(given)))


def _passes_character(bits: UntrackedBits, i: Instruction, is_given: _Question) -> bool:
    """Returns whether a library function is given a digit, and a text to which it may add it (std::string)."""
    known = bits.activity.callees.of(i).known
    if known is None or known.characters == "none":
        return False
    operands = [a for k, a in enumerate(i.arguments) if known.characters == "any" or k in known.characters]
    digits = [a for a in operands if isinstance(a.type, IntType)]
    texts = [a for a in i.arguments if isinstance(a.type, PointerType)]
    return any(map(bits.types.number_flow.feeds_digits, texts)) and _depends(bits, digits, is_given)


def _may_be_writer(bits: UntrackedBits, name: str) -> bool:
    """Returns whether the function, or one that it calls, would write digits of what it is given, if that has bits.

    Most functions have nowhere to write them. So nothing is asked about what these are given, which takes long.
    """
    module = bits.activity.callees.module

    def called(name: str) -> Iterator[str]:
        calls = (i for i in module.functions[name].instructions() if i.opcode == "call" and _may_write(bits, i))
        return (bits.activity.callees.of(i).name for i in calls)

    def may_write(name: str) -> bool:
        body = module.functions[name]
        decided = DecidedBits(bits.activity, bits.computes, lambda v: False, body)
        any_bits = _Question(lambda v: True)
        if any(map(decided.may_leave, body.instructions())):
            return True
        writes_digits = bits.types.number_flow.may_write_digits(name)
        return writes_digits and any(_writes(bits, i, any_bits) for i in body.instructions())

    return leads_to(name, called, may_write, bits.carriers.digit_places)


def _is_writer(bits: UntrackedBits, given: GivenBits) -> bool:
    """Returns whether the function, or one that it calls, writes digits of what it is given."""
    with_bits = cache(partial(_with_bits, bits))

    def further(given: GivenBits) -> Iterator[GivenBits]:
        body, is_given, _ = with_bits(given)
        for i in body.instructions() if given[1] else ():
            if i.opcode == "call" and _may_write(bits, i) and _may_be_writer(bits, bits.activity.callees.of(i).name):
                yield bits.activity.callees.of(i).name, frozenset(_given(bits, i, is_given))

    def writes(given: GivenBits) -> bool:
        body, is_given, leads_to_parts = with_bits(given)
        if not given[1]:
            return False
        decided = DecidedBits(bits.activity, bits.computes, is_given, body, leads_to_parts)
        writes_digits = bits.types.number_flow.may_write_digits(body.name)
        return any(decided.leaves(i) or (writes_digits and _writes(bits, i, is_given)) for i in body.instructions())

    return leads_to(given, further, writes, bits.carriers.digit_writers)


def _with_bits(bits: UntrackedBits, given: GivenBits) -> tuple[Function, _Question, Callable[[Value], bool]]:
    """Returns the function, which of its values are bits that it is given, and which pointers lead to parts of numbers.

    Other memory that it is given may hold numbers and integers side by side: what is loaded there tells. Where memory
    lies, and whether there is any, is no bit of what it holds.
    """
    name, numbers = given
    body = bits.activity.callees.module.functions[name]
    parameters = {body.arguments[k] for k in numbers if k < len(body.arguments)}

    def is_given(v: Value) -> bool:
        if isinstance(v, Instruction) and v.opcode == "load" and base_of(v.operands[0]) in parameters:
            return bits.is_loaded_from_number(v, is_sure=True)
        return v in parameters and not isinstance(v.type, PointerType)

    def leads_there(v: Value) -> bool:
        return isinstance(v.type, PointerType) and not parameters.isdisjoint(origins([v], SAME_OBJECT))

    def leads_to_parts(pointer: Value) -> bool:
        return base_of(pointer) in parameters and bits.types.contents(pointer, 1).is_packed

    return body, _Question(is_given, leads_there=leads_there), leads_to_parts


def _may_write(bits: UntrackedBits, call: Instruction) -> bool:
    callee = bits.activity.callees.of(call)
    return callee.kind is CalleeKind.DEFINED and bits.types.number_flow.may_write_text(callee.name)


def _given(bits: UntrackedBits, call: Instruction, is_given: _Question) -> list[int]:
    arguments = enumerate(call.arguments)
    return [k for k, a in arguments if is_given.leads_there(a) or _depends(bits, [a], is_given)]


def _writes(bits: UntrackedBits, i: Instruction, is_given: _Question) -> bool:
    if i.opcode == "store":
        return _stores_digit(bits, i, is_given)
    if i.opcode != "call" or bits.activity.callees.of(i).kind is CalleeKind.DEFINED:
        return False
    if bits.types.number_flow.writes_digits(i) and _depends(bits, i.arguments, is_given):
        return True
    return _passes_character(bits, i, is_given)


def _stores_digit(bits: UntrackedBits, i: Instruction, is_given: _Question) -> bool:
    value, pointer = i.operands
    if not isinstance(value.type, IntType) or not 8 <= value.type.bits <= CHARACTERS:
        return False
    # memory of an allocator holds numbers at other times: bytes there are flags and types, too
    if bits.types.contents(pointer, store_size(value.type)).is_near_numbers():
        return False
    if not _depends(bits, [value, PointedPlace(pointer), *decides_whether(i)], is_given):
        return False  # asked before: where digits are read, is a question about the whole program
    return bits.types.number_flow.feeds_digits(pointer)


def _depends(bits: UntrackedBits, values: Iterable[Value | PointedPlace], is_given: _Question) -> bool:
    """Returns whether one of the values depends on bits for which the question is answered with yes."""

    def parts(v: Value | PointedPlace) -> Iterable[Value | PointedPlace]:
        if isinstance(v, PointedPlace):
            return depends_on_or_place(v)
        if not isinstance(v, Instruction):
            return ()
        return (*depends_on_or_place(v), *(v.operands if bits.computes(v) else MOVED_BITS.operands(v)))

    return any(leads_to(v, parts, is_given, is_given.known) for v in values)
