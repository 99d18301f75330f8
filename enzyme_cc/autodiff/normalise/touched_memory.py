"""The memory that an instruction touches, and calls that report it to the runtime (toolchain/runtime/touched.c)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from ...analysis.callees import Callee
from ...ir.attributes import byval_type
from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.instructions import ATOMIC_UPDATES
from ...ir.module import Module
from ...ir.types import I64, IntType, Type, alloc_size, store_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.knowledge import CalleeKind, Known


class Report(Enum):
    """What is reported; the value is the runtime's function."""

    TOUCHED = runtime.CHECKPOINT_TOUCH  # a pointer, bytes, whether they are written
    FOLLOWED = runtime.CHECKPOINT_FOLLOWED  # the place of a pointer that is loaded
    ALLOCATED = runtime.CHECKPOINT_ALLOCATED
    FREED = runtime.CHECKPOINT_FREED
    UNKNOWN = runtime.CHECKPOINT_UNKNOWN  # a call of a function that cannot be watched


class Touched(NamedTuple):
    """Bytes behind a pointer that an instruction reads or writes."""

    pointer: Value
    size: Value
    writes: bool


def declare_reports(module: Module) -> None:
    """Declares the runtime's functions."""
    for report in Report:
        report.value.declare(module)


def emit_report(b: Builder, report: Report, *operands: Value) -> None:
    """Emits the call that reports."""
    report.value.call(b, *operands)


def touched_by_access(i: Instruction) -> Touched | None:
    """Returns what a load, store or atomic operation touches; None for other instructions."""
    match i.opcode:
        case "load":
            return Touched(i.operands[0], _size(i.type), False)
        case "store":
            return Touched(i.operands[1], _size(i.operands[0].type), True)
        case opcode if opcode in ATOMIC_UPDATES:
            return Touched(i.operands[0], _size(i.operands[1].type), True)
    return None


def copied_arguments(module: Module, call: Instruction) -> Iterator[Touched]:
    """Yields the memory that the call itself copies for its callee: arguments passed by value in memory."""
    for argument, text in zip(call.arguments, call.call.argument_attributes, strict=True):
        if "byval(" in text:
            type_ = byval_type(module, text)
            assert type_ is not None
            yield Touched(argument, int_constant(alloc_size(type_)), False)


def touched_by_library(call: Instruction, callee: Callee) -> Iterator[Touched] | None:
    """Yields what a known library function touches, and emits reports of what it allocates and frees.

    Returns None for functions that no row of the table describes.
    """
    row = _LIBRARY.get(callee.kind)
    if row is None or callee.known is None or not row.describes(callee.known):
        return None
    return row.touched(call, callee.known)


def _copy(call: Instruction, known: Known) -> Iterator[Touched]:
    yield Touched(call.arguments[known.source], _length(call, known.length), False)
    yield Touched(call.arguments[known.target], _length(call, known.length), True)


def _fill(call: Instruction, known: Known) -> Iterator[Touched]:
    yield Touched(call.arguments[known.target], _length(call, known.length), True)


def _allocate(call: Instruction, known: Known) -> Iterator[Touched]:
    size = _product(call, known.size_operands)
    emit_report(Builder.after(call), Report.ALLOCATED, call, size)
    yield from ()


def _free(call: Instruction, known: Known) -> Iterator[Touched]:
    emit_report(Builder.before(call), Report.FREED, call.arguments[known.pointer])
    yield from ()


def _reallocate(call: Instruction, known: Known) -> Iterator[Touched]:
    yield from _free(call, known)
    yield from _allocate(call, known)


class _Row(NamedTuple):
    touched: Callable[[Instruction, Known], Iterator[Touched]]
    describes: Callable[[Known], bool] = lambda known: True


_LIBRARY = {
    CalleeKind.COPY: _Row(_copy),
    CalleeKind.FILL: _Row(_fill),
    CalleeKind.ALLOCATE: _Row(_allocate, lambda known: known.through is None and bool(known.size_operands)),
    CalleeKind.REALLOCATE: _Row(_reallocate, lambda known: not known.arena),
    CalleeKind.FREE: _Row(_free),
}


def _size(type_: Type) -> Value:
    return int_constant(store_size(type_))


def _length(call: Instruction, k: int) -> Value:
    """A length operand as i64."""
    value = call.arguments[k]
    assert isinstance(value.type, IntType)
    return value if value.type == I64 else Builder.before(call).cast("zext", value, I64)


def _product(call: Instruction, operands: tuple[int, ...]) -> Value:
    size = _length(call, operands[0])
    for k in operands[1:]:
        size = Builder.before(call).mul(size, _length(call, k))
    return size
