"""Which globals hold pointers that other code may have put there, and what is known of them: for outside.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ...analysis.integers.offsets import global_of
from ...analysis.type_analysis.kinds import FLOATS, Kind
from ...ir.types import ArrayType, NamedStruct, alloc_size, is_float, is_pointer
from ...ir.values import GlobalRef
from ..core.layouts import find_layout, pointer_segments
from ..core.markers import RequestKind
from .heap import Pool, pools_of

if TYPE_CHECKING:
    from ..core.round import Session

WORD = 8
#: pointers of one global that are looked into apart
_FEW = 100


class Words(NamedTuple):
    """`number` pointers, the first `offset` bytes from the start of a global, then one every `stride` bytes."""

    offset: int
    number: int
    stride: int

    @property
    def offsets(self) -> range:
        return range(self.offset, self.offset + self.number * self.stride, self.stride)


@dataclass
class Outside:
    """The pointers in globals: `settled` in active ones, whose shadows are set when a request begins; `foreign` in
    others, which must not point at memory that carries a derivative. `pools`: those of the former that hold nothing but
    addresses in blocks of numbers in the heap. `numbers`: globals that are numbers, or arrays of these. `made`:
    functions that see to it, by how many arguments and lanes there are, and kind of request.
    """

    settled: dict[str, list[Words]] = field(default_factory=dict)
    pools: list[Pool] = field(default_factory=list)
    foreign: dict[str, list[Words]] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)
    made: dict[tuple[str, int, int, RequestKind], str] = field(default_factory=dict)


def pointers_of_globals(session: Session, functions: Iterable[str]) -> Outside:
    """What the functions, which are all that is differentiated, may find in globals."""
    functions = list(functions)
    active, declared = session.state.active_globals, session.declared
    reached = frozenset().union(*(session.globals_of.get(name, frozenset()) for name in functions))
    own = {name: [*_pointers(session, name)] for name in sorted((reached & active) - declared)}
    behind = _kinds_behind(session, functions)
    others = sorted(name for name, kinds in behind.items() if kinds & FLOATS and name not in active)
    foreign = {name: [*_pointers(session, name)] for name in others}
    settled, foreign = ({name: words for name, words in found.items() if words} for found in (own, foreign))
    few = {name: words for name, words in settled.items() if sum(w.number for w in words) <= _FEW}
    pools = pools_of(
        session, {name: [o for w in words for o in w.offsets] for name, words in few.items()}, {*settled, *declared}
    )
    named = [name for name in sorted(reached - session.state.inactive_globals) if _is_vector(session, name)]
    return Outside(settled, pools, foreign, named)


def _is_vector(session: Session, name: str) -> bool:
    """Whether a global is a number or an array of one dimension: in others an argument may be another part than what
    differentiated code uses."""
    type_ = session.source.globals[name].value_type
    return is_float(type_.element if isinstance(type_, ArrayType) else type_)


def _pointers(session: Session, name: str) -> Iterator[Words]:
    size = size_of(session, name)
    layout = find_layout(session.types, [GlobalRef.of(name)], size)
    if layout is None:
        kinds = session.types.words([GlobalRef.of(name)], size)
        if len(kinds) * WORD >= size:
            yield from (Words(k * WORD, 1, WORD) for k, word in enumerate(kinds) if word == {Kind.POINTER})
        return
    for segment in pointer_segments(layout):
        if layout.period is None:
            yield Words(segment.offset, segment.length // WORD, WORD)
            continue
        for offset in range(segment.offset, segment.offset + segment.length, WORD):
            yield Words(offset, (size - offset + layout.period - 1) // layout.period, layout.period)


def _kinds_behind(session: Session, functions: Iterable[str]) -> dict[str, frozenset[Kind]]:
    """What numbers, or pointers, memory may hold to which the functions load pointers out of mutable globals."""
    found: dict[str, frozenset[Kind]] = {}
    for name in functions:
        reached = session.globals_of.get(name, frozenset()) - session.state.inactive_globals
        for i in session.source.body(name).instructions() if reached else ():
            if i.opcode == "load" and is_pointer(i.type):
                place = global_of(i.operands[0])
                if place in reached:
                    found[place] = found.get(place, frozenset()).union(*session.types.words([i], None))
    return found


def size_of(session: Session, name: str) -> int:
    """Bytes of a global; 0 where the program does not say what it is."""
    variable = session.source.globals[name]
    is_opaque = isinstance(variable.value_type, NamedStruct) and variable.value_type.body is None
    return 0 if variable.alias or is_opaque else alloc_size(variable.value_type)
