"""What of a unit's definitions prevails in the native link: the others become declarations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import REQUEST, Linked, Unit
from enzyme_cc.link.merged_module.borrow import type_in_text
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.declarations import marker_name
from enzyme_cc.rules.control_functions import callback


def beaten(unit: Unit, text: ModuleText, participants: frozenset[Unit], linked: Linked) -> Iterator[str]:
    """Yields the definitions that do not prevail in the native link, if LLVM's linker cannot know it.

    LLVM's linker would also change the meaning of aliases of such a definition. What the headers of the C library
    define inline does not prevail where more is known of the function itself: how it calls what it is given.
    """
    aliased = linkage.aliased(text)
    for entity in text.entities.values():
        definer = linked.definers.get(entity.name)
        if definer is None and callback(entity.name) and _is_inline(entity, text):
            yield entity.name
        if not entity.is_definition or definer is None or definer is unit or REQUEST in entity.name:
            continue
        kind = linkage.linkage(text.of(entity).partition("\n")[0])
        by_llvm = kind in {"weak", "linkonce", "common"} and definer in participants and entity.name not in aliased
        if kind not in linkage.LOCAL | linkage.ODR | {"appending"} and not by_llvm and not _is_marker(entity):
            yield entity.name


def _is_inline(entity: Entity, text: ModuleText) -> bool:
    return entity.is_definition and linkage.linkage(text.of(entity).partition("\n")[0]) == "available_externally"


def _is_marker(entity: Entity) -> bool:
    return not entity.is_function and marker_name(entity.name) is not None


def without_beaten(text: str, names: Collection[str]) -> str:
    """Returns a unit's text in which these definitions are declarations."""
    module = ModuleText(text)
    return linkage.declared(module, names, lambda entity: type_in_text(entity, module.of(entity)))


def with_internal_aliases(text: str, names: Iterable[str]) -> str:
    """Returns a unit's text in which these aliases are internal: LLVM drops them, and what only they keep."""
    return linkage.restored(ModuleText(text), dict.fromkeys(names, "internal"))


def with_wraps(text: str, symbols: Iterable[str]) -> str:
    """Returns a unit's text after `--wrap` of these symbols."""
    return linkage.wrapped(ModuleText(text), symbols)
