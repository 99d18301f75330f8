"""How diagnostics are printed: as text, on a terminal with colours and the source line, or as logs of SARIF.

SARIF is the Static Analysis Results Interchange Format 2.1.0 (OASIS 2020). Each log is one line of JSON: one for each
time that the link tells something.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection
from typing import TextIO

from enzyme_cc.report.diagnostics import Diagnostic, EnzymeError

TEXT, SARIF, JSON = "text", "sarif", "json"
#: text or sarif; a process does one link
_form = TEXT
_BOLD, _RED, _MAGENTA, _GREEN, _END = "\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;32m", "\033[0m"
_COLOURS = {"error": _RED, "warning": _MAGENTA}
_ESCAPES = re.compile("\033\\[[0-9;]*m")
_FIRST = re.compile(r"(?P<place>.*?): (?P<severity>error|warning): (?P<message>.*)")
_NOTE = re.compile(r"(?P<word>  (?:in function|reached by|reason|remedy|hint):)(?P<rest>.*)")
_LONGEST = 200  # characters of a source line that is shown


def choose(form: str) -> None:
    """Sets the form of all that follows: text, or sarif (json is the same)."""
    global _form
    _form = TEXT if form == TEXT else SARIF


def tell(error: EnzymeError, severity: str = "error") -> None:
    """Prints diagnostics to standard error."""
    if _form == SARIF:
        from enzyme_cc.report.sarif import log

        print(log(error.distinct, severity), file=sys.stderr)
        return
    coloured = is_terminal(sys.stderr)
    for diagnostic in error.distinct:
        print(on_terminal(diagnostic, severity) if coloured else diagnostic.render(severity), file=sys.stderr)


def warn(diagnostics: Collection[Diagnostic]) -> None:
    """Prints warnings, if there are any, to standard error."""
    if diagnostics:
        tell(EnzymeError(diagnostics), "warning")


def is_terminal(stream: TextIO) -> bool:
    """True if colours may be printed there (https://no-color.org)."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def on_terminal(diagnostic: Diagnostic, severity: str) -> str:
    """Returns the text with colours, and the source line behind its first line."""
    first, *notes = diagnostic.render(severity).split("\n")
    parts = _FIRST.fullmatch(first)
    if parts is not None:
        colour = _COLOURS[severity]
        first = f"{_BOLD}{parts['place']}: {colour}{severity}: {_END}{_BOLD}{parts['message']}{_END}"
    marked = [_NOTE.sub(rf"{_BOLD}\g<word>{_END}\g<rest>", note) for note in notes]
    return "\n".join([first, *_source(diagnostic.location), *marked])


def _source(location: str | None) -> list[str]:
    """Returns the source line with a caret below the column, as clang shows it."""
    found = re.fullmatch(r"(?P<file>.*?):(?P<line>\d+)(?::(?P<column>\d+))?", location or "")
    text = _line(found["file"], int(found["line"])) if found is not None else None
    if found is None or text is None:
        return []
    number = f"{found['line']:>5}"
    lines = [f"{number} | {text}"]
    if found["column"] and 0 < int(found["column"]) <= len(text) + 1:
        before = re.sub(r"[^\t]", " ", text[: int(found["column"]) - 1])
        lines.append(f"{' ' * len(number)} | {before}{_GREEN}^{_END}")
    return lines


def _line(file: str, number: int) -> str | None:
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            text = next((text.rstrip("\n") for k, text in enumerate(source, 1) if k == number), None)
    except OSError:
        return None
    return text if text is not None and len(text) <= _LONGEST else None


def plain(text: str) -> str:
    """Returns a text without colours."""
    return _ESCAPES.sub("", text)
