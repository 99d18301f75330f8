"""Modules that ask for variants of @f: requests in IR text, and copies made without one."""

from __future__ import annotations

import re

from enzyme_cc.autodiff.core.markers import VariantKind
from enzyme_cc.autodiff.variants.reading import FoundVariant, VariantOperands, variant_calls
from enzyme_cc.ir.module import Module

from ..normalise.rewriting import body as verified_body


def operands(call: str, declarations: str = "") -> VariantOperands:
    """The operands of one request, `call`, about @f(double)."""
    module = Module.parse(
        f"{declarations}\ndefine double @f(double %x) {{\n  ret double %x\n}}\n"
        f"define void @g(ptr %p, double %y, i32 %n) {{\n  {call}\n  ret void\n}}\n"
    )
    return VariantOperands(module, found(module))


def found(module: Module) -> FoundVariant:
    caller, call, kind = variant_calls(module)[0]
    return FoundVariant(caller, call, kind, "" if kind is VariantKind.TRUNCATE_MEM_VALUE else "@f")


def checked(text: str) -> str:
    """The text, which LLVM accepts as a module."""
    verified_body(text, definition(text, ""))
    return text


def body(text: str, name: str) -> list[str]:
    """The lines of the first function whose name begins so, in a text that LLVM accepts."""
    return verified_body(text, definition(text, name))


def definition(text: str, beginning: str) -> str:
    """The name of that function; if `beginning` ends with a parenthesis, it is the whole name."""
    found = re.search(rf"^define [^@]*(?=@{re.escape(beginning)})(@[^(]*)\(", text, re.M)
    assert found is not None
    return found[1]
