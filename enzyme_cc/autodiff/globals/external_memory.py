"""What globals point at when a request begins: memory made outside of differentiated code.

Differentiated code keeps the pointers in the shadow of a global in step with those in the global. Other code does not:
it may allocate a table, read it from a file and put its address in a global, or point that at another array. So a
request begins with a look at the pointers in each active global whose shadow is ours. One that is not what it was at
the end of the last request was put there by other code. Its shadow is found by its address, where it points into
another active global or at an argument of the request; where all that is ever stored in the global is memory from the
heap (heap.py), a shadow of the same size is made, which stays; any other memory is constant, which a pointer
that is its own shadow says (runtime activity). A number that carries a derivative and is stored there would be lost:
the program ends with a message.

Globals that are not active hold nothing to differentiate. Should one point at memory that carries a derivative, under
another name, the program ends with a message, too; and so where an argument lies in an array that differentiated code
uses by its name, unless its shadow lies in the shadow of that array.

A request, but for the first half of reverse mode, takes the numbers that earlier calls left in globals for constants:
shadows that the program does not name begin as zero.

All that is so where no other request is under way. One that is made by a registered derivative, in the reverse sweep of
another, finds shadows in use: it leaves numbers as they are, and pointers that are not null.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from ...analysis.activity.activity import ArgumentActivity
from ...analysis.callees import plain_name
from ...ir.builder import Builder, int_constant, zero
from ...ir.module import global_name
from ...ir.types import I1, I64, PTR, VOID, FunctionType, Type, is_pointer
from ...ir.values import Argument, Function, GlobalRef, Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.layouts import find_layout, float_segments, stride
from ..core.markers import RequestKind
from ..core.pointers import POINTER_BYTES, GlobalPointer, PointerRow, Pool
from ..core.round import Round
from ..requests.request import ActualArgument, Request, convert
from .pointing import size_of
from .shadows import Shadows, constant_shadow

#: requests that begin with shadows of numbers that are zero
_CLEARING = (RequestKind.AUTODIFF, RequestKind.FWDDIFF, RequestKind.FWDSPLIT, RequestKind.REVERSE)
_ALLOCATE = FunctionType(PTR, (I64,))
#: so many pointers of an array are looked at one by one; more, in a loop
_FEW = 4


class Pointed(NamedTuple):
    """Memory whose shadows are known: `size` bytes from `start` on."""

    start: Value
    size: Value
    shadows: list[Value]


# -- what requests do


def begin(round: Round, b: Builder, request: Request) -> Value | None:
    """Before the differentiated function runs: shadows of pointers in globals are set, those of numbers cleared.

    Gives what `end` is to be told.
    """
    is_outermost, mark = enter(round, b)
    _clear(round, b, request, is_outermost)
    emitters: list[tuple[Callable[[_Body], None], Collection[str]]] = [
        (_emit_resolve, round.external.resolved),
        (_emit_check, round.external.foreign),
        (_emit_named, round.external.numbers),
    ]
    wanted = [emit for emit, names in emitters if names]
    found = _arguments(round, b, request) if wanted else []
    values = [value for pointed in found for value in (pointed.start, pointed.size, *pointed.shadows)]
    for emit in wanted:
        b.call(_function(round, emit, len(found), request), VOID, [*values, is_outermost])
    return mark


def enter(round: Round, b: Builder) -> tuple[Value, Value | None]:
    """Says that a request is under way. Gives whether it is the outermost of its round, and what `leave` needs."""
    if not round.state.active_globals - round.declared:
        return int_constant(1), None
    round_ = int_constant(round.options.round)
    is_outermost = runtime.IS_OUTERMOST.call(b, round_)
    return is_outermost, runtime.REQUEST_BEGIN.call(b, round_)


def leave(round: Round, b: Builder, mark: Value | None) -> None:
    """Says that the request is done."""
    if mark is not None:
        runtime.REQUEST_END.call(b, int_constant(round.options.round), mark)


def _clear(round: Round, b: Builder, request: Request, is_outermost: Value) -> None:
    if request.kind not in _CLEARING:
        return
    reached = round.globals_of.get(request.function, frozenset())
    for name in sorted((reached & round.state.active_globals) - round.declared):
        size = size_of(round, name)
        layout = find_layout(round.types, [GlobalRef.of(name)], size) if size else None
        if layout is None:
            continue
        for _, segment in float_segments(layout):
            place = b.mul(is_outermost, int_constant(size)), *stride(layout, segment, int_constant(size))
            for shadow in _shadows(round, name, request):
                runtime.CLEAR.call(b, shadow, *place)


def begin_again(round: Round, b: Builder, request: Request) -> Value | None:
    """Before the second half of reverse mode: the pointers are as the first half left them."""
    is_outermost, mark = enter(round, b)
    _clear(round, b, request, is_outermost)
    if round.external.pools and round.options.is_last:
        b.call(_function(round, _emit_clear_heap, 0, request), VOID, (is_outermost,))
    return mark


def end(round: Round, b: Builder, request: Request, mark: Value | None) -> None:
    """After it: what the pointers are, for the next request."""
    if round.external.resolved:
        b.call(_function(round, _emit_remember, 0, request), VOID, (int_constant(0),))
    leave(round, b, mark)


def _arguments(round: Round, b: Builder, request: Request) -> list[Pointed]:
    """What the arguments with shadows point at: as much as is known of its size, or the first byte."""
    found = []
    primal = round.output.functions[request.function]
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

    def __init__(self, round: Round, function: Function, arguments: int, request: Request) -> None:
        self.round = round
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
        for name in sorted(round.state.active_globals):
            size = size_of(round, name) if name in round.source.globals else 0
            if size:
                self.pointed.append(Pointed(GlobalRef.of(name), int_constant(size), self.shadows(name)))

    def shadows(self, name: str) -> list[Value]:
        return _shadows(self.round, name, self.request)

    def beside(self, name: str, word: str, value: str) -> GlobalRef:
        """A variable of our own, like the global, for the mode of the request."""
        round = self.round
        word += "_forward" if _is_forward(self.request) else ""
        symbol = global_name(f"{plain_name(name)}_{word}{round.options.round or ''}")
        if symbol not in round.output.globals:
            variable = round.source.globals[name]
            thread = "thread_local " if variable.thread_local else ""
            round.output.add_global(f"{symbol} = internal {thread}global {variable.value_type} {value}, align 16")
        return GlobalRef.of(symbol)

    @property
    def is_last(self) -> bool:
        """Whether nobody will differentiate this: type analysis would take all that is selected from for alike."""
        return self.round.options.is_last

    @property
    def pools(self) -> list[Pool]:
        """Pointers in globals to memory for which shadows are made."""
        return self.round.external.pools if self.is_last else []

    def made(self, lane: int, name: str, offset: int) -> Value:
        """Where the shadow is kept that was made for a block of the heap, by this code or by the derivative."""
        return self.b.offset(self.beside(name, f"made{lane}", "zeroinitializer"), int_constant(offset))

    def seen(self, name: str) -> GlobalRef:
        """What the pointers in the global were at the end of the last request; in the beginning, what they are then."""
        initializer = self.round.source.globals[name].initializer
        return self.beside(name, "seen", "zeroinitializer" if initializer is None else str(initializer))

    def each(self, words: PointerRow) -> Iterator[Value]:
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

    def each_of(self, globals_: dict[str, list[PointerRow]]) -> Iterator[tuple[str, Value]]:
        """Name and offset of each pointer in the globals."""
        for name, found in globals_.items():
            for words in found:
                for offset in self.each(words):
                    yield name, offset

    def refuse(self, condition: Value, message: str) -> None:
        _refuse(self.round, self.b, condition, message)

    def load(self, name: Value, offset: Value) -> Value:
        return self.b.load(PTR, self.b.offset(name, offset), POINTER_BYTES)

    def inside(self, pointer: Value, pointed: Pointed) -> tuple[Value, Value]:
        """Whether the pointer points there, and how many bytes from the start."""
        address, start = (self.b.cast("ptrtoint", p, I64) for p in (pointer, pointed.start))
        distance = self.b.sub(address, start)
        return self.b.icmp("ult", distance, pointed.size), distance


def _is_forward(request: Request) -> bool:
    return request.kind in (RequestKind.FWDDIFF, RequestKind.FWDSPLIT)


def _shadows(round: Round, name: str, request: Request) -> list[Value]:
    lanes = [Shadows(round, lane, _is_forward(request)) for lane in range(request.width)]
    return [constant_shadow(lane, GlobalRef.of(name)) for lane in lanes]


def _function(round: Round, emit: Callable[[_Body], None], arguments: int, request: Request) -> str:
    width = request.width
    key = emit.__name__, arguments, width, request.kind
    if key not in round.external.made:
        name = round.output.fresh_name(f"@__ez_outside{emit.__name__.removeprefix('_emit')}")
        types: list[Type] = [*(type_ for _ in range(arguments) for type_ in (PTR, I64, *[PTR] * width)), I64]
        given = [Argument(type_, "", "", k) for k, type_ in enumerate(types)]
        function = Function(name, FunctionType(VOID, tuple(types)), given, "internal", "nounwind")
        body = _Body(round, function, arguments, request)
        emit(body)
        body.b.ret()
        round.enter(function)
        round.external.made[key] = name
    return round.external.made[key]


def _emit_resolve(body: _Body) -> None:
    pooled = {word for pool in body.pools for word in (*pool.first, *pool.inside)}
    names = {word.name for word in pooled}
    for name, found in body.round.external.resolved.items():
        if name not in names:
            for _, offset in body.each_of({name: found}):
                _resolve(body, name, offset)
            continue
        for at in sorted({at for words in found for at in words.offsets if GlobalPointer(name, at) not in pooled}):
            _resolve(body, name, int_constant(at))
    for pool in body.pools:
        blocks: list[Pointed] = []
        for word in pool.first:
            blocks.append(_resolve_first(body, pool, word, blocks))
        for name, at in pool.inside:
            _resolve(body, name, int_constant(at), blocks)


def _resolve(body: _Body, name: str, offset: Value, blocks: list[Pointed] | None = None) -> None:
    """`blocks`: what the pointer may be inside of, whatever it was before."""
    b, seen = body.b, body.seen(name)
    pointer, before = body.load(GlobalRef.of(name), offset), body.load(seen, offset)
    has_changed = b.icmp("ne", pointer, before) if blocks is None else int_constant(1, I1)
    found = _by_address(body, pointer, blocks or ()) if body.is_last else [pointer] * body.width
    for shadow, resolved in zip(body.shadows(name), found, strict=True):
        old = body.load(shadow, offset)
        is_new = b.int_op("and", has_changed, _is_free(body, old))
        if not body.is_last:
            _refuse_alias(body, pointer, is_new, name)
        b.store(b.select(is_new, resolved, old), b.offset(shadow, offset), POINTER_BYTES)
    b.store(pointer, b.offset(seen, offset), POINTER_BYTES)


def _resolve_first(body: _Body, pool: Pool, word: GlobalPointer, others: list[Pointed]) -> Pointed:
    """Of a pointer to a block of the heap, which may be one of the others. Gives the block."""
    b, offset = body.b, int_constant(word.offset)
    pointer, before = body.load(GlobalRef.of(word.name), offset), body.load(body.seen(word.name), offset)
    clears = int_constant(int(body.request.kind in _CLEARING))
    round = body.round
    memory = round.library_function(pool.allocate, _ALLOCATE), round.library_function(pool.free)
    found = _by_address(body, pointer, others)
    for lane, (shadow, resolved) in enumerate(zip(body.shadows(word.name), found, strict=True)):
        old, made = body.load(shadow, offset), body.made(lane, *word)
        arguments = (pointer, before, resolved, old, made, body.is_outermost, clears, *memory)
        b.store(runtime.HEAP_SHADOW.call(b, *arguments), b.offset(shadow, offset), POINTER_BYTES)
    b.store(pointer, b.offset(body.seen(word.name), offset), POINTER_BYTES)
    block = _block(body, word)
    for argument in body.arguments:
        inside, _ = body.inside(argument.start, block)
        body.refuse(inside, _GIVEN % plain_name(word.name))
    # with its end, as a vector has it: the next block begins later
    return block._replace(size=b.add(block.size, int_constant(1)))


def _block(body: _Body, word: GlobalPointer) -> Pointed:
    """The block of the heap that a pointer points to; of no size where it has another shadow than ours."""
    b, offset = body.b, int_constant(word.offset)
    shadows: list[Value] = [body.load(shadow, offset) for shadow in body.shadows(word.name)]
    size = runtime.HEAP_SIZE.call(b, shadows[0], body.made(0, *word))
    return Pointed(body.load(GlobalRef.of(word.name), offset), size, shadows)


def _is_free(body: _Body, shadow: Value) -> Value:
    """Whether nobody needs what the shadow of a pointer is."""
    is_outermost = body.b.icmp("ne", body.is_outermost, int_constant(0))
    return body.b.int_op("or", is_outermost, body.b.icmp("eq", shadow, zero(PTR)))


def _emit_clear_heap(body: _Body) -> None:
    for pool in body.pools:
        for name, at in pool.first:
            for lane, shadow in enumerate(body.shadows(name)):
                arguments = body.load(shadow, int_constant(at)), body.made(lane, name, at), body.is_outermost
                runtime.HEAP_CLEAR.call(body.b, *arguments)


def _by_address(body: _Body, pointer: Value, blocks: Iterable[Pointed] = ()) -> list[Value]:
    """The shadow of what the pointer points into, in each lane; the pointer itself if that is nothing active."""
    found: list[Value] = [pointer] * body.width
    for pointed in (*body.pointed, *blocks):
        inside, distance = body.inside(pointer, pointed)
        found = [
            body.b.select(inside, body.b.offset(shadow, distance, ()), other)
            for shadow, other in zip(pointed.shadows, found, strict=True)
        ]
    return found


def _emit_check(body: _Body) -> None:
    blocks = [_block(body, word) for pool in body.pools for word in pool.first]
    for name, offset in body.each_of(body.round.external.foreign):
        _refuse_alias(body, body.load(GlobalRef.of(name), offset), int_constant(1, I1), name, blocks)


def _refuse_alias(body: _Body, pointer: Value, matters: Value, name: str, blocks: Iterable[Pointed] = ()) -> None:
    for pointed in (*body.pointed, *blocks):
        inside, _ = body.inside(pointer, pointed)
        body.refuse(body.b.int_op("and", matters, inside), _ALIAS % plain_name(name))


def _emit_named(body: _Body) -> None:
    """Arguments that lie in globals."""
    for name in body.round.external.numbers:
        size, message = int_constant(size_of(body.round, name)), _NAMED % ((plain_name(name),) * 2)
        shadows = body.shadows(name) if name in body.round.state.active_globals else []
        for argument in body.arguments:
            inside, distance = body.inside(argument.start, Pointed(GlobalRef.of(name), size, shadows))
            for shadow, given in zip(shadows, argument.shadows, strict=False):
                other = body.b.icmp("ne", given, body.b.offset(shadow, distance, ()))
                body.refuse(body.b.int_op("and", inside, other), message)
            if not shadows:
                body.refuse(inside, message)


def _emit_remember(body: _Body) -> None:
    for pool in body.pools:
        for lane in range(body.width):
            _keep_shadows(body, pool, lane)
    for name, place in body.each_of(body.round.external.resolved):
        body.b.store(body.load(GlobalRef.of(name), place), body.b.offset(body.seen(name), place), POINTER_BYTES)


def _keep_shadows(body: _Body, pool: Pool, lane: int) -> None:
    """Where the derivative put other pointers there, their shadows are ours now: each of one pointer."""
    b, found = body.b, []
    for name, at in pool.first:
        offset = int_constant(at)
        pointer, before = body.load(GlobalRef.of(name), offset), body.load(body.seen(name), offset)
        found.append((body.load(body.shadows(name)[lane], offset), b.icmp("ne", pointer, before)))
    for k, (word, (shadow, has_changed)) in enumerate(zip(pool.first, found, strict=True)):
        is_own: Value = int_constant(1, I1)
        for j, (other, other_has_changed) in enumerate(found):
            if j != k:
                differs: Value = b.icmp("ne", shadow, other)
                differs = differs if j < k else b.int_op("or", differs, other_has_changed)
                is_own = b.int_op("and", is_own, differs)
        kept = b.select(is_own, shadow, zero(PTR))
        made = body.made(lane, *word)
        b.store(b.select(has_changed, kept, b.load(PTR, made, POINTER_BYTES)), made, POINTER_BYTES)


# -- refusals when the program runs

_WRITE = (
    "%s: a number that carries a derivative is stored in memory without a shadow: a global pointed to it when the "
    "derivative was called [EZ0306]; allocate it in the differentiated function, pass it with a shadow, or define a "
    "shadow of the global that points to memory of the same size"
)
_ALIAS = (
    "the global %s points at memory that carries a derivative under another name, so what is read there would be taken "
    "for a constant [EZ0306]; use that memory by one name, or define a shadow of the global that points at the shadow "
    "of that memory"
)
_NAMED = (
    "an argument of the derivative lies in the global %s, which differentiated code also uses by its name, and has "
    "another shadow [EZ0306]; use that memory by one name, or define %s_shadow and pass its address as the shadow of "
    "the argument"
)
_GIVEN = (
    "an argument of the derivative lies in memory that the global %s points at, but not at its beginning, and has a "
    "shadow of its own [EZ0306]; use that memory by one name, or pass its beginning"
)


def _refuse(round: Round, b: Builder, condition: Value, message: str) -> None:
    runtime.REFUSE.call(b, b.resize_int(condition, I64), round.text(message))


def refuse_write(round: Round, b: Builder, i: Instruction, is_constant: Value | None) -> None:
    """Ends the program where a number that carries a derivative is written to constant memory that a global led to."""
    if round.external.resolved and is_constant is not None:
        place = round.source.source_location(i) or "a place without debug information"
        _refuse(round, b, is_constant, _WRITE % place)


def refuse_copy(
    round: Round, b: Builder, i: Instruction, to_constant: Value | None, of_constant: Value | None, size: Value
) -> None:
    """As refuse_write, of `size` bytes of memory. Constants may be copied to constants."""
    if to_constant is not None:
        is_lost = b.int_op("and", to_constant, b.icmp("ne", size, int_constant(0)))
        if of_constant is not None:
            is_lost = b.int_op("and", is_lost, b.int_op("xor", of_constant, int_constant(1, I1)))
        refuse_write(round, b, i, is_lost)
