"""Addresses in a region's function as polynomials: of values known at its entry, and of variables of loops.

A variable of a loop is between its start and its bound, which are polynomials too. So a derivative can compute, when it
begins, which bytes an access reaches (autodiff/emit/shadow_access/team_places.py). Integers of fewer bits than an
address are taken for whole numbers: that they have not wrapped around is a condition, which is tested then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import Constant, ConstantInt, GlobalRef
from ...ir.indices import address_terms
from ...ir.instructions import EXTENSIONS, INTEGER_SUMS, QUOTIENTS, REMAINDERS, RESIZES
from ...ir.types import IntType, is_pointer
from ...ir.values import Argument, Instruction, Value
from ..callees import plain_name
from ..integers.loops import Induction, TripCount, induction, is_invariant, trip_count
from .place_digits import Digits, Quotient
from .polynomials import Polynomial, Products, added, scaled
from .work_loops import Divided, WorkLoop, is_computed_early

_LIMITS = ("llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax.")
#: how many operations are followed, and how many factors a product may have
_DEEP, _DEGREE = 16, 4
_WORD = 64


class Fits(NamedTuple):
    """The condition that a polynomial is a number of so many bits, with a sign or without."""

    value: Polynomial
    bits: int
    is_signed: bool


class Counter(NamedTuple):
    """A variable of a loop that adds `step`, from `start` on. It is `less` before the bound at last."""

    start: Polynomial
    step: int
    bound: Polynomial
    less: int


Variable = Counter | Quotient


class LinearAddress(Struct, frozen=True, eq=False):
    """A pointer: the sum of a base, which is known at the entry, and a number of bytes. Valid if all `fits` hold."""

    base: Value
    offset: Polynomial
    fits: frozenset[int]


class LinearPlaces:
    """The addresses of one function.

    The variable of a divided loop is a symbol, and so is the call that stores the bounds of a thread's part: it stands
    for the lower one. flang's variables count from zero, and the lower bound is added.
    """

    def __init__(self, flow: ControlFlow, divided: Divided) -> None:
        self.products = Products()
        self._flow = flow
        self._divided = divided
        self._work = {work.variable.phi: work for work in divided.loops.values()}
        self._lower = {places[0]: call for call, places in divided.places.items()}
        self._bounds = frozenset(place for places in divided.places.values() for place in places)
        self.parts: dict[Value, Value] = {}  # the call of a loop -> the lower bound of the one part of the thread
        self.variables: dict[Value, Variable] = {}
        self.whole: dict[Value, Variable] = {}  # the variables of divided loops, between the bounds of all parts
        self.conditions: list[Fits] = []
        self._digits: tuple[Mapping[Value, Variable], Digits] = {}, Digits({}, {}, self.products)
        self._found: dict[Value, Polynomial | None] = {}
        self._needs: dict[Value, frozenset[int]] = {}

    @cached_property
    def _counts(self) -> dict[Loop, TripCount | None]:
        live = set(self._flow.order)
        return {loop: trip_count(loop, self._flow, live) for loop in self._flow.loops}

    def address(self, pointer: Value) -> LinearAddress | None:
        """Returns the address; None if it is no polynomial, or has no base."""
        found = self.polynomial(pointer)
        bases = [m[0] for m, factor in (found or {}).items() if len(m) == 1 and is_pointer(m[0].type) and factor == 1]
        if found is None or len(bases) != 1 or any(is_pointer(v.type) for m in found for v in m if v is not bases[0]):
            return None
        offset = {m: factor for m, factor in found.items() if m != (bases[0],)}
        if any(bases[0] in m for m in offset):
            return None
        return LinearAddress(bases[0], offset, self._conditions_of(found) | self._needs.get(pointer, frozenset()))

    def base(self, pointer: Value) -> Value | None:
        """Returns the value, known at the entry, that an address is computed from by any indices."""
        while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr" and not self.is_early(pointer):
            pointer = pointer.operands[0]
        return pointer if self.is_early(pointer) else None

    def conditions_of(self, value: Value) -> frozenset[int]:
        """Returns the numbers of the conditions under which a value is its polynomial."""
        polynomial = self.polynomial(value)
        return self._needs.get(value, frozenset()) | self._conditions_of(polynomial or {})

    def _conditions_of(self, polynomial: Polynomial) -> frozenset[int]:
        found = set[int]()
        for symbol in {v for m in polynomial for v in m}:
            found |= self._needs.get(symbol, frozenset())
        return frozenset(found)

    # -- values that are known at the entry

    def is_early(self, value: Value, depth: int = _DEEP) -> bool:
        """True if the value can be had at the entry of the function's derivative."""
        if isinstance(value, Argument | Constant):
            return True
        if not isinstance(value, Instruction) or not depth or value.block is None:
            return False
        if self._flow.loop_of[value.block] is not None:
            return False
        if value.opcode == "load":
            return not value.flags and self._is_read_early(value, depth - 1)
        is_limit = value.opcode == "call" and self._is_limit(value)
        if not is_limit and not is_computed_early(value):
            return False
        return all(self.is_early(o, depth - 1) for o in (value.arguments if is_limit else value.operands))

    def _is_read_early(self, load: Instruction, depth: int) -> bool:
        """True for a read that runs in any case, or of a capture."""
        pointer = load.operands[0]
        if isinstance(pointer, Argument | GlobalRef) or pointer in self._bounds:
            return True
        return load.block is self._flow.order[0] and self.is_early(pointer, depth)

    @staticmethod
    def _is_limit(value: Instruction) -> bool:
        return isinstance(value.callee, GlobalRef) and plain_name(value.callee.name).startswith(_LIMITS)

    # -- polynomials

    @property
    def digits(self) -> Digits:
        """The digits of the variables that were met so far."""
        if len(self._digits[0]) < len(self.variables):
            variables = dict(self.variables)
            quotients = {symbol: v for symbol, v in variables.items() if isinstance(v, Quotient)}
            self._digits = variables, Digits(quotients, variables, self.products)
        return self._digits[1]

    def polynomial(self, value: Value, depth: int = _DEEP) -> Polynomial | None:
        """Returns the value as a polynomial; None if it is none."""
        if value not in self._found:
            self._found[value] = None  # a variable that depends on itself is none
            self._found[value] = self._made(value, depth)
        return self._found[value]

    def _made(self, value: Value, depth: int) -> Polynomial | None:
        if isinstance(value, ConstantInt):
            return {(): value.value} if value.value else {}
        if isinstance(value, Instruction) and value.opcode == "load" and value.operands[0] in self._lower:
            return self._lower_bound(value, self._lower[value.operands[0]])
        if self.is_early(value):
            return {(value,): 1}
        if not isinstance(value, Instruction) or not value.operands or not depth:
            return None
        if value.opcode == "phi":
            return self._divided_variable(value) if value in self._work else self._phi(value, depth)
        terms = list(self._terms(value, depth))
        return None if not terms or None in terms else self._sum(value, [t for t in terms if t is not None])

    def _sum(self, value: Instruction, terms: list[Polynomial]) -> Polynomial | None:
        total = added(*terms)
        needs = self._needs.get(value, frozenset())
        for operand in value.operands:
            needs |= self._needs.get(operand, frozenset())
        self._needs[value] = needs
        return total if all(len(m) <= _DEGREE for m in total) else None

    def _terms(self, value: Instruction, depth: int) -> Iterator[Polynomial | None]:
        """Yields what a value is the sum of; None for what is no polynomial."""
        first, *rest = value.operands

        def of(operand: Value) -> Polynomial | None:
            return self.polynomial(operand, depth - 1)

        match value.opcode:
            case opcode if opcode in INTEGER_SUMS:
                yield of(first)
                yield _scaled(of(rest[0]), -1 if opcode == "sub" else 1)
            case "or" if "disjoint" in value.flags:
                yield of(first)
                yield of(rest[0])
            case "mul":
                yield self._product(of(first), of(rest[0]))
            case "shl" if isinstance(rest[0], ConstantInt):
                yield _scaled(of(first), 1 << rest[0].value)
            case "getelementptr" if value.source_type is not None:
                constant, indices = address_terms(value.source_type, rest)
                yield of(first)
                yield {(): constant} if constant else {}
                for index, scale in indices:
                    yield _scaled(of(index), scale)
            case opcode if opcode in RESIZES or (opcode == "and" and _is_mask(rest[0])):
                yield self._resized(value, of(first))
            case opcode if opcode in QUOTIENTS:
                yield self._quotient(value, of(first), rest[0])
            case opcode if opcode in REMAINDERS:
                yield from self._remainder(value, of(first), rest[0])

    def _product(self, a: Polynomial | None, b: Polynomial | None) -> Polynomial | None:
        return None if a is None or b is None else self.products.of(a, b)

    def _resized(self, value: Instruction, of: Polynomial | None) -> Polynomial | None:
        """Returns the same number, under the condition that it is one of the smaller type."""
        if of is None:
            return None
        is_signed = value.opcode == "sext" or (value.opcode == "trunc" and not self._is_extended(value, "zext"))
        if of and not self._is_sure(value):
            self._require(value, Fits(of, _bits_left(value), is_signed))
        return of

    @staticmethod
    def _is_sure(value: Instruction) -> bool:
        return value.opcode == "trunc" and bool({"nsw", "nuw"} & set(value.flags))

    @staticmethod
    def _is_extended(value: Instruction, opcode: str) -> bool:
        return any(user.opcode == opcode for user in value.users)

    def _require(self, value: Value, condition: Fits) -> None:
        if condition not in self.conditions:
            self.conditions.append(condition)
        self._needs[value] = self._needs.get(value, frozenset()) | {self.conditions.index(condition)}

    def _quotient(self, value: Instruction, number: Polynomial | None, divisor: Value) -> Polynomial | None:
        if number is None or not self.is_early(divisor):
            return None
        if isinstance(divisor, ConstantInt) and divisor.value <= 0:
            return None
        for key, variable in self.variables.items():
            if variable == Quotient(number, divisor):
                return {(key,): 1}
        self.variables[value] = Quotient(number, divisor)
        self._needs[value] = self._conditions_of(number) | self._needs.get(value.operands[0], frozenset())
        self._require(value, Fits(number, _WORD, is_signed=False))
        if not isinstance(divisor, ConstantInt):
            self._require(value, Fits({(divisor,): 1, (): -1}, _WORD, is_signed=False))
        return {(value,): 1}

    def _remainder(self, value: Instruction, number: Polynomial | None, divisor: Value) -> Iterator[Polynomial | None]:
        quotient = self._quotient(value, number, divisor)
        yield number
        whole: Polynomial = {(): divisor.value} if isinstance(divisor, ConstantInt) else {(divisor,): 1}
        yield _scaled(self._product(quotient, whole), -1)

    def _phi(self, phi: Instruction, depth: int) -> Polynomial | None:
        """Returns a variable of a loop, or what all edges bring: LLVM joins equal values that it computes twice."""
        assert phi.block is not None
        loop = self._flow.loop_of[phi.block]
        if loop is not None and loop.header is phi.block:
            return self._counter(phi, depth)
        first, *others = [self.polynomial(value, depth - 1) for value, _ in phi.incoming]
        self._needs[phi] = frozenset().union(*(self._needs.get(value, frozenset()) for value, _ in phi.incoming))
        return first if all(other == first for other in others) else None

    def _lower_bound(self, load: Instruction, call: Instruction) -> Polynomial:
        if self.is_early(load):
            self.parts[call] = load
        return {(call,): 1}

    def _divided_variable(self, phi: Instruction) -> Polynomial | None:
        """Returns the variable of a loop that OpenMP divides, which is the symbol, or that less the lower bound."""
        work = self._work[phi]
        lower: Polynomial = {(work.call,): 1}
        self.polynomial(work.first)
        own, whole = self._own_bounds(work, lower), self._whole_bounds(work)
        bounds = own or whole
        if bounds is None:
            return None
        self.variables[phi] = bounds
        if whole is not None:
            self.whole[phi] = whole
        return {(phi,): 1, (work.call,): -1} if work.from_zero else {(phi,): 1}

    def _own_bounds(self, work: WorkLoop, lower: Polynomial) -> Counter | None:
        """Returns the bounds of the thread's part, if it has one part, and these are known at the entry."""
        count = self._counts[work.loop]
        bound = self.polynomial(count.bound) if count is not None and work.call in self.parts else None
        if count is None or bound is None:
            return None
        if work.from_zero:
            bound = added(bound, lower)
        known = all(v is work.call or self.is_early(v) for m in bound for v in m)
        return Counter(lower, work.variable.step, bound, _less(count)) if known else None

    def _whole_bounds(self, work: WorkLoop) -> Counter | None:
        bounds = self._divided.bounds(work.call)
        if bounds is None or work.variable.step < 0:
            return None
        lower, upper = map(self.polynomial, bounds)
        if lower is None or upper is None or not all(self.is_early(v) for p in (lower, upper) for m in p for v in m):
            return None
        return Counter(lower, work.variable.step, upper, 0)

    def _counter(self, phi: Instruction, depth: int) -> Polynomial | None:
        assert phi.block is not None
        loop = self._flow.loop_of[phi.block]
        variable = induction(phi, loop) if loop is not None and loop.header is phi.block else None
        count = self._counts[loop] if loop is not None and variable is not None else None
        if loop is None or variable is None or count is None or not variable.step:
            return None
        if not self._is_counted_by(phi, count, loop):
            return self._with_counter(phi, variable, loop, depth)
        start, bound = self.polynomial(variable.start, depth - 1), self.polynomial(count.bound, depth - 1)
        if start is None or bound is None:
            return None
        needs = self._needs.get(variable.start, frozenset()) | self._needs.get(count.bound, frozenset())
        self._needs[phi] = needs | self._conditions_of(start) | self._conditions_of(bound)
        self.variables[phi] = Counter(start, variable.step, bound, _less(count))
        return {(phi,): 1}

    def _with_counter(self, phi: Instruction, variable: Induction, loop: Loop, depth: int) -> Polynomial | None:
        """Returns a variable of a loop by the one that the loop's end compares, if that adds or subtracts one."""
        for other in loop.header.phis:
            counter = induction(other, loop)
            if other is phi or counter is None or abs(counter.step) != 1 or self.polynomial(other) != {(other,): 1}:
                continue
            start, first = self.polynomial(variable.start, depth - 1), self.polynomial(counter.start, depth - 1)
            by = variable.step * counter.step
            if start is not None and first is not None:
                return added(start, _scaled({(other,): 1}, by) or {}, _scaled(first, -by) or {})
        return None

    @staticmethod
    def _is_counted_by(phi: Instruction, count: TripCount, loop: Loop) -> bool:
        """True if the loop's end compares this variable, not another one."""
        test = loop.exit_edges[0][0].terminator.operands[0]
        assert isinstance(test, Instruction)
        own = {phi, *(v for v, b in phi.incoming if b in loop.blocks)}
        tested = [o for o in test.operands if not is_invariant(o, loop)]
        return len(tested) == 1 and tested[0] in own and count.step != 0


def _bits_left(value: Instruction) -> int:
    """Returns how many of the last bits of a number an extension, a truncation or a mask leaves."""
    if value.opcode == "and":
        mask = value.operands[1]
        assert isinstance(mask, ConstantInt)
        return mask.value.bit_length()
    narrow = value.operands[0].type if value.opcode in EXTENSIONS else value.type
    assert isinstance(narrow, IntType)
    return narrow.bits


def _is_mask(value: Value) -> bool:
    """True for a number whose last bits are set, and no others."""
    return isinstance(value, ConstantInt) and value.value > 0 and not value.value & (value.value + 1)


def _less(count: TripCount) -> int:
    """Returns how far before the bound the variable is in the last iteration, at least; less than zero if behind."""
    step = abs(count.step)
    is_exact, is_strict = count.predicate == "ne", count.predicate in ("slt", "ult", "sgt", "ugt")
    if count.tests_next:
        return step if is_exact else int(is_strict)
    return 0 if is_exact else int(is_strict) - step


def _scaled(polynomial: Polynomial | None, by: int) -> Polynomial | None:
    return None if polynomial is None else scaled(polynomial, by)
