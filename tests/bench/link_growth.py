"""How the processor time of links grows with the number of functions that take part, by the shape of the library.

Run it as a program, with shapes (none: all) and `--sizes=100,300,900`. Prints processor seconds and the largest memory
of each link, and from each size to the next the growth over n log n. Exits with 1 if a program is wrong, or if the
growth exceeds BAR from one size to the next. docs/architecture.md states the bound.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.library_shapes import SHAPES, language, program

#: growth over n log n for each factor of three
BAR = 1.1
SIZES = (100, 300, 900)


def measured(shape: str, n: int, folder: Path) -> tuple[float, int, str]:
    """Returns processor seconds and megabytes of one link, and what the program says: right, wrong, or the error."""
    suffix, compiler = (".cpp", "enzyme-c++") if language(shape) == "c++" else (".c", "enzyme-cc")
    source, unit, output = (folder / f"{shape}{n}{end}" for end in (suffix, ".o", ""))
    source.write_text(program(shape, n))
    subprocess.run([compiler, "-O2", "-w", "-c", source, "-o", unit], check=True)
    log = output.with_suffix(".log")
    with log.open("wb") as to:
        command = [compiler, unit, "-lm", "-o", output, "-Wl,--enzyme-no-cache"]
        process = subprocess.Popen(command, stdout=to, stderr=to)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    outcome = "right" if not status and not subprocess.run([output], stdout=subprocess.DEVNULL).returncode else "wrong"
    if status:
        outcome = next((line for line in log.read_text().splitlines() if "error" in line), "no link")
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, outcome


def growth(before: tuple[int, float], after: tuple[int, float]) -> float:
    """Returns how much the time grew over n log n."""
    (n, t), (m, u) = before, after
    return u / t / (m * math.log(m) / (n * math.log(n)))


def main(arguments: list[str]) -> int:
    """Prints the table."""
    options = [a for a in arguments if a.startswith("--sizes=")]
    sizes = [int(n) for n in options[-1][8:].split(",")] if options else list(SIZES)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for shape in [a for a in arguments if not a.startswith("--")] or SHAPES:
            before: tuple[int, float] | None = None
            for n in sizes:
                seconds, megabytes, outcome = measured(shape, n, Path(folder))
                grown = growth(before, (n, seconds)) if before else 0.0
                failed |= outcome != "right" or grown > BAR
                print(f"{shape:16} {n:6} {seconds:7.2f} s {megabytes:5} MB  growth {grown:4.2f}  {outcome}", flush=True)
                before = n, seconds
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
