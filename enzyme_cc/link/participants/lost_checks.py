"""The checks of sanitizers' passes in code that is compiled again: who warns if they are lost, and how they end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from enzyme_cc.link.inputs.units import Unit
from enzyme_cc.report import Diagnostic
from enzyme_cc.report.catalogue import CATALOGUE

#: what native code calls to start a sanitizer; UndefinedBehaviorSanitizer's checks are in bitcode, too
_STARTED = {
    "__asan_init": "AddressSanitizer",
    "__hwasan_init": "HWAddressSanitizer",
    "__msan_init": "MemorySanitizer",
    "__tsan_init": "ThreadSanitizer",
}
_SHOWN = 3
_RECOVER = "-fsanitize-recover="


def lost_checks(merged: Collection[Unit], again: Mapping[Unit, Collection[str]]) -> list[Diagnostic]:
    """Returns what to warn of: `merged` are compiled again as a whole, of others the functions in `again`."""
    parts = {**dict.fromkeys(merged, "all functions"), **{u: _named(names) for u, names in again.items() if names}}
    return [
        Diagnostic(
            "EZ0115",
            f"{parts[unit]} of {unit.label} lose the checks of {_STARTED[symbol.name]}",
            reason="they are compiled again, and there is no clang of LLVM 22, whose passes put the checks in",
            remedy=CATALOGUE["EZ0115"].remedy,
        )
        for unit in parts
        for symbol in unit.symbols
        if symbol.name in _STARTED
    ]


def _named(names: Collection[str]) -> str:
    shown = sorted(names)
    rest = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + rest


def recovering(units: Iterable[Unit]) -> frozenset[str]:
    """Returns the sanitizers after whose reports the program goes on, as one of the units was compiled."""
    words = (word for unit in units for word in unit.command if word.startswith(_RECOVER))
    return frozenset(name for word in words for name in word.removeprefix(_RECOVER).split(","))
