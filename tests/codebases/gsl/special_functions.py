"""GSL's special functions: one program for each header, with every function that has a number among its arguments.

    python -m tests.codebases.gsl.special_functions [--mode reverse|forward] [HEADER…]

HEADER is a part of a name such as gsl_sf_airy.h. Functions of a program that is refused are linked one by one. Prints
for each function the points compared, the wrong ones and the worst error; then the counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import click

from tests.codebases.builds import build, enzyme
from tests.codebases.codebase import Variant
from tests.codebases.outcome import Built, link_program, run_program
from tests.codebases.rows import GSL
from tests.codebases.run import with_others
from tests.codebases.sources import WORK

_PROTOTYPE = re.compile(r"\bdouble\s+(gsl_sf_\w+)\s*\(([^()]*)\)\s*;")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SERIES = 10  # coefficients of a series: the order is at most 8


@dataclass(frozen=True)
class Special:
    """A function of `header`; `kinds` are its parameters: "double", "double *", "int", "unsigned int", "gsl_mode_t"."""

    name: str
    header: str
    kinds: tuple[str, ...]

    @property
    def wrapper(self) -> str:
        """Returns a function in C that takes the numbers from x and the integers from k."""
        numbers, integers, arguments = 0, 0, []
        for kind in self.kinds:
            if kind == "gsl_mode_t":
                arguments.append("GSL_PREC_DOUBLE")
            elif kind == "double *":
                arguments.append(f"x + {numbers}")
                numbers += _SERIES
            elif kind == "double":
                arguments.append(f"x[{numbers}]")
                numbers += 1
            else:
                arguments.append(f"k[{integers}]")
                integers += 1
        body = f"return {self.name}({', '.join(arguments)});"
        return (
            f"static double {self.short}(const double *x, const int *k) {{ (void)k; {body} }}\nDERIVE({self.short})\n"
        )

    @property
    def short(self) -> str:
        """Returns the name without the library's prefix, as the programs print it."""
        return "sf_" + self.name.removeprefix("gsl_sf_")

    @property
    def check(self) -> str:
        """Returns the statement that compares the function's derivatives."""
        numbers = sum({"double": 1, "double *": _SERIES}.get(kind, 0) for kind in self.kinds)
        integers = sum(kind.endswith("int") for kind in self.kinds)
        return f"    SPECIAL({self.short}, {numbers}, {integers});\n"


class Found(NamedTuple):
    """What became of one function: `error` is None if it was refused (or stopped) for `reason`."""

    name: str
    compared: int
    wrong: int
    error: float | None
    reason: str


def functions(header: Path) -> list[Special]:
    """Returns the functions of a header with a number among their arguments."""
    text = _COMMENT.sub(" ", header.read_text())
    found = []
    for name, parameters in _PROTOTYPE.findall(text):
        kinds = tuple(_kind(parameter) for parameter in parameters.split(","))
        if "double" in kinds:
            found.append(Special(name, header.name, kinds))
    return list({function.name: function for function in found}.values())


def _kind(parameter: str) -> str:
    words = parameter.replace("const ", " ").replace("*", " * ").split()
    return " ".join(words[:-1])


def program(chosen: list[Special]) -> str:
    """Returns the text of a program that checks functions of one header."""
    wrappers = "".join(function.wrapper for function in chosen)
    checks = "".join(function.check for function in chosen)
    main = f"int main(void) {{\n    gsl_set_error_handler(note);\n{checks}    return failures != 0;\n}}\n"
    return f'#include "gsl/special.h"\n\n#include <gsl/{chosen[0].header}>\n\n{wrappers}\n{main}'


def measured(built: Built, chosen: list[Special], mode: str, folder: Path, limit: int) -> Iterator[Found]:
    """Yields what became of each function, linked together; one by one if they cannot be."""
    label = chosen[0].header[:-2] if len(chosen) > 1 else chosen[0].short
    folder = folder / f"{label}-{mode}"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{label}.c"
    source.write_text(program(chosen))
    linked = link_program(built, Variant(source, mode), folder, limit)
    click.echo(f"# {label} {mode}: link {linked.seconds:.1f} s, {linked.megabytes:.0f} MB {linked.problem}")
    if not linked.problem:
        done = run_program(folder)
        found = {words[1]: words for line in done.output.splitlines() if (words := line.split())[0] == "function"}
        for line in done.output.splitlines():
            if line.startswith("wrong"):
                click.echo(line)
        for function in chosen:
            words = found.get(function.short)
            if words:
                yield Found(function.short, int(words[2]), int(words[3]), float(words[4]), "")
        rest = [function for function in chosen if function.short not in found]
        if rest:
            last = (done.errors.strip().splitlines() or [f"status {done.status}"])[-1]
            yield Found(rest[0].short, 0, 0, None, f"stops: {last}")
            if rest[1:]:
                yield from measured(built, rest[1:], mode, folder.parent / label, limit)
    elif len(chosen) == 1:
        yield Found(chosen[0].short, 0, 0, None, linked.problem)
    else:
        half = len(chosen) // 2
        for part in (chosen[:half], chosen[half:]):
            yield from measured(built, part, mode, folder.parent / label, limit)


@click.command(help=__doc__)
@click.argument("headers", nargs=-1, metavar="HEADER...")
@click.option("--mode", "modes", type=click.Choice(["reverse", "forward"]), multiple=True)
@click.option("--limit", default=300, show_default=True, help="Seconds of processor time for one link.")
def main(headers: tuple[str, ...], modes: tuple[str, ...], limit: int) -> None:
    """Measures the functions of the headers, or of all."""
    built = with_others(GSL, build(GSL, WORK, enzyme()))
    folder = WORK / "results" / "gsl_special_functions"
    results: list[Found] = []
    for header in sorted(built.includes[0].glob("specfunc/gsl_sf_*.h")):
        chosen = functions(header) if not headers or any(word in header.name for word in headers) else []
        for mode in modes or ("reverse", "forward"):
            for found in measured(built, chosen, mode, folder, limit) if chosen else ():
                click.echo(f"{mode} {' '.join(map(str, found))}")
                results.append(found)
    right = sum(found.error is not None and found.compared > 0 and not found.wrong for found in results)
    refused = sum(found.error is None for found in results)
    wrong = sum(found.wrong > 0 for found in results)
    click.echo(
        f"{right} right, {refused} refused, {wrong} wrong, {len(results) - right - refused - wrong} not compared"
    )


if __name__ == "__main__":
    main()
