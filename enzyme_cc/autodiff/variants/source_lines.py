"""Source lines for reports of precision: what a line is called, and constants that tell the runtime."""

from __future__ import annotations

from ...ir.constants import GlobalRef
from ...ir.module import Module
from ...ir.values import Instruction


def line_of(module: Module, i: Instruction) -> str | None:
    """ "file:line" of an instruction; None without debug information."""
    location = module.source_location(i)
    return location.rpartition(":")[0] if location is not None and location.count(":") > 1 else location


def text_of(module: Module, text: str) -> GlobalRef:
    """Adds a string and returns its address."""
    name = module.fresh_name("@__ez_text.place")
    plain = "".join(c if c.isprintable() and c.isascii() and c not in '"\\' else "?" for c in text)
    module.add_global(f'{name} = private constant [{len(plain) + 1} x i8] c"{plain}\\00"')
    return GlobalRef.of(name)


class SourceLines:
    """The lines of truncated code, each with a record that the runtime counts in (runtime/precision_report.c)."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._records: dict[str, GlobalRef] = {}

    def record(self, i: Instruction, elsewhere: str) -> GlobalRef:
        """Returns the address of the record of an instruction's line; `elsewhere` names code without lines."""
        place = line_of(self.module, i) or elsewhere
        if place not in self._records:
            text = text_of(self.module, place)
            name = self.module.fresh_name("@__ez_line")
            fields = f"ptr null, ptr {text.name}, i64 0, double 0.0, double 0.0"
            self.module.add_global(f"{name} = internal global {{ptr, ptr, i64, double, double}} {{{fields}}}")
            self._records[place] = GlobalRef.of(name)
        return self._records[place]
