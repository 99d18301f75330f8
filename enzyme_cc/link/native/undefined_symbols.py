"""Finds undefined symbols before the derivatives are made: the final link would tell them after all the work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from enzyme_cc.link.command.command import LinkCommand
from enzyme_cc.link.command.linker_options import Role
from enzyme_cc.link.inputs import elf
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.units import REQUEST, Linked, Unit
from enzyme_cc.link.native import run_linker
from enzyme_cc.link.process.scratch import Scratch

# The link defines the shadow of a global if the program names it so.
_SHADOW = re.compile(r"_shadow\d*$")


def refuse_undefined(
    linker: str,
    command: LinkCommand,
    replaced: Mapping[int, Sequence[str]],
    linked: Linked,
    given: frozenset[str],
    scratch: Scratch,
) -> None:
    """Raises `NativeLinkError` if the native linker refuses undefined symbols, with its own words.

    `given` are the undefined symbols that the new object defines or does not use. The linker is asked only if a unit
    has others that no unit and no library defines.
    """
    if not any(name not in given for name in _undefined(linked)):
        return
    without = frozenset({Role.OUTPUT, Role.SIDE_OUTPUT})
    defined = [f"--defsym={name}=0" for name in sorted(given)]
    run_linker.dry_run(linker, [*command.arguments(replaced, without), *defined], scratch)


def given_by_link(
    linked: Linked,
    text_of: Callable[[Unit], ModuleText],
    is_marker: Callable[[str], bool],
    is_registration: Callable[[str], bool],
) -> frozenset[str]:
    """Returns the undefined symbols that need no definition.

    These are requests, markers, shadows of globals, functions that are registered, and what only the native code of a
    unit with requests uses: helpers of the compiler (`__truncsfbf2`).
    """
    missing = frozenset(_undefined(linked))
    found = {name for name in missing if REQUEST in name or is_marker(name) or _SHADOW.search(name)}
    for unit in (unit for unit in linked.units if unit.requests and unit.modules and missing - found):
        module = text_of(unit)
        found |= {s.name for s in unit.symbols if s.name in missing and s.name not in module.entities}
        for entity in module.entities.values():
            if entity.is_definition and is_registration(entity.name):
                found |= missing & module.references(entity)
    return frozenset(found)


def _undefined(linked: Linked) -> Iterator[str]:
    """Yields the symbols that some unit needs, and that no unit and no library defines."""
    libraries = [library.defined for library in linked.shared]
    for unit in linked.units:
        for symbol in unit.symbols:
            if symbol.is_defined or symbol.binding == elf.BIND_WEAK:
                continue
            if symbol.name not in linked.definers and not any(symbol.name in names for names in libraries):
                yield symbol.name
