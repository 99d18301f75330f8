"""Compiled functions in JAX.

    f = enzyme_cc.function("solver.cpp", "energy", "x[n,3], n, const mass[n] -> return")
    energy = enzyme_cc.jax.wrap(f)
    jax.jit(jax.grad(energy))(x, mass)

The wrapped function is made of JAX primitives. XLA calls the compiled code directly, with no copy and without Python.
`jit`, `grad`, `jvp`, `vmap`, `jacfwd`, `jacrev`, `hessian`, linear transposition and `shard_map` apply to it. There are
derivatives up to the second. Arrays are on the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import jax as _jax  # noqa: F401
except ImportError as error:
    raise ImportError("enzyme_cc.jax needs the package jax: pip install jax") from error

from enzyme_cc.frameworks.applied_function import accepted
from enzyme_cc.frameworks.jax_operations import jax_functions
from enzyme_cc.functions.calls.products import CompiledFunction


def wrap(function: CompiledFunction) -> Callable[..., Any]:
    """Returns a function of JAX arrays that does what a function of `enzyme_cc.function` does.

    It takes and returns the same values. Integers that determine shapes must be known when JAX traces the function.
    Raises `SignatureError` for structs. The result raises `TypeError` and `ValueError` for arrays of wrong types and
    shapes, and `CompileError` where a derivative cannot be made.
    """
    return jax_functions.wrapped(accepted(function, "enzyme_cc.jax"))
