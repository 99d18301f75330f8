"""How long differentiation takes, and how much memory, as functions grow: one table per shape of code.

Run it as a program, with the shapes to measure as arguments (none: all). Each function is built through the whole
chain; the times of the stages are processor times, as enzyme-ld tells them. Exits with 1 where a bar is missed: 20,000
instructions in 60 s and 2 GB, and from each size to the next no more than n log n (with a third for noise).
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SIZES = (1000, 2000, 5000, 10000, 20000)
SECONDS_BAR, MEGABYTES_BAR, NOISE = 60.0, 2048, 4 / 3
STAGES = ("optimise", "differentiate", "finish", "emit")

_STAGE = r"^enzyme-ld: (\w+): .*\((\d+) ms of processor time"

_HEAD = "#include <math.h>\nextern double __enzyme_autodiff(void *, ...);\n"
_MAIN = "int main(void) { static double x[N], dx[N]; __enzyme_autodiff((void *)f, x, dx, 3); return 0; }\n"


def straight(n: int) -> Iterator[str]:
    """Arithmetic and library functions in one block."""
    yield "double f(const double *x, int n) {\n  double y = n, z = 1;"
    for i in range(n // 6):
        yield f"  y = sin(y * x[{i % 97}]) + z; z = z * y - x[{i % 89}];"
    yield "  return y + z;\n}"


def branches(n: int) -> Iterator[str]:
    """Many small blocks, one after the other."""
    yield "double f(const double *x, int n) {\n  double y = n;"
    for i in range(n // 11):
        yield f"  if (y > x[{i % 97}]) y = exp(y * x[{i % 89}]); else y = sqrt(y) - x[{i % 83}] * y;"
    yield "  return y;\n}"


def in_place(n: int) -> Iterator[str]:
    """Loads and stores of one array, each overwriting what another has read: an unrolled transform."""
    yield "void g(double *x, int n) {\n  x += n;"
    for i in range(n // 12):
        a, b = (i * 7) % 128, (i * 7 + 1 + i % 64) % 128
        yield f"  {{ double u = x[{a}], v = x[{b}]; x[{a}] = u + v * x[{(a + 5) % 128}]; x[{b}] = u * v; }}"
    yield "}\ndouble f(double *x, int n) { g(x, n); return x[5]; }"


def pointers(n: int) -> Iterator[str]:
    """Loads and stores through several pointers that may alias, at places known at run time only."""
    yield "double f(double *x, int n) {\n  double *a = x, *b = x + n, *c = x + 2 * n;"
    for i in range(n // 12):
        yield f"  a[n + {i % 50}] = b[{i % 31}] * c[n * {i % 7}]; c[{i % 43}] += a[{i % 29}] * b[n + {i % 17}];"
    yield "  return a[0];\n}"


def loops(n: int) -> Iterator[str]:
    """Loop nests, one after the other, over arrays that are overwritten."""
    yield "double f(double *x, int n) {\n  double s = 0;"
    for i in range(n // 30):
        yield "  for (int i = 0; i < n; i++) { double t = 0;\n  for (int j = 0; j < n; j++) t += x[i * 7 + j] * x[j];"
        yield f"    x[i + {i % 50}] = t * cos(x[i]); }}"
    yield "  for (int i = 0; i < n; i++) s += x[i];\n  return s;\n}"


def states(n: int) -> Iterator[str]:
    """A machine in one loop: a switch of many cases, each with its memory and its branches."""
    yield "double f(double *x, int n) {\n  double y = 1;\n  int state = n;\n  for (int step = 0; step < 10 * n; step++)"
    yield f"    switch (state % {n // 16 + 1}) {{"
    for i in range(n // 16):
        yield f"    case {i}: x[{i % 97}] = y * x[step]; if (y > {i}) {{ state += {i * 7 % 11}; y = x[{i % 89}] * y; }}"
        yield f"      else state = {(i * 13) % (n // 16)}; break;"
    yield "    }\n  return y;\n}"


def calls(n: int) -> Iterator[str]:
    """Many functions that are not inlined, each called by the next."""
    count = n // 20
    for i in range(count):
        inner = f"g{i - 1}(x, n - 1)" if i else "x[0]"
        yield f"__attribute__((noinline)) static double g{i}(double *x, int n) {{"
        yield f"  double y = {inner}; x[n] = y * x[{i % 97}]; return sin(y) * x[n + {i % 5}]; }}"
    yield f"double f(double *x, int n) {{ return g{count - 1}(x, n); }}"


SHAPES: dict[str, Callable[[int], Iterator[str]]] = {
    shape.__name__: shape for shape in (straight, branches, in_place, pointers, loops, states, calls)
}


@dataclass(frozen=True)
class Measurement:
    """One link: `instructions` as differentiation gets them, milliseconds by stage, the peak of memory."""

    instructions: int
    stages: dict[str, float]
    megabytes: float

    @property
    def seconds(self) -> float:
        return self.stages["differentiate"] / 1000


def measure(text: str, folder: Path, level: str = "-O2") -> Measurement:
    (folder / "f.c").write_text(_HEAD + text + "\n" + _MAIN.replace("N", "4096"))
    compiler = str(Path(sys.executable).with_name("enzyme-cc"))
    subprocess.run([compiler, "-O1", "-w", "-c", "f.c"], cwd=folder, check=True)
    words = [compiler, level, "f.o", "-o", "f", "-lm", "--enzyme-verbose", "--enzyme-save-temps=temps"]
    # a process of its own reports its peak, and its children's
    script = "import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]);"
    script += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(status)"
    done = subprocess.run(
        [sys.executable, "-c", script, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    stages = {name: float(ms) for name, ms in re.findall(_STAGE, done.stderr, re.M)}
    instructions = len(re.findall(r"^  \S", (folder / "temps" / "preopt.ll").read_text(), re.M))
    return Measurement(instructions, stages, int(done.stdout.split()[-1]) / 1024)


def report(name: str, sizes: tuple[int, ...]) -> bool:
    """Print the table of one shape; say whether it keeps to the bars."""
    print(f"{name}: {(SHAPES[name].__doc__ or '').splitlines()[0]}")
    print(f"{'instructions':>14}" + "".join(f"{stage:>15}" for stage in STAGES) + f"{'MB':>8}{'growth':>9}")
    good, before = True, None
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            found = measure("\n".join(SHAPES[name](size)), Path(folder))
        growth = _growth(before, found) if before is not None else 0.0
        good &= growth <= NOISE and found.seconds < SECONDS_BAR and found.megabytes < MEGABYTES_BAR
        times = "".join(f"{found.stages[stage] / 1000:13.2f} s" for stage in STAGES)
        print(f"{found.instructions:14}{times}{found.megabytes:8.0f}{growth:9.2f}", flush=True)
        before = found
    return good


def _growth(before: Measurement, after: Measurement) -> float:
    """The time's growth over that of n log n."""
    n, m = before.instructions, after.instructions
    return (after.seconds / before.seconds) / (m * math.log(m) / (n * math.log(n)))


def main(names: list[str]) -> int:
    good = [report(name, SIZES) for name in names or SHAPES]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
