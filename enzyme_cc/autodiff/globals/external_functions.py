"""The functions that look at pointers to external memory when a request begins or ends: one for each task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant, zero
from ...ir.module import global_name
from ...ir.types import I1, I64, PTR, VOID, FunctionType, Type
from ...ir.values import Argument, Function, Value
from ...rules import runtime_functions as runtime
from ..core.markers import RequestKind
from ..core.pointers import POINTER_BYTES, GlobalPointer, PointerRow, Pool
from ..core.round import Round
from ..requests.request import Request
from .external_refusals import ALIAS, GIVEN, NAMED, refuse
from .pointing import size_of
from .shadows import Shadows, constant_shadow

#: requests that begin with shadows of numbers that are zero
CLEARING = (RequestKind.AUTODIFF, RequestKind.FWDDIFF, RequestKind.FWDSPLIT, RequestKind.REVERSE)
_ALLOCATE = FunctionType(PTR, (I64,))
#: so many pointers of an array are looked at one by one; more, in a loop
_FEW = 4


class Task(Enum):
    """What is done at the begin or end of a request; the value names the function that does it.

    RESOLVE finds the shadows of pointers in active globals. CHECK refuses other globals that point at memory with a
    derivative, NAMED arguments that lie in globals used by name. CLEAR_HEAP clears shadows of blocks of the heap before
    the second half of reverse mode. REMEMBER keeps what the pointers are for the next request.
    """

    RESOLVE = "@__ez_outside_settle"
    CHECK = "@__ez_outside_check"
    NAMED = "@__ez_outside_named"
    CLEAR_HEAP = "@__ez_outside_clear_heap"
    REMEMBER = "@__ez_outside_remember"


class Pointed(NamedTuple):
    """Memory whose shadows are known: `size` bytes from `start` on."""

    start: Value
    size: Value
    shadows: list[Value]


class ExternalFunction:
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
        return shadows_of_global(self.round, name, self.request)

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

    def made(self, direction: int, name: str, offset: int) -> Value:
        """Where the shadow is kept that was made for a block of the heap, by this code or by the derivative."""
        return self.b.offset(self.beside(name, f"made{direction}", "zeroinitializer"), int_constant(offset))

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
        refuse(self.round, self.b, condition, message)

    def load(self, name: Value, offset: Value) -> Value:
        return self.b.load(PTR, self.b.offset(name, offset), POINTER_BYTES)

    def inside(self, pointer: Value, pointed: Pointed) -> tuple[Value, Value]:
        """Whether the pointer points there, and how many bytes from the start."""
        address, start = (self.b.cast("ptrtoint", p, I64) for p in (pointer, pointed.start))
        distance = self.b.sub(address, start)
        return self.b.icmp("ult", distance, pointed.size), distance


def _is_forward(request: Request) -> bool:
    return request.kind in (RequestKind.FWDDIFF, RequestKind.FWDSPLIT)


def shadows_of_global(round: Round, name: str, request: Request) -> list[Value]:
    directions = [Shadows(round, direction, _is_forward(request)) for direction in range(request.width)]
    return [constant_shadow(shadows, GlobalRef.of(name)) for shadows in directions]


def name_of(round: Round, task: Task, arguments: int, request: Request) -> str:
    """Returns the name of the function for a task, which is made if it is not there yet.

    `arguments`: how many arguments of the request have shadows.
    """
    key = task.value, arguments, request.width, request.kind
    made = round.external.made
    if key not in made:
        made[key] = _make(round, task, arguments, request)
    return made[key]


def _make(round: Round, task: Task, arguments: int, request: Request) -> str:
    function = _empty_function(round.output.fresh_name(task.value), arguments, request.width)
    body = ExternalFunction(round, function, arguments, request)
    _EMITTERS[task](body)
    body.b.ret()
    round.enter(function)
    return function.name


def _empty_function(name: str, arguments: int, directions: int) -> Function:
    """Parameters: start, size and shadows of what each argument points at; then whether the request is outermost."""
    types: list[Type] = [*(type_ for _ in range(arguments) for type_ in (PTR, I64, *[PTR] * directions)), I64]
    given = [Argument(type_, "", "", k) for k, type_ in enumerate(types)]
    return Function(name, FunctionType(VOID, tuple(types)), given, "internal", "nounwind")


def _emit_resolve(body: ExternalFunction) -> None:
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


def _resolve(body: ExternalFunction, name: str, offset: Value, blocks: list[Pointed] | None = None) -> None:
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


def _resolve_first(body: ExternalFunction, pool: Pool, word: GlobalPointer, others: list[Pointed]) -> Pointed:
    """Of a pointer to a block of the heap, which may be one of the others. Gives the block."""
    b, offset = body.b, int_constant(word.offset)
    pointer, before = body.load(GlobalRef.of(word.name), offset), body.load(body.seen(word.name), offset)
    clears = int_constant(int(body.request.kind in CLEARING))
    round = body.round
    memory = round.library_function(pool.allocate, _ALLOCATE), round.library_function(pool.free)
    found = _by_address(body, pointer, others)
    for direction, (shadow, resolved) in enumerate(zip(body.shadows(word.name), found, strict=True)):
        old, made = body.load(shadow, offset), body.made(direction, *word)
        arguments = (pointer, before, resolved, old, made, body.is_outermost, clears, *memory)
        b.store(runtime.HEAP_SHADOW.call(b, *arguments), b.offset(shadow, offset), POINTER_BYTES)
    b.store(pointer, b.offset(body.seen(word.name), offset), POINTER_BYTES)
    block = _block(body, word)
    for argument in body.arguments:
        inside, _ = body.inside(argument.start, block)
        body.refuse(inside, GIVEN % plain_name(word.name))
    # with its end, as a vector has it: the next block begins later
    return block._replace(size=b.add(block.size, int_constant(1)))


def _block(body: ExternalFunction, word: GlobalPointer) -> Pointed:
    """The block of the heap that a pointer points to; of no size where it has another shadow than ours."""
    b, offset = body.b, int_constant(word.offset)
    shadows: list[Value] = [body.load(shadow, offset) for shadow in body.shadows(word.name)]
    size = runtime.HEAP_SIZE.call(b, shadows[0], body.made(0, *word))
    return Pointed(body.load(GlobalRef.of(word.name), offset), size, shadows)


def _is_free(body: ExternalFunction, shadow: Value) -> Value:
    """Whether nobody needs what the shadow of a pointer is."""
    is_outermost = body.b.icmp("ne", body.is_outermost, int_constant(0))
    return body.b.int_op("or", is_outermost, body.b.icmp("eq", shadow, zero(PTR)))


def _emit_clear_heap(body: ExternalFunction) -> None:
    for pool in body.pools:
        for name, at in pool.first:
            for direction, shadow in enumerate(body.shadows(name)):
                arguments = body.load(shadow, int_constant(at)), body.made(direction, name, at), body.is_outermost
                runtime.HEAP_CLEAR.call(body.b, *arguments)


def _by_address(body: ExternalFunction, pointer: Value, blocks: Iterable[Pointed] = ()) -> list[Value]:
    """The shadow of what the pointer points into, in each direction; the pointer itself if that is nothing active."""
    found: list[Value] = [pointer] * body.width
    for pointed in (*body.pointed, *blocks):
        inside, distance = body.inside(pointer, pointed)
        found = [
            body.b.select(inside, body.b.offset(shadow, distance, ()), other)
            for shadow, other in zip(pointed.shadows, found, strict=True)
        ]
    return found


def _emit_check(body: ExternalFunction) -> None:
    blocks = [_block(body, word) for pool in body.pools for word in pool.first]
    for name, offset in body.each_of(body.round.external.foreign):
        _refuse_alias(body, body.load(GlobalRef.of(name), offset), int_constant(1, I1), name, blocks)


def _refuse_alias(
    body: ExternalFunction, pointer: Value, matters: Value, name: str, blocks: Iterable[Pointed] = ()
) -> None:
    for pointed in (*body.pointed, *blocks):
        inside, _ = body.inside(pointer, pointed)
        body.refuse(body.b.int_op("and", matters, inside), ALIAS % plain_name(name))


def _emit_named(body: ExternalFunction) -> None:
    """Arguments that lie in globals."""
    for name in body.round.external.numbers:
        size, message = int_constant(size_of(body.round, name)), NAMED % ((plain_name(name),) * 2)
        shadows = body.shadows(name) if name in body.round.state.active_globals else []
        for argument in body.arguments:
            inside, distance = body.inside(argument.start, Pointed(GlobalRef.of(name), size, shadows))
            for shadow, given in zip(shadows, argument.shadows, strict=False):
                other = body.b.icmp("ne", given, body.b.offset(shadow, distance, ()))
                body.refuse(body.b.int_op("and", inside, other), message)
            if not shadows:
                body.refuse(inside, message)


def _emit_remember(body: ExternalFunction) -> None:
    for pool in body.pools:
        for direction in range(body.width):
            _keep_shadows(body, pool, direction)
    for name, place in body.each_of(body.round.external.resolved):
        body.b.store(body.load(GlobalRef.of(name), place), body.b.offset(body.seen(name), place), POINTER_BYTES)


def _keep_shadows(body: ExternalFunction, pool: Pool, direction: int) -> None:
    """Where the derivative put other pointers there, their shadows are ours now: each of one pointer."""
    b, found = body.b, []
    for name, at in pool.first:
        offset = int_constant(at)
        pointer, before = body.load(GlobalRef.of(name), offset), body.load(body.seen(name), offset)
        found.append((body.load(body.shadows(name)[direction], offset), b.icmp("ne", pointer, before)))
    for k, (word, (shadow, has_changed)) in enumerate(zip(pool.first, found, strict=True)):
        is_own: Value = int_constant(1, I1)
        for j, (other, other_has_changed) in enumerate(found):
            if j != k:
                differs: Value = b.icmp("ne", shadow, other)
                differs = differs if j < k else b.int_op("or", differs, other_has_changed)
                is_own = b.int_op("and", is_own, differs)
        kept = b.select(is_own, shadow, zero(PTR))
        made = body.made(direction, *word)
        b.store(b.select(has_changed, kept, b.load(PTR, made, POINTER_BYTES)), made, POINTER_BYTES)


_EMITTERS: dict[Task, Callable[[ExternalFunction], None]] = {
    Task.RESOLVE: _emit_resolve,
    Task.CHECK: _emit_check,
    Task.NAMED: _emit_named,
    Task.CLEAR_HEAP: _emit_clear_heap,
    Task.REMEMBER: _emit_remember,
}
