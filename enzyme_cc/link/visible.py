"""Decides which symbols of the merged module others may refer to."""

from __future__ import annotations

from collections.abc import Callable, Collection

from enzyme_cc.link import search
from enzyme_cc.link.command import LinkCommand
from enzyme_cc.link.options import Role
from enzyme_cc.link.units import Linked, Unit

# What start-up code or the linker looks for without a symbol in any object.
_ALWAYS = frozenset({"main", "_start", "_init", "_fini", "__start", "_end", "_edata"})
_NAMES_SYMBOLS = (Role.ENTRY, Role.WRAP)


def visibility(command: LinkCommand, linked: Linked, participants: Collection[Unit]) -> Callable[[str, bool], bool]:
    """Return a predicate of a symbol and whether it is hidden: may anything but the merged module refer to it?

    That may native units, shared libraries (an executable's symbol may take the place of a library's), options that
    name symbols, linker scripts, and, where symbols are exported, everything.
    """
    native = {symbol.name for unit in linked.units if unit not in participants for symbol in unit.symbols}
    named = native | _ALWAYS | _named_by_options(command) | _named_by_scripts(command, linked)
    tables = [library.file.strings for library in linked.shared]
    exports = command.has(Role.SHARED, Role.EXPORT)

    def is_kept(name: str, hidden: bool) -> bool:
        if name in named:
            return True
        if hidden:
            return False
        key = name.encode("utf-8", "surrogateescape") + b"\0"
        return exports or any(key in table for table in tables)

    return is_kept


def _named_by_options(command: LinkCommand) -> set[str]:
    names = {word for value in command.values(*_NAMES_SYMBOLS) for word in search.words(value)}
    wrapped = set(command.values(Role.WRAP))
    return names | {f"__wrap_{name}" for name in wrapped} | {f"__real_{name}" for name in wrapped}


def _named_by_scripts(command: LinkCommand, linked: Linked) -> set[str]:
    texts = list(linked.scripts)
    for path in command.values(Role.SCRIPT):
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                texts.append(file.read())
        except OSError:
            continue  # the native linker finds it elsewhere, or says that it is missing
    return {word for text in texts for word in search.words(text)}
