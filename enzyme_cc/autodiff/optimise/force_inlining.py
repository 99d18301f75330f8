"""Inlines chosen functions of a module."""

from __future__ import annotations

import re
from collections.abc import Collection

from ...ir import passes
from ...ir.back_ends import BackEnd
from .preoptimise import preoptimise

_GROUP = re.compile(r"^attributes #(\d+) = \{ (.*) \}$", re.MULTILINE)
_NEVER = re.compile(r"\b(?:noinline|optnone)\b ?")


def inlined(text: str, names: Collection[str], back_end: BackEnd) -> str:
    """Returns the optimised module in which the named functions are inlined wherever they are called, if they can be.

    Raises passes.LLVMError.
    """
    groups = dict(_GROUP.findall(text))
    added: list[str] = []

    def mark(match: re.Match[str]) -> str:
        if match["name"] not in names:
            return match[0]
        number = len(groups) + len(added) + max(map(int, groups), default=0)
        words = _NEVER.sub("", groups.get(match["group"], ""))
        added.append(f"attributes #{number} = {{ {words} alwaysinline }}")
        return f"{match['head']}#{number}{match['tail']}"

    changed = _DEFINE.sub(mark, text)
    module = passes.parse("\n".join([changed, *added, ""]))
    passes.keep_null(module)
    passes.run_passes(module, "always-inline")
    return preoptimise(str(module), back_end)


#: a definition; clang and LLVM give each function a group of attributes
_DEFINE = re.compile(
    r'^(?P<head>define [^@\n]*(?P<name>@(?:[-\w.$]+|"[^"\n]*"))\(.*\) (?:[a-z_]+ )*?)#(?P<group>\d+)(?P<tail>[^\n]*)$',
    re.MULTILINE,
)
