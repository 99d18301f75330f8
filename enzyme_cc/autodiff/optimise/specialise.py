"""Specialises templates of stand-ins for the constants that calls pass: one function for each derived type of Fortran.

A template is a function named `__ez_of_each_…` (toolchain/stand_ins/fortran_derived.h). Its last operand is the address
of a derived type's table; others may be numbers. A call with constants becomes a call of a function made for these
constants. LLVM folds that function, and calls of templates in it are specialised in turn. A recursive type becomes a
recursive function. An address that is known at run time only is compared with all derived types of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from msgspec import Struct, field

from ...ir import llvm_passes
from ...ir.module import Module
from .compared_copies import NAME_OF_FUNCTION, comparing_copies
from .derived_types import DerivedTypes, tables

_TEMPLATE = "__ez_of_each_"
_OTHERWISE = "__ez_otherwise_"
_ASKS = "@__ez_is_extended("
_IS_EXTENDED = re.compile(
    r"(?:tail )?call i32 @__ez_is_extended\(ptr (?:[a-z_]+(?:\([^)]*\))? )*(@[-\w.$]+)\)(?: #\d+)?"
)
_DEFINE = re.compile(rf"^define (?:internal|weak_odr) void @{_TEMPLATE}\w+\(.*$", re.MULTILINE)
_CALL = re.compile(rf"call void @{_TEMPLATE}(\w+)\(")
_FUNCTION = re.compile(r"^define .*?^\}$", re.MULTILINE | re.DOTALL)
_HIDDEN = " optnone {"


def hide_templates(text: str) -> str:
    """Keeps LLVM from optimising the templates, and declares that they write through their first operand only."""

    def hide(match: re.Match[str]) -> str:
        line = match[0].replace("define internal", "define weak_odr").replace(" {", _HIDDEN)
        first, comma, rest = line.partition(", ")
        return first + comma + rest.replace("ptr noundef", "ptr noundef readonly")

    return _DEFINE.sub(hide, text)


def specialise(text: str) -> tuple[str, bool]:
    """Returns the module without templates, and whether any were used. Raises llvm_passes.LLVMError."""
    if "@" + _TEMPLATE not in text:
        return text, False
    text = _DEFINE.sub(lambda m: m[0].replace(_HIDDEN, " {"), text)
    names = tables(text)
    made, types = _Made(names), DerivedTypes(Module.parse(text), names)
    while True:
        known = len(made.names)
        changed: set[str] = set()

        def answered(function: re.Match[str], changed: set[str] = changed) -> str:
            after = made.without_templates(_with_extended(function[0], types))
            if after != function[0] and (name := NAME_OF_FUNCTION.search(after)) is not None:
                changed.add(name[1])
            return after

        text = _FUNCTION.sub(answered, text) + made.new()
        changed.update(list(made.names.values())[known:])
        if not changed:
            break
        text = comparing_copies(partial(_folded, functions=sorted(changed)), text, changed)
    module = llvm_passes.parse(_DEFINE.sub(lambda m: m[0].replace("define weak_odr", "define internal"), text))
    llvm_passes.run_passes(module, "globaldce")
    return _FUNCTION.sub(_apart, str(module)), bool(made.names)


def _folded(text: str, functions: Iterable[str]) -> str:
    """Returns the module with calls inlined, and constants folded in the functions: the others did not change."""
    module = llvm_passes.parse(text)
    llvm_passes.run_passes(module, "always-inline")
    llvm_passes.run_function_passes(module, functions, "sroa", "instcombine", "simplifycfg")
    return str(module)


def _with_extended(function: str, types: DerivedTypes) -> str:
    """Returns the function with an answer in the place of each question whether types extend a known one."""
    if _ASKS not in function:
        return function
    return _IS_EXTENDED.sub(lambda m: f"add i32 0, {int(types.is_extended(m[1]))}", function)


def _apart(function: re.Match[str]) -> str:
    """Marks specialised functions with calls `noinline`: they are large, and each assignment of elements calls them."""
    head, rest = function[0].split("\n", 1)
    is_large = "@__ez_made_" in head and "call " in rest
    return f"{head.removesuffix(' {')} noinline {{\n{rest}" if is_large else function[0]


class _Made(Struct):
    """The functions made so far, by template and constants."""

    types: list[str]
    names: dict[tuple[str, ...], str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    def new(self) -> str:
        """Returns the text of the functions made since the last call."""
        texts, self.texts = self.texts, []
        return "".join(texts)

    def without_templates(self, text: str) -> str:
        """Returns a function's text with calls of specialised functions in the place of calls of templates."""
        if _DEFINE.match(text) or "@" + _TEMPLATE not in text:
            return text
        parts, at = [], 0
        for call in _CALL.finditer(text):
            arguments, end = _arguments(text, call.end())
            name = self._name(call[1], arguments)
            rest = ", ".join(a for a in arguments if not _is_special(a, arguments))
            parts += [text[at : call.start()], f"call void @{name}({rest}"]
            at = end
        return "".join(parts) + text[at:]

    def _name(self, template: str, arguments: list[str]) -> str:
        key = (template, *(_value(a) if _is_special(a, arguments) else "" for a in arguments))
        if key not in self.names:
            self.names[key] = f"__ez_made_{len(self.names)}_{template}"
            self.texts.append(self._text(self.names[key], template, arguments))
        return self.names[key]

    def _text(self, name: str, template: str, arguments: list[str]) -> str:
        given = [a if _is_special(a, arguments) else f"ptr %{k}" for k, a in enumerate(arguments)]
        parameters = ", ".join(
            f"ptr captures(none) {'' if k == 0 else 'readonly '}%{k}"
            for k, a in enumerate(arguments)
            if not _is_special(a, arguments)
        )
        body = f"  call void @{_TEMPLATE}{template}({', '.join(given)}) alwaysinline\n  ret void\n"
        if not _is_constant(arguments[-1]):
            body = self._choice(template, [*given[:-1], f"ptr %{len(given) - 1}"])
        return f"\ndefine internal void @{name}({parameters}) nounwind {{\n{body}}}\n"

    def _choice(self, template: str, given: list[str]) -> str:
        """A body that compares the last operand with the tables of all types."""
        lines = []
        for k, type_ in enumerate(self.types):
            call = ", ".join([*given[:-1], f"ptr {type_}"])
            lines += [f"  %is{k} = icmp eq {given[-1]}, {type_}", f"  br i1 %is{k}, label %yes{k}, label %no{k}"]
            lines += [f"yes{k}:", f"  call void @{_TEMPLATE}{template}({call})", "  ret void", f"no{k}:"]
        return "\n".join([*lines, f"  call void @{_OTHERWISE}{template}({', '.join(given)})", "  ret void", ""])


def _arguments(text: str, at: int) -> tuple[list[str], int]:
    """The operands of a call whose parenthesis opens before index `at`, and the index where it closes."""
    depth, start, found = 0, at, []
    while depth >= 0:
        character = text[at]
        depth += (character in "([{") - (character in ")]}")
        if depth < 0 or (character == "," and depth == 0):
            found.append(text[start:at].strip())
            start = at + 1
        at += 1
    return found, at - 1


def _value(argument: str) -> str:
    """An operand without type and attributes."""
    return re.sub(r"^\w+ (?:[a-z_]+(?:\([^)]*\))? )*?(?=[@%\d]|getelementptr|null)", "", argument)


def _is_constant(argument: str) -> bool:
    return not _value(argument).startswith("%")


def _is_special(argument: str, arguments: list[str]) -> bool:
    """True if the function is made for this operand: a number, or the last operand if it is a constant."""
    return not argument.startswith("ptr ") or (argument is arguments[-1] and _is_constant(argument))
