"""The layout of a tape, and the frame of a derivative function being built: its prologue and its arena.

Both sweeps of reverse mode use it. reverse/tape_allocation.py allocates the tape.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ...analysis.integers.loops import TripCount
from ...analysis.storage.needs import Need, Recipes, need_type
from ...analysis.storage.store_or_recompute import Plan
from ...ir.builder import Builder
from ...ir.cfg import Loop
from ...ir.folding import fold_icmp, int_constant, zero
from ...ir.types import (
    I8,
    I64,
    PTR,
    ArrayType,
    StructType,
    Type,
    align_up,
    alignment,
    alloc_size,
)
from ...ir.values import Block, Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ..analyses.function_analyses import FunctionAnalyses
from ..core.calling_convention import Parameters, Results
from ..core.round import Round
from ..core.signature import Form, Signature

ARENA = StructType((*(PTR,) * 6, I64))
#: what an arena held before a call
MARK = StructType((PTR, PTR, I64))
#: bytes of a tape that lie on the stack
_ON_STACK = 512


class Record(Struct, frozen=True):
    """The layout of the values that one iteration of a loop stores, or one call.

    Fields are sorted by descending size, so that all are aligned.

    - In a counted loop, each field is an array with one element for each iteration. It starts at trips · offset.
    - In another loop, a record holds the fields of one iteration. It begins with the address of the previous record.
    """

    offsets: dict[Need, int]
    size: int

    @staticmethod
    def of(needs: list[Need], start: int = 0) -> Record:
        offsets: dict[Need, int] = {}
        offset = start
        for need in sorted(needs, key=lambda n: -alloc_size(need_type(n))):
            offsets[need] = offset
            offset += alloc_size(need_type(need))
        return Record(offsets, offset)


class Frame:
    """A derivative function being built: its prologue, its arena, and the places of stored needs.

    `is_alone`: threads of a team run the function, and this is what a team of one runs in its place.
    `is_plain`: this is what a team runs if all tests of its additions hold.
    """

    def __init__(
        self,
        round: Round,
        analyses: FunctionAnalyses,
        form: Form,
        target: Function,
        plan: Plan,
        *,
        is_alone: bool = False,
        is_plain: bool = False,
    ) -> None:
        self.is_alone = is_alone
        self.is_plain = is_plain
        self.round = round
        self.analyses = analyses
        self.recipes: Recipes = analyses.recipes
        self.form = form
        self.target = target
        self.plan = plan
        self.prologue = Builder(target.add_block(), round.options.fast_flags)
        self._arena: Value | None = target.arguments[0] if form is Form.AUGMENTED else None
        self._slots: dict[Need, Value] = {}
        self._records: dict[Loop | None, Record] = {}

    # -- arena

    @property
    def arena(self) -> Value:
        """The memory for the tape of this call. It is made on first use."""
        if self._arena is None:
            self._arena = new_arena(self.prologue)
            if self.round.options.is_last:
                self._begin_on_stack(self._arena)
        return self._arena

    def _begin_on_stack(self, arena: Value) -> None:
        """Gives the arena its first bytes: a small tape needs no memory of the heap."""
        b = self.prologue
        first = b.alloca(ArrayType(I8, _ON_STACK), align=16)
        for k, place in enumerate((first, b.offset(first, _ON_STACK))):
            b.store(place, b.offset(arena, 8 * k), 8)

    @property
    def owns_arena(self) -> bool:
        return self._arena is not None and self.form is Form.COMBINED

    # -- storage

    def record(self, scope: Loop | None) -> Record:
        if scope not in self._records:
            linked = scope is not None and not self.is_counted(scope)
            needs = self.plan.by_scope.get(scope, [])
            record = Record.of(needs, 8 if linked else 0)
            self._records[scope] = Record(record.offsets, align_up(record.size, 8)) if linked else record
        return self._records[scope]

    def is_counted(self, loop: Loop) -> bool:
        """Returns True if the loop's needs are stored in arrays, whose offsets depend on the number of iterations."""
        return not self.round.options.reversed_again and self.analyses.reversal.trip_counts.get(loop) is not None

    def slot(self, need: Need) -> Value:
        """Returns the alloca of a need that is stored once in each call of a combined function."""
        if need not in self._slots:
            self._slots[need] = self.prologue.alloca(need_type(need))
        return self._slots[need]

    def address(self, b: Builder, need: Need, base: Value, iteration: Value | None, trips: Value | None) -> Value:
        """Returns the address of a need in the record at `base`.

        `iteration` and `trips` (i64) are given in counted loops.
        """
        offset = self.record(self.recipes.scope(need)).offsets[need]
        if trips is None or iteration is None:
            return b.offset(base, offset)
        array = b.offset(base, b.mul(trips, int_constant(offset), ("nuw", "nsw"))) if offset else base
        return b.gep(need_type(need), array, (iteration,))

    def returns(self) -> list[Block]:
        return self.analyses.reversal.returns


def new_arena(b: Builder) -> Instruction:
    """Emits an arena without memory on the stack."""
    arena = b.alloca(ARENA, align=8)
    b.store(zero(ARENA), arena, 8)
    return arena


def call_both_sweeps(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    """Calls the augmented function, then the reverse function, with a tape of their own."""
    arena, split = new_arena(b), replace(signature, wants_result=True)
    name, proto = round.derivatives.of(split, Form.AUGMENTED)
    result = b.call(name, proto.result, replace(given, arena=arena, seeds=(), tape=None).in_order())
    places = proto.places
    assert places.tape is not None
    tape = b.extract_value(result, places.tape)
    name, proto = round.derivatives.of(split, Form.REVERSE)
    reverse = b.call(name, proto.result, replace(given, tape=tape).in_order())
    place = places.primal if signature.wants_result else None
    primal = None if place is None else b.extract_value(result, place)
    adjoints = {k: [b.extract_value(reverse, place) for place in of] for k, of in proto.places.adjoints.items()}
    runtime.FINISH.call(b, arena)
    return Results(primal=primal, adjoints=adjoints)


def tape_align(type_: Type) -> int:
    """Returns the alignment of a field on the tape, which is at most 8."""
    return min(8, alignment(type_))


def emit_last_iteration(b: Builder, count: TripCount, start: Value, bound: Value) -> Value:
    """Returns the number (i64, from 0) of the last iteration of a counted loop."""
    step = count.step
    first = b.add(start, int_constant(step, start.type)) if count.tests_next else start
    up = step > 0
    distance = b.sub(bound, first) if up else b.sub(first, bound)
    magnitude = int_constant(abs(step), start.type)
    if count.predicate == "ne":
        steps = distance if abs(step) == 1 else b.int_op("udiv", distance, magnitude, ("exact",))
        return b.resize_int(steps, I64)
    if count.predicate in ("slt", "ult", "sgt", "ugt"):
        distance = b.sub(distance, int_constant(1, start.type))
    whole = distance if abs(step) == 1 else b.int_op("udiv", distance, magnitude)
    steps = b.add(b.resize_int(whole, I64), int_constant(1))
    goes_on = fold_icmp(count.predicate, first, bound)
    if goes_on is not None:
        return steps if goes_on else int_constant(0)
    return b.select(b.icmp(count.predicate, first, bound), steps, int_constant(0))


KEPT_METADATA = frozenset(
    [
        "!tbaa",
        "!range",
        "!nonnull",
        "!noundef",
        "!align",
        "!invariant.load",
        "!dereferenceable",
        "!fpmath",
        "!alias.scope",
        "!noalias",
    ]
)
SHADOW_METADATA = frozenset(["!tbaa"])


def kept_metadata(i: Instruction, kinds: frozenset[str] = KEPT_METADATA) -> tuple[tuple[str, str], ...]:
    return tuple((kind, node) for kind, node in i.metadata if kind in kinds)
