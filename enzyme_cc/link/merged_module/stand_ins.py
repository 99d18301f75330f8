"""Gives bodies to library functions that have no bitcode, where differentiated code calls them.

A stand-in is our own implementation of such a function, in C, under toolchain/stand_ins. It is linked into the merged
module before anything is optimised, and what requests may reach calls it in the place of the library's: so it is
inlined, and differentiated as any other code. The rest of the program goes on calling the library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import llvmlite.binding as llvm

from enzyme_cc.ir import passes
from enzyme_cc.link.inputs.module_text import Entity, ModuleText, quoted
from enzyme_cc.link.merged_module.merge import Guard, link_in, read_bitcode
from enzyme_cc.link.merged_module.shipped import Shipped
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.closure import is_registration

#: The stand-in for `f` is called this and then `f`.
PREFIX = "__ez_stand_in_"
#: It hands memory from one variable to another.
_MOVES = "_FortranAMoveAlloc"
#: flang's name for what is allocated to one variable: no other variable's aliases with it
_ALLOCATED = re.compile(r'!"allocated data/[^"]*"')


def with_stand_ins(text: str, type_of: Callable[[Entity], str], context: llvm.ContextRef, guard: Guard) -> str:
    """Return the text of a merged module in which differentiated code calls stand-ins. Raises `EnzymeError`.

    `type_of` gives a function's value type.
    """
    module = ModuleText(text)
    data = Shipped.STAND_INS.bitcode()
    wanted = [name for name in _declared(module) if (PREFIX + name).encode() in data]
    reached = _reached(module) if wanted else set()
    called = {name for entity in reached for name in module.references(entity)}.intersection(wanted)
    if not called:
        return text
    library = read_bitcode(data, Shipped.STAND_INS.label, guard, context)
    fitting = sorted(name for name in called if _fits(name, type_of(module.entities[name]), library))
    if not fitting:
        return text
    renamed = _renamed(module, fitting, reached)
    if _MOVES in fitting:  # once LLVM sees through it, variables share what is allocated
        renamed = _ALLOCATED.sub('!"allocated data/any variable"', renamed)
    return str(_joined(passes.parse(renamed, context), [PREFIX + name for name in fitting], library))


def with_helpers(text: str, prefix: str, context: llvm.ContextRef, guard: Guard) -> str:
    """Return the text with bodies for the functions that it declares, called `prefix`…, as far as they are shipped.

    What it defines of that name for them becomes internal.
    """
    library = read_bitcode(Shipped.STAND_INS.bitcode(), Shipped.STAND_INS.label, guard, context)
    defined = {f.name for f in library.functions if not f.is_declaration and f.name.startswith(prefix)}
    asked = {f.name for f in library.functions if f.is_declaration and f.name.startswith(prefix)}
    wanted = [e.name for e in ModuleText(text).entities.values() if not e.is_definition and e.name in defined]
    joined = _joined(passes.parse(text, context), wanted, library)
    for function in joined.functions:
        if function.name in asked and not function.is_declaration:
            function.linkage = llvm.Linkage.internal
    return str(joined)


def _declared(module: ModuleText) -> list[str]:
    """Return the functions that the module only declares, without those of which the user says what they are."""
    entities = module.entities.values()
    registered = {name for e in entities if is_registration(e.name) for name in module.references(e)}
    return [e.name for e in entities if e.is_function and not e.is_definition and e.name not in registered]


def _reached(module: ModuleText) -> set[Entity]:
    """Return the functions that requests may reach: those used as values, and all that these refer to."""
    work = [name for e in module.entities.values() if e.is_definition for name in module.values(e)]
    reached: set[Entity] = set()
    while work:
        entity = module.entities.get(work.pop())
        if entity is not None and entity.is_function and entity.is_definition and entity not in reached:
            reached.add(entity)
            work.extend(module.references(entity))
    return reached


def _fits(name: str, value_type: str, library: llvm.ModuleRef) -> bool:
    """Say whether a function is declared as its stand-in is defined: another library may use the same name."""
    stand_ins = [f for f in library.functions if f.name == PREFIX + name and not f.is_declaration]
    return any(str(f.global_value_type) == value_type for f in stand_ins)


def _renamed(module: ModuleText, names: Iterable[str], reached: set[Entity]) -> str:
    """Return the text in which the functions reached name the stand-ins, which are declared as the originals are."""
    pattern = re.compile("@(" + "|".join(re.escape(quoted(name)) for name in names) + r")(?![-\w.$])")
    declarations = [pattern.sub(_stand_in, module.of(module.entities[name])) for name in names]

    def change(entity: Entity, text: str) -> str | None:
        return pattern.sub(_stand_in, text) if entity in reached else None

    return linkage.edit(module, change) + "\n" + "".join(declarations)


def _stand_in(reference: re.Match[str]) -> str:
    return "@" + PREFIX + reference[1]


def _joined(module: llvm.ModuleRef, names: Iterable[str], library: llvm.ModuleRef) -> llvm.ModuleRef:
    """Return the module with the library's functions `names`, and what they need, as internal functions."""
    kept = set(names)
    for function in library.functions:
        if not function.is_declaration and function.name not in kept:
            function.linkage = llvm.Linkage.internal
    passes.run_passes(library, "globaldce")
    library.data_layout = module.data_layout
    link_in(module, library, Shipped.STAND_INS.label)
    for name in kept:
        module.get_function(name).linkage = llvm.Linkage.internal
    return module
