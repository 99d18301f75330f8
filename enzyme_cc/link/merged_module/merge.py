"""Reads the bitcode of units and merges the participants into one module, as the native linker would resolve them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from contextlib import AbstractContextManager

import llvmlite.binding as llvm
from msgspec import Struct, field
from msgspec.structs import replace

from enzyme_cc.autodiff.core.pass_table import run
from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import Linked, Unit
from enzyme_cc.link.merged_module.borrow import Loans, unused_aliases
from enzyme_cc.link.merged_module.hindrances import MODE_FUNCTIONS, has_modes, uses_modes
from enzyme_cc.link.merged_module.prevailing import beaten
from enzyme_cc.link.merged_module.unit_passes import UNIT_MODULE, UNIT_TEXT, UnitCode, UnitModuleCode
from enzyme_cc.link.merged_module.used_attribute import with_used
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.borrowed import Borrowed
from enzyme_cc.report import EnzymeError

Guard = Callable[[str, int], AbstractContextManager[None]]

_COMDAT = "\n$"  # begins the line of a COMDAT group
_FEW = 16  # variables
_PRODUCER = re.compile(r"Producer: '([^']*)'")


class BitcodeReader(Struct):
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
            module = llvm_passes.parse_bitcode(data, context)
            if not is_proved:
                llvm_passes.verify(module)
    except llvm_passes.LLVMError as error:
        raise _unreadable(label, str(error)) from None
    return module


def assembled(text_of: Callable[[str], str], like: bytes) -> bytes:
    """Returns the bitcode of a module for the target of another one. `text_of` is given the target's triple."""
    return bytes(llvm_passes.parse(text_of(llvm_passes.parse_bitcode(like).triple)).as_bitcode())


def _unreadable(label: str, message: str) -> EnzymeError:
    reason = message.removeprefix("LLVM bitcode parsing error\n")
    found = _PRODUCER.search(message)
    major = re.match(r"\D*(\d+)\.", found[1]) if found else None
    if found and major and int(major[1]) > llvm_passes.version()[0]:
        ours = ".".join(map(str, llvm_passes.version()))
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
    llvm_passes.run_passes(library, "globaldce")
    library.data_layout = target.data_layout
    link_in(target, library, label)


class Merged(Struct, frozen=True):
    """The merged module.

    `markers` are the lines that define the program's activity markers, by name. `loans` are the borrowed definitions.
    """

    module: llvm.ModuleRef
    markers: dict[str, str]
    loans: Loans


def merge(
    participants: Sequence[Unit],
    borrowed: Mapping[Unit, Borrowed],
    linked: Linked,
    reader: BitcodeReader,
    verify: bool = False,
    profiles: bool = False,
) -> Merged:
    """Returns one module of the participants, in their order. Raises `EnzymeError`.

    `profiles`: the program writes a profile of its calls, in which functions have the names of their units.
    """
    markers: dict[str, str] = {}
    native: set[str] = set()
    modules = []
    with_modes = _rounding_modes_matter(participants, linked, reader)
    for unit in participants:
        lent, text = borrowed.get(unit), reader.text(unit)
        left_out = lent.native_functions if lent is not None else ()
        lost = {*beaten(unit, text, frozenset(participants), linked), *left_out}
        unused = frozenset() if lent is None else unused_aliases(lent, unit, linked) - lost
        code = UnitCode(verify, text.text, with_modes, frozenset(lost), unused, tuple(linked.wraps))
        code = replace(code, defined=linked.definers, source_file=text.source_file if profiles else "")
        module = _resolved(unit, reader, code, lent is not None)
        reduced = run(UNIT_MODULE, UnitModuleCode(verify, module, text, unit, linked, lent))
        native |= reduced.native_functions
        markers |= {name: line for name, line in reduced.markers.items() if name not in markers}
        if lent is not None and _COMDAT in text.text:
            module = _without_unused_groups(module, reader.context)
        modules.append((module, unit.label))
    united = _united(modules)
    fixed = frozenset(name for lent in borrowed.values() for name in {*lent.shared.values()} - lent.written)
    fixed |= constant_variables(united, native)
    own = [lent.own for lent in borrowed.values()]
    again, visible = (frozenset().union(*sets) for sets in ((o.again for o in own), (o.visible for o in own)))
    return Merged(united, markers, Loans.of(frozenset(native) - again, fixed, again, visible, united))


def constant_variables(module: llvm.ModuleRef, names: Container[str]) -> set[str]:
    """Returns those of the variables with these names that never change.

    LLVM walks over the whole module for each variable that it prints alone: of many, it prints the module.
    """
    named = [(name, v) for v in module.global_variables if (name := v.name) in names]
    if len(named) <= _FEW:
        return {name for name, v in named if linkage.is_constant(str(v))}
    heads = (line for line in str(module).splitlines() if line.startswith("@"))  # in order, aliases behind variables
    pairs = zip(module.global_variables, heads, strict=False)
    return {v.name for v, head in pairs if linkage.is_constant(head)}.intersection(name for name, _ in named)


def _without_unused_groups(module: llvm.ModuleRef, context: llvm.ContextRef) -> llvm.ModuleRef:
    """Returns the module without COMDAT groups that nothing is in: LLVM's linker would drop those of other modules."""
    return llvm.parse_bitcode(module.as_bitcode(), context)


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


def _resolved(unit: Unit, reader: BitcodeReader, code: UnitCode, is_borrowed: bool) -> llvm.ModuleRef:
    """Returns the module of a unit after its passes on text; the module as it was read if they change nothing."""
    lacks_used = not is_borrowed and reader.lacks_used(unit)
    changed = run(UNIT_TEXT, code)
    if not (code.beaten or code.unused or code.wraps or lacks_used) and changed.text == code.text:
        return reader.take(unit)
    return llvm_passes.parse(changed.text, reader.context)


def value_type(module: llvm.ModuleRef, entity: Entity) -> str:
    """Returns the value type of an entity, as LLVM's text has it."""
    get = module.get_function if entity.is_function else module.get_global_variable
    return str(get(entity.name).global_value_type)
