"""Two marker functions by which rewritten primals state the derivative of a value: `__ez_constant`, `__ez_sloped`.

Both return their first operand, and LLVM inlines them in the end.

- `__ez_constant(x)`: the derivative is zero.
- `__ez_sloped(y, x, slope)`: the derivative is that of y, plus `slope` times that of x.

The end of the name is the type, such as `f64`. The rules are in rules/runtimes.py.
"""

from __future__ import annotations

import re

from ...analysis.integers.number_parts import CONSTANT
from ...ir.builder import Builder
from ...ir.types import DOUBLE, FLOAT, HALF, X86_FP80, FunctionType, Type, VectorType
from ...ir.values import Argument, Function, Value

SLOPED = "__ez_sloped"
_OWN = re.compile(rf"@({CONSTANT}|{SLOPED})\.\w+")
_SUFFIXES: dict[Type, str] = {DOUBLE: "f64", FLOAT: "f32", HALF: "f16", X86_FP80: "f80"}


def definition(name: str, type_: FunctionType) -> Function | None:
    """Returns the definition of one of the two functions; None for any other name."""
    if not _OWN.fullmatch(name):
        return None
    arguments = [Argument(t, "", "", k) for k, t in enumerate(type_.params)]
    function = Function(name, type_, arguments, "internal", "alwaysinline nounwind willreturn memory(none)")
    Builder(function.add_block()).ret(arguments[0])
    return function


def call_own(b: Builder, name: str, *operands: Value) -> Value:
    """Emits a call of one of the two functions."""
    type_ = operands[0].type
    return b.call(f"@{name}.{_suffix(type_)}", type_, operands)


def _suffix(type_: Type) -> str:
    return f"v{type_.count}{_suffix(type_.element)}" if isinstance(type_, VectorType) else _SUFFIXES[type_]
