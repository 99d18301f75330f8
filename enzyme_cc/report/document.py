"""Writes docs/diagnostics.md from the catalogue: `python -m enzyme_cc.report.document > docs/diagnostics.md`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from enzyme_cc.report.catalogue import CATALOGUE, FAMILIES

_INTRODUCTION = """\
# Diagnostics

Every error of enzyme-cc has an id that stays the same between versions. The first line of an error gives the source
line, if the program was compiled with debug information (`-g`), and the fault. The function, the reason and the remedy
follow on lines of their own:

    norm.c:7:10: error: call of frobnicate has no derivative [EZ0302]
      in function: norm
      reason: frobnicate is defined by libfrob.a(frob.o), which carries no bitcode
      remedy: compile the file again with enzyme-cc

On a terminal, the source line with a caret stands behind the first line. With `-fdiagnostics-format=sarif`, each time
that the link tells something is one line of JSON, a log of SARIF 2.1. `enzyme explain EZ0302` prints an entry of this
page.

The exit status is 1. Errors of the compiler and of the native linker are passed on unchanged, with their own status.
This file is made from the catalogue in `enzyme_cc/report/catalogue.py`.
"""


def document() -> str:
    """Returns the text of docs/diagnostics.md."""
    return "\n".join([_INTRODUCTION, *_sections()])


def _sections() -> Iterator[str]:
    for prefix, title in FAMILIES.items():
        yield f"## {title} ({prefix}xx)\n"
        for id, entry in CATALOGUE.items():
            if id.startswith(prefix):
                remedy = _wrapped(f"Remedy: {entry.remedy}.")
                if entry.option:
                    remedy += f"\n\nOptions: `-Wno-{entry.option}`, `-Werror={entry.option}`."
                yield f"### {id}: {entry.title}\n\n{_wrapped(entry.explanation)}\n\n{remedy}\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    print(document(), end="")
