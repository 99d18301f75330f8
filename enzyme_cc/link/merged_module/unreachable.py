"""Makes internal what no other unit needs, so that LLVM drops what nothing reaches."""

from __future__ import annotations

from collections.abc import Callable, Collection

import llvmlite.binding as llvm

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.units import REQUEST
from enzyme_cc.link.participants.linkage import restrict


def drop_unreachable(module: llvm.ModuleRef, symbols: Collection[str], is_kept: Callable[[str, bool], bool]) -> None:
    """Removes functions that nothing can reach. Units bring many of them, and all later work is on less text.

    `symbols` are functions that stay, beside those that are kept. `restricted` does the same on text, also for weak
    definitions and COMDAT groups.
    """
    for function in module.functions:
        name = function.name
        if function.is_declaration or function.linkage is not llvm.Linkage.external or REQUEST in name:
            continue
        if name not in symbols and not is_kept(name, function.visibility is llvm.Visibility.hidden):
            function.linkage = llvm.Linkage.internal
    llvm_passes.run_passes(module, "globaldce")


def restricted(module: llvm.ModuleRef, is_kept: Callable[[str, bool], bool]) -> str:
    """Returns the module's text, in which every definition is internal, except those that are kept."""
    return restrict(ModuleText(str(module)), is_kept)
