"""Remarks: what a derivative stores, and why, as values; as a compiler prints them, and as LLVM's optimisation records.

opt-viewer and editors read the records. The format is that of `-fsave-optimization-record` in LLVM's documentation
("Remarks").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from enzyme_cc.report.spelling import as_in_source

PASS = "enzyme"


class RemarkKind(Enum):
    """The kinds of records: what has been achieved, what has not, and facts."""

    PASSED = "Passed"
    MISSED = "Missed"
    ANALYSIS = "Analysis"


@dataclass(frozen=True)
class Remark:
    """One remark. `parts` are keys and texts; the texts together are the message. `location` is "file:line:col"."""

    kind: RemarkKind
    name: str
    function: str
    location: str | None
    parts: tuple[tuple[str, str], ...]

    def render(self) -> str:
        """Returns the remark as clang prints those of its passes."""
        message = "".join(text for _, text in self.parts)
        return as_in_source(f"{self.location or self.function}: remark: {message} [-Rpass={PASS}]")

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


def position(location: str | None) -> tuple[str, int, int]:
    """Returns file, line and column; 0 stands for one that is not known."""
    words = (location or "").split(":")
    numbers = [int(word) for word in words[1:] if word.isdigit()][-2:]
    file = ":".join(words[: len(words) - len(numbers)])
    line, column = [*numbers, 0, 0][:2]
    return file, line, column


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
