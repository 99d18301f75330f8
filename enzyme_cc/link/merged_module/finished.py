"""The module after differentiation: the runtime is linked in, LLVM optimises all, and an object is made."""

from __future__ import annotations

import llvmlite.binding as llvm

from enzyme_cc.autodiff.core.number_tests import NUMBER_TESTS
from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.back_ends import BackEnd
from enzyme_cc.ir.target import architecture_name
from enzyme_cc.link.inputs.units import Linked
from enzyme_cc.link.merged_module import look_ups
from enzyme_cc.link.merged_module.libraries.shipped import RUNTIME_PREFIX, Shipped
from enzyme_cc.link.merged_module.merge import Guard, link_in, link_needed, read_bitcode
from enzyme_cc.rules.parallel.openmp import FORK, is_of_openmp
from enzyme_cc.rules.runtime_functions import DEFINED_BY_LINK


def parsed(text: str, context: llvm.ContextRef) -> llvm.ModuleRef:
    """Returns the module of a text. Raises `llvm_passes.LLVMError` if it is not valid."""
    module = llvm_passes.parse(text, context)
    llvm_passes.verify(module)
    return module


def link_runtime(module: llvm.ModuleRef, context: llvm.ContextRef, guard: Guard, many_look_ups: bool) -> None:
    """Merges the runtime's functions into the module, as internal functions, if it calls any."""
    if not any(f.is_declaration and f.name.startswith(RUNTIME_PREFIX) for f in module.functions):
        return
    shipped = Shipped.RUNTIME.bitcode(architecture_name(module.triple))
    library = read_bitcode(shipped, Shipped.RUNTIME.label, guard, context, is_proved=True)
    defined = [f.name for f in library.functions if not f.is_declaration and f.name.startswith(RUNTIME_PREFIX)]
    library.data_layout = module.data_layout
    look_ups.settle(library, many_look_ups)
    tables = [g for g in module.global_variables if g.name in DEFINED_BY_LINK]
    for table in tables:
        table.linkage = llvm.Linkage.external
    link_in(module, library, Shipped.RUNTIME.label)
    for name in defined:
        module.get_function(name).linkage = llvm.Linkage.internal
    for table in tables:
        table.linkage = llvm.Linkage.internal


def link_own_teams(module: llvm.ModuleRef, linked: Linked, context: llvm.ContextRef, guard: Guard) -> None:
    """Merges what forks teams of threads, unless the program links OpenMP's library (toolchain/natives/own_teams.c)."""
    if FORK in linked.definers or linked.provenance(FORK) is not None:
        return
    shipped = Shipped.NATIVES.bitcode(architecture_name(module.triple))
    library = read_bitcode(shipped, Shipped.NATIVES.label, guard, context, is_proved=True)
    declared = {f.name for f in module.functions if f.is_declaration}
    names = {f.name for f in library.functions if not f.is_declaration and is_of_openmp(f.name)} & declared
    link_needed(module, library, Shipped.NATIVES.label, names)
    for name in names:
        module.get_function(name).linkage = llvm.Linkage.internal
    for function in module.functions:  # of other regions: there are none
        if function.is_declaration and is_of_openmp(function.name):
            function.linkage = llvm.Linkage.external_weak


def drop_unused(module: llvm.ModuleRef) -> None:
    """Drops what nothing uses."""
    llvm_passes.run_passes(module, "globaldce")


def printed(module: llvm.ModuleRef) -> str:
    """Returns the text of a module."""
    return str(module)


def optimised_module(text: str, back_end: BackEnd, is_huge: bool) -> str:
    """Returns the module, optimised by LLVM's O3, or by O2 if it is huge."""
    return back_end.optimise(text, huge=is_huge)


def keep_tests(module: llvm.ModuleRef) -> None:
    """Makes tests of numbers functions that another module could replace: LLVM drops no form, and inlines none."""
    for test in _number_tests(module):
        test.linkage = llvm.Linkage.weak_any


def with_inlined_tests(text: str) -> str:
    """Returns the optimised module with tests of numbers inlined, in the forms that its loops call."""
    module = llvm_passes.parse(text)
    for test in _number_tests(module):
        test.linkage = llvm.Linkage.internal
        test.add_function_attribute("alwaysinline")
    llvm_passes.run_passes(module, "always-inline", "globaldce")
    return str(module)


def _number_tests(module: llvm.ModuleRef) -> list[llvm.ValueRef]:
    return [f for f in module.functions if f.name.startswith(NUMBER_TESTS) and ".notes" not in f.name]


def emitted_object(text: str, back_end: BackEnd, is_huge: bool, is_pic: bool) -> bytes:
    """Returns the native object of an optimised module."""
    return back_end.emit(text, huge=is_huge, pic=is_pic)


def compiled_object(text: str, back_end: BackEnd, is_huge: bool, is_pic: bool) -> bytes:
    """Returns the native object of a module, optimised on the way."""
    return back_end.compile(text, huge=is_huge, pic=is_pic)
