"""Links what derivatives of library functions call, as plain C without derivatives: toolchain/natives.

Some libraries do not tell later what the program told them once. A plan of FFTW is an address, and nothing but the
planner's call says what it transforms. So toolchain/natives may define `__wrap_f` for a function `f` of the library,
which calls `__real_f`: with `--wrap`, the linker sends all calls of `f` there, also those of units without bitcode.
"""

from __future__ import annotations

import llvmlite.binding as llvm

from enzyme_cc.ir.target import architecture_name
from enzyme_cc.link.inputs import elf
from enzyme_cc.link.inputs.units import Linked
from enzyme_cc.link.merged_module.merge import Guard, link_needed, read_bitcode
from enzyme_cc.link.merged_module.shipped import Shipped

_PREFIXES = ("__ez_native_", "__ez_inactive_")
_WRAP, _REAL = "__wrap_", "__real_"


def link_natives(module: llvm.ModuleRef, linked: Linked, context: llvm.ContextRef, guard: Guard) -> None:
    """Merges what the module declares of these, and what takes the place of functions that the program calls.

    Raises `EnzymeError`.
    """
    declared = {f.name for f in module.functions if f.is_declaration and f.name.startswith(_PREFIXES)}
    if not declared:
        return
    data = Shipped.NATIVES.bitcode(architecture_name(module.triple))
    library = read_bitcode(data, Shipped.NATIVES.label, guard, context, is_proved=True)
    called = {s.name for unit in linked.units for s in unit.symbols if not s.is_defined} - set(linked.wraps)
    called |= {f.name for f in module.functions if f.is_declaration}
    wraps = {f.name for f in library.functions if f.name.startswith(_WRAP) and f.name.removeprefix(_WRAP) in called}
    link_needed(module, library, Shipped.NATIVES.label, declared | wraps)
    for name in declared:
        module.get_function(name).linkage = llvm.Linkage.internal


def wraps(new_object: bytes) -> tuple[str, ...]:
    """Returns the options by which the linker sends the program's calls to an object."""
    symbols = elf.read(new_object).symbols
    defined = {s.name.removeprefix(_WRAP) for s in symbols if s.is_defined and s.name.startswith(_WRAP)}
    real = {s.name.removeprefix(_REAL) for s in symbols if not s.is_defined and s.name.startswith(_REAL)}
    return tuple(f"--wrap={name}" for name in sorted(defined | real))
