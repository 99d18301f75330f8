"""Foreign memory: memory behind global pointers that code outside of the derivative allocated or chose.

Differentiated code updates a pointer in a global together with its shadow. Other code updates the pointer alone: it
allocates a table, reads it from a file and stores its address in a global, or makes the global point at another array.
So each request begins with the pointers in active globals whose shadows are ours. A pointer that differs from its value
at the end of the last request was stored by other code. Its new shadow depends on where it points:

- into another active global, or into memory that the request passes with a shadow: the same distance into that shadow;
- into a heap block, where the global only ever holds addresses of such blocks (heap.py): a block of the same size, made
  at the first request and kept;
- anywhere else: the pointer itself, which means constant memory (runtime activity). Tables of the runtime keep the
  shadows of pointers and numbers that the derivative stores there (emit/shadow_access).
  The program ends with a message if a number is stored there that the derivative might read by another name.

Globals that are not active hold nothing to differentiate. The program ends with a message if

- such a global points at memory that carries a derivative under another name;
- an argument lies in an array that differentiated code uses by name, and its shadow is not in that array's shadow.

Numbers that earlier calls left in globals are constants of a request: shadows that the program does not name begin as
zero. The first half of reverse mode is an exception, since its second half uses these shadows.

All of this holds if no other request is under way. A registered derivative may make a request in the reverse sweep of
another request. Then the shadows are in use, and the inner request changes neither numbers nor pointers that are not
null.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.types import I1, I64, PTR, VOID, is_pointer
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from ...rules.parallel.openmp import FORK
from ..core.layouts import find_layout, float_segments, stride
from ..core.mixed_words import Clearing, clear_tagged
from ..core.round import Round
from ..requests.request import ActualArgument, Request, convert
from .foreign_code import UNKNOWN_SIZE, Pointed, shadows_of_global
from .foreign_functions import Task, name_of
from .foreign_shadows import CLEARING
from .kept_keys import Forgotten, asks_about_keys, forget_keys, recall_keys
from .named_memory import EXAMINED_BYTES, end_naming, name_memory
from .pointing import size_of


def begin(round: Round, b: Builder, request: Request) -> tuple[Value, Value | None, list[Forgotten]]:
    """Emits what precedes the differentiated function: it finds shadows of pointers in globals and clears numbers.

    Returns what `end` takes: whether the request is the outermost one, its mark, and the keys that are overwritten.
    """
    is_outermost, mark = enter(round, b)
    _clear(round, b, request, is_outermost)
    keys = forget_keys(round, b, request.function)
    _begin_keys(round, b, request, is_outermost)
    if round.foreign.records_pointers:
        runtime.FOREIGN_BEGIN.call(b, is_outermost)
    tasks: list[tuple[Task, Collection[str]]] = [
        (Task.RESOLVE, round.foreign_pointers.resolved),
        (Task.CHECK, round.foreign_pointers.inactive),
        (Task.NAMED, round.foreign_pointers.numbers),
    ]
    wanted = [task for task, names in tasks if names]
    found = _arguments(round, b, request)
    _check_shadows(round, b, request)
    _begin_numbers(round, b, request, is_outermost)
    for pointed in found if round.foreign.records_numbers else ():
        is_constant = b.icmp("eq", pointed.start, pointed.shadows[0])
        runtime.FOREIGN_ARGUMENT.call(b, pointed.start, b.select(is_constant, int_constant(0), pointed.size))
    values = [value for pointed in found for value in (pointed.start, pointed.size, *pointed.shadows)]
    for task in wanted:
        b.call(name_of(round, task, len(found), request), VOID, [*values, is_outermost])
    name_memory(round, b, request, found)
    return is_outermost, mark, keys


def _begin_keys(round: Round, b: Builder, request: Request, is_outermost: Value) -> None:
    """Emits the notice of the globals in which the keys of kept results are old."""
    if not asks_about_keys(round):
        return
    runtime.KEYS_BEGIN.call(b, is_outermost)
    for name in _cleared(round, request):
        runtime.KEYS_CLEARED.call(b, GlobalRef.of(name), b.mul(is_outermost, int_constant(size_of(round, name))))


def _begin_numbers(round: Round, b: Builder, request: Request, is_outermost: Value) -> None:
    """Emits the notice for the table of numbers in foreign memory: it must have none of the request's own globals."""
    if round.foreign.records_numbers:
        reached = sorted(round.globals_of.get(request.function, frozenset()) - round.state.inactive_globals)
        sizes = {name: size_of(round, name) for name in reached}
        local = [name for name in reached if round.source.globals[name].thread_local]
        table = [(name, size) for name, size in sizes.items() if size and name not in local]
        runtime.FOREIGN_NUMBERS_BEGIN.call(b, is_outermost, round.memory_table(table), int_constant(len(table)))
        for name in local:
            runtime.FOREIGN_ARGUMENT.call(b, GlobalRef.of(name), int_constant(sizes[name]))


def enter(round: Round, b: Builder) -> tuple[Value, Value | None]:
    """Emits the notice that a request is under way.

    Returns whether it is the outermost one of its round, and the mark that `leave` takes.
    """
    if not (round.state.active_globals - round.declared or round.foreign.records_pointers):
        return int_constant(1), None
    round_ = int_constant(round.options.round_number)
    is_outermost = runtime.IS_OUTERMOST.call(b, round_)
    return is_outermost, runtime.REQUEST_BEGIN.call(b, round_)


def leave(round: Round, b: Builder, mark: Value | None) -> None:
    """Emits the notice that the request has ended."""
    end_naming(round, b)
    if mark is not None:
        runtime.REQUEST_END.call(b, int_constant(round.options.round_number), mark)


def _clear(round: Round, b: Builder, request: Request, is_outermost: Value) -> None:
    if request.kind not in CLEARING:
        return
    if any(round.source.globals[name].thread_local for name in _cleared(round, request)):
        _number(round, b, is_outermost)
    for name in _cleared(round, request):
        size = size_of(round, name)
        layout = find_layout(round.types, [GlobalRef.of(name)], size) if size else None
        if layout is None:
            _clear_tagged(round, b, request, name, is_outermost)
            continue
        for _, segment in float_segments(layout):
            place = b.mul(is_outermost, int_constant(size)), *stride(layout, segment, int_constant(size))
            for shadow in shadows_of_global(round, name, request):
                runtime.CLEAR.call(b, shadow, *place)


def _number(round: Round, b: Builder, is_outermost: Value) -> None:
    """Emits a number of the request: other threads clear their own shadows then (emit/variables_of_threads.py)."""
    if f"@{FORK}" in round.source.functions:
        runtime.TEAM_REQUEST.call(b, is_outermost)


def _cleared(round: Round, request: Request) -> list[str]:
    """Returns the active globals of a request whose shadows the program does not name."""
    reached = round.globals_of.get(request.function, frozenset())
    return sorted((reached & round.state.active_globals) - round.declared)


def _clear_tagged(round: Round, b: Builder, request: Request, name: str, is_outermost: Value) -> None:
    """Clears the numbers in the shadow of a global, where only the run tells which words are numbers."""
    pointer, size = GlobalRef.of(name), size_of(round, name)
    if size and round.types.contents(pointer, size).is_tagged():
        memory = Clearing(pointer, int_constant(size), b.mul(is_outermost, int_constant(size)), False)
        for shadow in shadows_of_global(round, name, request):
            clear_tagged(round, b, shadow, memory)


def begin_again(round: Round, b: Builder, request: Request) -> Value | None:
    """Emits what precedes the reverse sweep of a split request; the pointers are as the first half left them."""
    is_outermost, mark = enter(round, b)
    _clear(round, b, request, is_outermost)
    name_memory(round, b, request, _arguments(round, b, request))
    _begin_numbers(round, b, request, is_outermost)
    if round.foreign_pointers.pools and round.options.is_last:
        b.call(name_of(round, Task.CLEAR_HEAP, 0, request), VOID, (is_outermost,))
    return mark


def end(
    round: Round, b: Builder, request: Request, is_outermost: Value, mark: Value | None, keys: Iterable[Forgotten]
) -> None:
    """Emits what follows the differentiated function: it records the pointers for the next request."""
    if round.foreign_pointers.resolved:
        b.call(name_of(round, Task.REMEMBER, 0, request), VOID, (is_outermost,))
    recall_keys(b, keys)
    leave(round, b, mark)


def _check_shadows(round: Round, b: Builder, request: Request) -> None:
    """Emits the question whether shadows of arguments with pointers fit (runtime/replaced_pointers.c)."""
    parameters = round.source.functions[request.function].arguments
    for actual, parameter in zip(request.arguments, parameters, strict=True):
        is_pointer_with_shadow = actual.activity is ArgumentActivity.DUP and is_pointer(parameter.type)
        if not round.options.is_last or not is_pointer_with_shadow or actual.is_work_space:
            continue
        if any(round.types.contents(parameter, EXAMINED_BYTES).pointer_offsets):
            for shadow in shadows_of(b, actual, request.width):
                runtime.SHADOW_FITS.call(b, *(convert(b, pointer, PTR) for pointer in (actual.primal, shadow)))


def _arguments(round: Round, b: Builder, request: Request) -> list[Pointed]:
    """Returns the memory behind arguments with shadows. If its size is unknown, only the first byte counts."""
    found = []
    primal = round.output.functions[request.function]
    for actual, parameter in zip(request.arguments, primal.arguments, strict=True):
        if actual.activity is ArgumentActivity.DUP and is_pointer(parameter.type):
            start = convert(b, actual.primal, PTR)
            known = b.call("@llvm.objectsize.i64.p0", I64, (start, *(int_constant(k, I1) for k in (0, 1, 1))))
            size = b.select(b.icmp("eq", known, int_constant(-1)), int_constant(UNKNOWN_SIZE), known)
            found.append(Pointed(start, size, [convert(b, s, PTR) for s in shadows_of(b, actual, request.width)]))
    return found


def with_work_space(round: Round, b: Builder, request: Request) -> Request:
    """Emits the shadows of arguments that are work space: that of a global if they lie in one, else themselves.

    Returns the request with these.
    """

    def shadowed(actual: ActualArgument) -> ActualArgument:
        if not actual.is_work_space or not is_pointer(actual.primal.type):  # integers and structs may hold pointers
            return actual
        start = convert(b, actual.primal, PTR)
        shadows: list[Value] = [start] * request.width
        for name in _cleared(round, request):
            distance = b.sub(b.cast("ptrtoint", start, I64), b.cast("ptrtoint", GlobalRef.of(name), I64))
            inside = b.icmp("ult", distance, int_constant(size_of(round, name)))
            places = (b.offset(shadow, distance, ()) for shadow in shadows_of_global(round, name, request))
            shadows = [b.select(inside, place, other) for place, other in zip(places, shadows, strict=True)]
        return replace(actual, shadows=tuple(shadows))

    return replace(request, arguments=tuple(map(shadowed, request.arguments))) if round.options.is_last else request


def shadows_of(b: Builder, actual: ActualArgument, directions: int) -> list[Value]:
    """Returns the shadow of an argument in each direction."""
    if actual.stride is None:
        return [*actual.shadows]
    stride = b.resize_int(actual.stride, I64, signed=True)
    return [b.offset(actual.shadows[0], b.mul(stride, int_constant(k)), ()) for k in range(directions)]
