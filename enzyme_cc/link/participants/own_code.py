"""Which functions of a unit with requests are compiled again, so that the rest of its native code stays in the link.

The native code of a function with requests calls what nobody defines. The new object has this function instead, and the
native one gives way. The same holds for functions into which the compiler has inlined it, as relocations tell, and for
those that call it in the same unit: they may rely on its interface, or reach it without a symbol.

What these functions call is native code, except what has no symbol that the new object could name: local functions of
which nothing takes the address, and inline functions. The new object has bodies of them.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from enzyme_cc.link.inputs.elf import Elf
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import REQUEST, Unit
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.declarations import ANNOTATIONS, is_registration, marker_name

_STRONG = frozenset({"", "external", "weak"})


class OwnCode(Struct, frozen=True):
    """What the new object has of a unit whose native code stays.

    `again` are the functions that take the place of native ones, and `bodies` all functions that it has, with these.
    `visible` are those of them that others may name. `native_functions` are those that these call in native code.
    `variables` are those that they use.
    """

    again: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()
    visible: frozenset[str] = frozenset()
    native_functions: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()


def own_code(
    unit: Unit, module: ModuleText, file: Elf, taken: Collection[str], reached: Collection[str]
) -> OwnCode | None:
    """Returns what the new object has of a unit with requests; None if all of it must be compiled again.

    `taken` are the local functions whose address native code takes, `reached` the definitions that requests reach.
    """
    found = _Walk(module, file, taken)
    if not found.is_plain or (again := found.compiled_again(unit)) is None:
        return None
    if any(found.is_variable_that_changes(name) for name in found.used_by(reached)):
        return None  # analyses must see all code that uses it
    return found.own_code(again)


class _Walk(Struct, frozen=True):
    module: ModuleText
    file: Elf
    taken: Collection[str]

    @property
    def is_plain(self) -> bool:
        """True unless the unit has attributes, aliases, or definitions with names of requests or markers."""
        defines = any(is_interface(entity.name) for entity in self._definitions())
        return not (defines or ANNOTATIONS in self.module.entities or linkage.aliases(self.module))

    def compiled_again(self, unit: Unit) -> frozenset[str] | None:
        """Returns the functions that are compiled again; None if something else than a function needs one of them."""
        missing = {s.name for s in unit.symbols if not s.is_defined and is_interface(s.name)}
        work = [user for user, _ in self.file.users(missing.__contains__)]
        work += [e.name for e in self._definitions() if not self.module.references(e).isdisjoint(missing)]
        work += [e.name for e in self._definitions() if e.is_function and any(map(self._asks, self._names(e)))]
        again: set[str] = set()
        while work:
            name = work.pop()
            entity = self.module.entities.get(name)
            if entity is None or not (entity.is_function and entity.is_definition):
                return None
            if name not in again:
                again.add(name)
                work += self._users(entity)
        return frozenset(again)

    def _asks(self, name: str) -> bool:
        entity = self.module.entities[name]
        return is_interface(name) and not entity.is_definition

    def _users(self, function: Entity) -> list[str]:
        """Returns what uses a function without its symbol, or may rely on its interface."""
        kind = self._kind(function.name)
        users = [e for e in self._definitions() if function.name in self.module.references(e)]
        if kind in linkage.LOCAL:
            return [user.name for user in users]
        if kind in _STRONG:
            return [user.name for user in users if user.is_function and self._calls(user, function.name)]
        return []

    def _calls(self, user: Entity, name: str) -> bool:
        return any(callee == name for callee, _ in self.module.calls(user, name))

    def used_by(self, reached: Collection[str]) -> set[str]:
        """Returns what functions among `reached` use. Those with requests name what they do not differentiate."""
        functions = [e for n in reached if (e := self.module.entities.get(n)) is not None and e.is_function]
        plain = [e for e in functions if not any(map(self._asks, self._names(e)))]
        return {name for entity in plain for name in self._names(entity)}

    def is_variable_that_changes(self, name: str) -> bool:
        """True for a variable of the unit that is no constant."""
        entity = self.module.entities[name]
        head = self.module.of(entity).partition("\n")[0]
        is_constant = linkage.is_constant(head) or is_registration(name)
        return not entity.is_function and entity.is_definition and not is_constant

    def own_code(self, again: frozenset[str]) -> OwnCode:
        """Returns what the new object has, if these functions are compiled again."""
        bodies, native, variables = set(again), set[str](), set[str]()
        work = sorted(again)
        while work:
            for name in sorted(self._names(self.module.entities[work.pop()]) - bodies - native - variables):
                entity = self.module.entities[name]
                if not entity.is_definition:
                    continue
                if entity.is_function and self._is_native(name):
                    native.add(name)
                    continue
                (bodies if entity.is_function else variables).add(name)
                work.append(name)
        pointed = {name for e in self._definitions() for name in self.module.values(e)}
        visible = {n for n in bodies if self._kind(n) not in linkage.LOCAL and (n in again or n in pointed)}
        return OwnCode(again, *map(frozenset, (bodies, visible, native, variables)))

    def _is_native(self, name: str) -> bool:
        kind = self._kind(name)
        return name in self.taken if kind in linkage.LOCAL else kind in _STRONG

    def _kind(self, name: str) -> str:
        return linkage.linkage(self.module.of(self.module.entities[name]).partition("\n")[0])

    def _names(self, entity: Entity) -> set[str]:
        return self.module.references(entity) & self.module.entities.keys()

    def _definitions(self) -> list[Entity]:
        return [entity for entity in self.module.entities.values() if entity.is_definition]


def is_interface(name: str) -> bool:
    """True for the names of requests and markers, which the link gives a meaning."""
    return (REQUEST in name and not is_registration(name)) or marker_name(name) is not None
