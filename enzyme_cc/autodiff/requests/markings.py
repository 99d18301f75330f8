"""Removes calls that only mark something for differentiation: type hints, and cuts of derivatives."""

from __future__ import annotations

from ...analysis.callees import CUT, HINTS, Callees
from ...ir.builder import Builder
from ...ir.constants import ConstantWord
from ...ir.module import Module
from ...ir.values import Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from .request import convert, convertible


def drop_markings(module: Module) -> None:
    """Removes hints, and replaces cuts by their argument. Raises EnzymeError if a cut has not one argument."""
    for name in list(module.functions):
        function = module.functions[name]
        if function.unparsed is not None and any(word in function.unparsed for word in (*HINTS, CUT)):
            module.body(name)
        for i in [i for i in function.instructions() if i.opcode == "call" and Callees.is_marking(str(i.callee))]:
            i.replace_uses(_replacement(module, function, i))
            i.erase()


def _replacement(module: Module, function: Function, i: Instruction) -> Value:
    if CUT not in str(i.callee):
        return ConstantWord(i.type, "poison")
    if len(i.arguments) != 1 or not convertible(i.arguments[0].type, i.type):
        raise EnzymeError.of(
            "EZ0203",
            f"{CUT} takes one value and returns it",
            location=module.source_location(i) or module.function_location(function),
            reason=f"it is given ({', '.join(str(a.type) for a in i.arguments)}) and declared to return {i.type}",
        )
    return convert(Builder.before(i), i.arguments[0], i.type)
