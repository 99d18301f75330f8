"""Compiled functions in TensorFlow.

    f = enzyme_cc.function("solver.cpp", "energy", "x[n,3], n, const mass[n] -> return")
    energy = enzyme_cc.tensorflow.wrap(f)
    with tf.GradientTape() as tape:
        value = energy(x, mass)
    tape.gradient(value, x)

The wrapped function is an operation of TensorFlow. Its kernel calls the compiled code without Python.
It works eagerly, in `tf.function`, in Keras models and in saved models. It has derivatives up to the second, by
`tf.GradientTape` and by `tf.autodiff.ForwardAccumulator`. The kernel runs on the CPU.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

try:
    import tensorflow as _tensorflow  # noqa: F401
except ImportError as error:
    raise ImportError("enzyme_cc.tensorflow needs the package tensorflow: pip install tensorflow") from error

from enzyme_cc.frameworks.applied_function import accepted
from enzyme_cc.frameworks.tensorflow_operations.tensorflow_functions import GraphFunction
from enzyme_cc.functions.calls.function import function as compiled_function
from enzyme_cc.functions.calls.products import CompiledFunction


def wrap(function: CompiledFunction) -> GraphFunction:
    """Returns a function of TensorFlow tensors that does what a function of `enzyme_cc.function` does.

    It takes and returns the same values, as tensors; numbers may be Python's. A struct whose members have one type is
    an axis more, the last. Raises `SignatureError` for other structs. The result raises `TypeError` and `ValueError`
    for tensors of wrong types and shapes, `tf.errors.UnknownError` for a C++ exception, and `CompileError` where a
    derivative cannot be made.
    """
    return GraphFunction(accepted(function, "enzyme_cc.tensorflow"))


def layer(function: CompiledFunction, **weights: Any) -> Any:
    """Returns a Keras layer: the inputs that are given by name are its weights. It is called with the other inputs.

    Inputs without derivative are weights that are not trained.
    """
    from enzyme_cc.frameworks.tensorflow_operations.tensorflow_layer import FunctionKerasLayer

    return FunctionKerasLayer(GraphFunction(accepted(function, "enzyme_cc.tensorflow")), **weights)


def enzyme(*inputs: Any, filename: Any, function: str, signature: str | None = None, **options: Any) -> Any:
    """Compiles a function, unless it did before, and calls it: `enzyme(x, filename="test.c", function="f")`.

    `enzyme_cc.function` has the other parameters.
    """
    if options:
        return wrap(compiled_function(filename, function, signature, **options))(*inputs)
    return _wrapped(os.path.abspath(filename), os.stat(filename).st_mtime_ns, function, signature)(*inputs)


@lru_cache(maxsize=128)
def _wrapped(path: str, _: int, function: str, signature: str | None) -> GraphFunction:
    return wrap(compiled_function(path, function, signature))
