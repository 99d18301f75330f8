"""The code of functions that examine pointers to foreign memory: what their bodies have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.module import global_name
from ...ir.types import I64, PTR
from ...ir.values import Function, Value
from ...rules import runtime_functions as runtime
from ..core.markers import RequestKind
from ..core.pointers import POINTER_BYTES, GlobalPointer, PointerRow, Pool
from ..core.round import Round
from ..requests.request import Request
from .foreign_refusals import refuse
from .pointing import size_of
from .shadows import Shadows, constant_shadow

#: the shadow of a pointer that the derivative freed: in the name of a variable beside the global
FREED = "freed"
#: a row of more pointers is examined in a loop
_UNROLLED = 4


#: the size in place of an unknown one: the first byte is surely there
UNKNOWN_SIZE = 1


class Pointed(NamedTuple):
    """Memory whose shadows are known: `size` bytes from `start` on; the first one, if the size is unknown."""

    start: Value
    size: Value
    shadows: list[Value]


class ForeignFunction:
    """A function under construction, which examines pointers to foreign memory.

    - `arguments`: the memory behind the request's arguments, which are parameters of the function.
    - `pointed`: all memory whose shadow is known: that of `arguments` and that of active globals.
    - `is_outermost`: the parameter that is not zero if no other request is under way.
    """

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

    def beside(self, name: str, word: str, value: str = "zeroinitializer") -> GlobalRef:
        return beside(self.round, name, word, _is_forward(self.request), value)

    @property
    def is_last(self) -> bool:
        """True if no later round differentiates this code.

        Otherwise it must not select between shadows: type analysis gives all operands of a select one type.
        """
        return self.round.options.is_last

    @property
    def pools(self) -> tuple[Pool, ...]:
        """Pointers in globals to heap blocks for which requests make shadows."""
        return self.round.foreign_pointers.pools if self.is_last else ()

    def made(self, direction: int, name: str, offset: int) -> Value:
        """Returns the address that keeps the shadow made for a heap block, by a request or by a derivative."""
        return self.b.offset(self.beside(name, f"made{direction}"), int_constant(offset))

    def freed(self, direction: int, name: str, offset: int) -> Value:
        """Returns the address that keeps the shadow of a block if the derivative freed it (emit/shadow_access)."""
        return self.b.offset(self.beside(name, f"{FREED}{direction}"), int_constant(offset))

    def seen(self, name: str) -> GlobalRef:
        """Returns a variable with the pointers of the global as the last request left them.

        Before the first request it holds the initial pointers.
        """
        initializer = self.round.source.globals[name].initializer
        return self.beside(name, "seen", "zeroinitializer" if initializer is None else str(initializer))

    def each(self, words: PointerRow) -> Iterator[Value]:
        """Yields the offset of each pointer of a row; the caller emits the code for it. Many pointers share a loop."""
        if words.number <= _UNROLLED:
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

    def each_of(self, globals_: Mapping[str, list[PointerRow]]) -> Iterator[tuple[str, Value]]:
        """Yields name and offset of each pointer in the globals, as `each` does."""
        for name, found in globals_.items():
            for words in found:
                for offset in self.each(words):
                    yield name, offset

    def refuse(self, condition: Value, message: str) -> None:
        refuse(self.round, self.b, condition, message)

    def load(self, name: Value, offset: Value) -> Value:
        return self.b.load(PTR, self.b.offset(name, offset), POINTER_BYTES)

    def inside(self, pointer: Value, pointed: Pointed) -> tuple[Value, Value]:
        """Returns whether the pointer lies in that memory, and its distance in bytes from the start."""
        address, start = (self.b.cast("ptrtoint", p, I64) for p in (pointer, pointed.start))
        distance = self.b.sub(address, start)
        return self.b.icmp("ult", distance, pointed.size), distance

    def block(self, word: GlobalPointer) -> Pointed:
        """Returns the heap block that a pointer points to. Its size is 0 if its shadow is not ours."""
        b, offset = self.b, int_constant(word.offset)
        shadows: list[Value] = [self.load(shadow, offset) for shadow in self.shadows(word.name)]
        size = runtime.HEAP_SIZE.call(b, shadows[0], self.made(0, *word))
        return Pointed(self.load(GlobalRef.of(word.name), offset), size, shadows)


def beside(round: Round, name: str, word: str, forward: bool, value: str = "zeroinitializer") -> GlobalRef:
    """Returns a variable of the same type that belongs to the global, one for each mode."""
    word += "_forward" if forward else ""
    symbol = global_name(f"{plain_name(name)}_{word}{round.options.round_number or ''}")
    if symbol not in round.output.globals:
        variable = round.source.globals[name]
        thread = "thread_local " if variable.thread_local else ""
        round.output.add_global(f"{symbol} = internal {thread}global {variable.value_type} {value}, align 16")
    return GlobalRef.of(symbol)


def _is_forward(request: Request) -> bool:
    return request.kind in (RequestKind.FWDDIFF, RequestKind.FWDSPLIT)


def shadows_of_global(round: Round, name: str, request: Request) -> list[Value]:
    directions = [Shadows(round, direction, _is_forward(request)) for direction in range(request.width)]
    return [constant_shadow(shadows, GlobalRef.of(name)) for shadows in directions]
