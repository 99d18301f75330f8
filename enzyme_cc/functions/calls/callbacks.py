"""Functions of Python that compiled code calls: `callback f(x, y[n], out z[n])` in a signature."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..entry_points import COTANGENT, INPUT, JVP, PRIMAL, READ, TANGENT, VJP, slots
from ..interface import Interface, Parameter

_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int64))
_TEXT = 256


class DifferentiableCallback(Struct, frozen=True):
    """A function of Python with its derivatives, as `enzyme_cc.callback` describes them."""

    function: Callable[..., Any]
    vjp: Callable[..., Any] | None = None
    jvp: Callable[..., Any] | None = None
    step: float = 0.0

    @classmethod
    def of(cls, value: Any) -> DifferentiableCallback:
        """Returns what a caller passes: a callback, a differentiable function, or a function without derivatives."""
        if isinstance(value, cls):
            return value
        if hasattr(value, "vjp") and hasattr(value, "jvp"):
            return cls(value, *_of_differentiable(value))
        return cls(value)


def callback(
    function: Callable[..., Any],
    *,
    vjp: Callable[..., Any] | None = None,
    jvp: Callable[..., Any] | None = None,
    differences: bool | float = False,
) -> DifferentiableCallback:
    """Returns a function of Python that compiled code calls, with a derivative.

    - `function(*inputs)` returns the output, or a tuple of outputs; the result of C's function is the last one.
    - `vjp(*inputs, *cotangents)` returns the derivative of each input that has one, as one array or a tuple.
    - `jvp(*inputs, *tangents)` returns the tangent of each output. One of the two is enough: it is called for each
      element then, to get the other one.
    - `differences`: the derivative is by central differences, with this step for numbers of size 1 (True: 6e-6).

    A differentiable function of `enzyme_cc.function` has its derivatives without this.
    """
    if sum(given not in (None, False) for given in (vjp or jvp, differences)) != 1:
        raise ValueError("callback needs vjp, jvp, or differences=True")
    step = 6e-6 if differences is True else float(differences)
    return DifferentiableCallback(function, vjp, jvp, step)


def _of_differentiable(function: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def vjp(*given: Any) -> Any:
        count = len(function.interface.call_parameters)
        return function.vjp(*given[:count])(*given[count:])

    def jvp(*given: Any) -> Any:
        count = len(function.interface.call_parameters)
        return function.jvp(tuple(given[:count]), tuple(given[count:]))[1]

    return vjp, jvp


class PassedCallback:
    """A callback for one call: its index is the address of what C calls (`struct python` of callback_wrapper.py).

    `interrupt` is the KeyboardInterrupt that left it: the call raises it when the function returns.
    """

    interrupt: KeyboardInterrupt | None = None

    def __init__(self, interface: Interface, given: DifferentiableCallback) -> None:
        self._interface, self._given = interface, given
        self._text = ctypes.create_string_buffer(_TEXT)
        self._functions = [_FUNCTION(self._caller(kind, work)) for kind, work in self._work.items()]
        addresses = [ctypes.cast(f, ctypes.c_void_p).value for f in self._functions]
        self._table = (ctypes.c_void_p * 4)(*addresses, ctypes.addressof(self._text))

    def __index__(self) -> int:
        return ctypes.addressof(self._table)

    @property
    def _work(self) -> dict[str, Callable[[dict[str, list[Any]]], Sequence[Any]]]:
        """What each kind of call does: it is given the groups of buffers, and returns what fills the others."""
        return {
            PRIMAL: lambda groups: self._values(groups[INPUT]),
            VJP: lambda groups: self._vjp(groups[INPUT], groups[COTANGENT]),
            JVP: lambda groups: [*self._values(groups[INPUT]), *self._jvp(groups[INPUT], groups[TANGENT])],
        }

    def _caller(self, kind: str, work: Callable[[dict[str, list[Any]]], Sequence[Any]]) -> Callable[[Any, Any], int]:
        def call(buffers: Any, sizes: Any) -> int:
            try:
                known = {size.name: int(sizes[k]) for k, size in enumerate(self._interface.sizes)}
                groups: dict[str, list[Any]] = {}
                filled = []
                for slot, address in zip(slots(self._interface, kind), buffers, strict=False):
                    if address is None:
                        continue
                    view = _view(slot.argument, address, known, self._interface)
                    if slot.group in READ:
                        groups.setdefault(slot.group, []).append(view.copy() if view.ndim else view.item())
                    else:
                        filled.append((slot.argument, view))
                for (p, view), value in zip(filled, work(groups), strict=True):
                    _fill(p, view, value)
                return 0
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    self.interrupt = error
                told = f"{type(error).__name__} in the callback {self._interface.prototype.name}: {error}"
                self._text.value = told.encode()[: _TEXT - 1]
                return 1

        return call

    # -- values and derivatives, each as a list of arrays and numbers

    def _values(self, inputs: Sequence[Any]) -> list[Any]:
        return _several(self._given.function(*inputs), len(self._interface.outputs), "outputs")

    def _vjp(self, inputs: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        active = self._interface.active_inputs
        if self._given.vjp is not None:
            return _several(self._given.vjp(*inputs, *cotangents), len(active), "derivatives")
        return self._by_elements(self._active(inputs), lambda basis: _dot(self._jvp(inputs, basis), cotangents))

    def _jvp(self, inputs: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
        given, outputs = self._given, self._interface.active_outputs
        if given.jvp is not None:
            return _several(given.jvp(*inputs, *tangents), len(outputs), "tangents")
        if given.vjp is not None:
            like = [v for p, v in zip(self._interface.outputs, self._values(inputs), strict=True) if p in outputs]
            return self._by_elements(like, lambda basis: _dot(self._vjp(inputs, basis), tangents))
        if not given.step:
            name = self._interface.prototype.name
            raise TypeError(
                f"{name} has no derivative: pass enzyme_cc.callback({name}, vjp=…, jvp=… or differences=True)"
            )
        return self._differences(inputs, tangents)

    def _differences(self, inputs: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
        import numpy

        largest = max((float(numpy.abs(t).max(initial=0)) for t in tangents), default=0.0) or 1.0
        size = max((float(numpy.abs(x).max(initial=0)) for x in self._active(inputs)), default=0.0)
        step = self._given.step * max(1.0, size) / largest
        ends = []
        for sign in (step, -step):
            moved = iter([x + sign * numpy.asarray(t) for x, t in zip(self._active(inputs), tangents, strict=True)])
            given = [next(moved) if p.is_active else x for p, x in zip(self._interface.inputs, inputs, strict=True)]
            values = zip(self._interface.outputs, self._values(given), strict=True)
            ends.append([numpy.asarray(v) for p, v in values if p.is_active])
        return [(plus - minus) / (2 * step) for plus, minus in zip(*ends, strict=True)]

    def _active(self, inputs: Sequence[Any]) -> list[Any]:
        return [x for p, x in zip(self._interface.inputs, inputs, strict=True) if p.is_active]

    @staticmethod
    def _by_elements(like: Sequence[Any], product: Callable[[list[Any]], float]) -> list[Any]:
        """Returns arrays like these, of the products with each vector of the basis."""
        import numpy

        basis = [numpy.zeros(numpy.shape(x)) for x in like]
        found = [numpy.zeros(numpy.shape(x)) for x in like]
        for array, result in zip(basis, found, strict=True):
            for place in numpy.ndindex(array.shape):
                array[place] = 1
                result[place] = product([b if b.ndim else b.item() for b in basis])
                array[place] = 0
        return found


def _view(p: Parameter, address: int, sizes: Mapping[str, int], interface: Interface) -> Any:
    import numpy

    dtype, shape = p.element.numpy_dtype(), p.shape(sizes)
    count = int(numpy.prod(shape, dtype=int))
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    is_long = interface.prototype.is_fortran and dtype.kind in "fc" and count * dtype.itemsize >= 16
    if is_long and int.from_bytes(memory[8:16], sys.byteorder) == dtype.itemsize:
        # an address and the size of an element: the head of a descriptor
        raise TypeError(f"{p.name} has assumed shape in its interface: declare its dimensions, {p.name}(n)")
    return numpy.frombuffer(memory, dtype).reshape(shape, order="F" if interface.prototype.is_fortran else "C")


def _fill(p: Parameter, view: Any, value: Any) -> None:
    import numpy

    if value is None:  # a forgotten return: NumPy makes a NaN of it
        raise TypeError(f"{p.name}: wanted a number or an array; got None")
    if numpy.shape(value) != view.shape:
        raise ValueError(f"{p.name}: wanted shape {view.shape}; got {numpy.shape(value)}")
    view[...] = value


def _several(value: Any, count: int, what: str) -> list[Any]:
    values = list(value) if isinstance(value, (tuple, list)) and (count != 1 or len(value) == 1) else [value]
    if len(values) != count:
        raise ValueError(f"wanted {count} {what}; got {len(values)}")
    return values


def _dot(a: Sequence[Any], b: Sequence[Any]) -> float:
    import numpy

    return float(sum(numpy.sum(numpy.asarray(x) * y) for x, y in zip(a, b, strict=True)))
