"""Differentiates public code bases and prints a table.

tests/codebases/run cminpack erfa
tests/codebases/run --all --tests --report docs/codebases.md

A report keeps the rows of code bases that were not measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click

from tests.codebases.builds import Build, build, enzyme, lines_of_code, own_tests, plain
from tests.codebases.codebase import Codebase, variants
from tests.codebases.outcome import Built, Outcome, measure
from tests.codebases.results import Result, Row, compared, line, report
from tests.codebases.rows import BY_NAME
from tests.codebases.sources import WORK, debian_headers

_RESULTS = WORK / "results"


@click.command(help=__doc__)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everything", is_flag=True, help="All code bases.")
@click.option("--report", "page", type=click.Path(path_type=Path), help="Write the tables to this file.")
@click.option("--kept", is_flag=True, help="Measure only code bases of which no result is kept.")
@click.option("--limit", default=120, show_default=True, help="Seconds of processor time for one link.")
@click.option("--clang/--no-clang", default=True, help="Build with clang too, and compare the time.")
@click.option("--tests/--no-tests", default=False, help="Build and run the code bases' own tests too.")
@click.option("--program", default="", help="Only programs whose name contains this; the result is not kept.")
def main(
    names: tuple[str, ...],
    everything: bool,
    page: Path | None,
    kept: bool,
    limit: int,
    clang: bool,
    tests: bool,
    program: str,
) -> None:
    """Measures the code bases and writes the report. The exit status is 1 if a row is refused or wrong."""
    unknown = [name for name in names if name not in BY_NAME]
    if unknown or not (names or everything):
        raise click.UsageError(f"the code bases are: {' '.join(BY_NAME)}")
    results = []
    for name in BY_NAME if everything else names:
        result = Result.load(_RESULTS, name) if kept else None
        if result is None:
            result = measured(BY_NAME[name], limit, clang, program, tests)
            if not program:
                result.save(_RESULTS)
        results.append(result)
    if page is not None:
        before = page.read_text() if page.exists() else ""
        page.write_text(report(results, BY_NAME, before, busy=os.getloadavg()[2] > (os.cpu_count() or 1)))
    bad = [result for result in results if result.problem or any(row.outcome.problem for row in result.rows)]
    sys.exit(1 if bad else 0)


def measured(codebase: Codebase, limit: int, clang: bool = True, program: str = "", tests: bool = False) -> Result:
    """Builds a code base and differentiates its programs, printing each row as soon as it is there."""
    try:
        ours = build(codebase, WORK, enzyme())
        plain_seconds = build(codebase, WORK, plain()).seconds if clang else 0.0
        built = with_others(codebase, ours)
    except subprocess.CalledProcessError as error:
        print(line([codebase.name, f"does not build: {error}"]), flush=True)
        return Result(codebase.name, 0, 0, 0, (), "does not build")
    lines = lines_of_code(codebase, ours.folder)
    over = f", clang {plain_seconds:.1f} s" if clang else ""
    print(line([codebase.name, f"{lines:,} lines", f"build {ours.seconds:.1f} s{over}"]), flush=True)
    rows: list[Row] = []
    reverse: Outcome | None = None
    for path in codebase.programs:
        for variant in variants(path) if program in path.stem else []:
            outcome = measure(built, variant, _RESULTS / codebase.name / variant.label, limit)
            if variant.mode == "reverse":
                reverse = outcome
            elif reverse is not None:
                outcome = compared(reverse, outcome)
            rows.append(Row(path.stem, variant.handle, variant.mode, outcome))
            print(line([codebase.name, *rows[-1].cells]), flush=True)
    own = own_tests_say(codebase, clang) if tests else ""
    return Result(codebase.name, lines, ours.seconds, plain_seconds, tuple(rows), own_tests=own)


def own_tests_say(codebase: Codebase, clang: bool) -> str:
    """Returns what becomes of the code base's own tests; if they fail, whether they do so by clang, too."""
    if not codebase.tests:
        return ""
    said = "pass" if own_tests(codebase, WORK, enzyme()) else "fail"
    if said == "fail" and clang and not own_tests(codebase, WORK, plain()):
        said = "fail, by clang too"
    print(line([codebase.name, f"own tests {said}"]), flush=True)
    return said


def with_others(codebase: Codebase, own: Build) -> Built:
    """Returns what programs are linked with: the code base's own archives, then those of what it uses, built here."""
    folders = [(codebase, own), *((BY_NAME[name], build(BY_NAME[name], WORK, enzyme())) for name in codebase.uses)]
    includes = [own.folder / name for name in codebase.includes]
    if codebase.headers:
        includes.append(debian_headers(codebase.headers, WORK))
    archives = [made.folder / name for other, made in folders for name in other.archives]
    return Built(codebase, tuple(includes), tuple(archives))


if __name__ == "__main__":
    main()
