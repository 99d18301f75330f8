"""Pointers behind arguments that the primal replaces: `v.swap(w)`, `realloc` of a member, another head of a list.

When a derivative ends, the shadow of an argument describes the argument as it was passed: the program finds the
derivative in its own shadow, and frees it. So the runtime (replaced_pointers.c) keeps such a pointer of the shadow
before it is replaced, and puts it back when the arena is released. Shadows that the derivative has made are freed then.

Only memory that arguments lead to needs this (`Reach.is_passed`). The shadows of globals follow the primal:
the next derivative begins with what the globals hold then.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from ...analysis.callees import plain_name
from ...analysis.integers.offsets import base_of
from ...analysis.type_analysis.analysis import POINTERS_LOOKED_AT
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant, zero
from ...ir.types import I1, I64, PTR, alloc_size, store_size
from ...ir.values import Argument, Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.memory_functions import heap_family, release_of_family, takes_alignment
from ..analyses.function_analyses import FunctionAnalyses
from ..core.layouts import Stride, constant_size, find_layout, pointer_segments, stride
from ..emit.shadow_access.scalar_writes import ScalarWrite
from ..emit.shadow_memory import emitted_size, size_operand
from ..globals.shadows import Shadows, constant_shadow
from .tape_allocation import TapedCloning


def is_taken_back(analyses: FunctionAnalyses, pointer: Value) -> bool:
    """Returns whether the pointer may lead to memory that an argument of a request led to."""
    return (
        analyses.activity.shadowed(pointer)
        and not analyses.facts.is_private(pointer)
        and analyses.round.types.reach.is_passed(pointer)
    )


def _is_recorded(sweep: TapedCloning, pointer: Value) -> bool:
    """Returns whether a pointer there is kept before it is replaced.

    A block that the derivative itself has made is freed in the end, or stays as it is.
    """
    return is_taken_back(sweep.analyses, pointer) and not sweep.round.new_blocks.holds(pointer)


def record_store(sweep: TapedCloning, i: Instruction) -> None:
    """Emits what precedes a store that overwrites a pointer in shadow memory, or clears it."""
    value, pointer = i.operands
    size, is_pointer = store_size(value.type), sweep.activity.carriers.can_point(value)
    if not (is_pointer or sweep.memory.scalar(i) is ScalarWrite.OVER_OTHERS):
        return
    if _is_recorded(sweep, pointer):
        how = _How.TAGGED if sweep.memory.holds_others(pointer, size) else _How.POINTER
        _record(sweep, pointer, int_constant(size), None, how if is_pointer else _How.NUMBER)
    if is_pointer and value.type == PTR and sweep.activity.shadowed(pointer) and sweep.activity.shadowed(value):
        _record_elsewhere(sweep, value, pointer)


def _record_elsewhere(sweep: TapedCloning, value: Value, pointer: Value) -> None:
    """Emits the notice of a shadow in memory that lives on, and that no argument leads to."""
    if sweep.round.types.points_to.is_private(pointer) or not _is_kept(sweep, value):
        return
    is_passed = is_taken_back(sweep.analyses, pointer)
    for _ in sweep.directions():
        elsewhere: Value | None = _lies_elsewhere(sweep, pointer) if is_passed else int_constant(1, I1)
        if elsewhere is not None:
            there = sweep.b.cast("zext", elsewhere, I64)
            runtime.SHADOW_ELSEWHERE.call(sweep.b, sweep.shadow_of(value), there, sweep.frame.arena)


def record_bulk(sweep: TapedCloning, i: Instruction, pointers: list[Value]) -> None:
    """Emits what precedes a copy or fill of memory with pointers. `pointers`: the target, and the source of a copy."""
    target, length = pointers[0], size_operand(sweep.activity, i)
    if not _is_recorded(sweep, target):
        return
    size = emitted_size(sweep, length)
    layout = find_layout(sweep.round.types, pointers, constant_size(length))
    if layout is None or sweep.memory.is_mixed(i):
        _record(sweep, target, size, None, _How.TAGGED)
        return
    for segment in pointer_segments(layout):
        _record(sweep, target, size, stride(layout, segment, size), _How.POINTER)


class _How(Enum):
    """What overwrites a word, as the runtime has it.

    POINTER: where only pointers lie. TAGGED: where numbers lie at other times. NUMBER: a number, where pointers may
    lie.
    """

    POINTER = 0
    TAGGED = 1
    NUMBER = 2


#: is added to the above for members of what an argument itself points at
_OF_MEMBER = 4
#: is added for those of them that may lead to numbers
_TO_NUMBERS = 8


def _record(sweep: TapedCloning, target: Value, size: Value, places: Stride | None, how: _How) -> None:
    period, offset, length = places or (size, int_constant(0), size)
    word = how.value
    if _is_of_argument(sweep, target):
        pointee = sweep.round.types.contents(target, POINTERS_LOOKED_AT)
        word += _OF_MEMBER + (_TO_NUMBERS if pointee.points_at_numbers else 0)
    for _ in sweep.directions():
        elsewhere, shadow = _lies_elsewhere(sweep, target), sweep.shadow_of(target)
        there = shadow if elsewhere is None else sweep.b.select(elsewhere, zero(PTR), shadow)
        arguments = size, sweep.of(target), sweep.frame.arena, period, offset, length, int_constant(word)
        runtime.POINTERS_REPLACED.call(sweep.b, there, *arguments)


def _lies_elsewhere(sweep: TapedCloning, target: Value) -> Value | None:
    """Returns the test that a target is unshadowed, or lies in a global; None if it surely does not."""
    found = sweep.memory.is_unshadowed(target)
    for place, size in _shadows_of_globals(sweep, target):
        start, end = (sweep.b.cast("ptrtoint", pointer, I64) for pointer in (place, sweep.shadow_of(target)))
        is_in = sweep.b.icmp("ult", sweep.b.sub(end, start), int_constant(size))
        found = is_in if found is None else sweep.b.int_op("or", found, is_in)
    return found


def _shadows_of_globals(sweep: TapedCloning, target: Value) -> Iterator[tuple[Value, int]]:
    """Yields the shadows of globals that the target may lie in, and their sizes."""
    round = sweep.round
    for name in round.types.reach.globals_at(target):
        if name in round.state.active_globals:
            shadow = constant_shadow(Shadows(round, sweep.direction), GlobalRef.of(name))
            yield shadow, alloc_size(round.source.globals[name].value_type)


def _is_of_argument(sweep: TapedCloning, target: Value) -> bool:
    """Returns whether the target lies in what an argument itself points at, as far as this function tells."""
    return isinstance(base_of(target), Argument) and sweep.round.types.reach.is_argument(target)


# -- shadows that the derivative makes, and those that the caller has made


def _is_kept(sweep: TapedCloning, block: Value) -> bool:
    """Returns whether the runtime must know of a block that the primal allocates, or frees.

    It must know of those behind globals if a pointer may lead behind a global or behind an argument. A derivative that
    is differentiated in reverse mode again replaces no pointers: what `_record` emits is refused there.
    """
    types = sweep.round.types
    if sweep.round.options.reversed_again:
        return False
    return types.reach.is_passed(block) or (types.reach.mixes_globals and not types.points_to.is_private(block))


def record_made(sweep: TapedCloning, i: Instruction, shadow: Value, size: Value) -> None:
    """Emits what follows the allocation of a shadow."""
    if not _is_kept(sweep, i):
        return
    callee = sweep.activity.callees.of(i)
    family = None if sweep.round.is_registered(i) else heap_family(plain_name(callee.name))
    is_freed = family is not None and not takes_alignment(plain_name(callee.name))
    release = sweep.round.library_function(release_of_family(family)) if family and is_freed else zero(PTR)
    runtime.SHADOW_MADE.call(sweep.b, shadow, size, sweep.frame.arena, release)


def release_shadow(sweep: TapedCloning, pointer: Value, shadow: Value, memory: Value, release: Value) -> None:
    """Emits the release of a shadow with its block, at the end, unless it is the caller's.

    `release` is the function that is given `memory` then: the shadow, or a record of a call. A later round cannot make
    such a record for its own shadows: then the shadow stays.
    """
    arena, is_plain = sweep.frame.arena, memory is shadow
    if not _is_kept(sweep, pointer):
        runtime.DEFER_FREE.call(sweep.b, arena, memory, release)
    elif is_plain or sweep.round.options.is_last:
        given = zero(PTR) if is_plain else memory
        whose = _Whose.ANY if is_taken_back(sweep.analyses, pointer) else _Whose.OURS
        runtime.SHADOW_FREED.call(sweep.b, shadow, int_constant(whose.value), arena, given, release)


class _Whose(Enum):
    """Who has made a shadow: surely a derivative, or perhaps the caller."""

    ANY = 1
    OURS = 2
