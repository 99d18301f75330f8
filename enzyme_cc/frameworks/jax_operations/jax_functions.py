"""Compiled functions as functions of JAX arrays."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from enzyme_cc.frameworks.applied_function import AppliedFunction, by_name, numbers_alone
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.interface import Parameter, Size

from .jax_primitives import bind_primal


def wrapped(function: CompiledFunction) -> Callable[..., Any]:
    """Returns the function of JAX arrays. Raises `SignatureError` for structs of different numbers."""
    interface = numbers_alone(function.interface)
    operation = functools.cache(functools.partial(AppliedFunction, function))
    names = [p.name for p in interface.call_parameters]

    def call(*inputs: Any, **named: Any) -> Any:
        given = by_name(function.__name__, names, inputs, named)
        passed = tuple((size.name, _static(size, given[size.name])) for size in interface.passed_sizes)
        arrays = [_array(p, given[p.name], interface.any_shape) for p in interface.inputs]
        shape = jnp.shape(given[interface.inputs[0].name]) if interface.inputs else ()
        outputs = bind_primal(operation(passed), arrays)
        if interface.any_shape:
            outputs = [x.reshape(shape) if p.dimensions else x for p, x in zip(interface.outputs, outputs, strict=True)]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = f"{interface}"
    return call


def _static(size: Size, value: Any) -> int:
    try:
        return operator.index(value)
    except (TypeError, jax.errors.ConcretizationTypeError):
        raise TypeError(f"{size.name} determines shapes: it must be an integer that is known before tracing") from None


def _array(p: Parameter, value: Any, is_flat: bool) -> Any:
    wanted = np.dtype(p.element.dtype)
    if jax.dtypes.canonicalize_dtype(wanted) != wanted:
        raise TypeError(
            f"{p.name}: wanted {wanted}, which JAX does not have by default\n"
            '  remedy: jax.config.update("jax_enable_x64", True)'
        )
    is_weak = isinstance(value, (bool, int, float, complex)) or getattr(value, "weak_type", False)
    try:
        array = jnp.asarray(value, wanted) if is_weak else jnp.asarray(value)
    except (TypeError, ValueError):
        raise TypeError(f"{p.name}: wanted {wanted}, got {type(value).__name__}") from None
    if array.dtype != wanted:
        raise TypeError(f"{p.name}: wanted {wanted}, got {array.dtype}")
    return array.reshape(-1) if is_flat and p.dimensions else array
