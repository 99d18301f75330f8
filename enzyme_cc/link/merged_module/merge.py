"""Reads the bitcode of units and merges the participants into one module, as the native linker would resolve them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import llvmlite.binding as llvm

from enzyme_cc.ir import passes
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import REQUEST, Linked, Unit
from enzyme_cc.link.merged_module.borrow import Loans, reduce_to, type_in_text, unused_aliases
from enzyme_cc.link.merged_module.hindrances import MODE_FUNCTIONS, has_modes, uses_modes, without_hindrances
from enzyme_cc.link.merged_module.used_attribute import with_used
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.borrowed import Borrowed
from enzyme_cc.link.participants.declarations import marker_name
from enzyme_cc.report import EnzymeError
from enzyme_cc.rules.trace_interface import is_trace_interface

Guard = Callable[[str, int], AbstractContextManager[None]]

_PRODUCER = re.compile(r"Producer: '([^']*)'")
_INTEGER = re.compile(r"i\d+")


@dataclass
class BitcodeReader:
    """Reads the modules of units, each when it is first needed.

    Modules are read into one context, so that they can be linked. A text is printed from a module of a context of its
    own, which goes at once: most units of a library do not take part, and LLVM needs six times the memory of a text.
    So the two may name types differently.

    `guard(label, size)` surrounds the reading of bitcode: damaged bitcode may make LLVM hang or end the process.
    """

    guard: Guard
    context: llvm.ContextRef = field(default_factory=llvm.create_context)
    _modules: dict[Unit, llvm.ModuleRef] = field(default_factory=dict)
    _texts: dict[Unit, ModuleText] = field(default_factory=dict)
    _with_used: set[Unit] = field(default_factory=set)
    _sizes: dict[Unit, dict[str, int]] = field(default_factory=dict)

    def module(self, unit: Unit) -> llvm.ModuleRef:
        """Returns the module of a unit with bitcode. Raises `EnzymeError` (EZ0103, EZ0105)."""
        if unit not in self._modules:
            self._modules[unit] = self._read(unit, self.context)
        return self._modules[unit]

    def text(self, unit: Unit) -> ModuleText:
        """Returns the text of a unit's module with its `used` list restored, before any other change."""
        if unit not in self._texts:
            module = self._read(unit, llvm.create_context())
            with self.guard(unit.label, sum(map(len, unit.modules))):
                printed = ModuleText(str(module))
            self._texts[unit] = with_used(printed)
            if self._texts[unit] is not printed:
                self._with_used.add(unit)
        return self._texts[unit]

    def forget_others(self, participants: Collection[Unit]) -> None:
        """Frees the texts of units that do not take part."""
        self._texts = {unit: text for unit, text in self._texts.items() if unit in participants}

    def lacks_used(self, unit: Unit) -> bool:
        """True if the text of a unit has a list of used definitions, and its module has not."""
        return unit in self._with_used

    def size(self, unit: Unit, entity: Entity) -> int:
        """Returns the size of a variable that the unit defines, in bytes."""
        if unit not in self._sizes:
            module = self.module(unit)
            layout = llvm.create_target_data(module.data_layout)
            defined = (variable for variable in module.global_variables if not variable.is_declaration)  # else opaque
            types = {variable.name: variable.global_value_type for variable in defined}
            self._sizes[unit] = {name: int(layout.get_abi_size(type_)) for name, type_ in types.items()}
        return self._sizes[unit][entity.name]

    def all_text(self) -> str:
        """Returns all texts printed so far, one after the other."""
        return "\n".join(f"; {unit.label}\n{text.text}" for unit, text in self._texts.items())

    def take(self, unit: Unit) -> llvm.ModuleRef:
        """Returns the module of a unit to a caller that changes it, or links it into another one.

        Who asks for it later gets a new one: a program whose files are followed is merged twice.
        """
        module = self.module(unit)
        del self._modules[unit]
        return module

    def _read(self, unit: Unit, context: llvm.ContextRef) -> llvm.ModuleRef:
        modules = (read_bitcode(data, unit.label, self.guard, context, unit.is_proved) for data in unit.modules)
        first = next(modules)
        for other in modules:
            link_in(first, other, unit.label)
        return first


def read_bitcode(
    data: bytes, label: str, guard: Guard, context: llvm.ContextRef, is_proved: bool = False
) -> llvm.ModuleRef:
    """Returns the module in `data`, verified unless a checksum proves it or it is shipped.

    Raises `EnzymeError` (EZ0103, EZ0105).
    """
    try:
        with guard(label, len(data)):
            module = passes.parse_bitcode(data, context)
            if not is_proved:
                passes.verify(module)
    except passes.LLVMError as error:
        raise _unreadable(label, str(error)) from None
    return module


def assembled(text_of: Callable[[str], str], like: bytes) -> bytes:
    """Returns the bitcode of a module for the target of another one. `text_of` is given the target's triple."""
    return bytes(passes.parse(text_of(passes.parse_bitcode(like).triple)).as_bitcode())


def _unreadable(label: str, message: str) -> EnzymeError:
    reason = message.removeprefix("LLVM bitcode parsing error\n")
    found = _PRODUCER.search(message)
    major = re.match(r"\D*(\d+)\.", found[1]) if found else None
    if found and major and int(major[1]) > passes.version()[0]:
        ours = ".".join(map(str, passes.version()))
        return EnzymeError.of(
            "EZ0105",
            f"{label} carries bitcode of a newer LLVM",
            reason=f"it was made by {found[1]}; enzyme-cc reads with LLVM {ours} ({reason})",
        )
    return EnzymeError.of("EZ0103", f"{label} carries corrupt bitcode", reason=reason)


def link_in(target: llvm.ModuleRef, source: llvm.ModuleRef, label: str) -> None:
    """Merges `source` into `target`. `label` names the source in diagnostics. Raises `EnzymeError` (EZ0109)."""
    if source.triple.split("-")[:1] == target.triple.split("-")[:1]:
        source.triple = target.triple
    try:
        target.link_in(source)
    except RuntimeError as error:
        raise EnzymeError.of(
            "EZ0109", f"{label} cannot be merged with the units before it", reason=str(error)
        ) from None


def link_needed(target: llvm.ModuleRef, library: llvm.ModuleRef, label: str, names: Collection[str]) -> None:
    """Merges these functions and variables of a library into `target`. What they need becomes internal."""
    for value in [*library.functions, *library.global_variables]:
        if not value.is_declaration and value.name not in names and not value.name.startswith("llvm."):
            value.linkage = llvm.Linkage.internal
    passes.run_passes(library, "globaldce")
    library.data_layout = target.data_layout
    link_in(target, library, label)


@dataclass(frozen=True)
class Merged:
    """The merged module.

    `markers` are the lines that define the program's activity markers, by name. `loans` are the borrowed definitions.
    """

    module: llvm.ModuleRef
    markers: dict[str, str]
    loans: Loans


def merge(
    participants: Sequence[Unit], borrowed: Mapping[Unit, Borrowed], linked: Linked, reader: BitcodeReader
) -> Merged:
    """Returns one module of the participants, in their order. Raises `EnzymeError`."""
    markers: dict[str, str] = {}
    native: set[str] = set()
    modules = []
    with_modes = _rounding_modes_matter(participants, linked, reader)
    for unit in participants:
        clear = ModuleText(without_hindrances(reader.text(unit).text, with_modes))
        module = _resolved(unit, clear, frozenset(participants), linked, reader, borrowed.get(unit))
        if unit in borrowed:
            native |= reduce_to(borrowed[unit], module, unit, linked)
        else:
            _open_markers(module, reader.text(unit), markers)
        modules.append((module, unit.label))
    united = _united(modules)
    fixed = frozenset(name for lent in borrowed.values() for name in {*lent.shared.values()} - lent.written)
    fixed |= {v.name for v in united.global_variables if v.name in native and linkage.is_constant(str(v))}
    own = [lent.own for lent in borrowed.values()]
    again, visible = (frozenset().union(*sets) for sets in ((o.again for o in own), (o.visible for o in own)))
    return Merged(united, markers, Loans.of(frozenset(native) - again, fixed, again, visible, united))


def _rounding_modes_matter(participants: Sequence[Unit], linked: Linked, reader: BitcodeReader) -> bool:
    """Returns whether some participant was compiled for any rounding mode, and some unit of the program sets it."""
    if not any(has_modes(reader.text(unit).text) for unit in participants):
        return False
    if any(symbol.name in MODE_FUNCTIONS for unit in linked.units for symbol in unit.symbols):
        return True
    return any(uses_modes(reader.text(unit).text) for unit in linked.units if unit.modules)


def _united(modules: list[tuple[llvm.ModuleRef, str]]) -> llvm.ModuleRef:
    """Returns all modules linked into one, in their order.

    Neighbours are linked first: LLVM walks over the whole target for each module that it links in.
    """
    while len(modules) > 1:
        for (target, _), (source, label) in zip(modules[::2], modules[1::2], strict=False):
            link_in(target, source, label)
        modules = modules[::2]
    return modules[0][0]


def _resolved(
    unit: Unit,
    clear: ModuleText,
    participants: frozenset[Unit],
    linked: Linked,
    reader: BitcodeReader,
    borrowed: Borrowed | None,
) -> llvm.ModuleRef:
    """Returns the module of a unit in which definitions that do not prevail are declarations, after `--wrap`.

    So are functions that the link left out. Aliases that are not borrowed are internal. `clear`: the unit's text
    without hindrances.
    """
    text = reader.text(unit)
    beaten = {*_beaten(unit, text, participants, linked), *(borrowed.native if borrowed is not None else ())}
    lacks_used = borrowed is None and reader.lacks_used(unit)
    unused = frozenset() if borrowed is None else unused_aliases(borrowed, unit, linked) - beaten
    if not (beaten or unused or linked.wraps or lacks_used) and clear.text == text.text:
        return reader.take(unit)
    changed = linkage.declared(clear, beaten, lambda entity: type_in_text(entity, clear.of(entity)))
    if unused:
        changed = linkage.restored(ModuleText(changed), dict.fromkeys(unused, "internal"))
    return passes.parse(linkage.wrapped(ModuleText(changed), linked.wraps), reader.context)


def _beaten(unit: Unit, text: ModuleText, participants: frozenset[Unit], linked: Linked) -> Iterator[str]:
    """Yields the definitions that do not prevail in the native link, if LLVM's linker cannot know it.

    LLVM's linker would also change the meaning of aliases of such a definition.
    """
    aliased = linkage.aliased(text)
    for entity in text.entities.values():
        definer = linked.definers.get(entity.name)
        if not entity.is_definition or definer is None or definer is unit or REQUEST in entity.name:
            continue
        kind = linkage.linkage(text.of(entity).partition("\n")[0])
        by_llvm = kind in {"weak", "linkonce", "common"} and definer in participants and entity.name not in aliased
        if kind not in linkage.LOCAL | linkage.ODR | {"appending"} and not by_llvm and not _is_marker(entity):
            yield entity.name


def _is_marker(entity: Entity) -> bool:
    return not entity.is_function and marker_name(entity.name) is not None


def value_type(module: llvm.ModuleRef, entity: Entity) -> str:
    """Returns the value type of an entity, as LLVM's text has it."""
    get = module.get_function if entity.is_function else module.get_global_variable
    return str(get(entity.name).global_value_type)


def initial_value(line: str, value_type: str) -> str:
    """Returns the initial value on the line that defines an integer variable."""
    found = re.search(rf"(?:global|constant) {value_type} (-?\w+)", line)
    return found[1] if found else "0"


def _open_markers(module: llvm.ModuleRef, text: ModuleText, markers: dict[str, str]) -> None:
    """Changes linkages so that markers and request functions that several units define merge. Notes the markers."""
    for entity in text.entities.values():
        if not entity.is_definition:
            continue
        name = None if entity.is_function else marker_name(entity.name)
        if name is not None:
            variable = module.get_global_variable(entity.name)
            value = str(variable.global_value_type)
            if _INTEGER.fullmatch(value):
                variable.name = name
                variable.linkage = llvm.Linkage.linkonce_any
                if linkage.linkage(text.of(entity)) not in linkage.LOCAL:
                    markers.setdefault(name, f"@{name} = weak global {value} {initial_value(text.of(entity), value)}")
        elif entity.is_function and REQUEST in entity.name and not is_trace_interface(entity.name):
            module.get_function(entity.name).linkage = llvm.Linkage.linkonce_any
