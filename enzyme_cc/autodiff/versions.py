"""Functions with a version for each processor (target_clones, ifunc): differentiated is the one for any.

The loader asks a resolver which version a name stands for. All compute the same; only the primal's is chosen so.
"""

from __future__ import annotations

import re

from ..ir.module import Module
from ..ir.values import GlobalRef

_IFUNC = re.compile(r"^(@\S+) = .*\bifunc .*, ptr (@[^\s,]+)", re.M)
_NAME = re.compile(r'@(?:"[^"]*"|[-\w$.]+)')


def settle_versions(text: str, *modules: Module) -> None:
    """Lets such a name stand for one version in modules made of the text, as far as its resolver tells."""
    for name, resolver in _IFUNC.findall(text) if " ifunc " in text else ():
        default = _default_version(text, resolver)
        if default is not None:
            for module in modules:
                module.globals[name].initializer = GlobalRef.of(default)


def _default_version(text: str, resolver: str) -> str | None:
    """Of the functions that the resolver names and this module defines, the one that needs no special processor."""
    body = re.search(rf"^define [^\n]*{re.escape(resolver)}\(.*?^}}", text, re.M | re.S)
    if body is None:
        return None
    names = {name for line in body[0].splitlines()[1:] for name in _NAME.findall(line)}
    versions = [name for name in names if re.search(rf"^define [^\n]*{re.escape(name)}\(", text, re.M)]
    return min(versions, key=lambda name: (".default" not in name, len(name), name), default=None)
