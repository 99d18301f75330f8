"""The list of the memory that a request names: a derivative compares pointers with it (emit/shadow_access).

It holds the memory behind arguments with shadows, the globals with shadows, and what the pointers in both point at.
What lies deeper is not listed: whether a pointer there is valid is not known before the derivative follows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.activity.activity import ArgumentActivity
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR, is_pointer
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from ..core.round import Round
from ..requests.request import Request
from .foreign_code import UNKNOWN_SIZE, Pointed, shadows_of_global
from .pointing import size_of

#: pointers further inside an argument or a global are not listed: a request must not take long to begin
EXAMINED_BYTES = 256


def name_memory(round: Round, b: Builder, request: Request, arguments: Sequence[Pointed]) -> None:
    """Emits the list. `arguments`: the memory behind the arguments that are pointers with shadows, in their order."""
    assert b.block.function is not None
    calls = round.foreign_code.naming
    site = Builder.first(b.block.function.entry).alloca(I64)
    calls.append(runtime.NAMING_BEGIN.call(b, site))
    parameters = _parameters(round, request)
    known = [*zip(parameters, arguments, strict=True), *_globals(round, request)]
    for value, memory in sorted(known, key=lambda row: parameters.get(row[0], False)):  # other names count first
        for direction, shadow in enumerate(memory.shadows):
            if parameters.get(value):  # work space, which is named, unlike other constant memory
                shadow = b.select(b.icmp("eq", shadow, memory.start), zero(PTR), shadow)
            calls.append(runtime.NAMED_MEMORY.call(b, memory.start, memory.size, shadow, int_constant(direction)))
    for value, memory in known:
        _name_pointers(round, b, value, memory)


def end_naming(round: Round, b: Builder) -> None:
    """Emits the end of the list."""
    round.foreign_code.naming.append(runtime.NAMING_END.call(b))


def forget_names(round: Round) -> None:
    """Erases the lists, if no derivative of the round looks a pointer up in them."""
    if not round.foreign_code.compares_names and not round.foreign.records_pointers:
        for call in round.foreign_code.naming:
            call.erase()


def _parameters(round: Round, request: Request) -> dict[Value, bool]:
    """Returns the parameters with shadows, and whether they are work space."""
    parameters = round.source.functions[request.function].arguments
    pairs = zip(request.arguments, parameters, strict=True)
    return {
        p: actual.is_work_space for actual, p in pairs if actual.activity is ArgumentActivity.DUP and is_pointer(p.type)
    }


def _globals(round: Round, request: Request) -> list[tuple[Value, Pointed]]:
    reached = round.globals_of.get(request.function, frozenset()) & round.state.active_globals
    sizes = {name: size_of(round, name) for name in sorted(reached) if name in round.source.globals}
    return [
        (GlobalRef.of(n), Pointed(GlobalRef.of(n), int_constant(size), shadows_of_global(round, n, request)))
        for n, size in sizes.items()
    ]


def _name_pointers(round: Round, b: Builder, value: Value, memory: Pointed) -> None:
    """Emits the pointers in memory. If its size is unknown, arrays of pointers are as long as is seen."""
    known, more = round.types.contents(value, EXAMINED_BYTES).pointer_offsets
    if not known and not more:
        return
    is_open_ended = b.icmp("eq", memory.size, int_constant(UNKNOWN_SIZE))
    size = b.select(is_open_ended, int_constant(EXAMINED_BYTES), memory.size)
    count = b.select(is_open_ended, int_constant(len(known)), int_constant(len(known) + len(more)))
    for direction, shadow in enumerate(memory.shadows):
        table = round.table([*known, *more])
        call = runtime.NAMED_POINTERS.call(b, memory.start, size, shadow, table, count, int_constant(direction))
        round.foreign_code.naming.append(call)
