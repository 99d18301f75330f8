"""Compiled functions in MindSpore.

    f = enzyme_cc.function("solver.cpp", "energy", "x[n,3], n, const mass[n] -> return")
    energy = enzyme_cc.mindspore.wrap(f)
    mindspore.value_and_grad(energy)(x, mass)

The wrapped function is a cell, which calls a custom operator with a bprop. It works eagerly and in graphs, and has
derivatives up to the second. Tensors are on the CPU.
"""

from __future__ import annotations

from typing import Any

try:
    import mindspore as _mindspore  # noqa: F401
except ImportError as error:
    raise ImportError("enzyme_cc.mindspore needs the package mindspore: pip install mindspore") from error

from enzyme_cc.frameworks.applied_function import accepted
from enzyme_cc.frameworks.mindspore_operations.mindspore_functions import FunctionCell
from enzyme_cc.functions.calls.products import CompiledFunction


def wrap(function: CompiledFunction, **sizes: int) -> Any:
    """Returns a cell that does what a function of `enzyme_cc.function` does, with tensors.

    `sizes` are the integers that determine shapes and that no input's shape gives. In graphs, inputs are tensors in C's
    order; elsewhere they may be Python's numbers, and may be named. A struct whose members have one type is an axis
    more, the last. Raises `SignatureError` for complex numbers and other structs, and `CompileError` where the function
    or its derivatives cannot be made. Calls raise `TypeError` and `ValueError` for tensors of wrong types and shapes,
    and `RuntimeError` for a C++ exception, whose text is on the standard error output.
    """
    return FunctionCell(accepted(function, "enzyme_cc.mindspore"), sizes)
