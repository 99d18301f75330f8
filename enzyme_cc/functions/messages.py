"""Reads the errors in what compilers and linkers print."""

from __future__ import annotations

import re

from msgspec import Struct


class CompilerMessage(Struct, frozen=True):
    """One error of a compiler, of the linker, or of enzyme-cc.

    `id` is the id of enzyme-cc's diagnostic (docs/diagnostics.md), or None for those of other programs. `file`, `line`
    and `column` are None where the error has no place.
    """

    message: str
    id: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    function: str | None = None
    reason: str | None = None
    remedy: str | None = None


_ERROR = re.compile(
    r"^(?:(?P<place>[^\s:][^:\n]*)(?::(?P<line>\d+))?(?::(?P<column>\d+))?: )?(?:fatal )?error: (?P<message>.*)$"
)
_ID = re.compile(r"^(?P<message>.*) \[(?P<id>EZ\d+)\]$")
_NOTE = re.compile(r"^  (?P<word>in function|reason|remedy): (?P<text>.*)$")
_CONTINUED = " " * 10
_FIELDS = {"in function": "function", "reason": "reason", "remedy": "remedy"}


def messages(text: str) -> list[CompilerMessage]:
    """Returns the errors in what compilers printed. Understands enzyme-ld, clang, flang and rustc."""
    found: list[dict[str, str | None]] = []
    last = ""
    for line in text.splitlines():
        error, note = _ERROR.match(line), _NOTE.match(line)
        if error is not None:
            with_id = _ID.match(error["message"])
            fields = {"message": error["message"]} if with_id is None else with_id.groupdict()
            found.append({**fields, "file": error["place"], "line": error["line"], "column": error["column"]})
            last = ""
        elif note is not None and found:
            last = _FIELDS[note["word"]]
            found[-1][last] = note["text"]
        elif last and line.startswith(_CONTINUED):
            found[-1][last] = f"{found[-1][last]}\n{line.strip()}"
    return [_message(fields) for fields in found]


def _message(fields: dict[str, str | None]) -> CompilerMessage:
    def number(name: str) -> int | None:
        return int(text) if (text := fields.get(name)) else None

    return CompilerMessage(
        str(fields["message"]), fields.get("id"), fields.get("file"), number("line"), number("column"),
        fields.get("function"), fields.get("reason"), fields.get("remedy"),
    )  # fmt: skip
