"""`debug=True`: each call is checked for what a wrong signature or a wrong derivative would do without a word."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..compiled import remade
from ..errors import SignatureError
from ..interface import Interface, Parameter
from .differentiable import DifferentiableFunction
from .jacobians import converted_inputs

_METHODS = ("grad", "value_and_grad", "jvp", "hvp", "jacobian", "hessian", "check")
#: what stands around outputs, and how many bytes of it at least
_GUARD, _LEAST_GUARD = 0xA5, 1 << 12


class DebugFunction:
    """A differentiable function with checks. Its methods are those of `DifferentiableFunction`.

    - `SignatureError`: the function writes before or behind an output, or to an input that is not `inout`. Each method
      runs the function once before, with bytes around its outputs that must stay as they are.
    - `FloatingPointError`: a derivative is infinite or not a number.
    - A warning: a gradient differs from differences in a random direction (`f.check`).
    """

    def __init__(self, function: DifferentiableFunction) -> None:
        self.function = function
        self.interface: Interface = function.interface
        self.__name__ = function.__name__

    @classmethod
    def of_built(cls, built: Any) -> DebugFunction:
        """Returns the function of what is built."""
        return cls(DifferentiableFunction(built))

    def __reduce__(self) -> Any:
        return remade, (self.of_built, self.function.compiled.request, self.function.compiled.verbose)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Returns the outputs."""
        self._run(self._in_order(inputs, named))
        return self.function(*inputs, **named)

    def vjp(self, *inputs: Any, **named: Any) -> Callable[..., Any]:
        """Returns a function of the outputs' cotangents."""
        self._run(self._in_order(inputs, named))
        pullback = self.function.vjp(*inputs, **named)
        return lambda *cotangents: self._finite(pullback(*cotangents), "vjp")

    def __getattr__(self, name: str) -> Any:
        if name in _METHODS:
            return partial(self._method, name)
        return getattr(self.function, name)

    def _method(self, name: str, *inputs: Any, **named: Any) -> Any:
        own = inputs[0] if name == "jvp" else inputs[:-1] if name == "hvp" else inputs
        others = {key: value for key, value in named.items() if key in self._names}
        ordered = self._in_order(own if isinstance(own, tuple) else (own,), others)
        self._run(ordered)
        found = getattr(self.function, name)(*inputs, **named)
        if name in ("grad", "value_and_grad"):
            self._compare(ordered)
        return found if name == "check" else self._finite(found, name)

    # -- checks

    @property
    def _names(self) -> list[str]:
        return [p.name for p in self.interface.call_parameters]

    def _in_order(self, inputs: Sequence[Any], named: dict[str, Any]) -> tuple[Any, ...]:
        return (*inputs, *(named[name] for name in self._names[len(inputs) :] if name in named))

    def _run(self, given: tuple[Any, ...]) -> None:
        """Runs the function with guarded outputs."""
        import numpy

        inputs, sizes = converted_inputs(self.function, given)
        before = [numpy.array(value, copy=True) for value in inputs]
        outputs = [_guarded(p, p.shape(sizes), self.interface.order) for p in self.interface.outputs]
        self.function(*inputs, out=tuple(array for array, _ in outputs))
        for p, (array, memory) in zip(self.interface.outputs, outputs, strict=True):
            self._check_guard(p, array, memory)
        for taken, old, new in zip(self.interface.call_parameters, before, inputs, strict=True):
            if not numpy.array_equal(old, numpy.asarray(new), equal_nan=old.dtype.kind in "fc"):
                raise SignatureError(f"{self.__name__} writes to {taken.name}: the signature needs inout {taken.name}")

    def _check_guard(self, p: Parameter, array: Any, memory: Any) -> None:
        guard = (memory.size - array.nbytes) // 2
        changed = (memory[:guard] != _GUARD).any(), (memory[guard + array.nbytes :] != _GUARD).any()
        if any(changed):
            side = "before the start" if changed[0] else "behind the end"
            raise SignatureError(f"{self.__name__} writes {side} of {p}, which has {array.size} elements here")

    def _compare(self, given: tuple[Any, ...]) -> None:
        report = self.function.check(*given, directions=1)
        if not report:
            warnings.warn(f"the gradient differs from differences\n{report}", RuntimeWarning, stacklevel=4)

    def _finite(self, found: Any, name: str) -> Any:
        import numpy

        for part in found if isinstance(found, tuple) else (found,):
            array = numpy.asarray(part) if not isinstance(part, tuple) and not hasattr(part, "nnz") else None
            if isinstance(part, tuple):
                self._finite(part, name)
            elif array is not None and array.dtype.kind in "fc" and not numpy.isfinite(array).all():
                place = tuple(map(int, numpy.argwhere(~numpy.isfinite(array))[0]))
                raise FloatingPointError(f"{name} of {self.__name__}: the element {place} is {array[place]}")
        return found

    def __repr__(self) -> str:
        return f"<enzyme_cc.function {self.interface.signature} of {self.interface.prototype}, debug>"


def _guarded(p: Parameter, shape: tuple[int, ...], order: str) -> tuple[Any, Any]:
    """Returns an array of zeros, and the memory around it."""
    import numpy

    dtype = p.element.numpy_dtype()
    size = int(numpy.prod(shape, dtype=int)) * dtype.itemsize
    guard = max(_LEAST_GUARD, -(-size // 64) * 64)
    memory = numpy.full(size + 2 * guard, _GUARD, numpy.uint8)
    memory[guard : guard + size] = 0
    wanted: Any = order
    return memory[guard : guard + size].view(dtype).reshape(shape, order=wanted), memory
