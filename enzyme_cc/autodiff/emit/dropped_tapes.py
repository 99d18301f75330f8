"""Tapes of recursive calls that the primal sweep drops, and that the reverse sweep makes again.

A recursion with many calls, such as one over a tree, fills a tape for all of them, though the reverse sweep handles one
after the other. Where a call writes nothing and its reads do not change, its augmented function may run again in the
reverse sweep. The runtime drops a tape if it does not fit into a cache (`__ez_keep_tape` in toolchain/runtime/tape.c).
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.module import global_name
from ...ir.types import VOID
from ...ir.values import Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.round import Round
from ..core.signature import Form, Signature
from .frame import MARK, Frame, call_both_sweeps

_APART = "noinline cold nounwind"


def before_call(b: Builder, frame: Frame, call: Instruction) -> Callable[[Value], Value]:
    """Emits what precedes a call of an augmented function. Returns what emits the rest: from its tape, what is kept."""
    if not frame.analyses.may_be_dropped(call):
        return lambda tape: tape
    arena, mark = frame.arena, frame.prologue.alloca(MARK, align=8)
    runtime.MARK.call(b, arena, mark)
    return lambda tape: runtime.KEEP_TAPE.call(b, arena, mark, tape)


def reverse_or_run_again(round: Round, signature: Signature) -> str:
    """Returns the name of a function that is called as the reverse function, and takes dropped tapes, too."""
    reverse, proto = round.derivatives.of(signature, Form.REVERSE)

    def run_again(made: Function) -> None:
        b = Builder(made.add_block())
        found = call_both_sweeps(round, b, signature, proto.parameters.unpack(made.arguments))
        b.ret(None if proto.result == VOID else b.make_struct(replace(found, primal=None).in_order()))

    def test(made: Function) -> None:
        """Most tapes are not dropped: what handles those that are is apart, and costs these nothing."""
        again = round.make_once(global_name(f"__ez_again.{plain_name(reverse)}"), proto.type, _APART, run_again)
        entry, dropped, kept = (made.add_block() for _ in range(3))
        b = Builder(entry)
        is_dropped = runtime.IS_DROPPED.call(b, made.arguments[-1])
        b.cond_br(b.icmp("eq", is_dropped, int_constant(0)), kept, dropped)
        for block, name in ((dropped, again.name), (kept, reverse)):
            b = Builder(block)
            result = b.call(name, proto.result, made.arguments)
            b.ret(None if proto.result == VOID else result)

    symbol = global_name(f"__ez_reverse_or_again.{plain_name(reverse)}")
    return round.make_once(symbol, proto.type, "alwaysinline nounwind", test).name
