"""Finds integers that hold the bits of numbers, in the text of a module that LLVM has not optimised.

They are casts of numbers, or loads of a variable that holds numbers or a union, of one that bytes were copied to, and
of what may be anything (as TBAA tells). Functions return them, and variables keep them.
"""

from __future__ import annotations

import re

NAME = r"%(?:\"[^\"\n]*\"|[-\w$.]+)"
FUNCTION = re.compile(r"^define .*?^\}$", re.MULTILINE | re.DOTALL)
WORD = r"i(?:16|32|64|128)"

_FUNCTION_NAME = re.compile(r"@(\"[^\"\n]*\"|[-\w$.]+)\(")
_FLOAT = r"(?:half|bfloat|float|double|x86_fp80|fp128)"
_CALL = r"(?:(?:tail|notail|musttail) )?call"
_STEPS = (
    rf"(?P<variable>{NAME}) = alloca (?:\[\d+ x )?(?:{_FLOAT}\b|%\"?union\.)",
    rf"(?P<cast>{NAME}) = bitcast {_FLOAT} {NAME} to {WORD}\b",
    rf"(?P<loaded>{NAME}) = load {WORD}, ptr (?P<source>{NAME})(?:, align \d+)?(?:, !tbaa (?P<tag>!\d+))?",
    rf"(?P<address>{NAME}) = getelementptr [^\n]*?ptr (?P<base>{NAME})",
    rf"(?P<result>{NAME}) = {_CALL} [^@\n]*\b{WORD} @(?P<callee>\"[^\"\n]*\"|[-\w$.]+)\(",
    rf"{_CALL} void @llvm\.memcpy\.[\w.]+\(ptr [^%@,\n]*(?P<target>{NAME}), [^\n]*, i64 (?:2|4|8|10|16), i1 false\)",
    rf"store {WORD} (?P<stored>{NAME}), ptr (?P<place>{NAME})",
    rf"(?P<changed>{NAME}) = (?:phi|select|zext|trunc|sext|lshr|ashr|xor|sub|freeze)\b(?P<operands>[^\n]*)",
    rf"ret {WORD} (?P<returned>{NAME})",
)
_STEP = re.compile("^  (?:" + "|".join(_STEPS) + ")", re.MULTILINE)
_NAMES = re.compile(NAME)
_ANYTHING = re.compile(r"^!(\d+) = !\{!\"omnipotent char\",", re.MULTILINE)
_MAY_RETURN = re.compile(rf"^  ret {WORD} %", re.MULTILINE)
_MOST = 8  # functions through which a result passes


class WordsOfNumbers:
    """The integers of a module that hold bits of numbers."""

    def __init__(self, text: str) -> None:
        self._tags = _tags_of_anything(text)
        self._returning: frozenset[str] = frozenset()
        bodies = [body for body in FUNCTION.findall(text) if _MAY_RETURN.search(body)]
        for _ in range(_MOST):
            found = frozenset(_name(body) for body in bodies if self._followed(body).is_returned)
            if found == self._returning:
                break
            self._returning = found

    def of(self, function: str) -> set[str]:
        """Returns the names of these integers in a function's text."""
        return self._followed(function).words

    def _followed(self, function: str) -> _Function:
        state, known = _Function(self._tags, self._returning), -1
        steps = list(_STEP.finditer(function))
        while known != (known := state.size()):
            for step in steps:
                state.follow(step)
        return state


class _Function:
    """The integers of one function that hold bits of numbers, and the memory that holds such bits."""

    def __init__(self, tags: frozenset[str], returning: frozenset[str]) -> None:
        self._tags, self._returning = tags, returning
        self.words: set[str] = set()
        self._memory: set[str] = set()
        self.is_returned = False

    def size(self) -> int:
        return len(self.words) + len(self._memory)

    def follow(self, step: re.Match[str]) -> None:
        kind, name = step.lastgroup, step[step.lastgroup or 0]
        if kind in ("variable", "target"):
            self._memory.add(name)
        elif kind == "base" and name in self._memory:
            self._memory.add(step["address"])
        elif kind == "place" and step["stored"] in self.words:
            self._memory.add(name)
        elif kind == "returned":
            self.is_returned |= name in self.words
        elif (result := self._word(step)) is not None:
            self.words.add(result)

    def _word(self, step: re.Match[str]) -> str | None:
        """The integer that an instruction makes, if it holds bits of a number."""
        if step["loaded"] is not None:
            return step["loaded"] if step["source"] in self._memory or step["tag"] in self._tags else None
        if step["changed"] is not None:
            return step["changed"] if self.words.intersection(_NAMES.findall(step["operands"])) else None
        return step["cast"] or (step["result"] if step["callee"] in self._returning else None)


def _name(function: str) -> str:
    found = _FUNCTION_NAME.search(function)
    assert found is not None
    return found[1]


def _tags_of_anything(text: str) -> frozenset[str]:
    """The access tags of TBAA for memory of any type."""
    types = "|".join(_ANYTHING.findall(text)) if "omnipotent char" in text else ""
    found = re.findall(rf"^(!\d+) = !\{{!({types}), !\2, i64 0\}}$", text, re.MULTILINE) if types else []
    return frozenset(tag for tag, _ in found)
