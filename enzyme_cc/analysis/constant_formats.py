"""Formats of the C library that are constants: which operand is printed or read as what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..ir.constants import ConstantString, GlobalRef
from ..ir.module import Module
from ..ir.values import Value

_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})")
_SIZE = "hh|ll|[hlLqjzt]"
_SCANNED = re.compile(rf"%(?P<skipped>\*)?\d*'?(?P<size>{_SIZE}|m)?(?P<kind>\[\^?\]?[^\]]*\]|.)", re.DOTALL)
_PRINTED = re.compile(rf"%[-+ #0'I]*(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?(?:{_SIZE})?(?P<kind>.)", re.DOTALL)
_FLOATING = "aAeEfFgG"


def constant_format(module: Module, value: Value) -> str | None:
    """Returns the text of a format that is a constant of characters."""
    variable = module.globals.get(value.name) if isinstance(value, GlobalRef) else None
    text = variable.initializer if variable is not None and variable.constant else None
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)), text.text) if isinstance(text, ConstantString) else None


def scanned(format_: str) -> Iterator[str]:
    """Yields the type of number that each conversion of scanf writes: f, d or e; "" for what is no number."""
    for match in _SCANNED.finditer(format_):
        if match["kind"] != "%" and not match["skipped"]:
            is_number = match["kind"] in _FLOATING
            yield {"l": "d", "L": "e"}.get(match["size"] or "", "f") if is_number else ""


def printed(format_: str) -> Iterator[str]:
    """Yields the letter of the conversion of printf for each operand; * for a width or a precision."""
    for match in _PRINTED.finditer(format_):
        yield from "*" * (match["width"], match["precision"]).count("*")
        if match["kind"] not in "%m":
            yield match["kind"]
