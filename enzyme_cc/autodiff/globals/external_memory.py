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

from collections.abc import Collection

from ...analysis.activity.activity import ArgumentActivity
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.types import I1, I64, PTR, VOID, is_pointer
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from ..core.layouts import find_layout, float_segments, stride
from ..core.round import Round
from ..requests.request import ActualArgument, Request, convert
from .external_code import Pointed, shadows_of_global
from .external_functions import Task, name_of
from .external_shadows import CLEARING
from .pointing import size_of


def begin(round: Round, b: Builder, request: Request) -> Value | None:
    """Before the differentiated function runs: shadows of pointers in globals are set, those of numbers cleared.

    Gives what `end` is to be told.
    """
    is_outermost, mark = enter(round, b)
    _clear(round, b, request, is_outermost)
    tasks: list[tuple[Task, Collection[str]]] = [
        (Task.RESOLVE, round.external.resolved),
        (Task.CHECK, round.external.foreign),
        (Task.NAMED, round.external.numbers),
    ]
    wanted = [task for task, names in tasks if names]
    found = _arguments(round, b, request) if wanted else []
    values = [value for pointed in found for value in (pointed.start, pointed.size, *pointed.shadows)]
    for task in wanted:
        b.call(name_of(round, task, len(found), request), VOID, [*values, is_outermost])
    return mark


def enter(round: Round, b: Builder) -> tuple[Value, Value | None]:
    """Says that a request is under way. Gives whether it is the outermost of its round, and what `leave` needs."""
    if not round.state.active_globals - round.declared:
        return int_constant(1), None
    round_ = int_constant(round.options.round_number)
    is_outermost = runtime.IS_OUTERMOST.call(b, round_)
    return is_outermost, runtime.REQUEST_BEGIN.call(b, round_)


def leave(round: Round, b: Builder, mark: Value | None) -> None:
    """Says that the request is done."""
    if mark is not None:
        runtime.REQUEST_END.call(b, int_constant(round.options.round_number), mark)


def _clear(round: Round, b: Builder, request: Request, is_outermost: Value) -> None:
    if request.kind not in CLEARING:
        return
    reached = round.globals_of.get(request.function, frozenset())
    for name in sorted((reached & round.state.active_globals) - round.declared):
        size = size_of(round, name)
        layout = find_layout(round.types, [GlobalRef.of(name)], size) if size else None
        if layout is None:
            continue
        for _, segment in float_segments(layout):
            place = b.mul(is_outermost, int_constant(size)), *stride(layout, segment, int_constant(size))
            for shadow in shadows_of_global(round, name, request):
                runtime.CLEAR.call(b, shadow, *place)


def begin_again(round: Round, b: Builder, request: Request) -> Value | None:
    """Before the second half of reverse mode: the pointers are as the first half left them."""
    is_outermost, mark = enter(round, b)
    _clear(round, b, request, is_outermost)
    if round.external.pools and round.options.is_last:
        b.call(name_of(round, Task.CLEAR_HEAP, 0, request), VOID, (is_outermost,))
    return mark


def end(round: Round, b: Builder, request: Request, mark: Value | None) -> None:
    """After it: what the pointers are, for the next request."""
    if round.external.resolved:
        b.call(name_of(round, Task.REMEMBER, 0, request), VOID, (int_constant(0),))
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


def shadows_of(b: Builder, actual: ActualArgument, directions: int) -> list[Value]:
    """The shadow of an argument in each direction."""
    if actual.stride is None:
        return actual.shadows
    stride = b.resize_int(actual.stride, I64, signed=True)
    return [b.offset(actual.shadows[0], b.mul(stride, int_constant(k)), ()) for k in range(directions)]
