"""Objects in which `ld -r` put native code beside the bitcode of other code: both parts have to be linked.

Such an object takes part with its bitcode, and stays in the link with all its native code. The native copies of what
the bitcode defines are made weak, so that every reference (the native part's too) means the new object's definitions;
nothing reaches the copies' static functions and data but the copies. That holds as long as nothing runs or counts
definitions without naming them: constructors and named sections of the bitcode would be there twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from enzyme_cc.link.inputs import elf
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import REQUEST, Unit
from enzyme_cc.link.participants import linkage
from enzyme_cc.report import Diagnostic, EnzymeError
from enzyme_cc.report.catalogue import CATALOGUE

# Names that compilers give to what is in no bitcode: references to handlers, instrumentation, outlined code.
_COMPILERS_OWN = re.compile(r"__|OUTLINED_FUNCTION_|.*\.")
_CONSTRUCTORS = ("llvm.global_ctors", "llvm.global_dtors")
_COUNTED_SECTION = re.compile(r'section "([A-Za-z_]\w*|\.(?:preinit_array|init_array|fini_array|ctors|dtors)[^"]*)"')


def native_parts(units: Iterable[Unit], text_of: Callable[[Unit], ModuleText]) -> dict[Unit, frozenset[str]]:
    """Return the units that hold code without bitcode beside bitcode, with the symbols that only that code defines.

    Raises `EnzymeError` (EZ0107, EZ0114) where the two parts cannot be told apart in the link.
    """
    found = {}
    for unit in units:
        bitcode = _named_in_bitcode(text_of(unit))
        symbols = frozenset(_native_symbols(unit, bitcode))
        if symbols or any(_native_functions(unit, bitcode)):
            _refuse_requests(unit, bitcode)
            _refuse_uncounted(unit, text_of(unit))
            found[unit] = symbols
    return found


def with_weak_copies(unit: Unit, native: frozenset[str]) -> bytes:
    """Return the unit's object with everything weak that the new object defines, or has replaced."""

    def gives_way(symbol: elf.Symbol) -> bool:
        return REQUEST in symbol.name or (symbol.is_defined and symbol.name not in native)

    return elf.weakened(unit.data, gives_way)


def _named_in_bitcode(module: ModuleText) -> frozenset[str]:
    defined = (entity.name for entity in module.entities.values() if entity.is_definition)
    return frozenset(defined) | linkage.assembly_words(module)


def _native_symbols(unit: Unit, bitcode: frozenset[str]) -> Iterator[str]:
    for symbol in unit.symbols:
        own = symbol.is_weak and _COMPILERS_OWN.match(symbol.name)
        if symbol.is_defined and symbol.name not in bitcode and not own:
            yield symbol.name


def _native_functions(unit: Unit, bitcode: frozenset[str]) -> Iterator[str]:
    """Yield the static functions that no bitcode defines: perhaps a constructor is all that a native part has."""
    for symbol in unit.file.functions if unit.file is not None and unit.raw is None else ():
        if symbol.name not in bitcode and not _COMPILERS_OWN.match(symbol.name):
            yield symbol.name


def _refuse_requests(unit: Unit, bitcode: frozenset[str]) -> None:
    """Raise `EnzymeError` (EZ0107) for requests in the native code."""
    users = unit.file.users(lambda name: REQUEST in name) if unit.file is not None else ()
    left = [
        Diagnostic(
            "EZ0107",
            f"{user} of {unit.label} calls {request}, but no bitcode defines {user}",
            reason="ld -r put objects with and without bitcode into one object",
            remedy=CATALOGUE["EZ0107"].remedy,
        )
        for user, request in users
        if user not in bitcode and user.partition(".")[0] not in bitcode
    ]
    if left:
        raise EnzymeError(left)


def _refuse_uncounted(unit: Unit, module: ModuleText) -> None:
    """Raise `EnzymeError` (EZ0114) for what the program would find twice without naming it."""
    for entity in module.entities.values():
        if not entity.is_definition:
            continue
        if entity.name in _CONSTRUCTORS:
            raise _inseparable(unit, "code of the bitcode runs before or after main (a constructor or destructor)")
        section = _counted_section(module, entity)
        if section:
            raise _inseparable(unit, f"its bitcode puts {entity.name} into section {section}")


def _counted_section(module: ModuleText, entity: Entity) -> str:
    if not entity.is_function and entity.name.startswith("llvm."):
        return ""
    found = _COUNTED_SECTION.search(module.of(entity).partition("\n")[0])
    return found[1] if found else ""


def _inseparable(unit: Unit, what: str) -> EnzymeError:
    reason = f"{what}, and would be there twice: ld -r put native code into the same object"
    return EnzymeError.of("EZ0114", f"the parts of {unit.label} cannot be told apart", reason=reason)
