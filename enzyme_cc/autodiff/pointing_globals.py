"""Which globals hold pointers that other code may have put there, and what is known of them: for outside.py."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.callees import plain_name
from ..analysis.types_kinds import FLOATS, Kind
from ..ir.builder import is_zero
from ..ir.types import ArrayType, NamedStruct, alloc_size, is_float, is_pointer
from ..ir.values import Block, Constant, ConstantExpr, GlobalRef, Instruction, Value, references
from .layouts import find_layout, pointer_segments
from .markers import RequestKind

if TYPE_CHECKING:
    from .session import Session

WORD = 8


class Words(NamedTuple):
    """`number` pointers, the first `offset` bytes from the start of a global, then one every `stride` bytes."""

    offset: int
    number: int
    stride: int


@dataclass
class Outside:
    """The pointers in globals: `settled` in active ones, whose shadows are set when a request begins; `foreign` in
    others, which must not point at memory that carries a derivative. `heap`: globals that hold nothing but addresses of
    blocks of numbers in the heap. `numbers`: globals that are numbers, or arrays of these. `made`: functions that see
    to it, by how many arguments and lanes there are, and kind of request.
    """

    settled: dict[str, list[Words]] = field(default_factory=dict)
    heap: frozenset[str] = frozenset()
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
    heap = _holding_heap_only(session, (n for n in settled if behind.get(n, {Kind.UNKNOWN}) <= FLOATS))
    named = [name for name in sorted(reached - session.state.inactive_globals) if _is_vector(session, name)]
    return Outside(settled, heap, foreign, named)


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


def global_of(pointer: Value) -> str | None:
    """The global that a pointer points into, at whatever offset."""
    while isinstance(pointer, Instruction | ConstantExpr) and pointer.opcode == "getelementptr":
        pointer = pointer.operands[0]
    return pointer.name if isinstance(pointer, GlobalRef) else None


def size_of(session: Session, name: str) -> int:
    """Bytes of a global; 0 where the program does not say what it is."""
    variable = session.source.globals[name]
    is_opaque = isinstance(variable.value_type, NamedStruct) and variable.value_type.body is None
    return 0 if variable.alias or is_opaque else alloc_size(variable.value_type)


# -- blocks of the heap

_HEAP = re.compile(r"malloc|calloc|realloc|reallocarray|aligned_alloc|memalign|valloc|_Zn[wa]m.*")


def _holding_heap_only(session: Session, names: Iterable[str]) -> frozenset[str]:
    """Those that are one pointer, where all the program stores there is null or comes from malloc and its like."""
    users: dict[str, list[Instruction | None]] = {}
    for name in names:
        variable = session.source.globals[name]
        if variable.linkage in ("internal", "private") and is_pointer(variable.value_type):
            users[name] = []
    if users:
        _find_users(session, users)
    return frozenset(n for n, found in users.items() if all(_keeps_to_heap(session, GlobalRef.of(n), i) for i in found))


def _find_users(session: Session, users: dict[str, list[Instruction | None]]) -> None:
    """All instructions that name one of the globals; None for what is no instruction."""
    word = re.compile(rf"(?:{'|'.join(map(re.escape, users))})(?![-\w$.])")
    for other, variable in session.source.globals.items():
        for name in () if other.startswith("@llvm.") else word.findall(variable.text):
            if name != other:
                users[name].append(None)
    for function in session.source.functions.values():
        if not function.is_declaration and (function.unparsed is None or word.search(function.unparsed)):
            for i in session.source.body(function.name).instructions():
                named = {n for o in i.operands if isinstance(o, Constant) for n in references(o)}
                for name in named & users.keys():
                    users[name].append(i)


def _keeps_to_heap(session: Session, place: GlobalRef, i: Instruction | None) -> bool:
    if i is None or i.opcode == "load":
        return i is not None
    return i.opcode == "store" and i.operands[0] != place and _comes_from_heap(session, place, i.operands[0])


def _comes_from_heap(session: Session, place: GlobalRef, value: Value) -> bool:
    seen: set[Value] = set()
    work = [value]
    while work:
        v = work.pop()
        if v in seen or (isinstance(v, Constant) and is_zero(v)):
            continue
        seen.add(v)
        if not isinstance(v, Instruction):
            return False
        if v.opcode in ("phi", "select", "freeze"):
            work += v.operands[1:] if v.opcode == "select" else [o for o in v.operands if not isinstance(o, Block)]
        elif v.opcode in ("call", "invoke"):
            callee = plain_name(str(v.callee))
            if not _HEAP.fullmatch(callee) or session.callees.has_body(str(v.callee)):
                return False
        elif v.opcode != "load" or v.operands[0] != place:
            return False
    return True
