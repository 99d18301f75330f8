"""The operation of TensorFlow that calls an entry point, and its gradient, which is the same operation again.

The tensors of the operation have the axes of memory: those of Fortran's arrays are the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import tensorflow as tf

from enzyme_cc.frameworks.applied_function import AppliedFunction
from enzyme_cc.frameworks.derivative_rules import backward_rule
from enzyme_cc.frameworks.native_adapter import native_adapter
from enzyme_cc.functions.calls.products import CompiledFunction
from enzyme_cc.functions.entry_points import slots
from enzyme_cc.functions.interface import Parameter

_NO_SLOT = 1 << 30
#: functions by a hash of what they are made of: gradients find them by an attribute
_known: dict[str, AppliedFunction] = {}


@cache
def load() -> Any:
    """Returns the module of the operation, whose kernel is compiled on first use. Raises `CompileError`."""
    root = Path(tf.sysconfig.get_lib())
    flags = [f"-I{tf.sysconfig.get_include()}", *tf.sysconfig.get_link_flags(), f"-Wl,-rpath,{root}", "-ldl"]
    source = Path(__file__).with_name("kernel.c")
    return tf.load_op_library(native_adapter("TensorFlow", tf.version.VERSION, source, flags))


def known(function: CompiledFunction) -> AppliedFunction:
    """Returns the function, and keeps it for gradients."""
    load()
    return _known.setdefault(function.compiled.identity, AppliedFunction(function, ()))


def apply(applied: AppliedFunction, kind: str, given: Sequence[Any], sizes: Any) -> list[Any]:
    """Calls an entry point. `sizes` is an int64 tensor, or a list, of the values of the function's dimensions."""
    point = applied.function.entry_point(kind)
    arguments, results = applied.arguments(kind), applied.results(kind)
    places = {(group, p.name): i for i, (group, p) in enumerate(arguments)}
    places |= {(group, p.name): -1 - i for i, (group, p) in enumerate(results)}
    found = slots(applied.interface, kind)
    shapes = [_in_memory(applied, p, sizes) for _, p in results]
    outputs = load().enzyme_cc(
        given=list(given),
        sizes=tf.convert_to_tensor(sizes, tf.int64),
        extents=tf.convert_to_tensor([extent for shape in shapes for extent in shape], tf.int64),
        Tout=[dtype(p) for _, p in results],
        function=f"{applied.function.__name__} {applied.function.compiled.identity} {kind}",
        library=point.path,
        symbol=point.symbol,
        ranks=[len(shape) for shape in shapes],
        slots=[places.get((slot.group, slot.argument.name), _NO_SLOT) for slot in found],
    )
    for x, shape in zip(outputs, shapes, strict=True):
        x.set_shape([extent if isinstance(extent, int) else None for extent in shape])
    return list(outputs)


def _in_memory(applied: AppliedFunction, p: Parameter, sizes: Any) -> tuple[Any, ...]:
    """Returns the extents of a parameter: integers as far as they are known, and tensors."""
    values = sizes if isinstance(sizes, list) else tf.get_static_value(sizes)
    listed = tf.unstack(sizes, len(applied.interface.sizes)) if values is None else values
    integers = [x if tf.is_tensor(x) else int(x) for x in listed]
    shape = p.shape({size.name: x for size, x in zip(applied.interface.sizes, integers, strict=True)})
    return shape[::-1] if applied.interface.order == "F" else shape


def dtype(p: Parameter) -> Any:
    """Returns the tensor type of a parameter."""
    return tf.as_dtype(p.element.dtype)


@tf.RegisterGradient("EnzymeCc")  # type: ignore[untyped-decorator]  # TensorFlow's types are not read
def _gradient(operation: Any, *cotangents: Any) -> list[Any]:
    name, identity, kind = operation.get_attr("function").decode().split()
    if identity not in _known:
        raise LookupError(f"{name}: its derivatives are not known in this process; wrap the function first")
    applied = _known[identity]
    *given, sizes, _ = operation.inputs
    groups = applied.split(kind, given)
    pairs = zip(cotangents, operation.outputs, applied.results(kind), strict=True)
    change = [tf.zeros_like(y) if c is None else c for c, y, (_, p) in pairs if p.is_active]
    skipped = frozenset(getattr(operation, "skip_input_indices", None) or ())
    result: list[Any] = []
    for i, group in enumerate(groups):
        first = len(result)
        on = [p.is_active for p in applied.interface.inputs] if i == 0 else [True] * len(group)
        is_needed = any(is_on and first + k not in skipped for k, is_on in enumerate(on))
        found = iter(_transposed(applied, kind, i, groups, change, sizes) if is_needed else ())
        result += [next(found, None) if is_on else None for is_on in on]
    return [*result, None, None]


def _transposed(
    applied: AppliedFunction, kind: str, i: int, groups: list[list[Any]], change: list[Any], sizes: Any
) -> list[Any]:
    """Returns the cotangents of a group; above the second order, tensors that fail if something needs them."""
    rule = backward_rule(kind, i)
    if rule is not None:
        behind = [x for vectors in rule.behind(groups[1:], change) for x in vectors]
        return apply(applied, rule.kind, [*groups[0], *behind], sizes)
    on = applied.active(groups[0])
    failing = load().enzyme_cc(
        given=change,
        sizes=sizes,
        extents=tf.concat([tf.shape(x, tf.int64) for x in on], 0),
        Tout=[x.dtype for x in on],
        function="",
        library="",
        symbol=f"{applied.function.__name__}: derivatives above the second order are not supported under TensorFlow",
        ranks=[x.shape.rank for x in on],
        slots=[],
    )
    return list(failing)
