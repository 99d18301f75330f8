"""What LLVM's passes put into code, and code that is compiled again loses: checks of sanitizers, counters of lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from enzyme_cc.link.inputs.units import Unit
from enzyme_cc.report import Diagnostic

#: what native code calls to start a sanitizer; UndefinedBehaviorSanitizer's checks are in bitcode, too
_STARTED = {
    "__asan_init": "AddressSanitizer",
    "__hwasan_init": "HWAddressSanitizer",
    "__msan_init": "MemorySanitizer",
    "__tsan_init": "ThreadSanitizer",
}
#: what native code of `--coverage` calls
_COUNTED = "llvm_gcov_init"
_SHOWN = 3
_RECOVER = "-fsanitize-recover="


def lost_checks(
    merged: Collection[Unit], again: Mapping[Unit, Collection[str]], instruments: bool = False
) -> list[Diagnostic]:
    """Returns what to warn of: `merged` are compiled again as a whole, of others the functions in `again`.

    `instruments` is true if sanitizers' passes run again.
    """
    parts = {**dict.fromkeys(merged, "all functions"), **{u: _named(names) for u, names in again.items() if names}}
    started = {} if instruments else _STARTED
    lost = [(unit, symbol.name) for unit in parts for symbol in unit.symbols if symbol.name in {*started, _COUNTED}]
    return [
        Diagnostic(
            "EZ0115",
            f"{parts[unit]} of {unit.label} lose the checks of {started[name]}",
            reason="they are compiled again, and there is no clang of LLVM 22, whose passes put the checks in",
        )
        if name in started
        else Diagnostic(
            "EZ0120",
            f"gcov does not count the lines of {parts[unit]} of {unit.label}",
            reason="they are compiled again, and the pass of --coverage only runs when a source is compiled",
        )
        for unit, name in lost
    ]


def _named(names: Collection[str]) -> str:
    shown = sorted(names)
    rest = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + rest


def recovering(units: Iterable[Unit]) -> frozenset[str]:
    """Returns the sanitizers after whose reports the program goes on, as one of the units was compiled."""
    words = (word for unit in units for word in unit.command if word.startswith(_RECOVER))
    return frozenset(name for word in words for name in word.removeprefix(_RECOVER).split(","))
