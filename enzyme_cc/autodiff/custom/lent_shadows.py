"""Lends routines of libraries the shadows of memory without a shadow (toolchain/runtime/no_shadow_routines.c).

Such memory is unshadowed, and the runtime keeps the shadows of numbers there in blocks. When the primal sweep calls
a routine, the runtime decides which arguments are lent. Their rows stay until the reverse sweep, which must do alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.types import I1, I64, PTR, VOID, is_pointer
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from ..analyses.routines import written_parameters
from ..core.calling_convention import Parameters
from ..core.round import Round
from ..core.signature import Signature
from .extents import extents_function

#: bytes of a row, and where its members lie
_ROW, _END, _MEMORY, _IS_WRITTEN, _SHADOW = 48, 8, 16, 24, 32
#: the most pointers of a routine
_MOST = 24


class Unsure(Struct, frozen=True):
    """The arguments of a call that may be memory without a shadow; only the run tells.

    - `same`: for each of them, whether it is its own shadow.
    - `is_active`: whether another argument carries a derivative.
    """

    same: Mapping[int, Value]
    is_active: Value


def unsure_arguments(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Unsure | None:
    """Emits the comparisons. Returns None if all shadows are sure."""
    unsure = [k for k in given.shadows if k not in signature.sure_shadows and is_pointer(given.arguments[k].type)]
    if not unsure or not (round.options.runtime_activity and round.foreign_pointers.is_met):
        return None
    is_active: Value = int_constant(len(unsure) < len(given.shadows), I1)
    same: dict[int, Value] = {}
    for k in unsure:
        memory, shadow = given.arguments[k], given.shadows[k][0]
        same[k] = b.int_op("and", b.icmp("eq", memory, shadow), b.icmp("ne", memory, zero(PTR)))
        is_active = b.int_op("or", is_active, b.icmp("ne", memory, shadow))
    return Unsure(same, is_active)


def may_lend(round: Round, signature: Signature, given: Parameters[Value]) -> bool:
    """Returns whether shadows of this call may be lent: the call looks the same in all forms of a derivative."""
    unsure = any(is_pointer(given.arguments[k].type) for k in given.shadows if k not in signature.sure_shadows)
    if not unsure or not round.options.runtime_activity or not round.foreign.records_numbers:
        return False
    return len(_pointers(given)) <= _MOST and extents_function(round, signature.function) is not None


def _pointers(given: Parameters[Value]) -> list[int]:
    return [k for k, argument in enumerate(given.arguments) if is_pointer(argument.type)]


def rows_size(given: Parameters[Value]) -> int:
    """Returns the bytes of all rows of a call."""
    return _ROW * len(_pointers(given))


def decide(round: Round, b: Builder, signature: Signature, given: Parameters[Value], rows: Value) -> None:
    """Emits the decision which arguments are lent, into memory for the rows."""
    unsure = unsure_arguments(round, b, signature, given)
    assert unsure is not None
    written, pointers = written_parameters(round, signature.function), _pointers(given)
    asked: Value = int_constant(0, I1)
    for row, k in zip(_rows(b, rows, given), pointers, strict=True):
        same = unsure.same.get(k, int_constant(0, I1))
        asked = b.int_op("or", asked, same)
        b.store(int_constant(-1), row, 8)
        b.store(int_constant(0), b.offset(row, _END), 8)
        b.store(b.select(same, given.arguments[k], zero(PTR)), b.offset(row, _MEMORY), 8)
        b.store(int_constant(int(k in written)), b.offset(row, _IS_WRITTEN), 8)
        b.store(zero(PTR), b.offset(row, _SHADOW), 8)
    name = extents_function(round, signature.function)
    assert name is not None
    b.call(name, VOID, [*given.arguments, *_rows(b, rows, given), asked])
    numbers = int_constant(len(pointers)), b.cast("zext", unsure.is_active, I64), int_constant(signature.directions)
    runtime.ROUTINE_LENDS.call(b, rows, *numbers)


def _rows(b: Builder, rows: Value, given: Parameters[Value]) -> list[Value]:
    return [b.offset(rows, _ROW * k) for k in range(len(_pointers(given)))]


def lent_memory(b: Builder, rows: Value, given: Parameters[Value], k: int) -> Value:
    """Returns, after the decision, the memory of an argument that is lent; null of others."""
    return b.load(PTR, b.offset(rows, _ROW * _pointers(given).index(k) + _MEMORY), 8)


def lent_shadow(b: Builder, rows: Value, given: Parameters[Value], k: int) -> Value:
    """Returns, between the loan and its end, what is lent for an argument; null of others."""
    return b.load(PTR, b.offset(rows, _ROW * _pointers(given).index(k) + _SHADOW), 8)


@contextmanager
def lent(b: Builder, rows: Value, given: Parameters[Value], direction: int) -> Iterator[None]:
    """Emits the loan for one direction, and its end."""
    arguments = rows, int_constant(len(_pointers(given))), int_constant(direction)
    runtime.ROUTINE_LEND.call(b, *arguments)
    yield
    runtime.ROUTINE_RETURNS.call(b, *arguments)
