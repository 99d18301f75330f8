"""What a link follows only if a derivative would be lost otherwise: numbers in files, and numbers in strings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Flag, auto

from enzyme_cc.report.diagnostics import Diagnostic

#: the end of a reason: a member of std::string gave the memory in which a number is stored
_STORED_IN_STRING = re.compile(r"memory that _ZNK?[RO]?St\w*12basic_string\w+ gave$")


class Follows(Flag):
    """FILES: numbers that are written to files and read back. BYTES: numbers in strings of C and of C++."""

    FILES = auto()
    BYTES = auto()


NOTHING = Follows(0)


def follows_of(faults: Iterable[Diagnostic]) -> Follows:
    """Returns what would have to be followed for a link to be without these faults."""
    from enzyme_cc.analysis.activity.unsupported import MOVES_BYTES, OVERWRITES, READ_AGAIN, READ_IN_STREAM

    found = NOTHING
    for reason in (diagnostic.reason or "" for diagnostic in faults):
        if reason == READ_IN_STREAM:  # strings take such bytes
            found |= Follows.FILES | Follows.BYTES
        if reason.endswith((READ_AGAIN, OVERWRITES)):
            found |= Follows.FILES
        if reason.endswith(MOVES_BYTES) or _STORED_IN_STRING.search(reason):
            found |= Follows.BYTES
    return found
