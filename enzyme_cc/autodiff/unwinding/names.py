"""What copies are called, and diagnostics about them as the program's own names have it."""

from __future__ import annotations

import re
from dataclasses import fields, replace

from ...report.diagnostics import Diagnostic, EnzymeError
from ...rules.library_functions import CATCHING

#: what the names of functions begin with that lowered functions call
PREFIX = "__ez_unwind_"
#: what the names of copies end with: of those that are given what is in flight, and of what requests name
COPY, ENTRY = ".unwinding", ".outermost"
_MADE = re.compile(rf"(?:{re.escape(COPY)}|{re.escape(ENTRY)})(?:\.\d+)?\b|{re.escape(CATCHING)}")
#: throws what has left a derivative
RETHROW = "@__ez_unwind_rethrow_escaped"


def is_entry(name: str) -> bool:
    """Whether a request names that function, so that what leaves it must be thrown behind its derivative."""
    return ENTRY in name


def in_source_terms(error: EnzymeError) -> EnzymeError:
    return EnzymeError(map(_renamed, error.diagnostics))


def _renamed(diagnostic: Diagnostic) -> Diagnostic:
    texts = {f.name: getattr(diagnostic, f.name) for f in fields(diagnostic)}
    changed = {name: _MADE.sub("", text) for name, text in texts.items() if isinstance(text, str)}
    return replace(diagnostic, **changed, calls=tuple(_MADE.sub("", call) for call in diagnostic.calls))
