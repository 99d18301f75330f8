"""Choices between a vector and zero: a mask, which one instruction of any processor applies.

LLVM negates a choice by negating both sides, and a choice by two conditions has their conjunction as its condition.
Processors of x86-64 without AVX take four instructions for a choice between a vector and -0, and must make a mask of a
conjunction first. So -0 becomes 0 where the sign of zero does not matter, and a condition that does not change in the
loop chooses before it.
"""

from __future__ import annotations

import re

_CHOICE = re.compile(r" = select [a-z ]*<\d+ x i1> ")
_NEGATIVE_ZERO = re.compile(r"splat \((?:float|double) -0\.0+e\+00\)")
_UNSIGNED = re.compile(r"  %\S+ = select (?:fast|(?:[a-z]+ )*nsz) ")
_BLOCK = re.compile(r"\S+:(?:\s|$)")
_RESULT = re.compile(r"  (?P<name>%\S+) = ")
#: a phi may stand before another one, and an invoke has two lines
_ONE_LINE = re.compile(r"  %\S+ = (?!phi |invoke )")
_BOTH = re.compile(
    r"  (?P<name>%\S+) = select <\d+ x i1> (?P<changing>%[^\s,]+), <\d+ x i1> (?P<fixed>%[^\s,]+), "
    r"<\d+ x i1> zeroinitializer"
)
_MASKED = re.compile(
    r"(?P<head>  %\S+ = select (?:[a-z]+ )*<\d+ x i1> )(?P<condition>%[^\s,]+), "
    r"(?P<type><\d+ x (?:float|double)>) (?P<number>%[^\s,]+)(?P<tail>, <\d+ x (?:float|double)> zeroinitializer.*)"
)


def has_choices(text: str) -> bool:
    """Returns whether the module's text chooses between elements of vectors."""
    return _CHOICE.search(text) is not None


def with_masks(text: str) -> str:
    """Returns the module's text, in which choices between vectors and zero are single masks where they can be."""
    if not has_choices(text):
        return text
    head, *functions = re.split(r"^(?=define )", text, flags=re.MULTILINE)
    return head + "".join(_Body(f).masked() if has_choices(f) else f for f in functions)


class _Body:
    """The text of a function, and where its values are made: the line and the number of the block."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._made: dict[str, tuple[int, int]] = {}
        self._both: dict[str, re.Match[str]] = {}
        self._added: dict[int, list[str]] = {}
        self._names: dict[tuple[str, str], str] = {}

    def masked(self) -> str:
        block = 0
        for k, line in enumerate(self._lines):
            if _BLOCK.match(line):
                block += 1
            result = _RESULT.match(line)
            if result:
                self._made[result["name"]] = k, block
            if _CHOICE.search(line):
                self._lines[k] = self._choice(_unsigned(line), block)
        return "\n".join(line for k, kept in enumerate(self._lines) for line in (kept, *self._added.get(k, ())))

    def _choice(self, line: str, block: int) -> str:
        """Returns the line of a choice. Notes it if it is a conjunction, and puts new choices into blocks before."""
        both = _BOTH.match(line)
        if both:
            self._both[both["name"]] = both
        masked = _MASKED.match(line)
        conjunction = self._both.get(masked["condition"]) if masked else None
        if masked is None or conjunction is None:
            return line
        name = self._chosen_before(conjunction["fixed"], masked["type"], masked["number"], block)
        return f"{masked['head']}{conjunction['changing']}, {masked['type']} {name}{masked['tail']}" if name else line

    def _chosen_before(self, fixed: str, type_: str, number: str, block: int) -> str | None:
        """Returns the name of a choice where the fixed condition and the number are made, if in one other block."""
        made = [self._made.get(fixed), self._made.get(number)]
        if None in made or len(blocks := {place[1] for place in made if place}) > 1 or block in blocks:
            return None
        at = max(place[0] for place in made if place)
        if not _ONE_LINE.match(self._lines[at]):
            return None
        if (fixed, number) not in self._names:
            name = self._names[fixed, number] = f"%__ez_masked.{len(self._names)}"
            condition = f"<{type_[1:].split()[0]} x i1> {fixed}"
            self._added.setdefault(at, []).append(
                f"  {name} = select {condition}, {type_} {number}, {type_} zeroinitializer"
            )
        return self._names[fixed, number]


def _unsigned(line: str) -> str:
    return _NEGATIVE_ZERO.sub("zeroinitializer", line) if _UNSIGNED.match(line) else line
