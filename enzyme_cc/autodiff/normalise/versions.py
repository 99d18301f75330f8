"""Functions with a version for each processor (target_clones, ifunc): differentiated is the one for any.

The loader asks a resolver which version a name stands for. All compute the same; only the primal's is chosen so.
"""

from __future__ import annotations

from ...ir.module import Module
from ...ir.values import Constant, GlobalRef, references


def settle_versions(text: str, *modules: Module) -> None:
    """Lets such a name stand for one version in modules made of the text, as far as its resolver tells."""
    for module in modules if " ifunc " in text else ():
        for variable in list(module.globals.values()):
            if variable.alias and " ifunc " in variable.text and isinstance(variable.initializer, GlobalRef):
                default = _default_version(module, variable.initializer.name)
                variable.initializer = variable.initializer if default is None else GlobalRef.of(default)


def _default_version(module: Module, resolver: str) -> str | None:
    """Of the functions that the resolver names and this module defines, the one that needs no special processor."""
    if resolver not in module.functions or module.functions[resolver].is_declaration:
        return None
    constants = [o for i in module.body(resolver).instructions() for o in i.operands if isinstance(o, Constant)]
    names = {name for constant in constants for name in references(constant) if name in module.functions}
    versions = [name for name in names if not module.functions[name].is_declaration]
    return min(versions, key=lambda name: (".default" not in name, len(name), name), default=None)
