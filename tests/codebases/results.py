"""What is measured of code bases, kept between runs, and as tables in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.codebases.outcome import Outcome, disagreement

AGREEMENT = 1e-6

_HEAD = """# Code bases

Each is a source package of Debian, or a source distribution of PyPI. Its own build system builds it with enzyme-cc,
and its sources are not changed. Programs of ours (`tests/codebases/NAME`) differentiate what it does. A program whose
handle (a functional, a plan, a solver) is made before the differentiated function is called "outside" here. A program
that makes it inside of this function is called "inside". Derivatives of reverse and forward mode are compared with
extrapolated differences, and with each other. This command writes the page:

    tests/codebases/run --all --tests --report docs/codebases.md

"""
_BUSY = """Other programs ran on the machine at the same time: processor times are too large,
and times over the primal are rough.

"""
_BUILDS = """## Builds

The columns are: lines of C, C++ and Fortran that are not empty; the processor time of the build by enzyme-cc; this time
over clang's; what the code base's own tests say, if enzyme-cc builds them.

| code base | lines | build | over clang's | own tests |
|---|---:|---:|---:|---|
"""
_DERIVATIVES = """## Derivatives

The columns are: the number of functions that take part; processor time and largest memory of the link; the time of one
gradient (in forward mode, of one direction) over that of the function; the worst relative error.

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
    """A code base, measured; `problem` says why it could not be built, `own_tests` what its own tests say."""

    name: str
    lines: int
    seconds: float
    plain_seconds: float
    rows: tuple[Row, ...]
    problem: str = ""
    own_tests: str = ""

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


def report(results: list[Result], names: Iterable[str], before: str = "", busy: bool = False) -> str:
    """Returns the page with the code bases of these names: the results, and what the page `before` says of others.

    `busy`: other programs ran beside the measurements.
    """
    found = {result.name: result for result in results}
    old_builds, _, old_derivatives = before.partition("## Derivatives")
    builds, derivatives = [], []
    for name in names:
        if name in found:
            builds.append(line(_build_cells(found[name])))
            derivatives += [line([name, *row.cells]) for row in found[name].rows]
        else:
            builds += _lines_of(name, old_builds)
            derivatives += _lines_of(name, old_derivatives)
    head = _HEAD + _BUSY if busy else _HEAD
    return "\n".join([head + _BUILDS + "\n".join(builds), "", _DERIVATIVES + "\n".join(derivatives), ""])


def _lines_of(name: str, table: str) -> list[str]:
    return [row for row in table.splitlines() if row.startswith(f"| {name} |")]


def _build_cells(result: Result) -> list[str]:
    if result.problem:
        return [result.name, "", result.problem, "", ""]
    over = f"{result.seconds / result.plain_seconds:.2f}" if result.plain_seconds > 0 else ""
    return [result.name, f"{result.lines:,}", f"{result.seconds:.1f} s", over, result.own_tests]
