"""Calls of a compiled function and of its derivatives in one direction, with tensors."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from enzyme_cc.frameworks.applied_function import AppliedFunction
from enzyme_cc.functions.interface import Parameter

_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_MESSAGE = ctypes.CFUNCTYPE(ctypes.c_char_p)
#: where arrays without elements are: an address that is not NULL, which stands for a missing array
_NOWHERE = ctypes.create_string_buffer(64)


@dataclass(frozen=True, eq=False)
class TensorCall:
    """A call of the function or of a derivative.

    With a batch, the entry point is called for each element. `batched` says which arguments have a leading batch axis;
    all results have one.
    """

    operation: AppliedFunction
    kind: str
    batch: int | None = None
    batched: tuple[bool, ...] = ()

    @cached_property
    def arguments(self) -> list[tuple[str, Parameter]]:
        """Group and parameter of each argument."""
        return self.operation.arguments(self.kind)

    @cached_property
    def results(self) -> list[tuple[str, Parameter]]:
        """Group and parameter of each result."""
        return self.operation.results(self.kind)

    @property
    def flags(self) -> list[bool]:
        """Which arguments have a leading batch axis."""
        return list(self.batched) or [False] * len(self.arguments)

    def split(self, values: Sequence[Any]) -> list[list[Any]]:
        """Returns values, one for each argument, by groups."""
        return self.operation.split(self.kind, values)

    def input_shapes(self, given: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
        """Returns the inputs' shapes without the batch."""
        count, flags = len(self.operation.function.interface.inputs), self.flags
        return tuple(tuple(x.shape)[flags[i] :] for i, x in enumerate(given[:count]))

    def made(self, shapes: dict[str, tuple[int, ...]]) -> list[torch.Tensor]:
        """Returns the results' tensors, filled with zeros."""
        leading = () if self.batch is None else (self.batch,)
        return [
            self._with_c_axes(p, torch.zeros(leading + self._c_shape(shapes[p.name]), dtype=dtype(p)), bool(leading))
            for _, p in self.results
        ]

    def run(self, given: Sequence[Any]) -> tuple[torch.Tensor, ...]:
        """Calls the entry point. Arguments are tensors with memory on the CPU; vectors may be None, which is zero.

        Raises `RuntimeError` for a C++ exception and `MemoryError`.
        """
        function, flags = self.operation.function, self.flags
        inputs = self.input_shapes(given)
        sizes, shapes = self.operation.sizes(inputs), self.operation.shapes(inputs)
        point = function.entry_point(self.kind)
        results = self.made(shapes)
        named: dict[tuple[str, str], tuple[int, int]] = {}
        kept = []
        for (group, p), x, flag in zip(
            [*self.arguments, *self.results],
            [*given, *results],
            [*flags, *([self.batch is not None] * len(results))],
            strict=True,
        ):
            if x is None:
                continue
            memory = self._in_memory(p, x, shapes[p.name], flag)
            kept.append(memory)
            stride = memory.stride(0) * memory.element_size() if flag and memory.numel() else 0
            named[group, p.name] = (memory.data_ptr() or ctypes.addressof(_NOWHERE), stride)
        places = [named.get((slot.group, slot.argument.name), (0, 0)) for slot in point.slots]
        values = [sizes[size.name] for size in function.interface.sizes]
        size_array = (ctypes.c_int64 * max(len(values), 1))(*values)
        buffers = (ctypes.c_void_p * max(len(places), 1))()
        entry = _ENTRY(point.address)
        for element in range(1 if self.batch is None else self.batch):
            buffers[:] = [address + element * stride for address, stride in places] or [0]
            status = entry(ctypes.addressof(buffers), ctypes.addressof(size_array))
            if status:
                raise _failure(function.__name__, status, point.message)
        return tuple(results)

    def _in_memory(self, p: Parameter, x: torch.Tensor, shape: tuple[int, ...], flag: bool) -> torch.Tensor:
        """Returns the tensor with the axes and the order of elements that the compiled code expects."""
        leading = (self.batch,) if flag else ()
        wanted = (*leading, *shape)
        if tuple(x.shape) != wanted or x.dtype != dtype(p):
            raise TypeError(f"{p.name}: wanted {dtype(p)} of shape {wanted}, got {x.dtype} of shape {tuple(x.shape)}")
        if torch._C._functorch.is_legacy_batchedtensor(x):
            raise NotImplementedError(
                f"{self.operation.function.__name__}: is_grads_batched and vectorize=True are not supported\n"
                "  remedy: torch.func.vmap, torch.func.jacrev, torch.func.jacfwd"
            )
        if x._is_zerotensor():
            x = torch.zeros(wanted, dtype=x.dtype)
        return self._with_c_axes(p, x.detach().resolve_conj().resolve_neg(), flag).contiguous()

    def _c_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return shape[::-1] if self.operation.function.interface.order == "F" else shape

    def _with_c_axes(self, p: Parameter, x: torch.Tensor, flag: bool) -> torch.Tensor:
        """Reverses the axes behind the batch if the function is Fortran's. It is its own inverse."""
        rank = len(p.dimensions)
        if rank < 2 or self.operation.function.interface.order == "C":
            return x
        axes = [axis + flag for axis in reversed(range(rank))]
        return x.permute([0, *axes] if flag else axes)


def dtype(p: Parameter) -> Any:
    """Returns the tensor type of a parameter, or None if there is no such type."""
    found = getattr(torch, p.element.dtype, None)
    return found if isinstance(found, torch.dtype) else None


def _failure(name: str, status: int, message: int) -> Exception:
    if status == 2:
        return MemoryError(f"{name}: no memory")
    text = (_MESSAGE(message)() or b"").decode(errors="replace")
    return RuntimeError(f"{name}: {text}")
