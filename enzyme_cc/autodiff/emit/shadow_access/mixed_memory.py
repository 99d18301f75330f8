"""Memory that holds numbers at one time and pointers at another: unions copied whole, reused blocks of a pool.

No layout tells what a copy of such memory moves. So the run tells: code that is emitted here looks at each word. There
are two ways (`Mixing`).

The first way serves memory that the differentiated program made itself. There, the shadow of a number is zero during
the whole primal sweep. So a word of the shadow that is not zero is the shadow of a pointer.

- The primal sweep copies all bytes of the shadow, and stores on the tape what it has copied.
- The reverse sweep reads the tape. It leaves a word alone that was the shadow of a pointer. Any other word is an
  adjoint.
- If a number is stored over a pointer, the primal sweep clears the shadow.
- If a pointer is stored over a number, the reverse sweep clears it.

The second way serves other memory: globals, and memory of the caller. There, the shadow may hold numbers before the
primal sweep begins. So a word is a pointer if the word is an address, and its shadow is one, too. A double with such
bits is below 1e-309, and so would its adjoint be.

- The primal sweep copies the pointers of the shadow only. It stores on the tape which words these are.
- The reverse sweep moves the other words, if they may be numbers.
- If a pointer is left in the shadow of a double, it adds less than 1e-309 to the adjoint.
- If nothing is known of a word, it is a pointer only if there is memory at both addresses.
- A pointer may be boxed in a NaN. The address in the NaN tells that it is one. In the shadow of a double, the boxed
  pointer would be a NaN. So programs that box pointers clear shadows as those of floats.
- A float takes half of the place of a pointer. Before a float is stored, the primal sweep looks at the shadow of the
  whole word, and clears it if it is an address where there is memory. If a pointer was stored over floats, the reverse
  sweep clears the shadow. In the end, the pointer comes back, unless the adjoint of an earlier number lies there by
  then.
- If a copied word may be floats or a pointer, it is a pointer if there is memory at both addresses. If code loads such
  a word and stores it as a pointer, and the word is a number, the program ends.

Both ways go word by word. A copy may begin within a word: LLVM copies the tail of a struct out of a variable of its
own, and begins with the padding before the numbers. So the evidence of type analysis tells where words begin. If there
is no evidence, words begin at multiples of 8.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from math import lcm

from ....analysis.activity.carriers import Carriers
from ....analysis.callees import Callees
from ....analysis.type_analysis.analysis import FLOATS, Kind, Layout, TypeAnalysis, are_tagged
from ....analysis.type_analysis.evidence.places import WORD
from ....ir.graphs import leads_to
from ....ir.values import Function, Instruction, Value
from ....rules import runtime_functions as runtime
from ....rules.knowledge import CalleeKind
from ...analyses.function_analyses import FunctionAnalyses
from ...core.layouts import constant_size, find_layout
from ...core.mixed_words import WORD_BITS, table_of_words
from ..sweep import Sweep


class Mixing(Enum):
    """How numbers and pointers are told apart in memory without a layout.

    - BY_SHADOW: the derivative made the memory, so a shadow that is not zero in the primal sweep is that of a pointer.
    - BY_WORDS: code outside of the derivative can reach it. A word is a pointer if it and its shadow are addresses.
    """

    BY_SHADOW = 0
    BY_WORDS = 1


def mixing_of(analyses: FunctionAnalyses, pointers: Iterable[Value], size: Value | None) -> Mixing | None:
    """Returns how the run tells what the bytes at the pointers hold; None if they have a layout, or if it cannot."""
    types, pointers = analyses.round.types, list(pointers)
    if _has_layout(types, pointers, size):
        return None
    words = types.contents_of(pointers, constant_size(size)).words()
    if all(types.points_to.is_private(p) for p in pointers if analyses.activity.shadowed(p)):
        return Mixing.BY_SHADOW if frozenset().union(*words) <= WORD_BITS.keys() else None
    return Mixing.BY_WORDS if are_tagged(words, copied=True) else None


def is_mixed_fill(analyses: FunctionAnalyses, pointer: Value, size: Value | None) -> bool:
    """Returns True if floats or pointers are filled that others can reach.

    The primal sweep clears shadows of pointers: other words are adjoints of what memory holds at the end. The reverse
    sweep clears these.
    """
    types, count = analyses.round.types, constant_size(size)
    if find_layout(types, [pointer], count) is not None:
        return False
    return not types.points_to.is_private(pointer) and types.contents(pointer, count).leaves_pointers


def _has_layout(types: TypeAnalysis, pointers: list[Value], size: Value | None) -> bool:
    """Returns whether the bytes always hold the same.

    An access of one type at a place hides what other elements of an array hold: LLVM moves unions as any member. So all
    evidence counts. It counts also if one of the pointers tells nothing: an element that is known lies at the other.
    """
    if _is_packed(types, pointers):
        return False
    count = constant_size(size)
    layout = find_layout(types, pointers, count)
    if layout is None:
        return False
    words = types.contents_of(pointers, count).words()
    shared = _shared(layout, words, count)
    if any(len(word & FLOATS) > 1 for word in shared):
        return not frozenset().union(*words) <= WORD_BITS.keys()
    return all(len(word) < 2 for word in shared) or not frozenset().union(*words) <= WORD_BITS.keys()


def _is_packed(types: TypeAnalysis, pointers: list[Value]) -> bool:
    """Returns whether numbers may begin at any byte, of types that the run can tell apart (packed.c).

    A copy may begin and end anywhere, also within a number, so no layout tells what it moves.
    """
    return all(c.is_packed and c.carries_only(WORD_BITS.keys()) for c in (types.contents(p, None) for p in pointers))


def _shared(layout: Layout, words: list[frozenset[Kind]], size: int | None) -> list[frozenset[Kind]]:
    """Returns the words of which the layout does not have all kinds: in packed structs, several lie in one word."""
    repeats = layout.period or size
    if not repeats or repeats % WORD:
        return words
    found: list[set[Kind]] = [set() for _ in range(0, repeats, WORD)]
    for segment in layout.segments:
        for at in range(segment.offset // WORD, -(-(segment.offset + segment.length) // WORD)):
            found[at].add(segment.kind)
    pairs = ((words[k % len(words)], found[k % len(found)]) for k in range(lcm(len(words), len(found))))
    return [word for word, kinds in pairs if not word <= kinds]


def is_mixed_target(carriers: Carriers, pointer: Value, size: Value | None) -> bool:
    """Returns True if the copied bytes have a layout, but the memory that they are copied to has none."""
    return carriers.is_cleared_at(pointer, constant_size(size))


def clear_constants(sweep: Sweep, pointers: Iterable[Value], shadow: Value, size: Value, count: Value) -> None:
    """Emits code that zeroes the numbers in a shadow to which constants were copied, and leaves the pointers.

    `size` is the number of bytes copied in the primal, `count` the number of bytes to examine. The runtime tells
    numbers and pointers apart by their bits; if it cannot, the program ends with a message.
    """
    table, rows = table_of_words(sweep.round, pointers, size)
    runtime.MIXED_CONSTANTS.call(sweep.b, shadow, count, table, rows)


# -- functions


class MixedFunctions:
    """The functions that copy such memory, or call one that does, as a container of names.

    Their primal sweep must run before any reverse sweep begins, because it relies on shadows of numbers being zero.
    A function is looked at when it is asked for: types of copied memory take long to find.
    """

    def __init__(self, carriers: Carriers, callees: Callees, functions: Iterable[Function]) -> None:
        self._carriers = carriers
        self._callees = callees
        self._functions = {function.name: function for function in functions}
        self._found: dict[str, bool] = {}
        self._touching: dict[str, bool] = {}

    def __contains__(self, name: object) -> bool:
        assert isinstance(name, str)
        return leads_to(name, self._called, self._touches, self._found)

    def _called(self, name: str) -> list[str]:
        function = self._functions.get(name)
        calls = (i for i in function.instructions() if i.opcode == "call") if function is not None else ()
        return [name for name in (self._callees.of(call).name for call in calls) if not self._is_clear(name)]

    def _is_clear(self, name: str) -> bool:
        return name not in self._functions or self._found.get(name) is False

    def _touches(self, name: str) -> bool:
        if name not in self._touching:
            function = self._functions.get(name)
            instructions = function.instructions() if function is not None else ()
            self._touching[name] = any(_touches_mixed(self._carriers, self._callees, i) for i in instructions)
        return self._touching[name]


def _touches_mixed(carriers: Carriers, callees: Callees, i: Instruction) -> bool:
    if i.opcode == "store":
        return carriers.is_mixed_store(i)
    if i.opcode != "call":
        return False
    callee = callees.of(i)
    if callee.kind not in _COPYING or callee.known is None:
        return False
    if callee.kind is CalleeKind.REALLOCATE:
        return not _has_layout(carriers.types, [i, i.arguments[0]], None)
    pointers = [i.arguments[callee.known.target]]
    if callee.kind is CalleeKind.COPY:
        pointers.append(i.arguments[callee.known.source])
    return not _has_layout(carriers.types, pointers, i.arguments[callee.known.length])


_COPYING = frozenset([CalleeKind.COPY, CalleeKind.FILL, CalleeKind.REALLOCATE])
