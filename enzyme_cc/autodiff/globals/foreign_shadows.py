"""Shadows of foreign memory: found when a request begins, recorded when it ends."""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.callees import plain_name
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant, zero
from ...ir.types import I1, PTR
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from ..core.markers import RequestKind
from ..core.pointers import POINTER_BYTES, GlobalPointer, PointerRow, Pool
from .foreign_again import ALLOCATE, make_blocks, pools_made_again, release_blocks
from .foreign_checks import refuse_alias
from .foreign_code import ForeignFunction, Pointed
from .foreign_refusals import GIVEN
from .kept_keys import asks_about_keys

#: requests that begin with shadows of numbers that are zero
CLEARING = (RequestKind.AUTODIFF, RequestKind.FWDDIFF, RequestKind.FWDSPLIT, RequestKind.REVERSE)


def emit_resolve(body: ForeignFunction) -> None:
    """Emits the search for the shadows of all pointers in active globals: first those outside of pools."""
    pooled = {word for pool in body.pools for word in (*pool.first, *pool.inside)}
    for name, offset in body.each_of(_resolved_but(body, {*pooled, *_made_again(body)})):
        _resolve(body, name, offset)
    for pool in pools_made_again(body):
        make_blocks(body, pool)
    for pool in body.pools:
        blocks: list[Pointed] = []
        for word in pool.first:
            blocks.append(_resolve_first(body, pool, word, blocks))
        for name, at in pool.inside:
            _resolve(body, name, int_constant(at), blocks)


def _made_again(body: ForeignFunction) -> set[GlobalPointer]:
    return {word for pool in pools_made_again(body) for word in pool.first}


def _resolved_but(body: ForeignFunction, words: set[GlobalPointer]) -> dict[str, list[PointerRow]]:
    """Returns the pointers in active globals without the given ones."""
    found, names = dict(body.round.foreign_pointers.resolved), {word.name for word in words}
    for name in found.keys() & names:
        offsets = sorted({at for row in found[name] for at in row.offsets if GlobalPointer(name, at) not in words})
        found[name] = [PointerRow(at, 1, POINTER_BYTES) for at in offsets]
    return found


def _resolve(body: ForeignFunction, name: str, offset: Value, blocks: list[Pointed] | None = None) -> None:
    """Emits the search for the shadow of one pointer. `blocks`: heap blocks that the pointer may lie in.

    Without blocks, a pointer that has not changed since the last request keeps its shadow.
    """
    b, seen = body.b, body.seen(name)
    pointer, before = body.load(GlobalRef.of(name), offset), body.load(seen, offset)
    has_changed = b.icmp("ne", pointer, before) if blocks is None else int_constant(1, I1)
    found = _by_address(body, pointer, blocks or ()) if body.is_last else [pointer] * body.width
    for shadow, resolved in zip(body.shadows(name), found, strict=True):
        old = body.load(shadow, offset)
        is_missing = b.icmp("eq", old, zero(PTR))  # earlier requests had fewer directions
        is_new = b.int_op("or", is_missing, b.int_op("and", has_changed, _is_free(body, old)))
        if not body.is_last:
            refuse_alias(body, pointer, is_new, name)
        b.store(b.select(is_new, resolved, old), b.offset(shadow, offset), POINTER_BYTES)
    b.store(pointer, b.offset(seen, offset), POINTER_BYTES)


def _resolve_first(body: ForeignFunction, pool: Pool, word: GlobalPointer, others: list[Pointed]) -> Pointed:
    """Emits the same for a pointer to the first byte of a heap block, and returns the block.

    The block may be one of `others`; else the runtime makes a shadow of its size.
    """
    b, offset = body.b, int_constant(word.offset)
    pointer, before = body.load(GlobalRef.of(word.name), offset), body.load(body.seen(word.name), offset)
    clears = int_constant(int(body.request.kind in CLEARING))
    round = body.round
    memory = round.library_function(pool.allocate, ALLOCATE), round.library_function(pool.free)
    found = _by_address(body, pointer, others)
    for direction, (shadow, resolved) in enumerate(zip(body.shadows(word.name), found, strict=True)):
        old, made = body.load(shadow, offset), body.made(direction, *word)
        freed = body.freed(direction, *word)
        arguments = (pointer, before, resolved, old, made, freed, body.is_outermost, clears, *memory)
        b.store(runtime.HEAP_SHADOW.call(b, *arguments), b.offset(shadow, offset), POINTER_BYTES)
    b.store(pointer, b.offset(body.seen(word.name), offset), POINTER_BYTES)
    block = body.block(word)
    for argument in body.arguments:
        inside, _ = body.inside(argument.start, block)
        body.refuse(inside, GIVEN % plain_name(word.name))
    if asks_about_keys(body.round):
        runtime.KEYS_CLEARED.call(b, block.start, b.mul(block.size, body.is_outermost))
    # a vector points at the end of its block, too, where no other block begins
    return block._replace(size=b.add(block.size, int_constant(1)))


def _is_free(body: ForeignFunction, shadow: Value) -> Value:
    """Emits the condition that no other request needs the present shadow of a pointer."""
    is_outermost = body.b.icmp("ne", body.is_outermost, int_constant(0))
    return body.b.int_op("or", is_outermost, body.b.icmp("eq", shadow, zero(PTR)))


def emit_clear_heap(body: ForeignFunction) -> None:
    """Emits the clearing of the shadows of heap blocks."""
    for pool in body.pools:
        for name, at in pool.first:
            for direction, shadow in enumerate(body.shadows(name)):
                arguments = body.load(shadow, int_constant(at)), body.made(direction, name, at), body.is_outermost
                runtime.HEAP_CLEAR.call(body.b, *arguments)


def _by_address(body: ForeignFunction, pointer: Value, blocks: Iterable[Pointed] = ()) -> list[Value]:
    """Emits the shadow of a pointer in each direction, by its distance from the start of the memory that it lies in.

    A pointer into no known memory is unshadowed: that memory is constant.
    """
    found: list[Value] = [pointer] * body.width
    for pointed in (*body.pointed, *blocks):
        inside, distance = body.inside(pointer, pointed)
        found = [
            body.b.select(inside, body.b.offset(shadow, distance, ()), other)
            for shadow, other in zip(pointed.shadows, found, strict=True)
        ]
    return found


def emit_remember(body: ForeignFunction) -> None:
    """Emits the recording of all pointers in active globals, and of the shadows that the derivative made."""
    for pool in pools_made_again(body):
        release_blocks(body, pool)
    for pool in body.pools:
        for direction in range(body.width):
            _keep_shadows(body, pool, direction)
    for name, place in body.each_of(_resolved_but(body, _made_again(body))):
        body.b.store(body.load(GlobalRef.of(name), place), body.b.offset(body.seen(name), place), POINTER_BYTES)


def _keep_shadows(body: ForeignFunction, pool: Pool, direction: int) -> None:
    """Takes over the shadows of pointers that the derivative stored in a pool; one shadow belongs to one pointer.

    Where the program keeps the address of a block that it has freed, the shadow is gone, too.
    """
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
        made, freed = body.made(direction, *word), b.load(PTR, body.freed(direction, *word), POINTER_BYTES)
        kept = b.select(has_changed, b.select(is_own, shadow, zero(PTR)), b.load(PTR, made, POINTER_BYTES))
        b.store(b.select(b.icmp("eq", shadow, freed), zero(PTR), kept), made, POINTER_BYTES)
