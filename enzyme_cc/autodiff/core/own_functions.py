"""Two functions of our own that derivatives are told by. The value of each is its first operand.

`__ez_constant(x)` has derivative zero. `__ez_sloped(y, x, slope)` moves as y does, and as x does, times the slope. What
their names end with says the type. Their rules are in rules/runtimes.py; LLVM inlines them in the end.
"""

from __future__ import annotations

import re

from ...analysis.integers.bits import CONSTANT
from ...ir.builder import Builder
from ...ir.types import DOUBLE, FLOAT, HALF, X86_FP80, FunctionType, Type, VectorType
from ...ir.values import Argument, Function, Value

SLOPED = "__ez_sloped"
_OWN = re.compile(rf"@({CONSTANT}|{SLOPED})\.\w+")
_SUFFIXES: dict[Type, str] = {DOUBLE: "f64", FLOAT: "f32", HALF: "f16", X86_FP80: "f80"}


def definition(name: str, type_: FunctionType) -> Function | None:
    """The body of one of these two functions, in the type that its name says; None for any other name."""
    if not _OWN.fullmatch(name):
        return None
    arguments = [Argument(t, "", "", k) for k, t in enumerate(type_.params)]
    function = Function(name, type_, arguments, "internal", "alwaysinline nounwind willreturn memory(none)")
    Builder(function.add_block()).ret(arguments[0])
    return function


def call_own(b: Builder, name: str, *operands: Value) -> Value:
    """A call of one of the two."""
    type_ = operands[0].type
    return b.call(f"@{name}.{_suffix(type_)}", type_, operands)


def _suffix(type_: Type) -> str:
    return f"v{type_.count}{_suffix(type_.element)}" if isinstance(type_, VectorType) else _SUFFIXES[type_]
