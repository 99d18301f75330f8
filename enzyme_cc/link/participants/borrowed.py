"""Which participants keep their native code in the link, and what the merged module borrows of their bitcode.

A library of a hundred files takes part with a few functions of each. The merged module gets the bitcode of these
functions, for their derivatives. Nothing else of the library is optimised or compiled again. Calls and addresses in the
new object mean the native functions and variables.

A local function or variable of native code has no name in the link. So it gets a second one (`elf.with_global_names`):

- a variable, because native code and derivatives work on the same one;
- a function whose address is taken: pointers to it lead to the native function.

Other local functions, and constants that native code does not have, are copied.

Of units with requests, some functions are compiled again (`own_code.py`). Units of which the two codes differ in what
they share are compiled again as a whole: LLVM may have split a local variable, or made it smaller. So are units
that take addresses of labels in functions which the merged module has, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from enzyme_cc.link.inputs.elf import Symbol
from enzyme_cc.link.inputs.module_text import Entity, ModuleText, labelled_functions
from enzyme_cc.link.inputs.taken_addresses import MACHINE, taken_addresses
from enzyme_cc.link.inputs.units import Carrier, Definition, Linked, Unit
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.declarations import is_registration
from enzyme_cc.link.participants.own_code import OwnCode, is_interface, own_code
from enzyme_cc.report.spelling import ENDING

# A unit, the name of a function there, and the slots of vtables if only these hold its address.
PointedIn = tuple[Unit, str, frozenset[int] | None]


class Borrowed(Struct, frozen=True):
    """What the merged module takes of one unit.

    `names` are the definitions, and `aliases` all aliases of the unit. Of the local definitions, `shared` have the
    given names in the link, and `copied` are the merged module's own. `written` are the names in the link of local
    variables that may change. `native_functions` are those that the link left out: the merged module declares them.
    `own` is what the merged module has for functions with requests.
    """

    names: frozenset[str]
    shared: Mapping[str, str] = field(default_factory=dict)
    copied: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()
    native_functions: frozenset[str] = frozenset()
    own: OwnCode = field(default_factory=OwnCode)


class PointedFunction(Struct, frozen=True):
    """A function that calls through pointers may reach, by its symbol in the merged module.

    `slots` are the slots of vtables that hold it; None if its address is taken elsewhere, too. `type` is the type of a
    library function, in LLVM's text: no bitcode defines it.
    """

    symbol: str
    slots: frozenset[int] | None = None
    type: str = ""


class Lender(Struct, frozen=True):
    """Decides what is borrowed.

    `text_of` gives the module of a unit with bitcode, `size_of` the size in bytes of a variable. `asking` are the
    units with requests or declarations.
    """

    linked: Linked
    text_of: Callable[[Unit], ModuleText]
    size_of: Callable[[Unit, Entity], int]

    def borrowed(
        self,
        units: Iterable[Unit],
        reached: Collection[Definition],
        left_out: Collection[Definition] = (),
        asking: Collection[Unit] = (),
    ) -> dict[Unit, Borrowed]:
        """Returns those of the units that can be borrowed. `reached` are the definitions that requests reach."""
        names: dict[Unit, set[str]] = {}
        for unit, name in reached:
            names.setdefault(unit, set()).add(name)
        found = {}
        for number, unit in enumerate(units, 1):
            made = self._of(unit, names.get(unit, set()), f"{ENDING}{number}", unit in asking)
            if made is not None:
                native = frozenset(name for definer, name in left_out if definer is unit)
                found[unit] = replace(made, native_functions=(native - made.copied) | made.native_functions)
        return found

    def _of(self, unit: Unit, reached: set[str], ending: str, is_asking: bool) -> Borrowed | None:
        if not self._has_both(unit) or (is_asking and self._lacks_symbols(unit)):
            return None
        if unit.carrier is not None:
            return self._carried(unit, unit.carrier, reached)
        module, file = self.text_of(unit), unit.file
        assert file is not None
        taken = taken_addresses(file)
        own = own_code(unit, module, file, taken, reached) if is_asking else OwnCode()
        if own is None or _has_labels(module, reached | own.bodies):
            return None
        shadows = _named_shadows(module) if is_asking else set()
        used = reached | own.variables | own.native_functions | own.bodies | shadows
        entities = [entity for name in sorted(used) if (entity := module.entities.get(name)) and entity.is_definition]
        aliases = frozenset(linkage.aliases(module))
        local = [e for e in entities if linkage.linkage(_head(module, e)) in linkage.LOCAL]
        variables = [e for e in local if not e.is_function]
        if any(e.name in aliases or self._differs(unit, e, file.locals.get(e.name)) for e in variables):
            return None
        places = file.locals
        there = (taken | {e.name for e in variables if self._is_there(unit, e, places.get(e.name))}) - own.bodies
        shared = {e.name: e.name + ending for e in local if e.name in there}
        return Borrowed(
            frozenset(entity.name for entity in entities),
            shared,
            frozenset(entity.name for entity in local).difference(shared),
            frozenset(shared[e.name] for e in variables if e.name in shared and file.is_written(file.locals[e.name])),
            aliases,
            own.native_functions - reached,
            own,
        )

    def _carried(self, unit: Unit, carrier: Carrier, reached: set[str]) -> Borrowed | None:
        """Returns what is borrowed of a unit in a shared library: it has given second names to what is not exported."""
        module, file = self.text_of(unit), unit.file
        assert file is not None
        entities = [e for name in sorted(reached) if (e := module.entities.get(name)) and e.is_definition]
        own = [e for e in entities if e.name not in carrier.exported]
        variables = [e for e in own if not e.is_function]
        native = {**file.locals, **{symbol.name: symbol for symbol in file.symbols}}
        there = {e.name for e in variables if e.name in carrier.names and self._is_there(unit, e, native.get(e.name))}
        if any(e.name not in there and self._may_change(unit, e, native.get(e.name)) for e in variables):
            return None
        if _has_labels(module, reached):
            return None
        functions = {e.name for e in own if e.is_function and e.name in carrier.names}
        shared = {name: carrier.names[name] for name in there | functions}
        return Borrowed(
            frozenset(entity.name for entity in entities),
            shared,
            frozenset(entity.name for entity in own).difference(shared),
            frozenset(shared[name] for name in there if not linkage.is_constant(_head(module, module.entities[name]))),
            frozenset(linkage.aliases(module)),
        )

    def _may_change(self, unit: Unit, variable: Entity, native: Symbol | None) -> bool:
        """True unless bitcode or native code shows that a variable keeps its value.

        LLVM leaves out variables that nothing writes, or that nothing reads. A part of another one has a longer name.
        """
        file = unit.file
        if file is None or linkage.is_constant(_head(self.text_of(unit), variable)):
            return False
        if native is None:
            return any(name.startswith(f"{variable.name}.") for name in file.locals)
        return file.is_written(native)

    def _lacks_symbols(self, unit: Unit) -> bool:
        """True if native code needs symbols that nothing defines, and that the new object may do without.

        These are helpers of the compiler, as for numbers of 16 bits, and functions that are registered.
        """
        needed = {s.name for s in unit.symbols if not (s.is_defined or s.is_weak or is_interface(s.name))}
        return any(name not in self.linked.definers and not self._is_shared(name) for name in needed)

    def _is_shared(self, name: str) -> bool:
        return any(name in library.defined for library in self.linked.shared)

    def _differs(self, unit: Unit, variable: Entity, native: Symbol | None) -> bool:
        """True if native code has not the variable that the bitcode has. It need not have one that never changes."""
        module = self.text_of(unit)
        if self._is_there(unit, variable, native) or linkage.is_constant(_head(module, variable)):
            return False
        return native is not None or variable.name in module.named_beside_loads

    def _is_there(self, unit: Unit, variable: Entity, native: Symbol | None) -> bool:
        """True if native code has the whole variable. It may be larger: AddressSanitizer puts bytes behind it."""
        return native is not None and native.size >= self.size_of(unit, variable)

    def _has_both(self, unit: Unit) -> bool:
        """True if the unit's native code and its bitcode are of the same source, and the native code can be read."""
        if unit.raw is not None or self.linked.wraps or len(unit.modules) != 1 or unit.file is None:
            return False
        return unit.file.machine == MACHINE and not linkage.has_assembly(self.text_of(unit))


def pointed(targets: Iterable[PointedIn], borrowed: Mapping[Unit, Borrowed]) -> Iterator[PointedFunction]:
    """Yields the functions that calls through pointers may reach and that have a name in the link."""
    for unit, name, slots in targets:
        for symbol in symbols_of_native([(unit, name)], borrowed):
            yield PointedFunction(symbol, slots)


def symbols_of_native(functions: Iterable[Definition], borrowed: Mapping[Unit, Borrowed]) -> Iterator[str]:
    """Yields the symbols in the link of functions that the merged module declares."""
    for unit, name in functions:
        of = borrowed.get(unit, Borrowed(frozenset()))
        if name not in of.copied:
            yield of.shared.get(name, name)


def _named_shadows(module: ModuleText) -> set[str]:
    """Returns the variables that may be shadows of others by their name, and all registrations."""
    return {name for name in module.entities if "_shadow" in name or is_registration(name)}


def _has_labels(module: ModuleText, bodies: Collection[str]) -> bool:
    """True if the unit takes addresses of labels in one of the functions of which the merged module has bodies.

    Memory may keep them until another body of the function reads them, which has other labels.
    """
    return not labelled_functions(module.text).isdisjoint(bodies)


def _head(module: ModuleText, entity: Entity) -> str:
    return module.of(entity).partition("\n")[0]
