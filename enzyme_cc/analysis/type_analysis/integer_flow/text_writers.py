"""Finds the functions that write characters or digits to a text, themselves or through functions that they call."""

from __future__ import annotations

from collections.abc import Mapping

from ....ir.graphs import reachable
from ....ir.types import IntType
from ....ir.values import Function, Instruction
from ....rules.streams.channels import channel_of_integers_written
from ...callees import plain_name
from ...integers.digits import CHARACTERS


def text_writers(functions: Mapping[str, Function]) -> frozenset[str]:
    """Returns the names of these functions."""
    callers: dict[str, set[str]] = {}
    writers = []
    for name, function in functions.items():
        instructions = list(function.instructions())
        for callee in {i.callee_name for i in instructions if i.opcode == "call"} & functions.keys():
            callers.setdefault(callee, set()).add(name)
        if any(map(_writes_text, instructions)):
            writers.append(name)
    return frozenset(reachable(writers, lambda name: sorted(callers.get(name, ()))))


def _writes_text(i: Instruction) -> bool:
    if i.opcode == "store":
        type_ = i.operands[0].type
        return isinstance(type_, IntType) and 8 <= type_.bits <= CHARACTERS
    return i.opcode == "call" and channel_of_integers_written(plain_name(i.callee_name)) is not None
