"""Compiled functions as functions of TensorFlow tensors."""

from __future__ import annotations

import operator
from typing import Any

import tensorflow as tf

from enzyme_cc.frameworks.applied_function import AppliedFunction, by_name
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.entry_points import PRIMAL
from enzyme_cc.functions.interface import Parameter, Size

from .tensorflow_operation import apply, dtype, known


class GraphFunction:
    """A compiled function of tensors. It takes the inputs in C's order or by name, eagerly and in `tf.function`."""

    def __init__(self, function: CompiledFunction) -> None:
        """Raises `SignatureError` for structs of different numbers."""
        self._applied = known(function)
        self.interface = self._applied.interface
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = f"{self.interface}"
        self._names = [p.name for p in self.interface.call_parameters]

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Returns the output, or a tuple of outputs in C's order with the result last.

        Raises `TypeError` and `ValueError` for tensors of wrong types and shapes. Shapes that are not known when a
        graph is made raise `tf.errors.InvalidArgumentError` when it runs.
        """
        interface = self.interface
        given = by_name(self.__name__, self._names, inputs, named)
        passed = {size.name: _integer(size, given[size.name]) for size in interface.passed_sizes}
        tensors = [_tensor(p, given[p.name], interface.any_shape) for p in interface.inputs]
        first = next((given[p.name] for p in interface.inputs if p.dimensions), ())
        sizes, tensors = _sized(self._applied, tensors, passed)
        found = apply(self._applied, PRIMAL, [self._turned(x) for x in tensors], sizes)
        outputs = [self._turned(x) for x in found]
        if interface.any_shape:
            pairs = zip(interface.outputs, outputs, strict=True)
            outputs = [_reshaped(x, first) if p.dimensions else x for p, x in pairs]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _turned(self, x: Any) -> Any:
        """Turns the axes of Fortran's arrays round."""
        if self.interface.order == "C" or x.shape.rank < 2:
            return x
        return tf.transpose(x, list(reversed(range(x.shape.rank))))

    def __repr__(self) -> str:
        return f"<enzyme_cc.tensorflow.wrap of {self.function!r}>"


def _tensor(p: Parameter, value: Any, is_flat: bool) -> Any:
    """Returns the tensor. Raises `TypeError` and `ValueError` for others."""
    wanted = dtype(p)
    if isinstance(value, (bool, int, float, complex)):
        value = tf.constant(value, wanted)
    x = tf.convert_to_tensor(value)
    if x.dtype != wanted:
        raise TypeError(f"{p.name}: wanted {p}; got {x.dtype.name} of shape {tuple(x.shape)}")
    if is_flat and p.dimensions:
        return tf.reshape(x, [-1])
    if x.shape.rank != len(p.dimensions):
        raise ValueError(f"{p.name}: wanted {len(p.dimensions)} dimensions, {p}; got shape {x.shape}")
    return x


def _reshaped(x: Any, like: Any) -> Any:
    like = tf.convert_to_tensor(like)
    return tf.reshape(x, like.shape if like.shape.is_fully_defined() else tf.shape(like))


def _integer(size: Size, value: Any) -> Any:
    if tf.is_tensor(value) and value.dtype.is_integer:
        static = tf.get_static_value(value)
        return tf.cast(value, tf.int64) if static is None else int(static)
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{size.name}: wanted an integer, {size.element.dtype}; got {type(value).__name__}") from None


def _sized(applied: AppliedFunction, tensors: list[Any], passed: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Returns the values of the dimensions, and the tensors with checks of what is not known yet.

    Raises `ValueError` where shapes that are known do not fit.
    """
    interface = applied.interface
    is_known = all(x.shape.is_fully_defined() for x in tensors) and not any(map(tf.is_tensor, passed.values()))
    if is_known:
        solved = AppliedFunction(applied.function, tuple(passed.items())).sizes(tuple(tuple(x.shape) for x in tensors))
        return [solved[size.name] for size in interface.sizes], tensors
    shapes = [
        tf.unstack(tf.shape(x, tf.int64), len(p.dimensions)) for x, p in zip(tensors, interface.inputs, strict=True)
    ]
    sizes = dict(passed)
    for name, i, axis in interface.solutions:
        dimension = interface.inputs[i].dimensions[axis]
        at_zero = dimension.value({**sizes, name: 0})
        slope = dimension.value({**sizes, name: 1}) - at_zero
        sizes[name] = (shapes[i][axis] - at_zero) // slope
    checks = [
        tf.debugging.assert_equal(extent, tf.cast(wanted, tf.int64), f"{p.name}: wanted {p}")
        for p, shape in zip(interface.inputs, shapes, strict=True)
        for extent, wanted in zip(shape, p.shape(sizes), strict=True)
    ]
    with tf.control_dependencies([check for check in checks if check is not None]):
        values = [tf.cast(sizes[size.name], tf.int64) for size in interface.sizes]
        return tf.stack(values) if values else [], tensors
