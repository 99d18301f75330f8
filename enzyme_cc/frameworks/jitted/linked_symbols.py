"""Symbols that jitted code calls, and what a link needs to differentiate these calls.

Such a symbol is a derivative of a jitted function, or a compiled function. Its name depends on what it is made of, so
that modules which call it are the same in each process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import llvmlite.binding as llvm
from msgspec import Struct


class LinkedPart(Struct, frozen=True):
    """What defines some symbols: a module of LLVM IR, C source, and what is linked by `driver`, a compiler."""

    module: str = ""
    c_text: str = ""
    linked: tuple[str, ...] = ()
    driver: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """All that the part is made of."""
        return (self.module, self.c_text, self.driver, *self.linked)


_parts: dict[str, LinkedPart] = {}
_NAME = re.compile(r"@(enzyme_cc_(?:flat|jitted)_\w+)")


def define(addresses: Mapping[str, int], part: LinkedPart) -> None:
    """Makes symbols known to jitted code, and to links of what calls them."""
    for symbol, address in addresses.items():
        llvm.add_symbol(symbol, address)
        _parts[symbol] = part


def parts_of(module: str) -> tuple[LinkedPart, ...]:
    """Returns the parts that a module needs, and those that these need; each behind those that it needs."""
    found: dict[LinkedPart, None] = {}
    for symbol in dict.fromkeys(_NAME.findall(module)):
        part = _parts.get(symbol)
        if part is not None and part not in found:
            found |= dict.fromkeys(parts_of(part.module))
            found[part] = None
    return tuple(found)
