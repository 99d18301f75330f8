"""Gives bodies to library functions without bitcode (qsort, std::map's tree, flang's runtime) in differentiated code.

A stand-in is our own implementation of such a function, in C, under toolchain/stand_ins. It is linked into the merged
module before the optimiser runs. Functions that requests may reach call it in the place of the library's function. So
it is inlined and differentiated as other code is. The rest of the program calls the library as before.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache

import llvmlite.binding as llvm

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.target import architecture_name
from enzyme_cc.link.inputs.module_text import Entity, ModuleText, quoted
from enzyme_cc.link.merged_module.libraries.pointed_stand_ins import ThroughPointers
from enzyme_cc.link.merged_module.libraries.shipped import Shipped
from enzyme_cc.link.merged_module.merge import Guard, link_needed, read_bitcode
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.merged_module.threads.gathered_threads import with_runs
from enzyme_cc.link.merged_module.threads.parallel_regions import ALONE, Regions, with_names_of_teams
from enzyme_cc.link.merged_module.threads.teams_of_one import NUMBERS, TURN, with_teams_of_one
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.declarations import inactive_functions, is_registration
from enzyme_cc.link.participants.pointers.pointer_targets import shape_of_type, type_of_definition
from enzyme_cc.rules.parallel.fibers import FIBER, MAKERS, ON_FIBERS, WAKES
from enzyme_cc.rules.parallel.gathered import GATHERED, ON_GATHERED
from enzyme_cc.rules.parallel.openmp import TEAM

_NameOf = Callable[[str], str]

#: The stand-in for `f` is called this and then `f`.
PREFIX = "__ez_stand_in_"
#: The same for these functions, which write and read numbers as text: they are replaced if the user asks for it.
TEXT_PREFIX = "__ez_stand_in_text_"
TEXT_FUNCTIONS = frozenset("sprintf snprintf __sprintf_chk __snprintf_chk strtod strtof atof".split())
#: The same for these, which move bytes of numbers to and from files, or write over numbers: if the link needs it.
FILE_PREFIX = "__ez_stand_in_file_"
FILE_FUNCTIONS = frozenset(
    """
    fwrite fwrite_unlocked fread fread_unlocked __fread_chk __fread_unlocked_chk
    write pwrite pwrite64 read pread pread64 __read_chk __pread_chk __pread64_chk readv writev
    getrandom getentropy
    fgetc getc _IO_getc fgetc_unlocked getc_unlocked fgets fgets_unlocked __fgets_chk getline getdelim __getdelim
    _ZNSo5writeEPKcl _ZNSi4readEPcl
    _ZNKSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv
    _ZNKSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv
    _ZNKSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE3strEv
    """.split()
)
#: The same for these functions, which copy texts: they are replaced if a text holds bytes of a number.
BYTES_PREFIX = "__ez_stand_in_bytes_"
BYTES_FUNCTIONS = frozenset(
    """
    strcpy stpcpy strncpy stpncpy strcat strncat strdup __strdup strndup __strndup
    __strcpy_chk __stpcpy_chk __strncpy_chk __stpncpy_chk
    """.split()
)
#: Inline functions of headers that have stand-ins all the same: items of oneTBB's pipelines, as pointers.
HEADER_FUNCTIONS = frozenset(
    """
    _ZN3tbb6detail2d112token_helperIdLb0EE16cast_to_void_ptrEd
    _ZN3tbb6detail2d112token_helperIdLb0EE18cast_from_void_ptrEPv
    _ZN3tbb6detail2d112token_helperIfLb0EE16cast_to_void_ptrEf
    _ZN3tbb6detail2d112token_helperIfLb0EE18cast_from_void_ptrEPv
    """.split()
)
_PREFIXES = [(TEXT_PREFIX, TEXT_FUNCTIONS), (FILE_PREFIX, FILE_FUNCTIONS), (BYTES_PREFIX, BYTES_FUNCTIONS)]
#: The stand-in for a vtable is called this and then as the vtable. It may be larger, and holds the same functions.
_VTABLE_PREFIX = "_ZTV__ez_stand_in_"
#: These wait for other threads. Functions that the program declares inactive call them themselves.
_WAITS = frozenset(
    """
    pthread_barrier_wait pthread_cond_wait pthread_cond_timedwait cnd_wait cnd_timedwait sem_wait sem_timedwait syscall
    _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE
    """.split()
)
_TRIPLE = re.compile(r'^target triple = "([^"]*)"', re.MULTILINE)


def with_stand_ins(
    text: str,
    type_of: Callable[[Entity], str],
    context: llvm.ContextRef,
    guard: Guard,
    left: Container[str],
    regions: Regions = ALONE,
    has_fibers: bool = False,
) -> str:
    """Returns the text of a merged module in which differentiated code calls stand-ins. Raises `EnzymeError`.

    `type_of` gives the value type of a function. `left`: functions that have stand-ins and are called themselves.
    `regions`: how parallel regions run. `has_fibers`: threads that differentiated code makes are fibers.
    """
    name_of = _name_on_fibers if has_fibers else _name_of_gathered if regions.gathers else _name
    text = with_runs(text) if regions.gathers else text
    text = with_names_of_teams(text) if regions.on_teams else with_teams_of_one(text)
    module = ModuleText(text)
    data = Shipped.STAND_INS.bitcode(architecture_of(text))
    known = [*declared_functions(module), *HEADER_FUNCTIONS.intersection(module.entities)]
    replaceable = [name for name in known if name not in left and name_of(name).encode() in data]
    has_turns = TURN in module.entities
    replaceable = [name for name in replaceable if not regions.is_called_itself(name)]
    replaceable = [name for name in replaceable if has_turns or name not in NUMBERS]
    reached = reached_by_requests(module) if replaceable else set()
    called = {name for entity in reached for name in module.references(entity)}.intersection(replaceable)
    called |= taken_addresses(module).intersection(replaceable) if replaceable else set()
    if not has_fibers and (called.isdisjoint(_WAITS) or not called.isdisjoint(MAKERS)):
        called -= WAKES  # these end the program where something waits, and differentiated code makes no threads
    if not called:
        return text
    library = read_bitcode(data, Shipped.STAND_INS.label, guard, context, is_proved=True)
    fitting = sorted(name for name in called if _fits(module, module.entities[name], type_of, library, name_of))
    if not fitting:
        return text
    types = {name: type_of(module.entities[name]) for name in taken_addresses(module).intersection(fitting)}
    pointers = ThroughPointers({name: t for name, t in sorted(types.items()) if shape_of_type(t) is not None})
    heads = {name: _declaration(module, name, type_of) for name in fitting}
    renamed = _renamed(module, heads, reached, pointers, name_of)
    return str(joined(llvm_passes.parse(renamed, context), map(name_of, fitting), library))


def with_helpers(text: str, prefix: str, context: llvm.ContextRef, guard: Guard) -> str:
    """Returns the text with shipped bodies for the functions `prefix`… that it declares.

    Functions `prefix`… that it defines for these bodies become internal.
    """
    data = Shipped.STAND_INS.bitcode(architecture_of(text))
    library = read_bitcode(data, Shipped.STAND_INS.label, guard, context, is_proved=True)
    defined = {f.name for f in library.functions if not f.is_declaration and f.name.startswith(prefix)}
    asked = {f.name for f in library.functions if f.is_declaration and f.name.startswith(prefix)}
    missing = [e.name for e in ModuleText(text).entities.values() if not e.is_definition and e.name in defined]
    result = joined(llvm_passes.parse(text, context), missing, library)
    for function in result.functions:
        if function.name in asked and not function.is_declaration:
            function.linkage = llvm.Linkage.internal
    return str(result)


def architecture_of(text: str) -> str:
    triple = _TRIPLE.search(text)
    return architecture_name(triple[1] if triple else "")


def declared_functions(module: ModuleText) -> list[str]:
    """Returns the functions and vtables that the module declares and the user has not registered."""
    entities = module.entities.values()
    registered = {name for e in entities if is_registration(e.name) for name in module.references(e)}
    return [
        e.name
        for e in entities
        if (e.is_function or e.name.startswith("_ZTV")) and not e.is_definition and e.name not in registered
    ]


def taken_addresses(module: ModuleText) -> set[str]:
    """Returns the functions whose address the module takes."""
    entities = [e for e in module.entities.values() if e.is_definition]
    found = {name for e in entities for name in (module.values(e) if e.is_function else module.references(e))}
    return {name for name in found if name in module.entities and module.entities[name].is_function}


@cache
def _shipped() -> bytes:
    """Returns the module of all stand-ins; their names are the same for all architectures."""
    return Shipped.STAND_INS.bitcode(platform.machine())


@cache
def _shipped_names() -> frozenset[str]:
    library = llvm_passes.parse_bitcode(_shipped(), llvm.create_context())
    return frozenset(f.name for f in library.functions if not f.is_declaration)


def has_stand_in(name: str) -> bool:
    """True if a library function has a stand-in.

    Bitcode holds names as they are. A search for most names saves small links from parsing all stand-ins.
    """
    return _name(name).encode() in _shipped() and _name(name) in _shipped_names()


def _name(name: str) -> str:
    """Returns the name of the stand-in for a function or a vtable."""
    prefix = next((prefix for prefix, functions in _PREFIXES if name in functions), PREFIX)
    return (_VTABLE_PREFIX if name.startswith("_ZTV") else prefix) + name


def _name_on_fibers(name: str) -> str:
    return _name(FIBER + name if name in ON_FIBERS else name)


def _name_of_gathered(name: str) -> str:
    return _name(GATHERED + name if name in ON_GATHERED else name)


def _fits(
    module: ModuleText, entity: Entity, type_of: Callable[[Entity], str], library: llvm.ModuleRef, name_of: _NameOf
) -> bool:
    """True if a function is declared with the type of its stand-in: another library may use the same name."""
    name = name_of(entity.name)
    types = [str(f.global_value_type) for f in library.functions if f.name == name and not f.is_declaration]
    if not entity.is_function or not types:
        return not entity.is_function
    is_ours = entity.name.startswith(TEAM)
    return (type_of_definition(module.of(entity)) if is_ours else type_of(entity)) in types


def _declaration(module: ModuleText, name: str, type_of: Callable[[Entity], str]) -> str:
    entity = module.entities[name]
    text = module.of(entity)
    return linkage.declaration(entity, type_of, text) if entity.is_definition else text


def _renamed(
    module: ModuleText,
    heads: Mapping[str, str],
    reached: set[Entity],
    pointers: ThroughPointers,
    name_of: _NameOf,
) -> str:
    """Returns the text in which the reached functions call the stand-ins. These are declared as the originals are.

    The address of a function in `pointers` stays that of the library: other code compares or calls it.
    """

    def stand_in(reference: re.Match[str]) -> str:
        return "@" + name_of(reference[1])

    pattern = _mentions(heads, pointers)
    declarations = [pattern.sub(stand_in, head) for head in heads.values()]
    active = reached_by_requests(module, without=inactive_functions(module)) if _WAITS.intersection(heads) else reached
    without_waits = _mentions([name for name in heads if name not in _WAITS and name not in WAKES], pointers)

    def change(entity: Entity, text: str) -> str | None:
        replaced = pattern if entity in active else without_waits
        is_kept = entity not in reached or entity.name in HEADER_FUNCTIONS
        return None if is_kept else pointers.call(replaced.sub(stand_in, text))

    return "\n".join([linkage.edit(module, change), *declarations, pointers.definitions(name_of)])


def _mentions(names: Iterable[str], pointers: ThroughPointers) -> re.Pattern[str]:
    found = "|".join(_mention(name, name in pointers.types) for name in names)
    return re.compile(f"@({found or '(?!)'})" + r"(?![-\w.$])")


def _mention(name: str, is_call: bool) -> str:
    return re.escape(quoted(name)) + (r"(?=\()" if is_call else "")


def joined(
    module: llvm.ModuleRef, names: Iterable[str], library: llvm.ModuleRef, label: str = Shipped.STAND_INS.label
) -> llvm.ModuleRef:
    """Returns the module with the library's functions and vtables `names` and what they need, as internal ones."""
    kept = set(names)
    link_needed(module, library, label, kept)
    for value in [*module.functions, *module.global_variables]:
        if value.name in kept:
            value.linkage = llvm.Linkage.internal
    return module
