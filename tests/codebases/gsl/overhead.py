"""What embedding bitcode costs: processor time of enzyme-cc over that of plain clang, on the same files of GSL.

    python -m tests.codebases.gsl.overhead FOLDER_OF_A_BUILD

The machine may be busy with other things: so each file is compiled by both compilers directly after one another,
several times in alternating order, and the least time of each counts.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.codebases.builds import ENZYME_CC, plain_clang, processor_seconds

FILES = 60
ROUNDS = 3
FLAGS = ("-DHAVE_CONFIG_H", "-I.", "-I..", "-g", "-O2", "-c")


def compile_time_ratio(folder: Path) -> float:
    """enzyme-cc's time over clang's, summed over files from all over the library."""
    times = [_times(file) for file in _sample(folder)]
    return sum(embedded for embedded, _ in times) / sum(plain for _, plain in times)


def _sample(folder: Path) -> list[Path]:
    """Files that the build compiled, evenly from the list of all."""
    files = [path.with_suffix(".c") for path in sorted(folder.glob("*/*.o")) if path.with_suffix(".c").exists()]
    return files[:: max(1, len(files) // FILES)]


def _times(file: Path) -> tuple[float, float]:
    compilers = (str(ENZYME_CC), plain_clang())
    least = dict.fromkeys(compilers, float("inf"))
    for k in range(ROUNDS):
        for compiler in compilers[:: 1 if k % 2 else -1]:
            output = file.with_suffix(".timed.o")
            seconds = processor_seconds([compiler, *FLAGS, file.name, "-o", output.name], file.parent)
            output.unlink()
            least[compiler] = min(least[compiler], seconds)
    return least[compilers[0]], least[compilers[1]]


if __name__ == "__main__":
    print(f"{compile_time_ratio(Path(sys.argv[1])):.3f}")
