"""What adapters share: a compiled function, what its derivatives take and return, and its arguments by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct

from enzyme_cc.functions.calls.conversion import limits
from enzyme_cc.functions.calls.isolated import IsolatedFunction
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.dimensions import Extent
from enzyme_cc.functions.entry_points import GROUPS, READ, slots
from enzyme_cc.functions.errors import SignatureError
from enzyme_cc.functions.interface import Interface, Parameter
from enzyme_cc.functions.prototype import Element, NumberType


class AppliedFunction(Struct, frozen=True, eq=False, dict=True):
    """A compiled function with values of the integers that callers pass. Each is its own key in caches.

    A call of a kind takes the buffers of its entry point that are read, and returns those of the last group.
    """

    function: CompiledFunction
    passed: tuple[tuple[str, int], ...]

    @cached_property
    def interface(self) -> Interface:
        """The function's interface, with numbers in place of structs."""
        return numbers_alone(self.function.interface)

    def arguments(self, kind: str) -> list[tuple[str, Parameter]]:
        """Returns group and parameter of each argument of a kind."""
        return [(slot.group, slot.argument) for slot in slots(self.interface, kind) if slot.is_read]

    def results(self, kind: str) -> list[tuple[str, Parameter]]:
        """Returns group and parameter of each result of a kind."""
        found = slots(self.interface, kind)
        return [(slot.group, slot.argument) for slot in found if slot.group == GROUPS[kind][-1]]

    def split(self, kind: str, values: Sequence[Any]) -> list[list[Any]]:
        """Returns values, one for each argument of a kind, by groups."""
        pairs = list(zip(self.arguments(kind), values, strict=True))
        return [[x for (group, _), x in pairs if group == wanted] for wanted in GROUPS[kind] if wanted in READ]

    def active(self, values: Sequence[Any]) -> list[Any]:
        """Returns those of the values that belong to inputs with a derivative. There is one for each input."""
        return [x for x, p in zip(values, self.interface.inputs, strict=True) if p.is_active]

    @cached_property
    def sizes(self) -> Callable[[tuple[tuple[int, ...], ...]], dict[str, int]]:
        """Returns the values of all dimensions for the inputs' shapes.

        Raises `ValueError` where shapes do not fit, and where a value does not fit C's type.
        """
        return lru_cache(maxsize=128)(self._sizes)

    def _sizes(self, shapes: tuple[tuple[int, ...], ...]) -> dict[str, int]:
        interface = self.interface
        sizes = interface.solve(shapes, dict(self.passed))
        for size in interface.sizes:
            least, most = limits(size.element)
            if not least <= sizes[size.name] <= most:
                raise ValueError(f"{size.name} = {sizes[size.name]} does not fit C's type, {size.element.c}")
        return sizes

    @cached_property
    def shapes(self) -> Callable[[tuple[tuple[int, ...], ...]], dict[str, tuple[int, ...]]]:
        """Returns the shapes of all parameters, by name, for the inputs' shapes."""
        return lru_cache(maxsize=128)(self._shapes)

    def _shapes(self, shapes: tuple[tuple[int, ...], ...]) -> dict[str, tuple[int, ...]]:
        sizes = self.sizes(shapes)
        return {p.name: p.shape(sizes) for p in self.interface.arguments}


def numbers_alone(interface: Interface) -> Interface:
    """Returns the interface with arrays of numbers in place of arrays of structs: frameworks have no structs.

    The members of a struct are one more axis, the last one. Raises `SignatureError` for structs of different numbers.
    """
    parameters = tuple(_of_numbers(p, interface) if isinstance(p, Parameter) else p for p in interface.parameters)
    if parameters == interface.parameters:
        return interface
    return Interface(interface.prototype, interface.signature, parameters, interface.any_shape)


def _of_numbers(p: Parameter, interface: Interface) -> Parameter:
    if isinstance(p.element, NumberType):
        return p
    numbers = list(_numbers(p.element))
    size = sum(number.size for number in numbers)
    if len(set(numbers)) != 1 or size != p.element.size or interface.order != "C":
        raise SignatureError(
            f"{p.name} is {p.element.dtype}, whose members are not all of one type: frameworks have no arrays of it\n"
            f"  {interface}"
        )
    return p._replace(element=numbers[0], dimensions=(*p.dimensions, Extent.parse(str(len(numbers)))))


def _numbers(element: Element) -> Iterator[NumberType]:
    if isinstance(element, NumberType):
        yield element
        return
    for field in element.fields:
        for _ in range(math.prod(field.shape)):
            yield from _numbers(field.element)


def accepted(function: Any, adapter: str) -> CompiledFunction:
    """Returns what an adapter wraps. Raises `TypeError` if it is no function of `enzyme_cc.function`."""
    if isinstance(function, CompiledFunction):
        return function
    got = f"one with isolated=True, {function!r}" if isinstance(function, IsolatedFunction) else repr(function)
    raise TypeError(f"{adapter} takes a function of enzyme_cc.function or enzyme_cc.load; got {got}")


def by_name(function: str, names: list[str], inputs: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Returns the values of all arguments by their names. Raises `TypeError` where one is missing or too many."""
    given = dict(zip(names, inputs, strict=False))
    unknown = [name for name in named if name not in names]
    missing = [name for name in names if name not in given and name not in named]
    if len(inputs) > len(names) or unknown or missing or given.keys() & named.keys():
        got = f"{len(inputs)} values and {', '.join(named) or 'no names'}"
        raise TypeError(f"{function} takes {', '.join(names)}; got {got}")
    return given | named
