"""The problems of samples/adbench: primal, gradient by hand, ours, ours before optimisation, and upstream Enzyme's.

`python -m tests.bench.adbench [--json FILE] [--repetitions N] [CASE…]` prints one table of ratios, in Markdown: medians
over interleaved repetitions. Each is a process of its own. It gives its first call, and the median of its later calls
(warm). Upstream's columns need the wheel of pennylane-catalyst, as for tests/bench/gradients.py.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Column, Table

from .gradients import find_catalyst, tool

SAMPLE = Path(__file__).parents[2] / "samples" / "adbench"
FLAGS = ("-O3", "-march=native")
CLANG, FLANG, LINK = "clang++-22", "flang-22", "llvm-link-22"
NESTED = ("saddle", "particle")
# catalyst runs Enzyme only where there is one
_ONE_REVERSE_REQUEST = """
extern "C" double __enzyme_autodiff(void *, ...);
static double enzyme_square(double x) { return x * x; }
double enzyme_twice(double x) { return __enzyme_autodiff((void *)enzyme_square, x); }
"""

# program and sizes, for calls of 0.2 to 100 ms
CASES = {
    "gmm d=10 K=25": "gmm 10 25 200",
    "gmm d=32 K=50": "gmm 32 50 40",
    "gmm d=64 K=25": "gmm 64 25 30",
    "ba": "ba 20 2000 8000",
    "lstm 2 layers": "lstm 2 300 14",
    "lstm 4 layers": "lstm 4 300 30",
    "ht simple": "hand_tracking 0 100 544",
    "ht complicated": "hand_tracking 1 100 544",
    "kmeans d=3": "kmeans 10000 5 3",
    "kmeans d=16": "kmeans 4000 10 16",
    "det 7": "det 7",
    "det 9": "det 9",
    "lse 2e4": "lse 20000",
    "lse 6e5": "lse 600000",
    "llsq m=64": "llsq 64 4000",
    "llsq m=512": "llsq 512 1000",
    "ode": "ode 20 5000",
    "brusselator": "brusselator 16 100",
    "fft 2^14": "fft 14",
    "fft 2^16": "fft 16",
    "network small": "network 32 32 64 10",
    "network large": "network 64 128 256 10",
    "nbody n=20": "nbody 20 200",
    "nbody n=200": "nbody 200 20",
    "cg n=32^2": "cg 32 50",
    "cg n=100^2": "cg 100 40",
    "kalman T=1e3": "kalman 1000",
    "kalman T=2e4": "kalman 20000",
    "black_scholes": "black_scholes 500 50",
    "sparse_solve w=4": "sparse_solve 1000 4 20",
    "sparse_solve w=16": "sparse_solve 20000 16 10",
    "roe n=4e3": "roe 4000",
    "roe n=1e5": "roe 100000",
    "heat n=50^2": "heat 50 100",
    "heat n=200^2": "heat 200 40",
    **{
        f"{program} {outer[0]}{inner[0]}": f"{program} {i} {j}"
        for program in ("saddle", "particle")
        for i, outer in enumerate(("forward", "reverse"))
        for j, inner in enumerate(("forward", "reverse"))
    },
}


@dataclass
class Samples:
    """What the repetitions of one variant took: seconds of the first call and of a later one; MB at most."""

    first: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)

    def add(self, line: str) -> None:
        first, warm, kilobytes = line.split()
        self.first.append(float(first))
        self.warm.append(float(warm))
        self.memory.append(int(kilobytes) / 1024)

    def of(self, what: str) -> float:
        return statistics.median(getattr(self, what))

    def spread(self) -> float:
        """Half the distance of the quartiles, over the median."""
        if len(self.warm) < 2:
            return 0.0
        low, _, high = statistics.quantiles(self.warm, n=4)
        return (high - low) / 2 / self.of("warm")


def sources(name: str) -> list[Path]:
    """Of a problem, some of which have a kernel in Fortran."""
    return [SAMPLE / f"{name}.cpp", *SAMPLE.glob(f"{name}_kernel.f90")]


def run(*words: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{words} failed: {done.stdout}{done.stderr}")
    return done.stdout


# -- programs: one for each problem and compiler


class Programs:
    """Built once each; the seconds of processor time that our links took."""

    def __init__(self, folder: Path, catalyst: Path | None) -> None:
        self.folder = folder
        self.catalyst = catalyst
        self.links: dict[str, float] = {}
        self.kept: dict[tuple[str, str], Path | None] = {}
        run(tool("enzyme-c++"), *FLAGS, "-c", SAMPLE / "main.cpp", "-o", folder / "main.o")

    def of(self, name: str, variant: str) -> Path | None:
        """None if upstream does not differentiate the program, or is not there."""
        if (name, variant) not in self.kept:
            self.kept[name, variant] = self.build(name, variant)
        return self.kept[name, variant]

    def build(self, name: str, variant: str) -> Path | None:
        if variant == "upstream":
            return self.by_upstream(name)
        program, objects = self.folder / f"{name}-{variant}", [self.folder / "main.o"]
        for source in sources(name):
            objects.append(self.folder / f"{source.stem}.o")
            compiler = "enzyme-c++" if source.suffix == ".cpp" else "enzyme-fc"
            run(tool(compiler), *FLAGS, "-c", source, "-o", objects[-1])
        before = _children_seconds()
        option = ("--enzyme-no-preopt",) if variant == "no_preopt" else ()
        words = (*FLAGS, "--enzyme-no-cache", *option, *objects, "-o", program)
        run(tool("enzyme-c++"), *words)
        self.links[f"{name} {variant}"] = _children_seconds() - before
        return program

    def by_upstream(self, name: str) -> Path | None:
        if self.catalyst is None:
            return None
        work = self.folder / f"{name}.upstream"
        work.mkdir()
        unoptimised = ("-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm")
        (work / "one.h").write_text(_ONE_REVERSE_REQUEST)
        emitted = []
        for source in sources(name):
            emitted.append(work / f"{source.stem}.ll")
            if source.suffix == ".cpp":
                run(CLANG, *FLAGS, *unoptimised, "-include", work / "one.h", source, "-o", emitted[-1])
            else:
                run(FLANG, *FLAGS, "-S", "-emit-llvm", source, "-o", emitted[-1])
        run(LINK, "-S", *emitted, "-o", work / "in.ll")
        # it goes on to read MLIR, of which there is none, after the file wanted is written
        lower = (self.catalyst, "in.ll", "--tool=all", "--keep-intermediate", "-o", "out.ll")
        subprocess.run(lower, cwd=work, capture_output=True)
        made = next(iter(work.rglob("2_AfterEnzymePasses.ll")), None)
        if made is None:
            return None
        made.write_text(re.sub(r"\bwritable\b", "", made.read_text()))
        program = self.folder / f"{name}-upstream"
        link = (CLANG, *FLAGS, "-Wno-override-module", made, self.folder / "main.o", "-o", program)
        done = subprocess.run(link, capture_output=True)
        return program if done.returncode == 0 else None


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# -- measuring

# which program a variant runs, and what of it
VARIANTS = {
    "primal": ("ours", "primal"),
    "hand": ("ours", "hand"),
    "ours": ("ours", "derivative"),
    "no_preopt": ("no_preopt", "derivative"),
    "upstream": ("upstream", "derivative"),
}


def measure(programs: Programs, case: str, repetitions: int) -> dict[str, Samples]:
    name, *words = CASES[case].split()
    commands: dict[str, tuple[str | Path, ...]] = {}
    for variant, (built, what) in VARIANTS.items():
        program = programs.of(name, built)
        right = program is not None and (
            what != "derivative" or subprocess.run([program, "check", *words], capture_output=True).returncode == 0
        )
        if right and program is not None:
            commands[variant] = (program, what, *words)
        elif built != "upstream":
            sys.exit(f"{case}: the derivative ({built}) is wrong")
    samples = {variant: Samples() for variant in commands}
    for _ in range(repetitions):
        for variant, command in commands.items():
            samples[variant].add(run(*command))
    return samples


# -- the table

Ratio = Callable[[dict[str, Samples]], float]


def over(other: str, what: str = "warm", one: str = "ours") -> Ratio:
    return lambda s: s[one].of(what) / s[other].of(what)


# directions of one call by the problem: a Jacobian by columns counts each of them
DIRECTIONS = {"ht simple": 26, "ht complicated": 28}

COLUMNS: dict[str, Ratio] = {
    "ours / primal": over("primal"),
    "ours / hand": over("hand"),
    "ours / upstream": over("upstream"),
    "upstream, first call": over("upstream", "first"),
    "no preopt / ours": over("ours", one="no_preopt"),
    "memory / upstream": over("upstream", "memory"),
}
# problems that a column does not tell of: a descent has no primal, and knows the saddle's gradient in closed form
NOT_IN = {"ours / primal": NESTED, "ours / hand": ("saddle",)}


def row(case: str, samples: dict[str, Samples]) -> list[float | None]:
    """None where there is nothing to compare with."""
    found: list[float | None] = []
    for column, ratio in COLUMNS.items():
        if CASES[case].split()[0] in NOT_IN.get(column, ()) or ("upstream" in column and "upstream" not in samples):
            found.append(None)
        else:
            found.append(ratio(samples) / (DIRECTIONS.get(case, 1) if column == "ours / primal" else 1))
    return found


def means(rows: Iterable[list[float | None]]) -> list[float | None]:
    """Geometric ones."""
    columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
    return [statistics.geometric_mean(there) if there else None for there in columns]


def table(measured: dict[str, dict[str, Samples]]) -> Table:
    headers = ("case", "ours, ms", "±", *COLUMNS, "MB: ours, hand, upstream")
    made = Table(*(Column(header, no_wrap=True) for header in headers), box=box.MARKDOWN)
    rows = {case: row(case, samples) for case, samples in measured.items()}
    for case, samples in measured.items():
        ours = samples["ours"]
        memory = [f"{samples[v].of('memory'):.0f}" if v in samples else "-" for v in ("ours", "hand", "upstream")]
        time = (f"{1e3 * ours.of('warm'):.2f}", f"{ours.spread():.0%}")
        made.add_row(case, *time, *_numbers(rows[case]), ", ".join(memory))
    made.add_row("geometric mean", "", "", *_numbers(means(rows.values())), "")
    return made


def _numbers(values: list[float | None]) -> list[str]:
    return ["-" if v is None else f"{v:.2f}" for v in values]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", type=Path, help="write all samples to this file")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"among: {', '.join(CASES)}")
    wanted = parser.parse_args()
    measured = {}
    with tempfile.TemporaryDirectory() as name:
        catalyst = find_catalyst(Path(name))
        programs = Programs(Path(name), catalyst)
        for case in wanted.cases or CASES:
            measured[case] = measure(programs, case, wanted.repetitions)
    Console(width=240).print(table(measured))
    print("processor time of our links, s: " + ", ".join(f"{k} {v:.1f}" for k, v in programs.links.items()))
    if catalyst is None:
        print("upstream Enzyme: not compared, no wheel of pennylane-catalyst in $ENZYME_CC_ORACLE")
    if wanted.json:
        samples = {case: {v: asdict(s) for v, s in found.items()} for case, found in measured.items()}
        wanted.json.write_text(json.dumps({"flags": FLAGS, "cases": samples, "links": programs.links}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
