"""A compiled function as a layer of PyTorch: some of its inputs are the layer's parameters."""

from __future__ import annotations

from typing import Any

import torch

from .torch_functions import TensorFunction, tensor_of


class FunctionLayer(torch.nn.Module):  # type: ignore[misc]  # torch's types are not read
    """A layer whose parameters are the inputs that it is given by name; `forward` takes the others, in C's order.

    Inputs without derivative are buffers. Both are in `state_dict`, by the names of the signature. Raises `TypeError`
    for names that the function does not have.
    """

    def __init__(self, function: TensorFunction, **held: Any) -> None:
        super().__init__()
        self.function = function
        active = {p.name for p in function.interface.active_inputs}
        names = [p.name for p in function.interface.call_parameters]
        unknown = [name for name in held if name not in names]
        if unknown:
            raise TypeError(f"{function.__name__} takes {', '.join(names)}; got {', '.join(unknown)}")
        inputs = {p.name: p for p in function.interface.inputs}
        for name, value in held.items():
            if name in inputs and not isinstance(value, torch.Tensor):
                value = tensor_of(inputs[name], value)
            if name in active:
                self.register_parameter(name, torch.nn.Parameter(value))
            else:
                self.register_buffer(name, value)
        self._passed = [name for name in names if name not in held]
        self._held = list(held)

    def forward(self, *inputs: Any) -> Any:
        """Returns what the function returns. Raises `TypeError` for a wrong number of inputs."""
        if len(inputs) != len(self._passed):
            raise TypeError(f"{self.function.__name__}: wanted {', '.join(self._passed) or 'no inputs'} here")
        given = dict(zip(self._passed, inputs, strict=True))
        return self.function(**given, **{name: getattr(self, name) for name in self._held})
