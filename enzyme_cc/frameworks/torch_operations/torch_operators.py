"""The operators of a compiled function in PyTorch's dispatcher: one for the function and one for each derivative.

An operator takes tensors by groups and integers, as its schema says, and `operators.cpp` has its kernels. Here are what
this file needs to know of a function, what the results look like without values (for `torch.compile`), and `vmap`.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from msgspec import Struct

from enzyme_cc.frameworks.applied_function import AppliedFunction
from enzyme_cc.frameworks.derivative_rules import BY_INPUT, DerivativeRule, backward_rule
from enzyme_cc.frameworks.native_adapter import native_adapter
from enzyme_cc.functions.calls.conversion import limits
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.entry_points import GROUPS, INPUT, PRIMAL, READ, slots
from enzyme_cc.functions.interface import Parameter

_NAMESPACE = "enzyme_cc"
_KINDS = tuple(GROUPS)
_NO_SLOT = 1 << 30
_LARGEST = 2**63 - 1

_library: Any = torch.library.Library(_NAMESPACE, "FRAGMENT")
_functions: list[TensorOperators] = []
_by_name: dict[str, TensorOperators] = {}


class TensorOperators(Struct, frozen=True, eq=False, dict=True):
    """The operators of one function. `number` is that of the function in the adapter, `name` the first operator's."""

    applied: AppliedFunction
    number: int
    name: str

    @cached_property
    def primal(self) -> Any:
        """The operator that calls the function."""
        return self.operator(PRIMAL)

    def operator(self, kind: str) -> Any:
        """Returns an operator."""
        return getattr(getattr(torch.ops, _NAMESPACE), f"{self.name}_{kind}").default


def operators(function: CompiledFunction) -> TensorOperators:
    """Returns the operators of a function, and defines them if they are not there. Raises `CompileError`.

    Names are made of the contents of the sources, so that what `torch.compile` keeps on disk stays right.
    """
    name = f"{re.sub(r'[^A-Za-z0-9_]', '_', function.__name__)}_{function.compiled.identity[:16]}"
    if name not in _by_name:
        _by_name[name] = _defined(function, name)
    return _by_name[name]


def _defined(function: CompiledFunction, name: str) -> TensorOperators:
    applied = AppliedFunction(function, ())
    interface = applied.interface
    is_differentiable = bool(interface.active_inputs and interface.active_outputs)
    kinds = _KINDS if is_differentiable else (PRIMAL,)
    adapter = _adapter()
    for kind in kinds:
        _library.define(f"{name}_{kind}{_schema(applied, kind)}", tags=[torch.Tag.pt2_compliant_tag])
        _register(applied, f"{name}_{kind}", kind)
    numbers = list(_description(applied, kinds))
    names = [function.__name__, *(f"{name}_{kind}" for kind in kinds)]
    number = adapter.enzyme_cc_torch_add(
        (ctypes.c_int64 * len(numbers))(*numbers), (ctypes.c_char_p * len(names))(*map(str.encode, names)), len(kinds)
    )
    made = TensorOperators(applied, number, name)
    _functions.append(made)
    return made


def _adapter() -> Any:
    """Returns the library of `operators.cpp`, which is compiled on first use. Raises `CompileError`."""
    if not _functions:
        _library.define("build(int function, int kind) -> ()")
        _library.define("refuse(int function, Tensor[] inputs, int[] passed) -> ()")
        _library.impl("build", _build, "CompositeExplicitAutograd")
        _library.impl("refuse", _refuse, "CompositeExplicitAutograd")
    root = Path(torch.__file__).parent
    flags = [f"-I{root / 'include'}", f"-I{root / 'include/torch/csrc/api/include'}", "-std=c++20", "-w"]
    flags += [f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}"]
    flags += [f"-L{root / 'lib'}", "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{root / 'lib'}"]
    path = native_adapter("PyTorch", torch.__version__, Path(__file__).with_name("operators.cpp"), flags)
    library = ctypes.CDLL(path)
    library.enzyme_cc_torch_add.restype = ctypes.c_int64
    library.enzyme_cc_torch_built.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
    return library


def _build(number: int, kind: int) -> None:
    """Builds an entry point on its first call. Raises `CompileError`."""
    point = _functions[number].applied.function.entry_point(_KINDS[kind])
    _adapter().enzyme_cc_torch_built(number, kind, point.address, point.message)


def _refuse(number: int, inputs: Sequence[Any], passed: Sequence[int]) -> None:
    """Raises `ValueError` for inputs whose shapes do not fit."""
    function = _functions[number].applied.function
    names = [size.name for size in function.interface.passed_sizes]
    applied = AppliedFunction(function, tuple(zip(names, passed, strict=True)))
    pairs = zip(inputs, applied.interface.inputs, strict=True)
    applied.sizes(tuple(tuple(x.shape)[x.dim() - len(p.dimensions) :] for x, p in pairs))


# -- what an operator takes and returns


def _schema(applied: AppliedFunction, kind: str) -> str:
    parts = [
        f"Tensor {p.name}" if group == INPUT else f"Tensor? {group}_{p.name}" for group, p in applied.arguments(kind)
    ]
    parts += [f"SymInt {size.name}" for size in applied.interface.passed_sizes]
    count = len(applied.results(kind))
    return f"({', '.join(parts)}) -> {'Tensor' if count == 1 else '(' + ', '.join(['Tensor'] * count) + ')'}"


def _description(applied: AppliedFunction, kinds: Sequence[str]) -> Iterator[int]:
    """Yields the numbers that `enzyme_cc_torch_add` reads."""
    interface = applied.interface
    numbers = {p.name: i for i, p in enumerate(interface.arguments)}
    symbols = {size.name: i for i, size in enumerate(interface.sizes)}
    yield from (interface.order == "F", len(numbers))
    for p in interface.arguments:
        yield from (_SCALAR_TYPES[str(dtype(p))], p.is_active, p.role == "out", len(p.dimensions))
        for dimension in p.dimensions:
            steps = dimension.postfix(symbols)
            yield from (len(steps), *(number for step in steps for number in step))
    yield len(symbols)
    for size in interface.sizes:
        least, most = limits(size.element)
        yield from (least, min(most, _LARGEST))
    yield len(interface.solutions)
    for name, i, axis in interface.solutions:
        yield from (symbols[name], i, axis)
    yield from _listed([symbols[size.name] for size in interface.passed_sizes])
    for kind in kinds:
        yield from _described(applied, kind, numbers)


def _described(applied: AppliedFunction, kind: str, numbers: dict[str, int]) -> Iterator[int]:
    arguments, results = applied.arguments(kind), applied.results(kind)
    groups = [group for group in GROUPS[kind] if group in READ]
    yield len(groups)
    for wanted in groups:
        yield from _listed([numbers[p.name] for group, p in arguments if group == wanted])
    yield from _listed([numbers[p.name] for _, p in results])
    places = {(group, p.name): i for i, (group, p) in enumerate(arguments)}
    places |= {(group, p.name): -1 - i for i, (group, p) in enumerate(results)}
    found = slots(applied.interface, kind)
    yield from _listed([places.get((slot.group, slot.argument.name), _NO_SLOT) for slot in found])
    yield from _rule(BY_INPUT.get(kind))
    for i in range(len(groups)):
        yield from _rule(backward_rule(kind, i))


def _listed(numbers: Sequence[int]) -> Iterator[int]:
    yield from (len(numbers), *numbers)


def _rule(rule: DerivativeRule | None) -> Iterator[int]:
    yield -1 if rule is None else _KINDS.index(rule.kind)
    yield from _listed([] if rule is None else rule.vectors)


#: c10::ScalarType
_SCALAR_TYPES = {
    f"torch.{name}": number
    for name, number in {
        "uint8": 0,
        "int8": 1,
        "int16": 2,
        "int32": 3,
        "int64": 4,
        "float32": 6,
        "float64": 7,
        "complex64": 9,
        "complex128": 10,
        "bool": 11,
        "uint16": 27,
        "uint32": 28,
        "uint64": 29,
    }.items()
}


def dtype(p: Parameter) -> Any:
    """Returns the tensor type of a parameter, or None if there is no such type."""
    found = getattr(torch, p.element.dtype, None)
    return found if isinstance(found, torch.dtype) else None


# -- without values, and vmap


def _register(applied: AppliedFunction, name: str, kind: str) -> None:
    arguments, interface = applied.arguments(kind), applied.interface
    ranks = [len(p.dimensions) for _, p in arguments]
    results = applied.results(kind)
    qualified = f"{_NAMESPACE}::{name}"

    def fake(*given: Any) -> Any:
        tensors, passed = given[: len(ranks)], given[len(ranks) :]
        batches = [x.shape[0] for x, rank in zip(tensors, ranks, strict=True) if x is not None and x.dim() > rank]
        shapes = [
            tuple(x.shape)[x.dim() - len(p.dimensions) :] for x, p in zip(tensors, interface.inputs, strict=False)
        ]
        names = [size.name for size in interface.passed_sizes]
        sizes = interface.solve(shapes, dict(zip(names, passed, strict=True)))
        found = tuple(_made(tensors[0], p, p.shape(sizes), batches[:1], interface.order) for _, p in results)
        return found[0] if len(found) == 1 else found

    def batched(info: Any, in_dims: tuple[Any, ...], *given: Any) -> Any:
        operator = getattr(getattr(torch.ops, _NAMESPACE), name).default
        tensors, passed = given[: len(ranks)], given[len(ranks) :]
        moved, inner = _in_one_axis(info.batch_size, in_dims, tensors, ranks)
        found = operator(*moved, *passed)
        many = found if isinstance(found, tuple) else (found,)
        if inner is not None:
            many = tuple(x.reshape((info.batch_size, inner, *x.shape[1:])) for x in many)
        return (many, (0,) * len(many)) if len(many) > 1 else (many[0], 0)

    torch.library.register_fake(qualified, fake, lib=_library)
    torch.library.register_vmap(qualified, batched, lib=_library)


def _made(like: Any, p: Parameter, shape: tuple[Any, ...], batch: list[Any], order: str) -> Any:
    """Returns a tensor of a result's shape, type and order of axes in memory."""
    if order == "C" or len(shape) < 2:
        return like.new_empty((*batch, *shape), dtype=dtype(p))
    axes = [len(batch) + axis for axis in reversed(range(len(shape)))]
    return like.new_empty((*batch, *shape[::-1]), dtype=dtype(p)).permute(*range(len(batch)), *axes)


def _in_one_axis(size: int, axes: Sequence[Any], given: Sequence[Any], ranks: Sequence[int]) -> tuple[list[Any], Any]:
    """Moves the mapped axes, and the batch that there may be already, into one leading axis.

    Returns the tensors, and the size of the batch that there was.
    """
    moved = [x if x is None or axis is None else x.movedim(axis, 0) for x, axis in zip(given, axes, strict=False)]
    mapped = [axis is not None for axis in axes[: len(given)]]
    before = [
        x is not None and x.dim() - is_mapped > rank for x, is_mapped, rank in zip(moved, mapped, ranks, strict=True)
    ]
    inner = next((x.shape[is_mapped] for x, is_mapped, was in zip(moved, mapped, before, strict=True) if was), None)
    if inner is None:
        return moved, None
    return [
        x if x is None or not (is_mapped or was) else _flat(x, is_mapped, was, size, inner)
        for x, is_mapped, was in zip(moved, mapped, before, strict=True)
    ], inner


def _flat(x: Any, is_mapped: bool, was_batched: bool, size: int, inner: int) -> Any:
    if not is_mapped:
        x = x.expand(size, *x.shape)
    elif not was_batched:
        x = x.unsqueeze(1).expand(size, inner, *x.shape[1:])
    return x.reshape((size * inner, *x.shape[2:]))
