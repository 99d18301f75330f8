"""The primitives: a compiled function and its derivatives up to the second (`derivative_rules.py` describes them).

Under `vmap` a primitive has a batch: the handler calls the entry point once for each element; differentiation goes
through `vmap` of the rule without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir, xla

from enzyme_cc.frameworks.applied_function import AppliedFunction
from enzyme_cc.frameworks.derivative_rules import BY_INPUT, TRANSPOSED
from enzyme_cc.functions.entry_points import COTANGENT, GRADIENT, GRADIENT_TANGENT, GROUPS, JVP, PRIMAL
from enzyme_cc.functions.interface import Parameter

from .jax_handler import register

#: groups of dual vectors: JAX's are the complex conjugates of ours
_DUAL = frozenset([COTANGENT, GRADIENT, GRADIENT_TANGENT])
_NO_SLOT = 1 << 30
#: older versions of JAX have no `typeof`
_type_of: Any = getattr(jax, "typeof", None) or jax.core.get_aval


def bind_primal(operation: AppliedFunction, inputs: Sequence[Any]) -> list[Any]:
    """Applies the compiled function to arrays of its types. Raises `TypeError` and `ValueError` for others."""
    return list(PRIMITIVES[PRIMAL].bind(*inputs, operation=operation, batch=None, batched=()))


def _call(kind: str, *given: Any, **options: Any) -> list[Any]:
    """Calls the entry point. Dual vectors are conjugated on their way in and out."""
    operation: AppliedFunction = options["operation"]
    passed = [_conjugated(group, x) for (group, _), x in zip(operation.arguments(kind), given, strict=True)]
    found = _CALLS[kind].bind(*passed, **options)
    return [_conjugated(group, x) for (group, _), x in zip(operation.results(kind), found, strict=True)]


def _conjugated(group: str, x: Any) -> Any:
    return jnp.conj(x) if group in _DUAL and jnp.iscomplexobj(x) else x


def _abstract(kind: str, *given: ShapedArray, operation: AppliedFunction, batch: int | None, batched: Any) -> list[Any]:
    count = len(operation.interface.inputs)
    shapes = [_without_batch(aval.shape, i, batched) for i, aval in enumerate(given[:count])]
    sizes = operation.sizes(tuple(shapes))
    for i, ((_, p), aval) in enumerate(zip(operation.arguments(kind), given, strict=True)):
        if _without_batch(aval.shape, i, batched) != p.shape(sizes) or aval.dtype != p.element.dtype:
            raise TypeError(f"{p.name}: wanted {p.element.dtype}{list(p.shape(sizes))}, got {aval.str_short()}")
    leading = () if batch is None else (batch,)
    return [ShapedArray(leading + p.shape(sizes), np.dtype(p.element.dtype)) for _, p in operation.results(kind)]


def _without_batch(shape: tuple[int, ...], i: int, batched: Sequence[bool]) -> tuple[int, ...]:
    return shape[1:] if batched and batched[i] else shape


# -- XLA


def _lower(kind: str, context: Any, *given: Any, operation: AppliedFunction, batch: int | None, batched: Any) -> Any:
    arguments, results = operation.arguments(kind), operation.results(kind)
    flags = [*(batched or [False] * len(given)), *([batch is not None] * len(results))]
    named = [*arguments, *results]
    point = operation.function.entry_point(kind)
    count = len(operation.interface.inputs)
    shapes = [_without_batch(aval.shape, i, batched) for i, aval in enumerate(context.avals_in[:count])]
    sizes = operation.sizes(tuple(shapes))
    number = {(group, p.name): i for i, (group, p) in enumerate(named)}
    slots, strides = [], []
    for slot in point.slots:
        i = number.get((slot.group, slot.argument.name))
        slots.append(_NO_SLOT if i is None else i if i < len(arguments) else len(arguments) - 1 - i)
        bytes_ = int(np.prod(slot.argument.shape(sizes), dtype=np.int64)) * slot.argument.element.size
        strides.append(0 if i is None or not flags[i] else bytes_)
    layouts = [_layout(operation, p, flag) for (_, p), flag in zip(named, flags, strict=True)]
    rule = jax.ffi.ffi_lowering(
        register(), operand_layouts=layouts[: len(arguments)], result_layouts=layouts[len(arguments) :]
    )
    values = [sizes[size.name] for size in operation.interface.sizes]
    return rule(
        context,
        *given,
        batch=np.int64(1 if batch is None else batch),
        library=point.path,
        symbol=point.symbol,
        sizes=np.array(values or [0], np.int64),
        slots=np.array(slots, np.int64),
        strides=np.array(strides, np.int64),
    )


def _layout(operation: AppliedFunction, p: Parameter, is_batched: bool) -> tuple[int, ...]:
    """The axes from minor to major."""
    axes = list(range(len(p.dimensions)))
    if operation.interface.order == "C":
        axes.reverse()
    return (*(axis + is_batched for axis in axes), *([0] if is_batched else []))


# -- vmap


def _batch(kind: str, given: Sequence[Any], axes: Sequence[Any], **options: Any) -> tuple[list[Any], list[int]]:
    inner, flags = options["batch"], options["batched"] or (False,) * len(given)
    size = next(x.shape[axis] for x, axis in zip(given, axes, strict=True) if axis is not None)
    moved = [x if axis is None else jnp.moveaxis(x, axis, 0) for x, axis in zip(given, axes, strict=True)]
    if inner is not None:
        moved = [_flat(x, axis, flag, size, inner) for x, axis, flag in zip(moved, axes, flags, strict=True)]
    batched = tuple(flag or axis is not None for axis, flag in zip(axes, flags, strict=True))
    whole = size if inner is None else size * inner
    found = PRIMITIVES[kind].bind(*moved, operation=options["operation"], batch=whole, batched=batched)
    if inner is not None:
        found = [x.reshape((size, inner, *x.shape[1:])) for x in found]
    return found, [0] * len(found)


def _flat(x: Any, axis: Any, flag: bool, size: int, inner: int) -> Any:
    """Returns an argument with the outer and the inner batch in one axis, if it has either."""
    if axis is None and not flag:
        return x
    if axis is None:
        x = jnp.broadcast_to(x, (size, *x.shape))
    elif not flag:
        x = jnp.broadcast_to(x[:, None], (size, inner, *x.shape[1:]))
    return x.reshape((size * inner, *x.shape[2:]))


# -- derivatives


def _apply(kind: str, options: dict[str, Any], flags: Sequence[bool], given: Sequence[Any]) -> list[Any]:
    """Applies a primitive to arguments where some have a leading batch axis."""
    plain = partial(PRIMITIVES[kind].bind, operation=options["operation"], batch=None, batched=())
    if options["batch"] is None:
        return list(plain(*given))
    axes = tuple(0 if flag else None for flag in flags)
    if not any(flags):
        return [jnp.broadcast_to(x, (options["batch"], *x.shape)) for x in plain(*given)]
    return list(jax.vmap(plain, in_axes=axes)(*given))


def _flags(kind: str, options: dict[str, Any]) -> list[list[bool]]:
    operation: AppliedFunction = options["operation"]
    return operation.split(kind, options["batched"] or [False] * len(operation.arguments(kind)))


def _dense(tangent: Any) -> Any:
    return ad.instantiate_zeros(tangent) if type(tangent) is ad.Zero else tangent


def _zero(primal: Any) -> Any:
    """Returns the tangent of a value that does not move."""
    return ad.Zero(_type_of(primal).to_tangent_aval())


def _sum(parts: Sequence[list[Any]]) -> list[Any]:
    return [sum(found[1:], found[0]) for found in zip(*parts, strict=True)]


def _jvp_of_primal(given: Sequence[Any], tangents: Sequence[Any], **options: Any) -> tuple[list[Any], list[Any]]:
    operation: AppliedFunction = options["operation"]
    outputs = PRIMITIVES[PRIMAL].bind(*given, **options)
    (flags,) = _flags(PRIMAL, options)
    active = operation.active(tangents)
    if all(type(t) is ad.Zero for t in active):
        return outputs, [_zero(x) for x in outputs]
    found = iter(_apply(JVP, options, [*flags, *operation.active(flags)], [*given, *map(_dense, active)]))
    actives = [p.is_active for p in operation.interface.outputs]
    return outputs, [next(found) if is_active else _zero(x) for x, is_active in zip(outputs, actives, strict=True)]


def _jvp_of_linear(
    kind: str, given: Sequence[Any], tangents: Sequence[Any], **options: Any
) -> tuple[list[Any], list[Any]]:
    operation: AppliedFunction = options["operation"]
    value = PRIMITIVES[kind].bind(*given, **options)
    inputs, *vectors = operation.split(kind, given)
    input_tangents, *vector_tangents = operation.split(kind, tangents)
    flags = _flags(kind, options)
    parts = []
    for i, changed in enumerate(vector_tangents):
        if any(type(t) is not ad.Zero for t in changed):
            with_change = [*vectors[:i], list(map(_dense, changed)), *vectors[i + 1 :]]
            parts.append(_apply(kind, options, _joined(flags), [*inputs, *_joined(with_change)]))
    directions = operation.active(input_tangents)
    if any(type(t) is not ad.Zero for t in directions):
        if kind not in BY_INPUT:
            raise NotImplementedError(
                f"{operation.function.__name__}: derivatives above the second order are not supported under JAX"
            )
        rule = BY_INPUT[kind]
        behind = _joined(rule.behind(vectors, list(map(_dense, directions))))
        behind_flags = _joined(rule.behind(flags[1:], operation.active(flags[0])))
        parts.append(_apply(rule.kind, options, [*flags[0], *behind_flags], [*inputs, *behind]))
    return value, _sum(parts) if parts else [_zero(x) for x in value]


def _joined(parts: Sequence[Sequence[Any]]) -> list[Any]:
    return [x for part in parts for x in part]


def _transpose(kind: str, cotangents: Sequence[Any], *given: Any, **options: Any) -> list[Any]:
    operation: AppliedFunction = options["operation"]
    groups, flags = operation.split(kind, given), _flags(kind, options)
    linear = [i for i, group in enumerate(groups[1:]) if any(ad.is_undefined_primal(x) for x in group)]
    if len(linear) != 1 or any(ad.is_undefined_primal(x) for x in groups[0]):
        raise NotImplementedError(f"{operation.function.__name__}: {kind} is not linear in these arguments")
    (i,) = linear
    rule = TRANSPOSED[kind, i]
    dense = list(map(_dense, cotangents))
    behind = _joined(rule.behind(groups[1:], dense))
    behind_flags = _joined(rule.behind(flags[1:], [options["batch"] is not None] * len(dense)))
    found = _apply(rule.kind, options, [*flags[0], *behind_flags], [*groups[0], *behind])
    summed = [x if flag or options["batch"] is None else x.sum(0) for x, flag in zip(found, flags[1 + i], strict=True)]
    before = sum(map(len, groups[: 1 + i]))
    result: list[Any] = [None] * len(given)
    for k, (x, value) in enumerate(zip(groups[1 + i], summed, strict=True)):
        result[before + k] = value if ad.is_undefined_primal(x) else None
    return result


def _named(name: str, kind: str) -> Primitive:
    primitive = Primitive(name)
    primitive.multiple_results = True
    primitive.def_abstract_eval(partial(_abstract, kind))
    primitive.def_impl(partial(xla.apply_primitive, primitive))
    return primitive


def _calling(kind: str) -> Primitive:
    """Returns the primitive that is a call of the entry point, and no more."""
    primitive = _named(f"enzyme_cc_call_{kind}", kind)
    mlir.register_lowering(primitive, partial(_lower, kind), platform="cpu")
    return primitive


def _differentiable(kind: str) -> Primitive:
    primitive = _named(f"enzyme_cc_{kind}", kind)
    mlir.register_lowering(primitive, mlir.lower_fun(partial(_call, kind), multiple_results=True), platform="cpu")
    batching.primitive_batchers[primitive] = partial(_batch, kind)
    if kind == PRIMAL:
        ad.primitive_jvps[primitive] = _jvp_of_primal
    else:
        ad.primitive_jvps[primitive] = partial(_jvp_of_linear, kind)
        ad.primitive_transposes[primitive] = partial(_transpose, kind)
    return primitive


_CALLS = {kind: _calling(kind) for kind in GROUPS}
PRIMITIVES = {kind: _differentiable(kind) for kind in GROUPS}
