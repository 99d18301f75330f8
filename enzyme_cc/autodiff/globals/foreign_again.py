"""Shadows of heap blocks behind globals, in derivatives that are differentiated again.

The shadow of a block lives as long as the request: a later round then finds its allocation and its release in the code
that it differentiates. If the derivative replaces the block, its shadow is the derivative's and serves the next
request.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant, zero
from ...ir.types import I1, I64, PTR, VOID, FunctionType, IntType
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from ..core.markers import RequestKind
from ..core.pointers import POINTER_BYTES, GlobalPointer, Pool
from .foreign_checks import refuse_alias
from .foreign_code import ForeignFunction, Pointed
from .foreign_refusals import GIVEN
from .kept_keys import asks_about_keys

#: requests in whose code the shadow of a block both begins and ends
_WHOLE = (RequestKind.AUTODIFF, RequestKind.FWDDIFF)
ALLOCATE = FunctionType(PTR, (I64,))


def pools_made_again(body: ForeignFunction) -> tuple[Pool, ...]:
    """Returns the pools whose shadows each request makes."""
    return body.round.foreign_pointers.pools if not body.is_last and body.request.kind in _WHOLE else ()


def make_blocks(body: ForeignFunction, pool: Pool) -> None:
    """Emits shadows of zeros for the blocks of a pool. The outermost request makes them."""
    _enter_shadows(body, pool)
    earlier: list[Pointed] = []
    left = [[body.b.load(PTR, _shadow(body, w, k), POINTER_BYTES) for w in pool.first] for k in range(body.width)]
    for number, (name, at) in enumerate(pool.first):
        pointer = body.load(GlobalRef.of(name), int_constant(at))
        block = Pointed(pointer, runtime.HEAP_BYTES.call(body.b, pointer), [])
        if asks_about_keys(body.round):
            runtime.KEYS_CLEARED.call(body.b, pointer, body.b.mul(block.size, body.is_outermost))
        is_wanted = body.b.int_op("and", _is_outermost(body), body.b.icmp("ne", pointer, zero(PTR)))
        refuse_alias(body, pointer, is_wanted, name, earlier)
        earlier.append(block)
        for argument in body.arguments:
            inside, _ = body.inside(argument.start, block)
            body.refuse(inside, GIVEN % plain_name(name))
        for direction, shadows in enumerate(left):
            others = [*shadows[:number], *shadows[number + 1 :]]
            _Block(body, pool, GlobalPointer(name, at), direction).make(block, shadows[number], others)


def _enter_shadows(body: ForeignFunction, pool: Pool) -> None:
    """Makes the shadows a pool of the next round."""
    for direction in range(body.width):
        names = [(str(body.shadows(n)[direction]), str(body.beside(n, f"made{direction}")), at) for n, at in pool.first]
        words = [GlobalPointer(name, at) for *both, at in names for name in both]
        body.round.foreign_code.shadow_pools.append(Pool(words, [], pool.allocate))


class _Block:
    """The shadow of one block in one direction."""

    def __init__(self, body: ForeignFunction, pool: Pool, word: GlobalPointer, direction: int) -> None:
        self.body = body
        self.pool = pool
        self.word = word
        self.direction = direction
        self.freed = body.freed(direction, *word)
        self.places = _shadow(body, word, direction), body.made(direction, *word)

    def make(self, block: Pointed, left: Value, others: Iterable[Value]) -> None:
        """Emits the shadow that the derivative left, if the block is still the same, or a new one.

        `left`: what the last request left as the shadow; `others`: the same of the other pointers.
        """
        body, is_outermost = self.body, _is_outermost(self.body)
        is_same, is_alive = self._state(block.start, left)
        is_used = body.b.int_op("and", _not(body.b, is_outermost), body.b.icmp("ne", left, zero(PTR)))
        made = body.b.select(is_outermost, zero(PTR), body.b.load(PTR, self.places[1], POINTER_BYTES))
        keep, renew, make, after = (body.function.add_block() for _ in range(4))
        body.b.store(int_constant(0), self.freed, POINTER_BYTES)
        body.b.cond_br(body.b.int_op("or", is_used, is_same), keep, renew)
        body.b = Builder(keep)
        size = body.b.select(is_outermost, block.size, int_constant(0))
        _fill_zero(body.b, left, size)
        body.b.br(after)
        body.b = Builder(renew)
        for other in others:
            is_alive = body.b.int_op("and", is_alive, body.b.icmp("ne", left, other))
        gone = body.b.select(is_alive, left, zero(PTR))
        body.b.call(body.round.library_function(self.pool.free), VOID, (gone,))
        body.b.cond_br(body.b.icmp("ne", block.start, zero(PTR)), make, after)
        body.b = Builder(make)
        new = body.b.call(body.round.library_function(self.pool.allocate, ALLOCATE), PTR, (block.size,))
        _fill_zero(body.b, new, block.size)
        body.b.br(after)
        body.b = Builder(after)
        for place, kept in zip(self.places, (left, made), strict=True):
            value = body.b.phi(PTR, [(kept, keep), (zero(PTR), renew), (new, make)])
            body.b.store(value, place, POINTER_BYTES)

    def _state(self, pointer: Value, left: Value) -> tuple[Value, Value]:
        """Emits whether the shadow belongs to the pointer, and whether the derivative has not freed it."""
        b = self.body.b
        seen = b.load(I64, _left(self.body, self.word), POINTER_BYTES)
        is_freed = b.icmp("ne", b.load(I64, self.freed, POINTER_BYTES), int_constant(0))
        is_alive = b.int_op("and", b.icmp("ne", left, zero(PTR)), _not(b, is_freed))
        return b.int_op("and", is_alive, b.icmp("eq", seen, b.cast("ptrtoint", pointer, I64))), is_alive


def _left(body: ForeignFunction, word: GlobalPointer) -> Value:
    """Returns the address that keeps the pointer as the last request left it: an integer, no pointer of the program."""
    return body.b.offset(body.beside(word.name, "left"), int_constant(word.offset))


def _not(b: Builder, condition: Value) -> Value:
    return b.int_op("xor", condition, int_constant(1, I1))


def _fill_zero(b: Builder, memory: Value, size: Value) -> None:
    b.call("@llvm.memset.p0.i64", VOID, (memory, int_constant(0, IntType(8)), size, int_constant(0, I1)))


def release_blocks(body: ForeignFunction, pool: Pool) -> None:
    """Emits the release of the shadows that `make_blocks` made, at whichever pointer of the pool they are now."""
    b, null, free = body.b, zero(PTR), body.round.library_function(pool.free)
    for word in pool.first:
        left = b.cast("ptrtoint", body.load(GlobalRef.of(word.name), int_constant(word.offset)), I64)
        b.store(left, _left(body, word), POINTER_BYTES)
    for direction in range(body.width):
        made = [body.made(direction, *word) for word in pool.first]
        blocks = [b.load(PTR, place, POINTER_BYTES) for place in made]
        for word in pool.first:
            place = _shadow(body, word, direction)
            shadow = b.load(PTR, place, POINTER_BYTES)
            is_made = reduce(lambda found, block: b.int_op("or", found, b.icmp("eq", shadow, block)), blocks, _no())
            is_made = b.int_op("and", is_made, _is_outermost(body))
            b.call(free, VOID, (b.select(is_made, shadow, null),))
            b.store(b.select(is_made, null, shadow), place, POINTER_BYTES)
        for place, block in zip(made, blocks, strict=True):
            b.store(b.select(_is_outermost(body), null, block), place, POINTER_BYTES)


def _no() -> Value:
    return int_constant(0, I1)


def _shadow(body: ForeignFunction, word: GlobalPointer, direction: int) -> Value:
    return body.b.offset(body.shadows(word.name)[direction], int_constant(word.offset))


def _is_outermost(body: ForeignFunction) -> Value:
    return body.b.icmp("ne", body.is_outermost, int_constant(0))
