"""Chooses the version to differentiate of functions with a version for each processor (target_clones, ifunc).

The loader calls a resolver, which returns a version for the processor. All versions compute the same. Derivatives are
made of the version that every processor can run.
"""

from __future__ import annotations

from ...ir.constants import Constant, GlobalRef, references
from ...ir.module import Module


def resolve_versions(text: str, *modules: Module) -> None:
    """Makes each ifunc an alias of its default version, in the modules parsed from the text.

    An ifunc whose resolver names no version that the module defines is left unchanged.
    """
    for module in modules if " ifunc " in text else ():
        for variable in list(module.globals.values()):
            if variable.alias and " ifunc " in variable.text and isinstance(variable.initializer, GlobalRef):
                default = _default_version(module, variable.initializer.name)
                variable.initializer = variable.initializer if default is None else GlobalRef.of(default)


def _default_version(module: Module, resolver: str) -> str | None:
    """Of the functions that the resolver names and this module defines, the one for any processor."""
    if resolver not in module.functions or module.functions[resolver].is_declaration:
        return None
    constants = [o for i in module.body(resolver).instructions() for o in i.operands if isinstance(o, Constant)]
    names = {name for constant in constants for name in references(constant) if name in module.functions}
    versions = [name for name in names if not module.functions[name].is_declaration]
    return min(versions, key=lambda name: (".default" not in name, len(name), name), default=None)
