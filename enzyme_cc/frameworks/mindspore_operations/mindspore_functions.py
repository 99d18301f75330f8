"""Compiled functions as functions of MindSpore tensors."""

from __future__ import annotations

from typing import Any

from mindspore import Tensor, nn

from enzyme_cc.frameworks.applied_function import AppliedFunction, by_name, numbers_alone
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.errors import SignatureError
from enzyme_cc.functions.interface import Interface, Parameter

from .mindspore_operation import CustomOperators, compiled, dtype, results_of


class FunctionCell(nn.Cell):  # type: ignore[misc]  # MindSpore's types are not read
    """A compiled function of tensors, as a cell. It takes the inputs in C's order; outside of graphs, also by name."""

    def __init__(self, function: CompiledFunction, sizes: dict[str, int]) -> None:
        """Raises `SignatureError` for types that MindSpore has no tensors of, and `TypeError` for wrong sizes."""
        super().__init__(auto_prefix=False)
        interface = numbers_alone(function.interface)
        for p in interface.arguments:
            if dtype(p) is None or p.element.kind == "c":
                raise SignatureError(
                    f"{p.name} is {p.element.dtype}, which MindSpore does not differentiate\n  {interface}"
                )
        wanted = [size.name for size in interface.passed_sizes]
        if sorted(wanted) != sorted(sizes):
            raise TypeError(f"{function.__name__}: wrap it with {', '.join(wanted) or 'no integers'}")
        passed = tuple((name, int(sizes[name])) for name in wanted)
        self.function_name = function.__name__
        self._parameters_in_order = interface.inputs
        self.call = _caller(interface, CustomOperators(AppliedFunction(function, passed)).primal)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Returns the output, or a tuple of outputs in C's order with the result last."""
        names = [p.name for p in self._parameters_in_order]
        given = by_name(self.function_name, names, inputs, named)
        return super().__call__(*(_tensor(p, given[p.name]) for p in self._parameters_in_order))

    def construct(self, *inputs: Any) -> Any:
        """Returns what the function returns. MindSpore compiles this."""
        return self.call(*inputs)


def _tensor(p: Parameter, value: Any) -> Any:
    return Tensor(value, dtype(p)) if isinstance(value, (bool, int, float)) else value


def _caller(interface: Interface, operator: Any) -> Any:
    """Returns the function that calls the operator with the axes of memory."""
    names = [f"x{i}" for i in range(len(interface.inputs))]
    first = next((i for i, p in enumerate(interface.inputs) if p.dimensions), 0)
    given = [_arranged(interface, p, name) for p, name in zip(interface.inputs, names, strict=True)]
    results = results_of("y", interface.outputs)
    shaped = f".reshape(x{first}.shape)" if interface.any_shape else ""
    back = [
        f"{y}{shaped}" if shaped and p.dimensions else _arranged(interface, p, y)
        for p, y in zip(interface.outputs, results, strict=True)
    ]
    answer = back[0] if len(back) == 1 else f"({', '.join(back)})"
    text = f"def call({', '.join(names)}):\n    y = operator({', '.join(given)})\n    return {answer}\n"
    return compiled(text, "call", {"operator": operator})


def _arranged(interface: Interface, p: Parameter, name: str) -> str:
    if interface.any_shape and p.dimensions:
        return f"{name}.reshape((-1,))"
    if interface.order == "F" and len(p.dimensions) > 1:
        return f"{name}.transpose({tuple(reversed(range(len(p.dimensions))))})"
    return name
