"""Prints what gradients through FFTW cost, over the primal: `python tests/bench/fft.py [measure]`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
SOURCE = Path(__file__).with_suffix(".c")


def main(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "fft"
        subprocess.run([ENZYME_CC, "-O2", SOURCE, "-o", program, "-lfftw3", "-lm"], check=True)
        subprocess.run([program, *words], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
