"""Lets LLVM inline more functions with loops of arithmetic than it does for plain code.

Where such a function is called, reverse mode has two functions and a tape between them, with all that the second one
needs. Inlined, it has one tape for all calls, or none.
"""

from __future__ import annotations

import re

from ...rules.library_functions import is_pure

#: of a function that is inlined wherever it is called; LLVM's O2 has 225
_COST = 500
_BODY = re.compile(
    r"^(?P<head>define [^\n]*?\) (?:[a-z_]+ )*?#\d+)(?P<rest>(?:[^\n]*\n)(?:[^}\n][^\n]*\n|\n)*)\}", re.MULTILINE
)
_NUMBERS = re.compile(r" = f(?:add|sub|mul|div) | @llvm\.fmuladd\.")
_CALL = re.compile(r"\b(?:call|invoke|callbr) (?:[^@\n(]*@(?P<name>[\w.$]+)\()?")


def with_loops_inlined(text: str, mark: str) -> str:
    """Returns the module in which functions with loops have a limit for inlining of their own.

    `mark`: the attribute of functions with loops. They must compute numbers, and call nothing but intrinsics and pure
    functions.
    """
    groups = set(re.findall(rf"^attributes (#\d+) = \{{ [^\n]*{re.escape(mark)}", text, re.MULTILINE))

    def limited(match: re.Match[str]) -> str:
        head, rest = match["head"], match["rest"]
        if head.rpartition(" ")[2] not in groups or not _computes_alone(rest):
            return match[0]
        return f'{head} "function-inline-threshold"="{_COST}"{rest}}}'

    return _BODY.sub(limited, text) if groups else text


def _computes_alone(body: str) -> bool:
    return _NUMBERS.search(body) is not None and all(
        (name := call["name"]) is not None and (name.startswith("llvm.") or is_pure(name))
        for call in _CALL.finditer(body)
    )
