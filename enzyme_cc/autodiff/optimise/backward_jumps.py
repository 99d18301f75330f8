"""Jumps to an earlier label, in a module's text: the ends of loops as front ends write them."""

from __future__ import annotations

import re
from collections.abc import Container

#: the label of a block, alone in its line
LABEL = re.compile(r"^([-\w$.]+|\"[^\"]*\"):")
#: the definition of numbered metadata
METADATA = re.compile(r"^!(\d+) = ", re.MULTILINE)
_JUMP = re.compile(r"^  br (?:i1 [^,]+, )?label %")
_TARGET = re.compile(r"label %([-\w$.]+|\"[^\"]*\")")


def jumps_back(line: str, seen: Container[str]) -> bool:
    """True for a branch to one of the labels that were seen before it in the function."""
    return _JUMP.match(line) is not None and any(target in seen for target in _TARGET.findall(line))
