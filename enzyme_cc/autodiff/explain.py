"""What `--enzyme-explain` prints of one derivative: what is active, what is stored, what is computed again."""

from __future__ import annotations

from ..analysis.activity import Activity
from ..analysis.callees import plain_name
from ..analysis.needs import Need, Plan, need_type
from ..ir.module import Module
from ..ir.types import alloc_size
from ..ir.values import Function, Instruction


def explain(module: Module, function: Function, activity: Activity, plan: Plan) -> str:
    """A few lines about one derivative function."""
    active = [i for i in function.instructions() if activity.active(i)]
    lines = [
        f"enzyme-cc: {plain_name(function.name)}: {len(active)} active instructions, {len(plan.stored)} values stored"
    ]
    for scope, needs in plan.by_scope.items():
        size = sum(alloc_size(need_type(n)) for n in needs)
        where = "once" if scope is None else f"per iteration, depth {scope.depth}"
        lines.append(f"  stored {where}: {size} bytes")
        lines += [f"    {_describe(module, need)}" for need in needs]
    return "\n".join(lines)


def _describe(module: Module, need: Need) -> str:
    if isinstance(need.of, Instruction):
        where = module.source_location(need.of)
        return f"{need.kind} of {need.of.opcode} {need.of.type}" + (f" at {where}" if where else "")
    return need.kind
