"""Recursive functions and their gradients, by depth: the time of a level must not grow.

Run it as a program: `python tests/bench/recursion.py [FLAGS]`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
SOURCE = Path(__file__).with_suffix(".c")


def main(flags: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "recursion"
        subprocess.run([ENZYME_CC, *(flags or ["-O2"]), SOURCE, "-o", program, "-lm"], check=True)
        lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    table = Table("function", "depth", "primal, ns/level", "gradient, ns/level", "ratio", "tape, bytes/level")
    for name, depth, primal, gradient, tape in map(str.split, lines):
        times = float(primal), float(gradient)
        ratio, size = times[1] / times[0], int(tape) / int(depth)
        table.add_row(name, depth, f"{times[0]:.1f}", f"{times[1]:.1f}", f"{ratio:.1f}", f"{size:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
