"""Numbers whose bits are set one by one, each by a test of bits of a number that carries a derivative.

    if (source >> k & 1) target |= 1ul << k;        target = target << 4 | table[source >> k & 15];

No bit of the target is computed from bits of the source, so all other analyses take it for a constant. A few tests are
those of a sign or an exponent, where the number is one on both sides; a whole number takes many, or a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import cached_property

from ...ir.constants import Constant, ConstantInt
from ...ir.graphs import leads_to, reachable
from ...ir.instructions import CHOICES, SETS_BITS, SHIFTS
from ...ir.types import I1, FloatType, IntType, PointerType, store_size
from ...ir.value_edges import CHOSEN, MOVED_BITS
from ...ir.values import Function, Instruction, Value
from ...rules.inactive import is_string_member
from ...rules.knowledge import CalleeKind
from ..callees import plain_name
from ..integers.bit_steps import float_like, is_all_ones, width
from ..integers.digits import CHARACTERS, conditions_of_choice, decides_store, depends_on, indices
from ..integers.offsets import base_of
from .activity import Activity
from .number_bytes import is_byte_of_number

#: so many decisions make a number, so many bytes are many
_DECISIONS, _BYTES = 8, 4
#: the bits of a digit
_DIGIT = 4


class DecidedBits:
    """The integers of one function that depend on bits of numbers with derivatives, by tests of these or as indices.

    `computes`: whether an instruction computes an integer from integers; `holds_bits`: whether a value has such bits.
    `function`: another one than the activity's, in which nothing carries a derivative. `leads_to_parts`: whether a
    pointer leads to memory that this function is given, and to which parts of numbers are copied.
    """

    def __init__(
        self,
        activity: Activity,
        computes: Callable[[Instruction], bool],
        holds_bits: Callable[[Value], bool],
        function: Function | None = None,
        leads_to_parts: Callable[[Value], bool] = lambda pointer: False,
    ) -> None:
        self._activity, self._computes, self._holds_bits = activity, computes, holds_bits
        self._function = function or activity.function
        self._varied = activity.varied if function is None else frozenset[Value]()
        self._shadowed = activity.shadowed if function is None else leads_to_parts
        self._types = activity.carriers.types
        self._decisions: dict[tuple[Instruction, bool], bool] = {}
        self._dependent: dict[bool, dict[Value, bool]] = {False: {}, True: {}}
        self._has_test: dict[Value, bool] = {}
        self._has_loaded: dict[Value, bool] = {}

    @cached_property
    def _writes(self) -> dict[Hashable, list[Instruction]]:
        """The writes to each object."""
        found: dict[Hashable, list[Instruction]] = {}
        for i in self._function.instructions():
            target = self._target(i)
            for name in self._types.points_to.names_at(target) if target is not None else ():
                found.setdefault(name, []).append(i)
        return found

    def _writes_to(self, pointer: Value) -> Iterator[Instruction]:
        return (i for name in self._types.points_to.names_at(pointer) for i in self._writes.get(name, ()))

    @cached_property
    def _has_sure_bits(self) -> bool:
        integers = (i for i in self._function.instructions() if isinstance(i.type, IntType))
        return any(map(self._holds_bits, integers))

    @cached_property
    def _has_bits(self) -> bool:
        """True if bits of a number are an integer at all."""
        integers = [i for i in self._function.instructions() if isinstance(i.type, IntType)]
        return self._has_sure_bits or (any(map(_joins_bits, integers)) and any(map(self._may_be_bits, integers)))

    def leaves(self, i: Instruction) -> bool:
        """Returns whether such bits leave the function here, or become a number."""
        if not self.may_leave(i) or not self._has_bits:  # all integers are asked about last
            return False
        if i.opcode == "call" and (self._passes_string(i) or self._passes_on(i)):
            return True
        return self._passes_on(i) if i.opcode == "ret" else self._makes_number(i)

    def may_leave(self, i: Instruction) -> bool:
        """Returns whether bits that were decided would leave the function here. What decides them is not asked."""
        if self._is_string_member(i) or any(self._is_used(i, v) for v in self._passed(i)):
            return True
        if i.opcode == "ret" or not i.operands or i.operands[0] in self._varied:
            return False
        declared = self._types.declared
        if i.opcode == "store" and (declared.is_byte_member(i) or declared.is_descriptor_member(i)):
            return False  # it is a tag, or an extent
        return _casts(i) or (self._target(i) is not None and (self._is_deciding(i) or self._writes_in_number(i)))

    def _makes_number(self, i: Instruction) -> bool:
        """Returns whether the cast, store or copy makes a number of such bits."""
        is_writing = self._target(i) is not None
        if not (is_writing or _casts(i)) or i.operands[0] in self._varied:
            return False
        if i.opcode == "store" and not self._has_sure_bits and self._activity.carriers.is_integer_in_union(i):
            return False  # its adjoint tells
        is_part = is_writing and self._size(i) < _BYTES
        starts: list[Value] = [i, *self._of_place(i, is_part)]
        if not (_casts(i) or self._writes_in_number(i)):
            return is_writing and self._are_decided(starts, _is_in_loop(i), at_once=True) and self._is_deciding(i)
        return self._are_decided(starts, is_part and _is_in_loop(i))

    def _is_deciding(self, i: Instruction) -> bool:
        """Returns whether bits of a number depend on what is stored, wherever that is read."""
        is_integer = i.opcode == "store" and self._target(i) is not None
        if not is_integer or not self._types.number_flow.deciding.is_stored(i):
            return False
        return not self._activity.carriers.tags_tell(i.operands[1], store_size(i.operands[0].type))

    def _passes_on(self, i: Instruction) -> bool:
        """Returns whether the call or return passes such an integer on, and bits of a number depend on it elsewhere."""
        used = (v for v in self._passed(i) if self._is_used(i, v))
        return any(self._are_decided([v], _is_in_loop(i), at_once=True) for v in used)

    def _passed(self, i: Instruction) -> Iterator[Value]:
        """Yields the integers that a call or return passes, without an adjoint."""
        operands = i.arguments if i.opcode == "call" else i.operands if i.opcode == "ret" else ()
        return (v for v in operands if _is_integer(v) and v not in self._varied)

    def _is_used(self, i: Instruction, v: Value) -> bool:
        callee = self._activity.callees.of(i) if i.opcode == "call" else None
        if callee is None or callee.kind is CalleeKind.DEFINED:
            return self._types.number_flow.deciding.has(v)
        return callee.kind is CalleeKind.INACTIVE and any(
            isinstance(a.type, PointerType) and self._types.number_flow.deciding.are_at(a) for a in i.arguments
        )

    def _passes_string(self, i: Instruction) -> bool:
        """Returns whether a member of std::string is given memory with such bits, and strings hold numbers."""
        if not self._is_string_member(i):
            return False
        pointers = [a for a in i.arguments if isinstance(a.type, PointerType)]
        return self._are_decided([w for pointer in pointers for w in self._writes_to(pointer)], False)

    def _are_decided(self, starts: list[Value], in_loop: bool, *, at_once: bool = False) -> bool:
        """Returns whether many decisions made what the values come from, or one in a loop.

        `at_once`: the tested bits were a number in this function. What is loaded as an integer may be another member of
        the object, or what a pool held before.
        """
        made = {*reachable(starts, self._operands)}
        decisions = {v for v in made if self._is_decision(v, at_once)}
        return (
            sum(map(_weight, decisions)) >= _DECISIONS
            or (decisions != set() and (in_loop or self._is_repeated(decisions, made)))
            or self._are_joined(made)
        )

    def _are_joined(self, made: Collection[Value]) -> bool:
        """Returns whether bits are joined to an integer, each by a test of what may be bits of a number in memory.

        An integer in memory may also be another member of the object. But nothing else is joined bit by bit, if each
        time it is another bit. A loop may set the same flag.
        """
        joins = [v for v in made if isinstance(v, Instruction) and _joins_bits(v) and self._is_join_decided(v, made)]
        others = [v for v in joins if not _is_flag(v)]
        many = len(others) + len({v.operands[1] for v in joins if _is_flag(v)}) >= _DECISIONS
        return many or any(self._is_computed_from_itself(join, made) for join in others)

    def _is_join_decided(self, join: Instruction, made: Collection[Value]) -> bool:
        """Returns whether a test decides if the bits are joined, or which ones."""

        def parts(v: Value) -> Iterable[Value]:
            return () if _is_choice(v) else self._operands(v)

        chosen = (u for u in join.users if u in made and u.opcode in CHOICES)
        return any(map(self._tests_loaded, chosen)) or any(
            leads_to(o, parts, self._tests_loaded, self._has_test) for o in join.operands
        )

    def _tests_loaded(self, v: Value) -> bool:
        """Returns whether what may be bits of a number in memory decides the value."""

        def parts(v: Value) -> Iterator[Value]:
            if isinstance(v, Instruction) and v.opcode != "load" and not _tests_whole_number(v):
                yield from depends_on(v)
                yield from self._operands(v)

        return isinstance(v, Instruction) and any(
            leads_to(o, parts, self._may_be_bits, self._has_loaded) for o in self._deciding(v)
        )

    def _may_be_bits(self, v: Value) -> bool:
        """Returns whether it is loaded as an integer where code may have put bits of numbers with a derivative.

        Single bytes may be those of a text beside numbers, unless parts of numbers are copied there.
        """
        if not isinstance(v, Instruction) or v.opcode != "load" or not isinstance(v.type, IntType):
            return False
        place, size = v.operands[0], store_size(v.type)
        if not self._shadowed(place) or (size == 1 and not self._types.contents(place, size).is_packed):
            return False
        if self._activity.carriers.tags_tell(place, size):
            return False
        return self._types.number_flow.may_load_bits(v)

    def _target(self, i: Instruction) -> Value | None:
        """Returns where an integer is stored, or bytes are copied."""
        if i.opcode == "store":
            return i.operands[1] if isinstance(i.operands[0].type, IntType) else None
        is_copy = i.opcode == "call" and self._activity.callees.of(i).kind is CalleeKind.COPY
        return self._activity.callees.copy_operands(i)[0] if is_copy else None

    def _size(self, i: Instruction) -> int:
        if i.opcode == "store":
            return store_size(i.operands[0].type)
        known = self._activity.callees.of(i).known
        length = i.arguments[known.length] if known is not None else None
        return length.value if isinstance(length, ConstantInt) else 0

    def _writes_in_number(self, i: Instruction) -> bool:
        """Returns whether an integer is stored, or a part of a number is copied, to where numbers lie."""
        target = self._target(i)
        if target is None or isinstance(i.operands[0], Constant):
            return False
        size = self._size(i)
        if not 0 < size < (_BYTES if i.opcode == "call" else _DECISIONS + 1) or self._is_declared(i):
            return False
        there = self._types.contents(target, size)
        is_flag = there.is_near_pointers and not _is_number(target)  # of another object
        return self._is_in_string(target) or (not is_flag and is_byte_of_number(self._types, target, size))

    def _is_in_string(self, target: Value) -> bool:
        return self._is_string_member(base_of(target))

    def _is_string_member(self, v: Value) -> bool:
        is_call = isinstance(v, Instruction) and v.opcode == "call" and is_string_member(plain_name(v.callee_name))
        return is_call and self._types.number_flow.strings_become_numbers

    def _is_declared(self, i: Instruction) -> bool:
        return i.opcode == "store" and self._types.declared.is_integer(i)

    def _of_place(self, i: Instruction, is_part: bool) -> Iterable[Instruction]:
        """Returns the other writes to the object, if only a part of a number is written."""
        target = self._target(i)
        return self._writes_to(target) if is_part and target is not None else ()

    def _operands(self, v: Value) -> Iterator[Value]:
        """Yields what bits of the integer come from, through memory of the function, too."""
        if not isinstance(v, Instruction) or v in self._varied:
            return
        if v.opcode == "load" and isinstance(v.type, IntType):
            yield from self._writes_to(v.operands[0])
        elif v.opcode == "store" or v.opcode == "bitcast":
            yield v.operands[0]
        elif self._target(v) is not None:
            yield from self._writes_to(self._activity.callees.copy_operands(v)[1])
        elif self._computes(v):
            yield from (o for o in v.operands if width(o.type))
        else:
            yield from MOVED_BITS.operands(v)[v.opcode == "select" :]

    def _is_decision(self, v: Value, at_once: bool) -> bool:
        if not isinstance(v, Instruction):
            return False
        if (v, at_once) not in self._decisions:
            self._decisions[v, at_once] = self._depends(self._deciding(v), at_once)
        return self._decisions[v, at_once]

    def _deciding(self, i: Instruction) -> Iterable[Value]:
        """Returns what decides the value, or what is written, or where."""
        if i.opcode == "store":
            return decides_store(i)
        if i.opcode == "load":
            return indices(i.operands[0])
        if i.opcode == "icmp":
            return () if _tests_whole_number(i) else i.operands
        if i.opcode == "call":
            pointers = self._activity.callees.copy_operands(i) if self._target(i) is not None else ()
            return [v for pointer in pointers for v in indices(pointer)]
        return conditions_of_choice(i) if i.opcode in CHOICES else ()

    def _depends(self, values: Iterable[Value], at_once: bool) -> bool:
        """Returns whether one of the values depends on bits of a number with a derivative."""

        def parts(v: Value) -> Iterator[Value]:
            if isinstance(v, Instruction) and not _tests_whole_number(v):
                yield from self._deciding(v) if self._target(v) is not None else depends_on(v)
                if not (at_once and _is_load(v)):
                    yield from self._operands(v)

        def is_bits(v: Value) -> bool:
            if at_once and _is_loaded(v):
                return False
            return self._holds_bits(v) and not self._is_other_integer(v)

        return any(leads_to(v, parts, is_bits, self._dependent[at_once]) for v in values)

    def _is_other_integer(self, load: Value) -> bool:
        """Returns whether the object also gets integers of this size that no bits of a number decide, as unions do."""
        if not isinstance(load, Instruction) or load.opcode != "load":
            return False
        writes = (i for i in self._writes_to(load.operands[0]) if i.opcode == "store")
        stored = (i.operands[0] for i in writes if i.operands[0].type == load.type)
        return any(not _is_zero(v) and self._is_plain(v) for v in stored)

    def _is_plain(self, v: Value) -> bool:
        return not any(map(self._holds_bits, reachable([v], self._operands)))

    def _is_computed_from_itself(self, v: Value, made: Collection[Value]) -> bool:
        return v in reachable(self._operands(v), lambda o: (p for p in self._operands(o) if p in made))

    def _is_repeated(self, decisions: Collection[Value], made: Collection[Value]) -> bool:
        """Returns whether a loop collects what is decided: a value is computed from itself and from a decision."""
        for v in made:
            below = {*reachable(self._operands(v), lambda o: (p for p in self._operands(o) if p in made))}
            if v in below and not below.isdisjoint(decisions):
                return True
        return False


def _is_integer(v: Value) -> bool:
    return isinstance(v.type, IntType) and not isinstance(v, Constant)


def _is_number(pointer: Value) -> bool:
    """Returns whether it points into a local variable that is a number."""
    variable = base_of(pointer)
    if not isinstance(variable, Instruction) or variable.opcode != "alloca":
        return False
    return isinstance(variable.memory.accessed, FloatType)


def _weight(decision: Value) -> int:
    """Returns for how many decisions it stands: each digit of a part of a number that a table gives."""
    is_part = isinstance(decision, Instruction) and decision.opcode == "load" and width(decision.type) <= CHARACTERS
    return max(width(decision.type) // _DIGIT, 1) if is_part else 1


def _is_loaded(v: Value) -> bool:
    """Returns whether the value is an integer that was loaded, or one of several."""
    ends = [o for o in _chosen_among(v) if not isinstance(o, Constant)]
    return ends != [] and all(map(_is_load, ends))


def _chosen_among(v: Value) -> Iterator[Value]:
    """Yields the values that it is one of."""
    chosen = reachable([v], lambda o: (p for p in CHOSEN.operands(o) if p.type == v.type))
    return (o for o in chosen if not (isinstance(o, Instruction) and o.opcode in CHOSEN))


def _joins_bits(v: Instruction) -> bool:
    """Returns whether it puts bits into a word, or changes some there. A complement changes all."""
    is_complement = v.opcode == "xor" and any(map(is_all_ones, v.operands))
    return v.opcode in SETS_BITS and width(v.type) >= _BYTES * 8 and not is_complement


def _is_flag(join: Instruction) -> bool:
    """Returns whether it sets the same bits each time: constants, and the others do not move."""
    moves = any(isinstance(o, Instruction) and o.opcode in SHIFTS for o in join.operands)
    return not moves and any(_is_one_of_constants(o) for o in join.operands)


def _is_one_of_constants(v: Value) -> bool:
    return all(isinstance(o, Constant) or _is_truth(o) for o in _chosen_among(v))


def _is_truth(v: Value) -> bool:
    return isinstance(v, Instruction) and v.opcode == "zext" and v.operands[0].type == I1


def _is_choice(v: Value) -> bool:
    return isinstance(v, Instruction) and v.opcode == "phi"


def _is_load(v: Value) -> bool:
    return isinstance(v, Instruction) and v.opcode == "load"


def _tests_whole_number(v: Instruction) -> bool:
    """Returns whether it compares all bits of a number with a constant at once: nothing is told of a single bit."""
    if v.opcode != "icmp" or v.predicate not in ("eq", "ne"):
        return False
    tested, constant = v.operands
    is_load = isinstance(tested, Instruction) and tested.opcode == "load"
    return is_load and isinstance(constant, Constant) and store_size(tested.type) >= _BYTES


def _is_zero(v: Value) -> bool:
    return isinstance(v, ConstantInt) and v.value == 0


def _is_in_loop(i: Instruction) -> bool:
    return i.block is not None and i.block in reachable(i.block.successors, lambda b: b.successors)


def _casts(i: Instruction) -> bool:
    return (
        i.opcode == "bitcast" and isinstance(float_like(i.type), FloatType) and isinstance(i.operands[0].type, IntType)
    )
