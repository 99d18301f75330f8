"""Parallel functions and their gradients: speed-ups, and counts of what does not scale.

- TeamTimes with one and two threads, and with `--enzyme-serial-regions`.
- Atomic operations, locks, and bytes that threads allocate, by the number of threads, in a counting build: the link
  leaves its last LLVM IR, in which a call that counts stands before each atomic operation and each lock.

Run it as a program: `python -m tests.bench.threads [--counts] [SECONDS]`, on a quiet machine for times.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
SOURCE = Path(__file__).with_suffix(".c")
COUNTER = SOURCE.with_name("threads_counter.c")
CLANG = "clang-22"
NAMES = ("stencil", "bodies", "product", "sparse", "paths", "tree")
TEAMS = (2, 4, 8, 16, 32, 64)
_ATOMIC = re.compile(r"^(?=  (?:%\S+ = )?(?:atomicrmw|cmpxchg) )", re.MULTILINE)
_LOCK = re.compile(r"^(?=  (?:tail )?call [^\n]*@(?:__kmpc_critical|__kmpc_ordered|omp_set_lock)\()", re.MULTILINE)


class TeamTimes(NamedTuple):
    """The seconds that a function and its gradient take."""

    primal: float
    gradient: float


def build(folder: Path, *flags: str) -> Path:
    program = folder / f"threads{'-'.join(flags).replace('/', '_')}"
    command = [ENZYME_CC, "-O2", "-fopenmp", "-w", *flags, SOURCE, "-o", program, "-lm"]
    subprocess.run(command, check=True)
    return program


def run(program: Path, name: str, threads: int, seconds: float) -> str:
    """Returns what a program prints."""
    settings = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_DYNAMIC": "false"}
    done = subprocess.run([program, name, str(seconds)], check=True, capture_output=True, text=True, env=settings)
    return done.stdout


def times(program: Path, name: str, threads: int, seconds: float) -> TeamTimes:
    """Returns the least times of several calls."""
    return TeamTimes(*map(float, run(program, name, threads, seconds).split()))


def speed(folder: Path, seconds: float) -> Table:
    """Returns the table of times. Runs with one and two threads take turns with those of serial regions."""
    table = Table(
        "function", "primal, ms", "speed-up", "gradient, ms", "speed-up", "of the primal's", "1 thread / serial"
    )
    ratios = []
    team, alone = build(folder), build(folder, "--enzyme-serial-regions")
    for name in NAMES:
        one, two = times(team, name, 1, seconds), times(team, name, 2, seconds)
        serial = times(alone, name, 1, seconds)
        ups = one.primal / two.primal, one.gradient / two.gradient
        ratios.append(ups[1] / ups[0])
        cells = (one.primal * 1e3, ups[0], one.gradient * 1e3, ups[1], ratios[-1], one.gradient / serial.gradient)
        table.add_row(name, *(f"{cell:.2f}" for cell in cells))
    table.add_row("geometric mean", "", "", "", "", f"{prod(ratios) ** (1 / len(ratios)):.2f}", "")
    return table


def counting(folder: Path) -> Path:
    """Returns a program that prints counts after its checksum."""
    flags = ["-O2", "-fopenmp", "-w", "-DCOUNTS", f"--enzyme-save-temps={folder}", SOURCE, COUNTER]
    wrapped = [f"-Wl,--wrap={allocate}" for allocate in ("malloc", "calloc", "aligned_alloc")]
    subprocess.run([ENZYME_CC, *flags, *wrapped, "-o", folder / "linked", "-lm"], check=True)
    text = (folder / "final.ll").read_text()
    for pattern, call in ((_ATOMIC, "count_atomic"), (_LOCK, "count_lock")):
        text = pattern.sub(f"  call void @{call}()\n", text)
    (folder / "counted.ll").write_text(f"{text}\ndeclare void @count_atomic()\ndeclare void @count_lock()\n")
    program = folder / "counted"
    command = [CLANG, "-O1", "-w", "-fopenmp", folder / "counted.ll", COUNTER, *wrapped, "-o", program, "-lm"]
    subprocess.run(command, check=True)
    return program


def counts(folder: Path) -> Table:
    """Returns the table of counts of one gradient."""
    table = Table("function", "count", *map(str, TEAMS))
    program = counting(folder)
    for name in NAMES:
        rows = [run(program, name, threads, 0).split()[:3] for threads in TEAMS]
        what = ("atomic operations", "locks", "most bytes of a thread")
        for k, label in enumerate(what):
            table.add_row(name if not k else "", label, *(row[k] for row in rows))
    return table


def main(words: Sequence[str]) -> None:
    seconds = float(next((word for word in words if not word.startswith("-")), "1"))
    with tempfile.TemporaryDirectory() as folder:
        Console(width=140).print(counts(Path(folder)) if "--counts" in words else speed(Path(folder), seconds))


if __name__ == "__main__":
    main(sys.argv[1:])
