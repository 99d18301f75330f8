"""Prints what eight directions at once cost in forward mode, over one: `python tests/bench/width.py [FLAGS]`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
SOURCE = Path(__file__).with_suffix(".c")


def main(flags: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "width"
        subprocess.run([ENZYME_CC, *(flags or ["-O2"]), SOURCE, "-o", program, "-lm"], check=True)
        subprocess.run([program], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
