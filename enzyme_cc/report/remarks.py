"""Remarks: what a derivative stores, and why, as values; as a compiler prints them, and as LLVM's optimisation records.

opt-viewer and editors read the records. The format is that of `-fsave-optimization-record` in LLVM's documentation
("Remarks").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from msgspec import Struct

from enzyme_cc.report.spelling import as_in_source

PASS = "enzyme"


class RemarkKind(Enum):
    """The kinds of records: what has been achieved, what has not, and facts."""

    PASSED = "Passed"
    MISSED = "Missed"
    ANALYSIS = "Analysis"


class Remark(Struct, frozen=True):
    """One remark. `parts` are keys and texts; the texts together are the message. `location` is "file:line:col"."""

    kind: RemarkKind
    name: str
    function: str
    location: str | None
    parts: tuple[tuple[str, str], ...]

    @property
    def message(self) -> str:
        """What it says."""
        return "".join(text for _, text in self.parts)

    def render(self) -> str:
        """Returns the remark as clang prints those of its passes."""
        return as_in_source(f"{self.location or self.function}: remark: {self.message} [-Rpass={PASS}]")

    def record(self) -> str:
        """Returns the remark as a YAML document."""
        lines = [f"--- !{self.kind.value}", f"Pass:            {PASS}", f"Name:            {self.name}"]
        file, line, column = position(self.location)
        if line:
            lines.append(f"DebugLoc:        {{ File: {_quoted(file)}, Line: {line}, Column: {column} }}")
        lines += [f"Function:        {_quoted(self.function)}", "Args:"]
        lines += [f"  - {key + ':':<16} {_quoted(text)}" for key, text in self.parts]
        return as_in_source("\n".join([*lines, "...", ""]))


def records(remarks: Iterable[Remark]) -> str:
    """Returns the text of a file of records."""
    return "".join(remark.record() for remark in remarks)


_KIND = re.compile(r"^--- !(\w+)$", re.M)
_HEAD = re.compile(r"^(Name|Function): +(?:'((?:[^']|'')*)'|(.*))$", re.M)
_PLACE = re.compile(r"^DebugLoc: +\{ File: '((?:[^']|'')*)', Line: (\d+), Column: (\d+) \}$", re.M)
_PART = re.compile(r"^  - (\w+): +'((?:[^']|'')*)'$", re.M)


def read(text: str) -> list[Remark]:
    """Returns the remarks in the text of a file of records. Raises `ValueError` if it is none that `records` wrote."""
    found = [_read(record) for record in text.split("\n...\n") if record.strip()]
    if not found and text.strip():
        raise ValueError("there is no record of a remark")
    return found


def _read(text: str) -> Remark:
    kind, place = _KIND.search(text), _PLACE.search(text)
    head = {name: _unquoted(quoted) or plain for name, quoted, plain in _HEAD.findall(text)}
    if kind is None or not head.keys() >= {"Name", "Function"}:
        raise ValueError(f"this is no record of a remark: {text.strip()[:60]!r}")
    location = f"{_unquoted(place[1])}:{place[2]}" + (f":{place[3]}" if place[3] != "0" else "") if place else None
    parts = tuple((key, _unquoted(value)) for key, value in _PART.findall(text))
    return Remark(RemarkKind(kind[1]), head["Name"], head["Function"], location, parts)


def _unquoted(text: str) -> str:
    return text.replace("''", "'")


def position(location: str | None) -> tuple[str, int, int]:
    """Returns file, line and column; 0 stands for one that is not known."""
    words = (location or "").split(":")
    numbers = [int(word) for word in words[1:] if word.isdigit()][-2:]
    file = ":".join(words[: len(words) - len(numbers)])
    line, column = [*numbers, 0, 0][:2]
    return file, line, column


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
