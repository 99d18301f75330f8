"""Remembers what is printed to standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO, cast

from enzyme_cc.report.presentation import plain


class Said:
    """A stream that passes everything on, and keeps it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        """All that was printed, without colours: it may be printed again where there is no terminal."""
        return plain("".join(self._parts))

    def write(self, text: str) -> int:
        """Prints a text."""
        self._parts.append(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


@contextmanager
def remembered() -> Iterator[Said]:
    """Keeps what is printed to standard error inside the `with` block."""
    before, said = sys.stderr, Said(sys.stderr)
    sys.stderr = cast(TextIO, said)
    try:
        yield said
    finally:
        sys.stderr = before
