"""What is measured of code bases, kept between runs, and as tables in Markdown."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.codebases.outcome import Outcome, disagreement

AGREEMENT = 1e-6

_HEAD = """# Code bases

Each is a source package of Debian, built untouched by its own build system with enzyme-cc; then programs of ours
(`tests/codebases/NAME`) differentiate what it does. A program whose handle (a functional, a plan, a solver) is made
before the differentiated function stands here as "outside", one that makes it in there as "inside". Derivatives of
reverse and forward mode are compared with extrapolated differences, and with each other. This page is written by

    tests/codebases/run --all --report docs/codebases.md

"""
_BUSY = """Other programs ran on the machine at the same time: processor times are too large,
and times over the primal are rough.

"""
_BUILDS = """## Builds

Lines of C, C++ and Fortran without empty ones; processor time of the build by enzyme-cc, and that over clang's.

| code base | lines | build | over clang's |
|---|---:|---:|---:|
"""
_DERIVATIVES = """## Derivatives

Functions that take part; processor time and largest memory of the link; the time of one gradient over that of the
function (in forward mode, of one direction); the worst relative error.

| code base | program | handle | mode | functions | link | memory | time over primal | error | |
|---|---|---|---|---:|---:|---:|---:|---:|---|
"""


@dataclass(frozen=True)
class Row:
    """One variant of a program, measured."""

    program: str
    handle: str
    mode: str
    outcome: Outcome

    @property
    def cells(self) -> list[str]:
        """Returns the row of the table of derivatives, without the code base's name."""
        o = self.outcome
        measured = [f"{o.ratio:.1f}", f"{o.error:.0e}"] if o.derivatives else ["", ""]
        link = [str(o.functions or ""), f"{o.seconds:.1f} s", f"{o.megabytes:.0f} MB"]
        return [self.program, self.handle, self.mode, *link, *measured, o.problem or "right"]


@dataclass(frozen=True)
class Result:
    """A code base, measured; `problem` says why it could not be built."""

    name: str
    lines: int
    seconds: float
    plain_seconds: float
    rows: tuple[Row, ...]
    problem: str = ""

    def save(self, folder: Path) -> None:
        """Keeps the result in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.json").write_text(json.dumps(asdict(self), indent=1))

    @classmethod
    def load(cls, folder: Path, name: str) -> Result | None:
        """Returns the result that was kept, None if there is none."""
        path = folder / f"{name}.json"
        if not path.exists():
            return None
        data = json.loads(path.read_text())
        rows = []
        for row in data.pop("rows"):
            outcome = row.pop("outcome")
            outcome["derivatives"] = tuple(outcome["derivatives"])
            rows.append(Row(**row, outcome=Outcome(**outcome)))
        return cls(**data, rows=tuple(rows))


def compared(reverse: Outcome, forward: Outcome) -> Outcome:
    """Returns the outcome of forward mode, which also says whether reverse mode found the same derivatives."""
    if not reverse.derivatives or not forward.derivatives or forward.problem:
        return forward
    distance = disagreement(reverse, forward)
    if distance <= AGREEMENT:
        return forward
    return Outcome(**{**asdict(forward), "problem": f"the modes differ by {distance:.1e}"})


def line(cells: list[str]) -> str:
    """Returns a row of a table in Markdown."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def report(results: list[Result], busy: bool = False) -> str:
    """Returns the page with all results. `busy`: other programs ran beside the measurements."""
    builds = [line(_build_cells(result)) for result in results]
    derivatives = [line([result.name, *row.cells]) for result in results for row in result.rows]
    head = _HEAD + _BUSY if busy else _HEAD
    return "\n".join([head + _BUILDS + "\n".join(builds), "", _DERIVATIVES + "\n".join(derivatives), ""])


def _build_cells(result: Result) -> list[str]:
    if result.problem:
        return [result.name, "", result.problem, ""]
    over = f"{result.seconds / result.plain_seconds:.2f}" if result.plain_seconds > 0 else ""
    return [result.name, f"{result.lines:,}", f"{result.seconds:.1f} s", over]
