"""Counts what becomes of random functions: `python -m tests.random.tally c|cxx|fortran|unions|bits SEED COUNT [LEVEL]`.

One line for each function whose gradient is wrong, that is refused, or whose program crashes; then the counts.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from .bits.bit_functions import BitFunction
from .bits.bit_program import BitProgram
from .fortran import generate_fortran
from .fortran.program_fortran import FortranProgram
from .generate import function
from .generate_cxx import function as cxx_function
from .program import Program, Verdict
from .program_cxx import CxxProgram
from .unions.machines import StackMachine
from .unions.union_program import UnionProgram

#: what makes a function of a seed and a name, what builds several, and how many of them go into one program
KINDS: dict[str, tuple[Callable[[int, str], Any], type[Program], int]] = {
    "c": (function, Program, 20),
    "cxx": (cxx_function, CxxProgram, 5),
    "fortran": (generate_fortran.function, FortranProgram, 5),
    "unions": (StackMachine, UnionProgram, 5),
    "bits": (BitFunction, BitProgram, 5),
}


def causes(outcome: Verdict) -> list[str]:
    """Of a refusal: the reasons given."""
    return re.findall(r"^ *reason: (.*)", outcome.detail, re.M) or outcome.detail.splitlines()[:2] or ["no text"]


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("first", type=int)
@click.argument("count", type=int)
@click.argument("level", default="-O2", type=click.Choice(["-O0", "-O1", "-O2", "-O3"]))
def main(kind: str, first: int, count: int, level: str) -> None:
    """COUNT random functions of the seeds FIRST, FIRST + 1, …; the status is 1 if one is wrong or crashes."""
    make, program, together = KINDS[kind]
    met: Counter[str] = Counter()
    for start in range(first, first + count, together):
        sources = [make(start + k, f"f{k}") for k in range(min(together, first + count - start))]
        with tempfile.TemporaryDirectory() as folder:
            for outcome in program(Path(folder), sources).outcomes(level):
                met[outcome.kind] += 1
                if outcome.kind not in ("right", "skipped"):
                    why = " | ".join(causes(outcome)) if outcome.kind == "refused" else outcome.detail
                    print(f"seed {start + int(outcome.name[1:])} {level}: {outcome.kind}: {why}", flush=True)
    print(", ".join(f"{number} {kind}" for kind, number in met.most_common()))
    sys.exit(met["wrong"] + met["crashed"] > 0)


if __name__ == "__main__":
    main()
