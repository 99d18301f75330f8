"""Inlines chosen functions of a module, as far as a budget allows.

If the chosen functions call each other, the text may grow exponentially: in Lua's interpreter, all functions are given
values of its stack, and 68,000 lines would become 75 million. So those that add least are inlined first. The others
stay calls: what they are given in registers is refused where it matters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping

from ...ir import llvm_passes
from ...ir.graphs import strongly_connected

_GROUP = re.compile(r"^attributes #(\d+) = \{ (.*) \}$", re.MULTILINE)
#: all functions together may grow by so many lines, or by as many as they have
_LINES = 100_000
_NEVER = re.compile(r"\b(?:noinline|optnone)\b ?")


def inlined(text: str, names: Collection[str]) -> str:
    """Returns the optimised module in which the named functions are inlined wherever they are called, if they can be.

    Functions that would add too much are left as they are. Raises llvm_passes.LLVMError.
    """
    module = llvm_passes.parse(marked(text, within_budget(text, names)))
    llvm_passes.keep_null(module)
    llvm_passes.run_passes(module, "always-inline")
    return str(module)


def marked(text: str, names: Collection[str]) -> str:
    """Returns the text in which LLVM must inline the named functions, if it can."""
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
    return "\n".join([changed, *added, ""])


#: a definition; clang and LLVM give each function a group of attributes
_DEFINE = re.compile(
    r'^(?P<head>define [^@\n]*(?P<name>@(?:[-\w.$]+|"[^"\n]*"))\(.*\) (?:[a-z_]+ )*?)#(?P<group>\d+)(?P<tail>[^\n]*)$',
    re.MULTILINE,
)
_BODY = re.compile(r'^define [^@\n]*(@(?:[-\w.$]+|"[^"\n]*"))\(.*?^\}', re.MULTILINE | re.DOTALL)
_CALL = re.compile(r' (?:call|invoke) [^\n@]*(@(?:[-\w.$]+|"[^"\n]*"))\(')


def calls_of(text: str) -> dict[str, Counter[str]]:
    """Returns how often each function of the module calls each other one by its name."""
    return {body[1]: Counter(_CALL.findall(body[0])) for body in _BODY.finditer(text)}


def within_budget(text: str, names: Collection[str], lines: int | None = None) -> frozenset[str]:
    """Returns those of the functions that can be inlined without too much growth: those that add least.

    `lines`: so many are not too much; None: `_LINES`, or as many as all functions have.
    """
    sizes = {body[1]: body[0].count("\n") for body in _BODY.finditer(text)}
    calls, total = calls_of(text), sum(sizes.values())
    budget = total + (max(total, _LINES) if lines is None else lines)
    chosen = frozenset(names)
    while (grown := _grown(sizes, calls, chosen)) and sum(grown.values()) > budget:
        added = {name: _uses(calls, name) * grown.get(name, 0) for name in chosen}
        order = sorted(chosen, key=lambda name: (added[name], name))
        chosen = frozenset(order[: len(order) * 3 // 4])
    return chosen


def _uses(calls: Mapping[str, Counter[str]], name: str) -> int:
    return sum(called[name] for called in calls.values())


def _grown(sizes: Mapping[str, int], calls: Mapping[str, Counter[str]], chosen: Collection[str]) -> dict[str, int]:
    """Returns the lines of each function once the chosen ones are inlined. Within a recursion, nothing is inlined."""
    grown: dict[str, int] = {}

    def called(name: str) -> list[str]:
        return [other for other in calls[name] if other in chosen and other in sizes]

    for start in sizes:
        for members in strongly_connected(start, called, grown):
            behind = {name: sum(calls[name][o] * grown[o] for o in called(name) if o in grown) for name in members}
            grown.update({name: sizes[name] + behind[name] for name in members})
    return grown
