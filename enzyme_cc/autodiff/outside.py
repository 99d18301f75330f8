"""What globals point at when a request begins: memory made outside of differentiated code.

Differentiated code keeps the pointers in the shadow of a global in step with those in the global. Other code does not:
it may allocate a table, read it from a file and put its address in a global, or point that at another array. So a
request begins with a look at the pointers in each active global whose shadow is ours. One that is not what it was at
the end of the last request was put there by other code. Its shadow is found by its address, where it points into
another active global or at an argument of the request; where all that is ever stored in the global is memory from the
heap, a shadow of the same size is made, which stays; any other memory is constant, which a pointer that is its own
shadow says (runtime activity). A number that carries a derivative and is stored there would be lost: the program ends
with a message.

Globals that are not active hold nothing to differentiate. Should one point at memory that carries a derivative, under
another name, the program ends with a message, too; and so where an argument lies in an array that differentiated code
uses by its name, unless its shadow lies in the shadow of that array.

A request, but for the first half of reverse mode, takes the numbers that earlier calls left in globals for constants:
shadows that the program does not name begin as zero.

All that is so where no other request is under way. One that is made by a registered derivative, in the reverse sweep of
another, finds shadows in use: it leaves numbers as they are, and pointers that are not null.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.activity import ArgumentActivity
from ..analysis.callees import plain_name
from ..analysis.types_kinds import FLOATS, Kind
from ..ir.builder import Builder, int_constant, is_zero, zero
from ..ir.module import global_name
from ..ir.types import (
    I1,
    I64,
    PTR,
    VOID,
    ArrayType,
    FunctionType,
    NamedStruct,
    Type,
    alloc_size,
    is_float,
    is_pointer,
)
from ..ir.values import Argument, Block, Constant, ConstantExpr, Function, GlobalRef, Instruction, Value, references
from .globals import Shadows, constant_shadow
from .layouts import find_layout, float_segments, pointer_segments, stride
from .markers import RequestKind
from .requests import ActualArgument, Request, convert

if TYPE_CHECKING:
    from .session import Session

WORD = 8
#: requests that begin with shadows of numbers that are zero
_CLEARING = (RequestKind.AUTODIFF, RequestKind.FWDDIFF, RequestKind.FWDSPLIT, RequestKind.REVERSE)
#: so many pointers of an array are looked at one by one; more, in a loop
_FEW = 4


class Words(NamedTuple):
    """`number` pointers, the first `offset` bytes from the start of a global, then one every `stride` bytes."""

    offset: int
    number: int
    stride: int


class Pointed(NamedTuple):
    """Memory whose shadows are known: `size` bytes from `start` on."""

    start: Value
    size: Value
    shadows: list[Value]


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
    heap = [name for name in settled if behind.get(name, {Kind.UNKNOWN}) <= FLOATS and _holds_heap_only(session, name)]
    named = [name for name in sorted(reached - session.state.inactive_globals) if _is_vector(session, name)]
    return Outside(settled, frozenset(heap), foreign, named)


def _is_vector(session: Session, name: str) -> bool:
    """Whether a global is a number or an array of one dimension: in others an argument may be another part than what
    differentiated code uses."""
    type_ = session.source.globals[name].value_type
    return is_float(type_.element if isinstance(type_, ArrayType) else type_)


def _pointers(session: Session, name: str) -> Iterator[Words]:
    size = _size(session, name)
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
                place = _global_of(i.operands[0])
                if place in reached:
                    found[place] = found.get(place, frozenset()).union(*session.types.words([i], None))
    return found


def _global_of(pointer: Value) -> str | None:
    while isinstance(pointer, Instruction | ConstantExpr) and pointer.opcode == "getelementptr":
        pointer = pointer.operands[0]
    return pointer.name if isinstance(pointer, GlobalRef) else None


def _size(session: Session, name: str) -> int:
    """Bytes of a global; 0 where the program does not say what it is."""
    variable = session.source.globals[name]
    is_opaque = isinstance(variable.value_type, NamedStruct) and variable.value_type.body is None
    return 0 if variable.alias or is_opaque else alloc_size(variable.value_type)


# -- blocks of the heap

_HEAP = re.compile(r"malloc|calloc|realloc|reallocarray|aligned_alloc|memalign|valloc|_Zn[wa]m.*")


def _holds_heap_only(session: Session, name: str) -> bool:
    """Whether a global is one pointer, and what the program stores there is null or comes from malloc and its like."""
    variable = session.source.globals[name]
    local = variable.linkage in ("internal", "private") and is_pointer(variable.value_type)
    return local and all(_keeps_to_heap(session, name, i) for i in _mentions(session, name))


def _mentions(session: Session, name: str) -> Iterator[Instruction | None]:
    """All instructions that name the global; None for what is no instruction."""
    word = re.compile(re.escape(name) + r"(?![-\w$.])")
    for other, variable in session.source.globals.items():
        if other != name and not other.startswith("@llvm.") and word.search(variable.text):
            yield None
    for function in session.source.functions.values():
        if not function.is_declaration and (function.unparsed is None or word.search(function.unparsed)):
            for i in session.source.body(function.name).instructions():
                if any(isinstance(o, Constant) and name in references(o) for o in i.operands):
                    yield i


def _keeps_to_heap(session: Session, name: str, i: Instruction | None) -> bool:
    place = GlobalRef.of(name)
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


# -- what requests do


def begin(session: Session, b: Builder, request: Request) -> Value | None:
    """Before the differentiated function runs: shadows of pointers in globals are set, those of numbers cleared.

    Gives what `end` is to be told.
    """
    is_outermost, mark = enter(session, b)
    _clear(session, b, request, is_outermost)
    found = _arguments(session, b, request)
    values = [value for pointed in found for value in (pointed.start, pointed.size, *pointed.shadows)]
    values.append(is_outermost)
    numbers = session.outside.numbers if found else []
    emitters: list[tuple[Callable[[_Body], None], Collection[str]]] = [
        (_emit_settle, session.outside.settled),
        (_emit_check, session.outside.foreign),
        (_emit_named, numbers),
    ]
    for emit, names in emitters:
        if names:
            b.call(_function(session, emit, len(found), request), VOID, values)
    return mark


def enter(session: Session, b: Builder) -> tuple[Value, Value | None]:
    """Says that a request is under way. Gives whether it is the outermost of its round, and what `leave` needs."""
    if not session.state.active_globals - session.declared:
        return int_constant(1), None
    round_ = int_constant(session.options.round)
    is_outermost = b.call("@__ez_is_outermost", I64, (round_,))
    return is_outermost, b.call("@__ez_request_begin", I64, (round_,))


def leave(session: Session, b: Builder, mark: Value | None) -> None:
    """Says that the request is done."""
    if mark is not None:
        b.call("@__ez_request_end", VOID, (int_constant(session.options.round), mark))


def _clear(session: Session, b: Builder, request: Request, is_outermost: Value) -> None:
    if request.kind not in _CLEARING:
        return
    reached = session.globals_of.get(request.function, frozenset())
    for name in sorted((reached & session.state.active_globals) - session.declared):
        size = _size(session, name)
        layout = find_layout(session.types, [GlobalRef.of(name)], size) if size else None
        if layout is None:
            continue
        for _, segment in float_segments(layout):
            place = b.mul(is_outermost, int_constant(size)), *stride(layout, segment, int_constant(size))
            for shadow in _shadows(session, name, request):
                b.call("@__ez_clear", VOID, (shadow, *place))


def begin_again(session: Session, b: Builder, request: Request) -> Value | None:
    """Before the second half of reverse mode: the pointers are as the first half left them."""
    is_outermost, mark = enter(session, b)
    _clear(session, b, request, is_outermost)
    if session.outside.heap and session.options.is_last:
        b.call(_function(session, _emit_clear_heap, 0, request), VOID, (is_outermost,))
    return mark


def end(session: Session, b: Builder, request: Request, mark: Value | None) -> None:
    """After it: what the pointers are, for the next request."""
    if session.outside.settled:
        b.call(_function(session, _emit_remember, 0, request), VOID, (int_constant(0),))
    leave(session, b, mark)


def _arguments(session: Session, b: Builder, request: Request) -> list[Pointed]:
    """What the arguments with shadows point at: as much as is known of its size, or the first byte."""
    found = []
    primal = session.output.functions[request.function]
    for actual, parameter in zip(request.arguments, primal.arguments, strict=True):
        if actual.activity is ArgumentActivity.DUP and is_pointer(parameter.type):
            start = convert(b, actual.primal, PTR)
            known = b.call("@llvm.objectsize.i64.p0", I64, (start, *(int_constant(k, I1) for k in (0, 1, 1))))
            size = b.select(b.icmp("eq", known, int_constant(-1)), int_constant(1), known)
            found.append(Pointed(start, size, [convert(b, s, PTR) for s in shadows_of(b, actual, request.width)]))
    return found


def shadows_of(b: Builder, actual: ActualArgument, width: int) -> list[Value]:
    """The shadow of an argument in each lane."""
    if actual.stride is None:
        return actual.shadows
    stride = b.resize_int(actual.stride, I64, signed=True)
    return [b.offset(actual.shadows[0], b.mul(stride, int_constant(k)), ()) for k in range(width)]


# -- the functions that they call


class _Body:
    """A function being made: it is given what arguments point at, and asked about what active globals are, too."""

    def __init__(self, session: Session, function: Function, arguments: int, request: Request) -> None:
        self.session = session
        self.request = request
        self.width = width = request.width
        self.function = function
        self.b = Builder(function.add_block())
        given = iter(function.arguments)
        self.arguments = [
            Pointed(next(given), next(given), [next(given) for _ in range(width)]) for _ in range(arguments)
        ]
        self.is_outermost = next(given)
        self.pointed = [*self.arguments]
        for name in sorted(session.state.active_globals):
            size = _size(session, name) if name in session.source.globals else 0
            if size:
                self.pointed.append(Pointed(GlobalRef.of(name), int_constant(size), self.shadows(name)))

    def shadows(self, name: str) -> list[Value]:
        return _shadows(self.session, name, self.request)

    def beside(self, name: str, word: str, value: str) -> GlobalRef:
        """A variable of our own, like the global, for the mode of the request."""
        session = self.session
        word += "_forward" if _is_forward(self.request) else ""
        symbol = global_name(f"{plain_name(name)}_{word}{session.options.round or ''}")
        if symbol not in session.output.globals:
            variable = session.source.globals[name]
            thread = "thread_local " if variable.thread_local else ""
            session.output.add_global(f"{symbol} = internal {thread}global {variable.value_type} {value}, align 16")
        return GlobalRef.of(symbol)

    @property
    def is_last(self) -> bool:
        """Whether nobody will differentiate this: type analysis would take all that is selected from for alike."""
        return self.session.options.is_last

    @property
    def heap(self) -> frozenset[str]:
        """The globals of which shadows are made."""
        return self.session.outside.heap if self.is_last else frozenset()

    def made(self, name: str, lane: int) -> GlobalRef:
        """The shadow that was made for what the global holds, by this code or by the derivative."""
        return self.beside(name, f"made{lane}", "null")

    def seen(self, name: str) -> GlobalRef:
        """What the pointers in the global were at the end of the last request; in the beginning, what they are then."""
        initializer = self.session.source.globals[name].initializer
        return self.beside(name, "seen", "zeroinitializer" if initializer is None else str(initializer))

    def each(self, words: Words) -> Iterator[Value]:
        """The offset of each word: the code for it is to be built then, in a loop where there are many."""
        if words.number <= _FEW:
            for k in range(words.number):
                yield int_constant(words.offset + k * words.stride)
            return
        before, loop, after = self.b.block, self.function.add_block(), self.function.add_block()
        self.b.br(loop)
        self.b = Builder(loop)
        number = self.b.phi(I64, [(int_constant(0), before)])
        yield self.b.add(self.b.mul(number, int_constant(words.stride)), int_constant(words.offset))
        following = self.b.add(number, int_constant(1))
        number.append_operand(following)
        number.append_operand(loop)
        self.b.cond_br(self.b.icmp("ult", following, int_constant(words.number)), loop, after)
        self.b = Builder(after)

    def load(self, name: Value, offset: Value) -> Value:
        return self.b.load(PTR, self.b.offset(name, offset), WORD)

    def inside(self, pointer: Value, pointed: Pointed) -> tuple[Value, Value]:
        """Whether the pointer points there, and how many bytes from the start."""
        address, start = (self.b.cast("ptrtoint", p, I64) for p in (pointer, pointed.start))
        distance = self.b.sub(address, start)
        return self.b.icmp("ult", distance, pointed.size), distance


def _is_forward(request: Request) -> bool:
    return request.kind in (RequestKind.FWDDIFF, RequestKind.FWDSPLIT)


def _shadows(session: Session, name: str, request: Request) -> list[Value]:
    lanes = [Shadows(session, lane, _is_forward(request)) for lane in range(request.width)]
    return [constant_shadow(lane, GlobalRef.of(name)) for lane in lanes]


def _function(session: Session, emit: Callable[[_Body], None], arguments: int, request: Request) -> str:
    width = request.width
    key = emit.__name__, arguments, width, request.kind
    if key not in session.outside.made:
        name = session.output.fresh_name(f"@__ez_outside{emit.__name__.removeprefix('_emit')}")
        types: list[Type] = [*(type_ for _ in range(arguments) for type_ in (PTR, I64, *[PTR] * width)), I64]
        given = [Argument(type_, "", "", k) for k, type_ in enumerate(types)]
        function = Function(name, FunctionType(VOID, tuple(types)), given, "internal", "nounwind")
        body = _Body(session, function, arguments, request)
        emit(body)
        body.b.ret()
        session.enter(function)
        session.outside.made[key] = name
    return session.outside.made[key]


def _emit_settle(body: _Body) -> None:
    for name, found in body.session.outside.settled.items():
        shadows, seen = body.shadows(name), body.seen(name)
        for words in found:
            for offset in body.each(words):
                _settle(body, offset, name, seen, shadows)


def _settle(body: _Body, offset: Value, name: str, seen: Value, shadows: list[Value]) -> None:
    b, place = body.b, GlobalRef.of(name)
    pointer, before = body.load(place, offset), body.load(seen, offset)
    has_changed = b.icmp("ne", pointer, before)
    is_outermost = b.icmp("ne", body.is_outermost, int_constant(0))
    found = _by_address(body, pointer) if body.is_last else [pointer] * body.width
    for lane, (shadow, settled) in enumerate(zip(shadows, found, strict=True)):
        old = body.load(shadow, offset)
        is_free = b.int_op("or", is_outermost, b.icmp("eq", old, zero(PTR)))
        is_new = b.int_op("and", has_changed, is_free)
        if not body.is_last:
            _refuse_alias(body, pointer, is_new, name)
        if name in body.heap:
            clears = body.is_outermost if body.request.kind in _CLEARING else int_constant(0)
            arguments = (pointer, b.select(is_new, before, pointer), settled, old, body.made(name, lane), clears)
            new: Value = b.call("@__ez_heap_shadow", PTR, arguments)
        else:
            new = b.select(is_new, settled, old)
        b.store(new, b.offset(shadow, offset), WORD)
    b.store(pointer, b.offset(seen, offset), WORD)


def _emit_clear_heap(body: _Body) -> None:
    for name in sorted(body.heap):
        pointer = body.load(GlobalRef.of(name), int_constant(0))
        for lane, shadow in enumerate(body.shadows(name)):
            old = body.load(shadow, int_constant(0))
            arguments = (pointer, pointer, zero(PTR), old, body.made(name, lane), body.is_outermost)
            body.b.call("@__ez_heap_shadow", PTR, arguments)


def _by_address(body: _Body, pointer: Value) -> list[Value]:
    """The shadow of what the pointer points into, in each lane; the pointer itself if that is nothing active."""
    found: list[Value] = [pointer] * body.width
    for pointed in body.pointed:
        inside, distance = body.inside(pointer, pointed)
        found = [
            body.b.select(inside, body.b.offset(shadow, distance, ()), other)
            for shadow, other in zip(pointed.shadows, found, strict=True)
        ]
    return found


def _emit_check(body: _Body) -> None:
    for name, found in body.session.outside.foreign.items():
        for words in found:
            for offset in body.each(words):
                _refuse_alias(body, body.load(GlobalRef.of(name), offset), int_constant(1, I1), name)


def _refuse_alias(body: _Body, pointer: Value, matters: Value, name: str) -> None:
    text = body.session.text(plain_name(name))
    for pointed in body.pointed:
        inside, _ = body.inside(pointer, pointed)
        lost = body.b.int_op("and", matters, inside)
        body.b.call("@__ez_refuse_alias", VOID, (_flag(body.b, lost), text))


def _emit_named(body: _Body) -> None:
    """Arguments that lie in globals."""
    for name in body.session.outside.numbers:
        size, text = int_constant(_size(body.session, name)), body.session.text(plain_name(name))
        shadows = body.shadows(name) if name in body.session.state.active_globals else []
        for argument in body.arguments:
            inside, distance = body.inside(argument.start, Pointed(GlobalRef.of(name), size, shadows))
            for shadow, given in zip(shadows, argument.shadows, strict=False):
                other = body.b.icmp("ne", given, body.b.offset(shadow, distance, ()))
                body.b.call("@__ez_refuse_named", VOID, (_flag(body.b, body.b.int_op("and", inside, other)), text))
            if not shadows:
                body.b.call("@__ez_refuse_named", VOID, (_flag(body.b, inside), text))


def _flag(b: Builder, condition: Value) -> Value:
    return b.resize_int(condition, I64)


def _emit_remember(body: _Body) -> None:
    for name, found in body.session.outside.settled.items():
        seen = body.seen(name)
        for words in found:
            for offset in body.each(words):
                pointer = body.load(GlobalRef.of(name), offset)
                for lane, shadow in enumerate(body.shadows(name) if name in body.heap else ()):
                    arguments = (pointer, body.load(seen, offset), body.load(shadow, offset), body.made(name, lane))
                    body.b.call("@__ez_heap_keep", VOID, arguments)
                body.b.store(pointer, body.b.offset(seen, offset), WORD)


# -- writes


def refuse_write(session: Session, b: Builder, i: Instruction, is_constant: Value | None) -> None:
    """Ends the program where a number that carries a derivative is written to constant memory that a global led to."""
    if session.outside.settled and is_constant is not None:
        place = session.source.source_location(i) or "a place without debug information"
        b.call("@__ez_refuse_write", VOID, (_flag(b, is_constant), session.text(place)))


def refuse_copy(
    session: Session, b: Builder, i: Instruction, to_constant: Value | None, of_constant: Value | None, size: Value
) -> None:
    """As refuse_write, of `size` bytes of memory. Constants may be copied to constants."""
    if to_constant is not None:
        is_lost = b.int_op("and", to_constant, b.icmp("ne", size, int_constant(0)))
        if of_constant is not None:
            is_lost = b.int_op("and", is_lost, b.int_op("xor", of_constant, int_constant(1, I1)))
        refuse_write(session, b, i, is_lost)
