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
from ...ir.folding import int_constant, zero
from ...ir.module import global_name
from ...ir.types import VOID
from ...ir.values import Argument, Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.calling_convention import Prototype
from ..core.round import Round
from ..core.signature import Form, Signature
from .frame import ARENA, MARK, Frame


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
    return _made(round, f"__ez_reverse_or_again.{plain_name(reverse)}", proto, "alwaysinline", _fill_test, signature)


def _made(
    round: Round, name: str, proto: Prototype, attributes: str, fill: Callable[..., None], signature: Signature
) -> str:
    symbol = global_name(name)
    if symbol not in round.output.functions:
        arguments = [Argument(t, "", "", k) for k, t in enumerate(proto.params)]
        made = Function(symbol, proto.type, arguments, "internal", f"{attributes} nounwind")
        fill(round, made, signature)
        round.enter(made)
    return symbol


def _fill_test(round: Round, made: Function, signature: Signature) -> None:
    """Most tapes are not dropped: what handles those that are is apart, and costs these nothing."""
    reverse, proto = round.derivatives.of(signature, Form.REVERSE)
    again = _made(round, f"__ez_again.{plain_name(reverse)}", proto, "noinline cold", _fill_again, signature)
    entry, dropped, kept = (made.add_block() for _ in range(3))
    b = Builder(entry)
    is_dropped = runtime.IS_DROPPED.call(b, made.arguments[-1])
    b.cond_br(b.icmp("eq", is_dropped, int_constant(0)), kept, dropped)
    for block, name in ((dropped, again), (kept, reverse)):
        b = Builder(block)
        result = b.call(name, proto.result, made.arguments)
        b.ret(None if proto.result == VOID else result)


def _fill_again(round: Round, made: Function, signature: Signature) -> None:
    reverse, proto = round.derivatives.of(signature, Form.REVERSE)
    augmented, of_augmented = round.derivatives.of(signature, Form.AUGMENTED)
    assert of_augmented.places.tape is not None
    given = proto.parameters.unpack(made.arguments)
    b = Builder(made.add_block())
    arena = b.alloca(ARENA, align=8)
    b.store(zero(ARENA), arena, 8)
    made_again = b.call(augmented, of_augmented.result, replace(given, arena=arena, seeds=(), tape=None).in_order())
    tape = b.extract_value(made_again, of_augmented.places.tape)
    result = b.call(reverse, proto.result, replace(given, tape=tape).in_order())
    runtime.FINISH.call(b, arena)
    b.ret(None if proto.result == VOID else result)
