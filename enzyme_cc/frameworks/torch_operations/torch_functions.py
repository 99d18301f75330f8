"""Compiled functions as functions of PyTorch tensors."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import torch

from enzyme_cc.frameworks.applied_function import AppliedFunction, by_name
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.entry_points import PRIMAL
from enzyme_cc.functions.errors import SignatureError
from enzyme_cc.functions.interface import Parameter, Size
from enzyme_cc.functions.prototype import NumberType

from .torch_derivatives import CompiledOperator
from .torch_operation import TensorCall, dtype


class TensorFunction:
    """A compiled function of tensors. Call it, or its method `apply`, with the inputs in C's order or by name."""

    def __init__(self, function: CompiledFunction) -> None:
        """Raises `SignatureError` for types that PyTorch has no tensors of."""
        interface = function.interface
        for p in interface.arguments:
            if not isinstance(p.element, NumberType) or dtype(p) is None:
                raise SignatureError(f"{p.name} is {p.element.dtype}, which PyTorch has no tensors of\n  {interface}")
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = f"{interface}"
        self._names = [p.name for p in interface.call_parameters]
        self._call_with = functools.lru_cache(maxsize=128)(self._primal)

    def _primal(self, passed: tuple[tuple[str, int], ...]) -> TensorCall:
        return TensorCall(AppliedFunction(self.function, passed), PRIMAL)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Returns the output, or a tuple of outputs in C's order with the result last."""
        interface = self.function.interface
        given = by_name(self.__name__, self._names, inputs, named)
        passed = tuple((size.name, _integer(size, given[size.name])) for size in interface.passed_sizes)
        tensors = [_tensor(p, given[p.name]) for p in interface.inputs]
        shape = next((x.shape for p, x in zip(interface.inputs, tensors, strict=True) if p.dimensions), ())
        if interface.any_shape:
            tensors = [x.reshape(-1) if p.dimensions else x for p, x in zip(interface.inputs, tensors, strict=True)]
        call = self._call_with(passed)
        call.operation.sizes(call.input_shapes(tensors))
        outputs = CompiledOperator.apply(call, *tensors)
        if interface.any_shape:
            outputs = [x.reshape(shape) if p.dimensions else x for p, x in zip(interface.outputs, outputs, strict=True)]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    apply = __call__

    def __repr__(self) -> str:
        return f"<enzyme_cc.torch.wrap of {self.function!r}>"


def _tensor(p: Parameter, value: Any) -> torch.Tensor:
    """Returns the tensor, or that of a Python number. Raises `TypeError` and `ValueError` for others."""
    wanted = dtype(p)
    if not isinstance(value, torch.Tensor):
        if p.dimensions:
            raise TypeError(f"{p.name}: wanted a tensor, {p}; got {type(value).__name__}")
        return torch.tensor(_number(p, value), dtype=wanted)
    if value.device.type != "cpu":
        raise ValueError(f"{p.name}: wanted a tensor on the CPU, got one on {value.device}\n  remedy: {p.name}.cpu()")
    if value.layout != torch.strided:
        raise TypeError(f"{p.name}: wanted a dense tensor, {p}; got {value.layout}\n  remedy: {p.name}.to_dense()")
    if value.dtype != wanted:
        raise TypeError(f"{p.name}: wanted {p}; got {value.dtype} of shape {tuple(value.shape)}")
    return value


def _number(p: Parameter, value: Any) -> Any:
    convert: Callable[[Any], Any] = {"f": float, "c": complex}.get(p.element.kind, operator.index)
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        number = convert(value)
    except TypeError:
        raise TypeError(f"{p.name}: wanted a number, {p}; got {type(value).__name__}") from None
    if p.element.kind in "iub":
        bits = 8 * p.element.size
        least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if p.element.kind == "i" else (0, 2**bits - 1)
        if not least <= number <= (1 if p.element.kind == "b" else most):
            raise ValueError(f"{p.name}: {number} does not fit {p.element.dtype}")
    return number


def _integer(size: Size, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{size.name}: wanted an integer, {size.element.dtype}; got {type(value).__name__}") from None
