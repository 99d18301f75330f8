"""Optimisation before differentiation: what is moved out of loops now need not be differentiated inside them.

Two things are done beyond LLVM's O2 without vectorising and unrolling. Math functions are told not to set errno, as
long as nothing in the module reads it, so that they may be moved and merged. And functions that hold loops are not
inlined in a first round: a call of one can be hoisted out of a loop, its body once inlined cannot.
"""

from __future__ import annotations

import re

from ..ir import passes
from ..rules.known import is_pure
from ..rules.table import lookup

_MARK = '"enzyme-loops"'
_DEFINE = re.compile(r"^define .*\{$")
_LABEL = re.compile(r"^([-\w$.]+|\"[^\"]*\"):")
_TARGET = re.compile(r"label %([-\w$.]+|\"[^\"]*\")")
_DECLARED = re.compile(r"^declare .*@([\w.]+)\(.*\).*$", re.MULTILINE)
_GROUP = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.MULTILINE)
_MEMORY = re.compile(r"\s*\bmemory\([^)]*\)")
_MATH = "nofree nounwind willreturn memory(none)"


def preoptimise(text: str) -> str:
    """The module, optimised for differentiation. Raises passes.LLVMError."""
    if "@__errno_location" not in text:
        text = without_errno(text)
    marked = keep_loops_apart(text)
    if marked != text:
        module = passes.parse(marked)
        passes.optimise(module, 2)
        text = rejoin_loops(str(module))
    module = passes.parse(text)
    passes.optimise(module, 2)
    return str(module)


def without_errno(text: str) -> str:
    """Declares the pure math functions free of memory effects."""
    groups = dict(_GROUP.findall(text))
    number = max((int(group[1:]) for group in groups), default=-1)
    made: dict[str, str] = {}

    def declare(match: re.Match[str]) -> str:
        nonlocal number
        line, name = match[0], match[1]
        if name.startswith("llvm.") or lookup(name) is None or not is_pure(name):
            return line
        found = re.search(r" (#\d+)", line)
        if found is None:
            return f"{line} {_MATH}"
        words = " ".join(w for w in _MEMORY.sub("", groups[found[1]]).split(" ") if w not in _MATH.split())
        if words not in made:
            number += 1
            made[words] = f"#{number}"
        return line.replace(found[0], f" {made[words]}")

    text = _DECLARED.sub(declare, text)
    return text + "".join(f"\nattributes {group} = {{ {words} {_MATH} }}" for words, group in made.items()) + "\n"


def keep_loops_apart(text: str) -> str:
    """Marks functions that hold loops as not to be inlined."""
    lines = text.split("\n")
    groups = dict(_GROUP.findall(text))
    start: int | None = None
    seen: set[str] = set()
    for k, line in enumerate(lines):
        if start is None:
            if _DEFINE.match(line):
                start, seen = k, set()
        elif line == "}":
            start = None
        elif (label := _LABEL.match(line)) is not None:
            seen.add(label[1])
        elif "label %" in line and any(target in seen for target in _TARGET.findall(line)):
            lines[start] = _marked(lines[start], groups)
            start = None
    return "\n".join(lines)


def _marked(define: str, groups: dict[str, str]) -> str:
    found = re.search(r"\) (?:[a-z_]+ )*?(#\d+)", define)
    if found is None or re.search(r"\b(noinline|alwaysinline|optnone)\b", groups.get(found[1], "")):
        return define
    return define[: found.end()] + f" noinline {_MARK}" + define[found.end() :]


def rejoin_loops(text: str) -> str:
    """Takes the marks away again."""

    def clean(match: re.Match[str]) -> str:
        if _MARK not in match[2]:
            return match[0]
        words = re.sub(r"\bnoinline\b", "", match[2].replace(_MARK, ""))
        return f"attributes {match[1]} = {{ {words} }}"

    return _GROUP.sub(clean, text)
