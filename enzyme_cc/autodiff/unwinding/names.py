"""The names of lowered functions, and diagnostics with the program's own names in their place."""

from __future__ import annotations

import re

from ...report.diagnostics import Diagnostic, EnzymeError
from ...rules.library_functions import CATCHING, RETHROW_ESCAPED

#: prefix of the functions that lowered functions call
PREFIX = "__ez_unwind_"
#: suffixes: of the copies with a `struct unwinding`, and of the functions that requests name in place of the original
COPY, ENTRY = ".unwinding", ".outermost"
_MADE = re.compile(rf"(?:{re.escape(COPY)}|{re.escape(ENTRY)})(?:\.\d+)?\b|{re.escape(CATCHING)}")
#: throws the exception that has left a derivative
RETHROW = f"@{RETHROW_ESCAPED}"


def is_entry(name: str) -> bool:
    """True if a request names that function: an exception that leaves it is thrown behind the derivative's call."""
    return ENTRY in name


def in_source_terms(error: EnzymeError) -> EnzymeError:
    """Returns the error with the names of the program's own functions."""
    return EnzymeError(map(_renamed, error.diagnostics))


def _renamed(diagnostic: Diagnostic) -> Diagnostic:
    texts = diagnostic._asdict().items()
    changed = {name: _MADE.sub("", text) for name, text in texts if isinstance(text, str)}
    return diagnostic._replace(**changed, calls=tuple(_MADE.sub("", call) for call in diagnostic.calls))
