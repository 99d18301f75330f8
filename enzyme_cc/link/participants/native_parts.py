"""Finds objects with native code beside the bitcode of other code, as `ld -r` makes them: both parts are linked.

If such an object makes requests, it takes part with its bitcode, and its native code stays in the link. The native
copies of functions that the bitcode defines are made weak. So every reference means the definition in the new object,
also one in the native part. Only the weak copies refer to their static functions and data.

Constructors and named sections of the bitcode would be in the program twice: the program uses them without naming
them. Such objects are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from enzyme_cc.link.inputs import elf
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import REQUEST, Unit
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.declarations import marker_name
from enzyme_cc.report import Diagnostic, EnzymeError

# Compilers add native code that is in no bitcode under these names: references to handlers, instrumentation, outlined
# functions.
_COMPILERS_OWN = re.compile(r"__|OUTLINED_FUNCTION_|.*\.")
# Sanitizers and profiles define these, not weakly, in each unit.
_INSTRUMENTATION = re.compile(r"___asan_globals_registered|__odr_asan_gen_|__llvm_profile_(?:filename|raw_version)")
_CONSTRUCTORS = ("llvm.global_ctors", "llvm.global_dtors")
_COUNTED_SECTION = re.compile(r'section "([A-Za-z_]\w*|\.(?:preinit_array|init_array|fini_array|ctors|dtors)[^"]*)"')


def native_parts(
    units: Iterable[Unit], merged: Collection[Unit], text_of: Callable[[Unit], ModuleText]
) -> dict[Unit, frozenset[str]]:
    """Returns the units with native code beside bitcode, each with the symbols that only the native code defines.

    Raises `EnzymeError` (EZ0107, EZ0114) if the two parts of a merged unit cannot be separated.
    """
    found = {}
    for unit in units:
        bitcode = _named_in_bitcode(text_of(unit))
        symbols = frozenset(_native_symbols(unit, bitcode))
        if symbols or any(_native_functions(unit, bitcode)):
            if unit in merged:
                _refuse_requests(unit, bitcode)
                _refuse_uncounted(unit, text_of(unit))
            found[unit] = symbols
    return found


def with_weak_copies(unit: Unit, native: frozenset[str]) -> bytes:
    """Returns the unit's object in which requests are weak, and definitions outside of `native`."""

    def gives_way(symbol: elf.Symbol) -> bool:
        return REQUEST in symbol.name or (symbol.is_defined and symbol.name not in native)

    return elf.weakened(unit.data, gives_way)


def with_functions_that_give_way(data: bytes | memoryview, names: Collection[str]) -> bytes:
    """Returns an object in which these functions are weak, and what only they need: requests and their markers."""

    def gives_way(symbol: elf.Symbol) -> bool:
        is_interface = REQUEST in symbol.name or marker_name(symbol.name) is not None
        return symbol.name in names if symbol.is_defined else is_interface

    return elf.weakened(data, gives_way)


def _named_in_bitcode(module: ModuleText) -> frozenset[str]:
    defined = (entity.name for entity in module.entities.values() if entity.is_definition)
    return frozenset(defined) | linkage.assembly_words(module)


def _native_symbols(unit: Unit, bitcode: frozenset[str]) -> Iterator[str]:
    for symbol in unit.symbols:
        own = _INSTRUMENTATION.match(symbol.name) or (symbol.is_weak and _COMPILERS_OWN.match(symbol.name))
        if symbol.is_defined and symbol.name not in bitcode and not own:
            yield symbol.name


def _native_functions(unit: Unit, bitcode: frozenset[str]) -> Iterator[str]:
    """Yields the static functions that no bitcode defines: a native part may be one static constructor."""
    for symbol in unit.file.functions if unit.file is not None and unit.raw is None else ():
        if symbol.name not in bitcode and not _COMPILERS_OWN.match(symbol.name):
            yield symbol.name


def _refuse_requests(unit: Unit, bitcode: frozenset[str]) -> None:
    """Raises `EnzymeError` (EZ0107) for requests in the native code."""
    users = unit.file.users(lambda name: REQUEST in name) if unit.file is not None else ()
    left = [
        Diagnostic(
            "EZ0107",
            f"{user} of {unit.label} calls {request}, but no bitcode defines {user}",
            reason="ld -r put objects with and without bitcode into one object",
        )
        for user, request in users
        if user not in bitcode and user.partition(".")[0] not in bitcode
    ]
    if left:
        raise EnzymeError(left)


def _refuse_uncounted(unit: Unit, module: ModuleText) -> None:
    """Raises `EnzymeError` (EZ0114) for constructors and named sections: the program would use them twice."""
    for entity in module.entities.values():
        if not entity.is_definition:
            continue
        if entity.name in _CONSTRUCTORS:
            raise _inseparable(unit, "its bitcode has a constructor or destructor, which runs before or after main")
        section = _counted_section(module, entity)
        if section:
            raise _inseparable(unit, f"its bitcode puts {entity.name} into section {section}")


def _counted_section(module: ModuleText, entity: Entity) -> str:
    if not entity.is_function and entity.name.startswith("llvm."):
        return ""
    found = _COUNTED_SECTION.search(module.of(entity).partition("\n")[0])
    return found[1] if found else ""


def _inseparable(unit: Unit, what: str) -> EnzymeError:
    reason = f"{what}, and the program would have it twice: ld -r put native code into the same object"
    return EnzymeError.of("EZ0114", f"native code and bitcode of {unit.label} cannot be told apart", reason=reason)
