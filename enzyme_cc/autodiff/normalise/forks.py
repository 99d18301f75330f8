"""Makes a call of the region's function of each fork (analysis/region_calls.py)."""

from __future__ import annotations

from ...analysis.region_calls import LEADING, REGION
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.types import I32, VOID, FunctionType
from ...ir.values import CallInfo, Function, Instruction
from ...rules.parallel import FORK


def call_regions(function: Function) -> None:
    """Replaces each fork, in place."""
    for i in list(function.instructions()):
        if i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name == f"@{FORK}":
            _call_region(function, i)


def _call_region(function: Function, fork: Instruction) -> None:
    place, _, region, *captures = fork.arguments
    thread = Builder.first(function.entry).alloca(I32, align=4)
    b = Builder.before(fork)
    b.store(int_constant(0, I32), thread, 4)
    arguments = [thread, place, *captures]
    attributes = ("", "", *fork.call.argument_attributes[LEADING + 1 :])
    info = CallInfo(FunctionType(VOID, tuple(a.type for a in arguments)), attributes, attributes=REGION)
    b.insert(Instruction("call", VOID, [*arguments, region], info, metadata=fork.metadata))
    fork.erase()
