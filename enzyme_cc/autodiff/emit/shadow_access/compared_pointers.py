"""Pointers that may lead to memory which carries a derivative under another name.

A derivative loads such a pointer from memory without a shadow. The runtime (named_memory.c) compares it with the memory
that the request knows by its own names, and ends the program where it finds it there.
"""

from __future__ import annotations

from ....ir.types import PTR
from ....ir.values import Instruction, Value
from ....rules import runtime_functions as runtime
from ...globals.foreign_refusals import OTHER_NAME, place_of
from ..sweep import Sweep


def compare_names(sweep: Sweep, i: Instruction) -> None:
    """Emits the comparison of a pointer behind the instruction that loads it, if the pointer needs one."""
    if i not in sweep.analyses.other_names or sweep.of(i).type != PTR:
        return
    sweep.round.foreign_code.compares_names = True
    message = sweep.round.text(OTHER_NAME % place_of(sweep.round, i))
    runtime.REFUSE_OTHER_NAME.call(sweep.b, sweep.of(i), message)


def forget_freed(sweep: Sweep, pointer: Value) -> None:
    """Emits that memory with a shadow is freed: the request knows it no longer."""
    sweep.round.foreign_code.naming.append(runtime.FORGET_NAME.call(sweep.b, sweep.of(pointer)))
