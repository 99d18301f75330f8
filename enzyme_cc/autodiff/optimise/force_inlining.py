"""Inlines chosen functions of a module."""

from __future__ import annotations

import re
from collections.abc import Collection

from ...ir import llvm_passes

_GROUP = re.compile(r"^attributes #(\d+) = \{ (.*) \}$", re.MULTILINE)
_NEVER = re.compile(r"\b(?:noinline|optnone)\b ?")


def inlined(text: str, names: Collection[str]) -> str:
    """Returns the optimised module in which the named functions are inlined wherever they are called, if they can be.

    Raises llvm_passes.LLVMError.
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
    module = llvm_passes.parse("\n".join([changed, *added, ""]))
    llvm_passes.keep_null(module)
    llvm_passes.run_passes(module, "always-inline")
    return str(module)


#: a definition; clang and LLVM give each function a group of attributes
_DEFINE = re.compile(
    r'^(?P<head>define [^@\n]*(?P<name>@(?:[-\w.$]+|"[^"\n]*"))\(.*\) (?:[a-z_]+ )*?)#(?P<group>\d+)(?P<tail>[^\n]*)$',
    re.MULTILINE,
)
