"""Writes docs/passes.md from the tables of passes: `python -m tests.docs.passes_page`."""

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from enzyme_cc.autodiff.core.pass_table import Invariant, Pass
from enzyme_cc.link.merged_module.link_passes import AGAIN, PIPELINE, PassTable

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "passes.md"

_INTRODUCTION = """\
# Passes

All passes in the order in which they run: what each does, why it stands where it stands, what must hold before it, and
what holds after it. `python -m tests.docs.passes_page` writes this page from the tables, which the link and the driver
of differentiation run: `link/merged_module/unit_passes.py` and `link_passes.py`; `autodiff/preoptimisation.py`,
`passes.py` and `function_passes.py`. `autodiff/core/pass_table.py` says what a row is. To add a pass, add a row.

With `--enzyme-verify`, as in tests, the code is checked after each pass that changes it: LLVM's verifier checks text,
`ir/verify/` checks what is parsed. A test proves that a row requires only what an earlier one establishes, also in
another round.

A pass with a condition is left out if there is nothing to do for it. What it establishes holds then, too.
"""
_AGAIN = """
# A second time

"""
_FACTS = """
# What passes rely on

"""


def text() -> str:
    """Returns the page."""
    again = "\n".join(_sections(AGAIN))
    facts = "\n".join(_item(f"- **{_words(fact)}**: {fact.value}.") for fact in Invariant)
    return "\n".join([_INTRODUCTION, *_sections(PIPELINE)]) + _AGAIN + again + _FACTS + facts + "\n"


def _sections(sections: Iterable[PassTable]) -> Iterator[str]:
    for section in sections:
        rows = "\n".join(_row(k, row) for k, row in enumerate(_own(section), 1))
        yield f"## {section.title} (level: {section.level})\n\n{_wrapped(section.note)}\n\n{rows}\n"


def _own(section: PassTable) -> list[Pass]:
    """The rows of a table; of a second run, those that are not in the first one."""
    first = {id(row) for other in PIPELINE for row in other.table}
    return [row for row in section.table if section in PIPELINE or id(row) not in first]


def _row(number: int, row: Pass) -> str:
    doc = re.split(r"(?<=\.)\s", re.sub(r"\s+", " ", inspect.getdoc(row.function) or ""))[0]
    file = Path(inspect.getsourcefile(row.function) or "").relative_to(ROOT / "enzyme_cc")
    facts = [
        f"{word} {', '.join(map(_words, found))}"
        for word, found in (("*Requires*", row.requires), ("*Establishes*", row.establishes), ("*Ends*", row.ends))
        if found
    ]
    notes = [f"Only if: {row.when.replace('_', ' ')}"] if row.when else []
    notes += [f"Passes of LLVM: {row.llvm}"] if row.llvm else []
    notes += [f"Saved as {row.file} (--enzyme-save-temps)"] if row.file else []
    ends = "".join(f" {note}." for note in [*facts, *notes])
    return _item(f"{number}. `{row.name}` (`{file}`): {doc} *Why here*: {row.why}.{ends}")


def _words(fact: Invariant) -> str:
    return fact.name.lower().replace("_", " ")


def _item(line: str) -> str:
    return _wrapped(line, " " * (line.index(" ") + 1))


def _wrapped(line: str, indent: str = "") -> str:
    return textwrap.fill(line, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(text())
