"""Converts arguments that an entry point cannot take as they are, or says what is wrong with them.

Arrays with other strides are copied. Arrays of another type are never converted.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..interface import Interface, Parameter, Size
from ..prototype import NumberType
from .argnums import chosen

_WITH_ARGNUMS = ("grad", "value_and_grad")


class CallArgument(NamedTuple):
    """What a caller passes at one position.

    - `label` is its name in messages.
    - `width` is the number of arrays, one behind the other along a leading axis, in vector mode, else 0. The axes of
      column-major arrays are then the other way round.
    - `is_input` is true for the function's own inputs, whose shapes give the sizes.
    """

    parameter: Parameter | Size
    label: str
    width: int = 0
    is_input: bool = True
    is_written: bool = False

    def shape(self, sizes: Mapping[str, int], order: str) -> tuple[int, ...]:
        """Returns the shape that the array must have."""
        assert isinstance(self.parameter, Parameter)
        shape = self.parameter.shape(sizes)
        return (self.width, *(shape[::-1] if order == "F" else shape)) if self.width else shape


class Converter:
    """Converts the arguments of one call."""

    def __init__(self, interface: Interface, name: str, taken: tuple[CallArgument, ...], owner: Any = None) -> None:
        self.interface, self.name, self.taken, self._owner = interface, name, taken, owner

    def reduce(self) -> Any:
        """Returns what another process makes the method of: the function, and the method's name."""
        return getattr, (self._owner, "__call__" if self.name == self.interface.prototype.name else self.name)

    def __call__(self, *given: Any, **named: Any) -> tuple[Any, ...] | list[Any]:
        """Returns the arguments as an entry point can take them. With `argnums`, returns a list of the result.

        Raises `TypeError` for a wrong number of arguments, a wrong type or dtype; `ValueError` for a wrong rank or
        shape, for an integer that does not fit C's type, and for an output that is read-only.
        """
        if "argnums" in named and self.name in _WITH_ARGNUMS:
            return [self._chosen(named.pop("argnums"), given, named)]
        values = self._in_order(given, named)
        converted = [self._one(taken, value) for taken, value in zip(self.taken, values, strict=True)]
        passed = {
            t.parameter.name: v for t, v in zip(self.taken, converted, strict=True) if isinstance(t.parameter, Size)
        }
        inputs = [
            (t, v)
            for t, v in zip(self.taken, converted, strict=True)
            if t.is_input and isinstance(t.parameter, Parameter)
        ]
        shapes = [v.shape if _is_array(t.parameter) else () for t, v in inputs]
        sizes = self.interface.solve(shapes, passed)
        self._check_sizes(sizes)
        converted = [self._zeros(t, sizes) if v is None else v for t, v in zip(self.taken, converted, strict=True)]
        for taken, value in zip(self.taken, converted, strict=True):
            if not taken.is_input and value.shape != (wanted := taken.shape(sizes, self.interface.order)):
                raise ValueError(f"{taken.label}: wanted shape {wanted}; got {value.shape}")
        return _apart(self.taken, converted)

    def _chosen(self, argnums: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        found = getattr(self._owner, self.name)(*given, **named)
        if self.name == "grad":
            return chosen(self.interface, argnums, found)
        return found[0], chosen(self.interface, argnums, found[1])

    def _zeros(self, taken: CallArgument, sizes: Mapping[str, int]) -> Any:
        import numpy

        order: Any = "C" if taken.width else self.interface.order
        return numpy.zeros(taken.shape(sizes, self.interface.order), taken.parameter.element.numpy_dtype(), order)

    def _in_order(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        labels = [taken.label for taken in self.taken]
        unknown = [name for name in named if name not in labels[len(given) :]]
        if unknown or len(given) + len(named) != len(labels):
            wanted = ", ".join(labels) or "no arguments"
            extra = f" and {', '.join(named)}" if named else ""
            raise TypeError(
                f"{self.name} takes {wanted}; got {len(given)} arguments{extra}"
                f"\n  signature: {self.interface.signature}"
                f"\n  prototype: {self.interface.prototype}"
            )
        return [*given, *(named[label] for label in labels[len(given) :])]

    def _one(self, taken: CallArgument, value: Any) -> Any:
        parameter = taken.parameter
        if value is None and not taken.is_input and not taken.is_written:
            return None  # a cotangent or tangent of zeros
        if isinstance(parameter, Parameter) and parameter.callback is not None:
            return _passed(taken.label, parameter.callback, value)
        if isinstance(parameter, Parameter) and parameter.text is not None and isinstance(value, (str, bytes)):
            return _text(taken.label, parameter.text, value, self.interface.prototype.is_fortran)
        if isinstance(parameter, Size):
            return _integer(taken.label, parameter.element, value)
        if _is_array(parameter) or taken.width or not taken.is_input:
            return self._array(taken, parameter, value)
        return _number(taken.label, parameter.element, value)

    def _array(self, taken: CallArgument, parameter: Parameter, value: Any) -> Any:
        import numpy

        wanted = parameter.element.numpy_dtype()
        array = as_array(value)
        if array is None and not parameter.dimensions and not taken.width:
            array = numpy.asarray(_number(taken.label, parameter.element, value), wanted)
        if array is None:
            got = f"{type(value).__name__}{_hint(value, wanted)}"
            raise TypeError(f"{taken.label}: wanted an array, {parameter}; got {got}")
        if array.dtype != wanted:
            remedy = f"\n  remedy: numpy.dtype({wanted})" if parameter.element.kind == "V" else ""
            got = f"an array of {array.dtype}, shape {array.shape}"
            raise TypeError(f"{taken.label}: wanted {parameter}; got {got}{remedy}")
        rank = len(parameter.dimensions) + bool(taken.width)
        if array.ndim != rank:
            raise ValueError(f"{taken.label}: wanted {rank} dimensions, {parameter}; got shape {array.shape}")
        if taken.is_written and not array.flags.writeable:
            raise ValueError(f"{taken.label}: the output is read-only")
        order: Any = self.interface.order if not taken.width else "C"
        fits = array.flags.c_contiguous if order == "C" else array.flags.f_contiguous
        if fits and array.flags.aligned:
            return array if array.dtype is wanted else array.view(wanted)
        if taken.is_written:
            raise ValueError(f"{taken.label}: an output must be contiguous and aligned, in {order} order")
        return numpy.array(array, wanted, order=order)

    def _check_sizes(self, sizes: Mapping[str, int]) -> None:
        for size in self.interface.sizes:
            least, most = limits(size.element)
            if not least <= sizes[size.name] <= most:
                raise ValueError(f"{size.name} = {sizes[size.name]} does not fit C's type, {size.element.c}")


def _passed(label: str, interface: Interface, value: Any) -> Any:
    from .callbacks import DifferentiableCallback, PassedCallback

    if isinstance(value, PassedCallback):
        return value
    if not callable(value) and not isinstance(value, DifferentiableCallback):
        raise TypeError(f"{label}: wanted a function; got {type(value).__name__}")
    return PassedCallback(interface, DifferentiableCallback.of(value))


def _text(label: str, least: int, value: str | bytes, is_fortran: bool) -> Any:
    """Returns the bytes of a text: in C with a zero at the end, in Fortran with blanks up to a fixed length."""
    import numpy

    text = value.encode() if isinstance(value, str) else value
    if not is_fortran and b"\0" in text:
        raise ValueError(f"{label}: the text has a zero byte, where it would end in C")
    return numpy.frombuffer(text.ljust(least) if is_fortran else text + b"\0", "int8")


def _is_array(parameter: Parameter | Size) -> bool:
    return isinstance(parameter, Parameter) and (bool(parameter.dimensions) or parameter.element.kind == "V")


def as_array(value: Any) -> Any:
    """Returns a NumPy array that shares memory with the value, or None if it gives no access to memory."""
    import numpy

    if isinstance(value, numpy.ndarray):
        return value
    if hasattr(value, "__array_interface__"):
        return numpy.asarray(value)
    if hasattr(value, "__dlpack__"):
        return numpy.from_dlpack(value)
    try:
        return numpy.asarray(memoryview(value))
    except TypeError:
        return None


def _hint(value: Any, wanted: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f": numpy.array(…, {str(wanted)!r}) makes one"
    if isinstance(value, (str, bytes)):
        return _hint_for_text(value) if str(wanted) in ("int8", "uint8") else ""
    return ": it has neither the buffer protocol nor __array_interface__ nor __dlpack__"


def _hint_for_text(value: Any) -> str:
    if not isinstance(value, (str, bytes)):
        return ""
    return ": write string before its name in the signature"


def limits(element: NumberType) -> tuple[int, int]:
    """Returns the smallest and the largest value of an integer type; a size is never negative."""
    return 0, 2 ** (8 * element.size - (element.kind == "i")) - 1 if element.size < 8 else 2**63 - 1


def _integer(label: str, element: NumberType, value: Any) -> int:
    try:
        integer = operator.index(value)
    except TypeError:
        import numpy

        if not isinstance(value, numpy.bool_):
            got = f"{type(value).__name__}{_hint_for_text(value)}"
            raise TypeError(f"{label}: wanted an integer, {element.dtype}; got {got}") from None
        integer = int(value)
    bits = 8 * element.size
    least, most = (0, 2**bits - 1) if element.kind in "ub" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if not least <= integer <= (1 if element.kind == "b" else most):
        raise ValueError(f"{label}: {integer} does not fit {element.dtype}")
    return integer


def _number(label: str, element: Any, value: Any) -> Any:
    if element.kind in "iub":
        return _integer(label, element, value)
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return complex(value) if element.kind == "c" else float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{label}: wanted a number, {element.dtype}; got {type(value).__name__}") from None


def _apart(taken: Sequence[CallArgument], values: Sequence[Any]) -> tuple[Any, ...]:
    """Returns the values; those that share memory with an output are copies."""
    import numpy

    pairs = list(zip(taken, values, strict=True))
    result = []
    for t, value in pairs:
        others = [v for other, v in pairs if other.is_written and other is not t]
        is_shared = isinstance(value, numpy.ndarray) and any(numpy.may_share_memory(value, v) for v in others)
        if is_shared and t.is_written:
            raise ValueError(f"{t.label}: it shares memory with another output")
        result.append(value.copy(order="K") if is_shared else value)
    return tuple(result)
