"""All analyses from which derivatives of one function are built: reversal, storage, calls, each made at first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec.structs import replace

from ...analysis.callees import plain_name
from ...analysis.memory.facts import EVERYTHING
from ...analysis.memory.repeatable import is_repeatable
from ...analysis.memory.shadow_state import ShadowStates
from ...analysis.region_calls import dual_of, is_region_call, is_thread_call, runs_apart
from ...analysis.storage.apart_additions import ApartAdditions
from ...analysis.storage.needs import Recipes
from ...analysis.storage.noted_reaches import noted_accesses
from ...analysis.storage.reversal import Reversal
from ...analysis.storage.store_log import StoreLog
from ...analysis.storage.team_places import Taker, TeamPlaces
from ...analysis.values.finite import FiniteNumbers
from ...ir.folding import int_constant
from ...ir.graphs import reachable
from ...ir.instructions import FLOAT_ARITHMETIC, FUNCTION_CALLS, READS_MEMORY
from ...ir.leaves import word_leaves
from ...ir.types import is_pointer, store_size
from ...ir.values import Instruction, Value
from ...report.diagnostics import EnzymeError
from ...rules.expression import Expression
from ...rules.knowledge import CalleeKind
from ...rules.parallel.openmp import Dual
from ..core.derivatives import has_many_candidates
from ..core.round import Round
from ..core.signature import Signature, Team
from . import refusals
from .active_function import ActiveFunction
from .recursion import Recursion, sums_of
from .unread_captures import UnreadCaptures, empty_sections

#: all derivatives of a function that differ in what they assume of memory may have so many instructions of the function
_LARGE = 2000


class FunctionAnalyses(ActiveFunction):
    """The analyses for the combined form, or with `split` for the augmented and reverse form."""

    def __init__(self, round: Round, signature: Signature, split: bool, recursion: Recursion) -> None:
        super().__init__(round, signature)
        self.round: Round = round
        self.split = split
        self.recursion = recursion
        self.facts = round.facts(self.function)
        self.undone: set[Instruction] = set()
        self._signatures: dict[Instruction, Signature] = {}

    @cached_property
    def other_names(self) -> frozenset[Instruction]:
        """Pointers without a shadow that are compared with named memory (emit/shadow_access/compared_pointers.py)."""
        return self.round.other_names.of(self.activity)

    @cached_property
    def reversal(self) -> Reversal:
        return Reversal(self.function, self.flow, lambda i: i in self.undone or self.has_reverse_work(i))

    @cached_property
    def own_blocks(self) -> frozenset[Instruction]:
        """Allocations whose shadows need not be blocks of the heap: this function alone uses and frees them.

        There are none in a derivative that is differentiated again, nor where the runtime records what shadows lie
        where.
        """
        if not self.round.options.is_last or self.round.foreign.records_pointers:
            return frozenset()
        return self.round.own_blocks.of(self.function, self.facts.is_private)

    def frees_own_block(self, free: Instruction) -> bool:
        """Returns whether the call frees one of `own_blocks`. All blocks that it may free are such then."""
        return not self.own_blocks.isdisjoint(self.round.own_blocks.freed_with(free))

    def undo_also(self, writes: Iterable[Instruction]) -> None:
        """Makes the reverse sweep visit writes that have no adjoint, in order to undo them."""
        self.undone.update(writes)
        del self.reversal, self.recipes

    @cached_property
    def recipes(self) -> Recipes:
        log = StoreLog(
            self.flow,
            self.facts,
            self.round.callees,
            self.reversal,
            self.dead_writes.writes,
            self.activity.active_calls,
            self.split,
            self.signature.held or self.round.options.differentiated_again,
        )
        return Recipes(
            function=self.function,
            flow=self.flow,
            activity=self.activity,
            reversal=self.reversal,
            intact=self._intact,
            log=log,
            split=self.split,
            repeatable=lambda call: is_repeatable(self.round.source, self.facts, call, self._is_left_alone),
            shadows_intact=not self._runs_again and not (self.signature.held and self.round.foreign.records_pointers),
            may_be_recorded=self._may_be_recorded,
        )

    def _may_be_recorded(self, load: Instruction) -> bool:
        """True if the runtime may keep the shadow of a loaded pointer in a table (emit/shadow_access)."""
        if load.opcode != "load" or not self.round.foreign.records_pointers or not word_leaves(load.type):
            return False
        return self.shadow_states().of(load.operands[0]).may_be_unshadowed

    def shadow_states(self, *, forward: bool = False, is_alone: bool = False) -> ShadowStates:
        """Returns what is known of shadows in the function's derivative. `is_alone`: a team of one runs it."""
        asks = self.round.options.runtime_activity
        others_add = self.round.shares_memory or (self.signature.team and not is_alone)
        is_private = self.facts.is_private if others_add and not forward else None
        own = self.signature.sure_shadows
        return ShadowStates(self.activity, own, self.round.foreign, asks=asks, forward=forward, is_alone=is_private)

    @property
    def _runs_again(self) -> bool:
        """True if the reverse sweep may run several times on one tape."""
        return self.signature.held and self.round.options.tapes_used_again

    def _intact(self, load: Instruction) -> bool:
        if self.facts.overwritten_after(load) is not None:
            return False
        return self._is_left_alone(load.operands[0])

    def _is_left_alone(self, pointer: Value) -> bool:
        """True if no caller writes behind the pointer between the two sweeps."""
        return not self.split or self.facts.is_preserved(pointer, self.signature.preserved)

    def _preserved(self, call: Instruction) -> tuple[int, ...]:
        """Returns the arguments of a call whose memory neither this function nor its callers write after the call."""
        if self.signature.held or is_thread_call(call):
            return ()
        found = [k for k, a in enumerate(call.arguments) if is_pointer(a.type) and self._is_preserved_behind(a, call)]
        if not self.facts.anything_written_behind(call) and (not self.split or EVERYTHING in self.signature.preserved):
            found.append(EVERYTHING)
        return tuple(found)

    def _is_preserved_behind(self, pointer: Value, call: Instruction) -> bool:
        return self._is_left_alone(pointer) and self.facts.overwritten_behind(pointer, call) is None

    def call_signature(self, call: Instruction) -> Signature:
        """Returns the signature of the derivative that an active call needs."""
        if call not in self._signatures:
            late, callee = self.is_late(call), self.round.callees.of(call)
            if self.team_of(call) and self.recursion.grows_stack(self.signature, call, self.called(call)):
                raise self.not_on_teams(f"a region calls {plain_name(callee.name)}, which calls itself")
            signature = replace(
                self.with_sure_shadows(call, self.called(call)),
                wants_result=not late,
                held=self.signature.held and not late,
                preserved=() if late else self._preserved(call),
                team=self.team_of(call),
            )
            if signature.team is Team.REGION:
                signature = replace(signature, unneeded=self._unread(call))
            shared = self.round.derivatives.shared
            self._signatures[call] = signature if late else shared(signature, self._variants(call))
        return self._signatures[call]

    @cached_property
    def apart_additions(self) -> ApartAdditions | None:
        """Which adjoints of loads no other thread of the team adds to the same memory; None if nothing is known."""
        if self.signature.team is not Team.REGION or self.function.name in self.round.makes_tasks:
            return None
        return ApartAdditions(self.flow, self._adders(), self.facts.may_alias)

    @cached_property
    def team_places(self) -> TeamPlaces | None:
        """Where threads of the team add adjoints, as far as is known; None if nothing is."""
        apart, is_private = self.apart_additions, self.facts.is_private
        if apart is None:
            return None
        orders = [i for i in self.function.instructions() if (dual := self.dual_of(i)) is not None and dual.has_ticket]
        return TeamPlaces(
            self.flow,
            apart,
            self._adders(),
            self._takers(),
            self.facts.may_alias,
            lambda load: not is_private(load.operands[0]),
            has_tickets=any(self.flow.loop_of[i.block] is not None for i in orders if i.block is not None),
        )

    @cached_property
    def noted_accesses(self) -> Mapping[Instruction, int]:
        """The accesses of a region that note what they reach (analysis/storage/noted_reaches.py)."""
        apart, is_private = self.apart_additions, self.facts.is_private
        if apart is None or self.signature.directions > 1 or any(map(self.dual_of, self.function.instructions())):
            return {}
        return noted_accesses(
            self.flow,
            self.team_places,
            self._adders(),
            self._takers(),
            lambda i: is_private(i.accessed_pointer),
            lambda load: apart.distances(load) == (),
        )

    def _takers(self) -> Iterator[Taker]:
        """Yields what takes adjoints from shadows, with the pointer behind which it does; None is any memory."""
        for i in self.function.instructions():
            if not self.activity.has_reverse_work(i):
                continue
            if i.opcode == "store":
                yield i, i.operands[1], int_constant(store_size(i.operands[0].type))
            elif i.opcode == "atomicrmw":
                yield i, i.operands[0], None
            elif i.opcode == "call":
                yield from self._taken_by_call(i)

    def _taken_by_call(self, i: Instruction) -> Iterator[Taker]:
        callee = self.round.callees.of(i)
        if callee.known is not None and callee.kind in (CalleeKind.COPY, CalleeKind.FILL):
            yield i, i.arguments[callee.known.target], i.arguments[callee.known.length]
        elif callee.kind is CalleeKind.RULE:
            yield from ((i, pointer, None) for pointer in i.arguments if is_pointer(pointer.type))
        elif callee.kind is not CalleeKind.ALLOCATE:
            yield i, None, None

    def _adders(self) -> Iterator[tuple[Instruction, Value | None]]:
        """Yields what adds to shadows, with the pointer behind which it adds; None stands for any memory."""
        for i in self.function.instructions():
            if i.opcode in READS_MEMORY - FUNCTION_CALLS and self.activity.has_reverse_work(i):
                yield i, i.operands[0]
            elif i.opcode == "call" and self.activity.has_reverse_work(i):
                kind = self.round.callees.of(i).kind
                if kind is CalleeKind.COPY:
                    yield i, self.round.callees.copy_operands(i)[1]
                elif kind not in (CalleeKind.FILL, CalleeKind.RULE, CalleeKind.ALLOCATE):
                    yield i, None

    def dual_of(self, i: Instruction) -> Dual | None:
        """Returns the dual of a call that orders threads; None for all else."""
        return dual_of(self.round.callees, i, bool(self.signature.team))

    def _variants(self, call: Instruction) -> int:
        """Returns how many derivatives the callee may have that differ in what they assume of memory."""
        callee = self.round.callees.of(call)
        if callee.kind is not CalleeKind.DEFINED:
            return _LARGE
        if has_many_candidates(self.function):
            return 1
        return max(1, _LARGE // sum(1 for _ in self.round.source.body(callee.name).instructions()))

    def has_reverse_work(self, i: Instruction) -> bool:
        """True if the reverse sweep handles an instruction.

        A sweep that may run again also visits allocations, in order to leave shadows as it found them.
        """
        if self._runs_again and i in self.activity.objects:
            return True
        return self.activity.has_reverse_work(i) or self.dual_of(i) is not None

    def _unread(self, region: Instruction) -> tuple[int, ...]:
        """Returns the captures of a region that nobody reads, if nobody asks for the function's result."""
        known, options = self.called(region).unneeded, self.round.options
        if self.split or self.signature.wants_result or options.precision_report or not options.is_last:
            return known
        found = UnreadCaptures(self.round.source, self.activity, self.round.dead_write_analysis).of(region)
        return tuple(sorted({*known, *found}))

    @cached_property
    def empty_sections(self) -> frozenset[Instruction]:
        """The calls that begin and end sections of locks in which nothing is left to do."""
        return frozenset(empty_sections(self.function, self.dead_writes.writes))

    def is_late(self, call: Instruction) -> bool:
        """True if the reverse sweep runs the combined derivative of a call.

        The callee writes nothing, and the memory that it reads does not change until then. If the call is recursive,
        its result is not needed (recursion.py).
        """
        return self._can_run_later(call) and not self._is_split_by_recursion(call)

    def may_be_dropped(self, call: Instruction) -> bool:
        """True if the primal sweep may drop the tape of a split call, and the reverse sweep make it again.

        The call could be late, but is recursive. A function that calls itself once at most drops nothing: it would gain
        little memory.
        """
        options = self.round.options
        if not options.is_last or options.precision_report or self.signature.held or self.team_of(call):
            return False
        return self._can_run_later(call) and self._is_split_by_recursion(call) and self._has_many_recursive_calls

    @cached_property
    def _has_many_recursive_calls(self) -> bool:
        defined = (i for i in self.activity.active_calls if self.round.callees.of(i).kind is CalleeKind.DEFINED)
        recursive = [i for i in defined if self._is_recursive(i)]
        return len(recursive) > 1 or any(self.flow.loop_of[i.block] is not None for i in recursive if i.block)

    def _can_run_later(self, call: Instruction) -> bool:
        """True if the primal of a call can also run in the reverse sweep: it does nothing else there."""
        callee = self.round.callees.of(call)
        if is_region_call(call) or runs_apart(call):
            return False
        if callee.kind is CalleeKind.CUSTOM or call in self.activity.shadow_results:
            return False
        if self._runs_again and any(map(self.activity.shadowed, call.arguments)):
            return False  # the derivative would read pointers in shadow memory, which may have changed
        if not is_repeatable(self.round.source, self.facts, call, self._is_left_alone):
            return False
        return callee.name not in self.round.mixed_functions

    def _is_split_by_recursion(self, call: Instruction) -> bool:
        """True if the call is recursive, and its result is needed."""
        return self._is_recursive(call) and not self.recursion.only_sums_results(self.signature)

    def _is_recursive(self, call: Instruction) -> bool:
        return self.recursion.is_recursive(self.signature, self.called(call))

    def sums_of_unneeded(self, call: Instruction) -> set[Value]:
        """Returns all that depends on the primal result of a call, if nobody needs it but the reverse sweep."""
        if self.split or self.signature.wants_result or not self.is_late(call) or not self._is_recursive(call):
            return set()
        return sums_of(call, self.activity) or set()

    @cached_property
    def _unselected(self) -> set[Instruction]:
        """Instructions whose value a select may discard: LLVM hoists cheap code out of branches."""

        def computed(values: Iterable[Value]) -> list[Instruction]:
            found = (v for v in values if isinstance(v, Instruction))
            return [v for v in found if v.opcode != "phi" and v.opcode != "load"]

        chosen = (o for i in self.function.instructions() if i.opcode == "select" for o in i.operands[1:])
        return set(reachable(computed(chosen), lambda i: computed(i.operands)))

    def may_be_unselected(self, i: Instruction) -> bool:
        return self.round.options.strong_zero or i in self._unselected

    def may_spoil_zero(self, i: Instruction, partial: Expression, operands: list[Value]) -> bool:
        """Returns whether the partial may be infinite or NaN where the adjoint of the instruction is zero."""
        return self.may_be_unselected(i) and not self._finite_numbers.is_finite_partial(i, partial, operands)

    @cached_property
    def _finite_numbers(self) -> FiniteNumbers:
        callees = self.activity.callees
        return FiniteNumbers(
            self.flow,
            lambda i: i.opcode in FLOAT_ARITHMETIC or (i.opcode == "call" and callees.of(i).rule is not None),
        )

    def refusal_of_value(self, value: Value, why: str = "") -> EnzymeError:
        """Returns the error for a value, by default one whose bytes are used as different numbers."""
        at = value if isinstance(value, Instruction) else next(self.function.instructions())
        return self.refusal(at, why or "its bytes are used as numbers of different sizes or places")

    def refusal(self, i: Instruction, why: str | None = None) -> EnzymeError:
        return refusals.refusal(self.round, self.function, i, why)
