"""The autograd function: a compiled function and its derivatives up to the second.

With J the Jacobian at x, and H(w) the Hessian of the outputs weighted by w:

    primal(x)           outputs
    jvp(x, u)           J u                          backward by u: vjp, by x: hvp
    vjp(x, w)           J' w                         backward by w: jvp, by x: hvp
    hvp(x, w, u)        H(w) u                       backward by u: hvp, by w: jvp_of_jvp
    jvp_of_jvp(x, u, v) u' H(each output) v          backward by u or v: hvp

H is symmetric, so these five are closed under differentiation up to second order. A missing vector (None) is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from enzyme_cc.functions.entry_points import HVP, JVP, JVP_OF_JVP, PRIMAL, VJP

from .torch_operation import TensorCall

_Rule = Callable[[list[Any], Any], list[list[Any]]]

#: backward by x (0) or by a vector behind x (1, 2), where c is the cotangent of the result: the kind, and its arguments
#: behind x
_BACKWARD: dict[tuple[str, int], tuple[str, _Rule]] = {
    (PRIMAL, 0): (VJP, lambda vectors, c: [c]),
    (JVP, 0): (HVP, lambda vectors, c: [c, vectors[0]]),
    (JVP, 1): (VJP, lambda vectors, c: [c]),
    (VJP, 0): (HVP, lambda vectors, c: [vectors[0], c]),
    (VJP, 1): (JVP, lambda vectors, c: [c]),
    (HVP, 1): (JVP_OF_JVP, lambda vectors, c: [vectors[1], c]),
    (HVP, 2): (HVP, lambda vectors, c: [vectors[0], c]),
    (JVP_OF_JVP, 1): (HVP, lambda vectors, c: [c, vectors[1]]),
    (JVP_OF_JVP, 2): (HVP, lambda vectors, c: [c, vectors[0]]),
}
#: the derivative by x in a direction: the kind, and its arguments behind x
_BY_INPUT: dict[str, tuple[str, _Rule]] = {
    PRIMAL: (JVP, lambda vectors, direction: [direction]),
    JVP: (JVP_OF_JVP, lambda vectors, direction: [vectors[0], direction]),
    VJP: (HVP, lambda vectors, direction: [vectors[0], direction]),
}


class CompiledOperator(torch.autograd.Function):  # type: ignore[misc]  # torch's types are not read
    """Applies a `TensorCall` to its arguments, and returns a tuple of its results."""

    generate_vmap_rule = False

    @staticmethod
    def forward(call: TensorCall, *given: Any) -> tuple[torch.Tensor, ...]:
        """Runs the call."""
        return call.run(given)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, ...]) -> None:
        """Keeps the arguments."""
        call, *given = inputs
        ctx.call = call
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*given)
        ctx.save_for_forward(*given)
        inactive = [x for x, (_, p) in zip(output, call.results, strict=True) if not p.is_active]
        ctx.mark_non_differentiable(*inactive)

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:
        """Returns the cotangents of the arguments. Raises `NotImplementedError` above the second order."""
        call: TensorCall = ctx.call
        groups, flags = call.split(ctx.saved_tensors), call.split(call.flags)
        needed = call.split(ctx.needs_input_grad[1:])
        active = [c for c, (_, p) in zip(cotangents, call.results, strict=True) if p.is_active]
        if all(c is None for c in active):
            return (None,) * len(ctx.needs_input_grad)
        result: list[Any] = [None]
        for i, group in enumerate(needed):
            found = iter(_transposed(call, i, groups, flags, active) if _is_needed(call, i, group) else ())
            actives = [p.is_active for p in call.operation.function.interface.inputs] if i == 0 else [True] * len(group)
            values = [next(found, None) if is_active else None for is_active in actives]
            result += [_summed(x, call, flag) for x, flag in zip(values, flags[i], strict=True)]
        return tuple(result)

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Any) -> Any:
        """Returns the tangents of the results. Raises `NotImplementedError` above the second order."""
        call: TensorCall = ctx.call
        (inputs, *vectors), flags = call.split(ctx.saved_tensors), call.split(call.flags)
        input_tangents, *vector_tangents = call.split(tangents)
        parts = []
        for i, changed in enumerate(vector_tangents):
            if any(t is not None for t in changed):
                with_change = [*vectors[:i], changed, *vectors[i + 1 :]]
                parts.append(_apply(call, call.kind, flags, [inputs, *with_change]))
        directions = call.operation.active(input_tangents)
        if any(t is not None for t in directions):
            if call.kind not in _BY_INPUT:
                raise _above_second_order(call)
            kind, rule = _BY_INPUT[call.kind]
            behind = rule(vectors, directions)
            behind_flags = rule(flags[1:], call.operation.active(flags[0]))
            parts.append(_apply(call, kind, [flags[0], *behind_flags], [inputs, *behind]))
        found = iter([sum(terms[1:], terms[0]) for terms in zip(*parts, strict=True)])
        return tuple(next(found, None) if p.is_active else None for _, p in call.results)

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], call: TensorCall, *given: Any) -> Any:
        """Moves the mapped axis, and the batch that there may be already, into one leading axis."""
        size, axes, flags = info.batch_size, in_dims[1:], call.flags
        moved = [x if axis is None else x.movedim(axis, 0) for x, axis in zip(given, axes, strict=True)]
        if call.batch is not None:
            options = zip(moved, axes, flags, strict=True)
            moved = [_flat(x, axis is not None, flag, size, call.batch) for x, axis, flag in options]
        batched = tuple(flag or axis is not None for axis, flag in zip(axes, flags, strict=True))
        whole = size if call.batch is None else size * call.batch
        results = CompiledOperator.apply(TensorCall(call.operation, call.kind, whole, batched), *moved)
        if call.batch is not None:
            results = tuple(x.reshape((size, call.batch, *x.shape[1:])) for x in results)
        return results, (0,) * len(results)


def _is_needed(call: TensorCall, i: int, needed: Sequence[bool]) -> bool:
    return any(call.operation.active(needed) if i == 0 else needed)


def _transposed(
    call: TensorCall, i: int, groups: list[list[Any]], flags: list[list[bool]], cotangents: list[Any]
) -> Any:
    """Returns the cotangents of a group of arguments."""
    if (call.kind, i) not in _BACKWARD:
        raise _above_second_order(call)
    kind, rule = _BACKWARD[call.kind, i]
    behind = rule(groups[1:], cotangents)
    behind_flags = rule(flags[1:], [call.batch is not None] * len(cotangents))
    return _apply(call, kind, [flags[0], *behind_flags], [groups[0], *behind])


def _apply(call: TensorCall, kind: str, flags: Sequence[Sequence[bool]], groups: Sequence[Sequence[Any]]) -> Any:
    """Applies another kind with the same batch."""
    batched = () if call.batch is None else tuple(flag for group in flags for flag in group)
    derived = TensorCall(call.operation, kind, call.batch, batched)
    return CompiledOperator.apply(derived, *(x for group in groups for x in group))


def _summed(x: Any, call: TensorCall, flag: bool) -> Any:
    return x.sum(0) if x is not None and call.batch is not None and not flag else x


def _flat(x: Any, is_mapped: bool, flag: bool, size: int, inner: int) -> Any:
    """Returns an argument with the outer and the inner batch in one axis, if it has either."""
    if x is None or not (is_mapped or flag):
        return x
    if not is_mapped:
        x = x.expand(size, *x.shape)
    elif not flag:
        x = x.unsqueeze(1).expand(size, inner, *x.shape[1:])
    return x.reshape((size * inner, *x.shape[2:]))


def _above_second_order(call: TensorCall) -> NotImplementedError:
    name = call.operation.function.__name__
    return NotImplementedError(f"{name}: derivatives above the second order are not supported under PyTorch")
