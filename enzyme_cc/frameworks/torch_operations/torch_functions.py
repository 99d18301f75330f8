"""Compiled functions as functions of PyTorch tensors."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy
import torch

from enzyme_cc.frameworks.applied_function import by_name, numbers_alone
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.errors import SignatureError
from enzyme_cc.functions.interface import Parameter, Size

from .torch_operators import dtype, operators


class TensorFunction:
    """A compiled function of tensors. Call it, or its method `apply`, with the inputs in C's order or by name."""

    def __init__(self, function: CompiledFunction, device_copy: bool = False) -> None:
        """Raises `SignatureError` for types that PyTorch has no tensors of."""
        interface = self.interface = numbers_alone(function.interface)
        for p in interface.arguments:
            if dtype(p) is None:
                raise SignatureError(f"{p.name} is {p.element.dtype}, which PyTorch has no tensors of\n  {interface}")
        if not interface.inputs:
            raise SignatureError(f"{function.__name__} has no input that is a tensor\n  {interface}")
        self.function = function
        self.device_copy = device_copy
        self.__name__ = function.__name__
        self.__doc__ = f"{interface}"
        self._names = [p.name for p in interface.call_parameters]
        self._operator = operators(function).primal
        self._ready = [(p, dtype(p), len(p.dimensions)) for p in interface.inputs]
        self._only_inputs = not interface.passed_sizes and not interface.any_shape

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Returns the output, or a tuple of outputs in C's order with the result last."""
        if self._only_inputs and len(inputs) == len(self._ready) and not named:
            tensors = []
            for x, (p, wanted, rank) in zip(inputs, self._ready):  # noqa: B905  # the lengths are equal
                if not isinstance(x, torch.Tensor):
                    x = tensor_of(p, x)
                elif not (x.is_cpu and x.dtype is wanted and x.dim() == rank and x.layout == torch.strided):
                    break
                tensors.append(x)
            else:
                return self._operator(*tensors)
        return self._converted(by_name(self.__name__, self._names, inputs, named))

    def _converted(self, given: dict[str, Any]) -> Any:
        interface = self.interface
        passed = [_integer(size, given[size.name]) for size in interface.passed_sizes]
        devices = {x.device: None for x in given.values() if isinstance(x, torch.Tensor)}
        if self.device_copy:
            given = {name: x.cpu() if isinstance(x, torch.Tensor) else x for name, x in given.items()}
        tensors = [tensor_of(p, given[p.name]) for p in interface.inputs]
        shape = next((x.shape for p, x in zip(interface.inputs, tensors, strict=True) if p.dimensions), ())
        if interface.any_shape:
            tensors = [x.reshape(-1) if p.dimensions else x for p, x in zip(interface.inputs, tensors, strict=True)]
        for p, x in zip(interface.inputs, tensors, strict=True):
            if x.dim() != len(p.dimensions):
                raise ValueError(f"{p.name}: wanted {len(p.dimensions)} dimensions, {p}; got shape {tuple(x.shape)}")
        found = self._operator(*tensors, *passed)
        outputs = found if isinstance(found, tuple) else (found,)
        if interface.any_shape:
            outputs = tuple(
                x.reshape(shape) if p.dimensions else x for p, x in zip(interface.outputs, outputs, strict=True)
            )
        if self.device_copy and len(devices) == 1:
            outputs = tuple(x.to(next(iter(devices))) for x in outputs)
        return outputs[0] if len(outputs) == 1 else outputs

    apply = __call__

    def __reduce__(self) -> Any:
        return TensorFunction, (self.function, self.device_copy)

    def __deepcopy__(self, memo: Any) -> TensorFunction:
        return self

    def __repr__(self) -> str:
        return f"<enzyme_cc.torch.wrap of {self.function!r}>"


def tensor_of(p: Parameter, value: Any) -> torch.Tensor:
    """Returns the tensor, or that of a Python number. Raises `TypeError` and `ValueError` for others."""
    wanted = dtype(p)
    if not isinstance(value, torch.Tensor):
        if p.dimensions:
            raise TypeError(f"{p.name}: wanted a tensor, {p}; got {type(value).__name__}")
        return torch.scalar_tensor(_number(p, value), dtype=wanted)
    if value.device.type != "cpu":
        remedy = f"{p.name}.cpu(), or wrap with device_copy=True"
        raise ValueError(f"{p.name}: wanted a tensor on the CPU, got one on {value.device}\n  remedy: {remedy}")
    if value.layout != torch.strided:
        raise TypeError(f"{p.name}: wanted a dense tensor, {p}; got {value.layout}\n  remedy: {p.name}.to_dense()")
    if value.dtype != wanted:
        raise TypeError(f"{p.name}: wanted {p}; got {value.dtype} of shape {tuple(value.shape)}")
    return value


def _number(p: Parameter, value: Any) -> Any:
    if isinstance(value, numpy.bool_):
        value = bool(value)
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
