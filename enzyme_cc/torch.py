"""Compiled functions in PyTorch.

    f = enzyme_cc.function("solver.cpp", "energy", "x[n,3], n, const mass[n] -> return")
    energy = enzyme_cc.torch.wrap(f)
    energy(x, mass).backward()

The wrapped function is an operator of PyTorch. It has derivatives up to the second, in forward and in reverse mode.
`backward`, `torch.autograd`, `torch.compile`, and `torch.func` with `vmap`, `jacrev`, `jacfwd` and `hessian` apply. Its
kernels are compiled once, on first use, against the headers that PyTorch ships. Tensors are on the CPU.
"""

from __future__ import annotations

from typing import Any

try:
    import torch as _torch  # noqa: F401
except ImportError as error:
    raise ImportError("enzyme_cc.torch needs the package torch: pip install torch") from error

from enzyme_cc.frameworks.applied_function import accepted
from enzyme_cc.frameworks.torch_operations.torch_functions import TensorFunction
from enzyme_cc.frameworks.torch_operations.torch_module import FunctionLayer
from enzyme_cc.functions.calls.function import function
from enzyme_cc.functions.calls.products import CompiledFunction


def wrap(function: CompiledFunction, device_copy: bool = False) -> TensorFunction:
    """Returns a function of PyTorch tensors that does what a function of `enzyme_cc.function` does.

    It takes and returns the same values, as tensors; numbers may be Python's, and come back as tensors of no dimension.
    A struct whose members have one type is an axis more, the last. With `device_copy`, tensors of another device are
    copied to the CPU, and results back. Raises `SignatureError` for types that PyTorch does not have. The result raises
    `TypeError` and `ValueError` for tensors of wrong types, shapes and devices, `RuntimeError` for a C++ exception, and
    `CompileError` where a derivative cannot be made.
    """
    return TensorFunction(accepted(function, "enzyme_cc.torch"), device_copy)


def layer(function: CompiledFunction, **parameters: Any) -> FunctionLayer:
    """Returns a `torch.nn.Module`: the inputs that are given by name are its parameters, and are in its `state_dict`.

    Inputs without derivative are buffers. The layer is called with the other inputs in C's order.
    """
    return FunctionLayer(TensorFunction(accepted(function, "enzyme_cc.torch")), **parameters)


def enzyme(sources: Any, name: str, signature: str | None = None, **options: Any) -> TensorFunction:
    """Compiles a function and wraps it: `enzyme("test.c", "f").apply(x)`. `enzyme_cc.function` has the parameters."""
    return wrap(function(sources, name, signature, **options))
