"""Plans of calls: which arguments a method takes, where the entry point's buffers come from, and what is returned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ..compiled import EntryPoint
from ..entry_points import COTANGENT, INPUT, OUTPUT, TANGENT, WIDE, Slot
from ..fast_call import FastCall
from ..interface import Interface, Parameter, Size
from ..prototype import NumberType
from .conversion import CallArgument, Converter, limits

# as in toolchain/python/fast_call.c
ARRAY, NUMBER, SIZE, ARGUMENT, ONE, NOTHING = range(6)
_LABELS = {COTANGENT: "cotangent of ", TANGENT: "tangent of ", OUTPUT: "out "}

#: what a plan returns: a group's buffers as one value or a tuple; a tuple of groups
ResultGroups = tuple[str, ...]


class CallPlan:
    """A method of a differentiable function.

    - `groups` are the groups of buffers that the caller passes beside the inputs, in order.
    - `results` are the groups that are returned: one alone, else a tuple.
    - `is_seeded` is true if the cotangents are ones.
    - `owner` is the function that has the method.
    """

    def __init__(
        self,
        interface: Interface,
        name: str,
        point: EntryPoint,
        groups: ResultGroups,
        results: ResultGroups,
        is_seeded: bool = False,
        owner: Any = None,
    ) -> None:
        self._owner = owner
        self.interface, self.name, self.point = interface, name, point
        self.groups, self.results, self.is_seeded = groups, results, is_seeded
        self.taken = [CallArgument(p, p.name) for p in self.interface.call_parameters]
        self._positions = {(INPUT, t.parameter.name): i for i, t in enumerate(self.taken)}
        for slot in self.point.slots:
            if slot.group in self.groups:
                self._positions[slot.group, slot.argument.name] = len(self.taken)
                self.taken.append(self._beside(slot))

    def _beside(self, slot: Slot) -> CallArgument:
        label = _LABELS[slot.group] + slot.argument.name
        return CallArgument(
            slot.argument, label, self._width(slot.group), is_input=False, is_written=slot.group == OUTPUT
        )

    def _width(self, group: str) -> int:
        return self.point.form.width if group in WIDE and self.point.form.width > 1 else 0

    # -- the parts of a FastCall

    def fast_call(self) -> FastCall:
        """Returns the method."""
        sizes = {size.name: i for i, size in enumerate(self.interface.sizes)}
        inputs = self.interface.inputs
        solutions = tuple(
            (sizes[name], self._positions[INPUT, inputs[i].name], axis, inputs[i].dimensions[axis].postfix(sizes))
            for name, i, axis in self.interface.solutions
        )
        return FastCall(
            self.point.address,
            self.point.message,
            tuple(limits(size.element) for size in self.interface.sizes),
            solutions,
            tuple(taken.label for taken in self.taken),
            tuple(self._argument(taken, sizes) for taken in self.taken),
            tuple(self._buffer(slot, sizes) for slot in self.point.slots),
            (self._results(),),
            Converter(self.interface, self.name, tuple(self.taken), self._owner),
            self.interface.prototype.name,
            self.point.libraries,
            self.point.may_move,
        )

    def _argument(self, taken: CallArgument, sizes: dict[str, int]) -> tuple[Any, ...]:
        p = taken.parameter
        if isinstance(p, Size):
            return _item(SIZE, p.element.kind, p.element.size, index=sizes[p.name])
        is_number = not p.dimensions and isinstance(p.element, NumberType) and not taken.width and not taken.is_written
        if p.callback is not None:
            return _item(NUMBER, "p", p.element.size)
        return self._item(NUMBER if is_number else ARRAY, p, sizes, taken.width, is_written=taken.is_written)

    def _buffer(self, slot: Slot, sizes: dict[str, int]) -> tuple[Any, ...]:
        p, key = slot.argument, (slot.group, slot.argument.name)
        kind, size = p.element.kind, p.element.size
        if key in self._positions:
            return _item(ARGUMENT, kind, size, index=self._positions[key])
        if slot.group == COTANGENT and self.is_seeded:
            return _item(ONE, kind, size)
        if slot.group not in self.results:
            return _item(NOTHING, kind, size)
        width = self._width(slot.group)
        if not p.dimensions and not width and isinstance(p.element, NumberType):
            return self._item(NUMBER, p, sizes, 0)
        order = "C" if width else self.interface.order
        return self._item(ARRAY, p, sizes, width, allocation=(_allocator(p, slot), p.element.numpy_dtype(), order))

    def _item(self, kind: int, p: Parameter, sizes: dict[str, int], width: int, **others: Any) -> tuple[Any, ...]:
        shape = tuple(dimension.postfix(sizes) for dimension in p.dimensions)
        if width:  # the arrays lie one behind the other: of column-major ones, the axes are the other way round
            shape = (((0, width),), *(shape[::-1] if self.interface.order == "F" else shape))
        format_ = None if isinstance(p.element, NumberType) else _format(p)
        is_fortran = self.interface.order == "F" and not width
        others = {"is_fortran": is_fortran, "format_": format_, "shape": shape, **others}
        return _item(kind, p.element.kind, p.element.size, **others)

    def _results(self) -> Any:
        groups = [self._group(group) for group in self.results]
        return groups[0] if len(groups) == 1 else tuple(groups)

    def _group(self, group: str) -> Any:
        numbers = [i for i, slot in enumerate(self.point.slots) if slot.group == group]
        return numbers[0] if len(numbers) == 1 else tuple(numbers)


def _item(
    kind: int,
    type_: str,
    size: int,
    index: int = 0,
    is_written: bool = False,
    is_fortran: bool = False,
    format_: str | None = None,
    allocation: tuple[Any, ...] | None = None,
    shape: Iterable[Any] = (),
) -> tuple[Any, ...]:
    return kind, type_, size, index, is_written, is_fortran, format_, allocation, tuple(shape)


def _allocator(p: Parameter, slot: Slot) -> Callable[..., Any]:
    import numpy

    # what a function does not write of its output is zero; entry points fill all others
    return numpy.zeros if slot.group == OUTPUT and p.role == "out" else numpy.empty


@cache
def _format(p: Parameter) -> str:
    import numpy

    array: Any = numpy.empty(1, p.element.numpy_dtype())
    return memoryview(array).format
