"""Gradients beside their primals, gradients written by hand, and upstream Enzyme's: time ratios and tape bytes.

Run it as a program; names of programs in tests/bench/gradients may follow. Upstream's column needs the wheel of
pennylane-catalyst in the folder that ENZYME_CC_ORACLE names (pip download --no-deps pennylane-catalyst).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent / "gradients"
FLAGS = ["-O3", "-march=native", "-I", str(HERE)]


@dataclass(frozen=True)
class Times:
    """Seconds of one call each, bytes of tape, and how far the gradient is from the one by hand."""

    primal: float
    gradient: float
    hand: float
    tape: int
    tape_by_hand: int
    difference: float

    @staticmethod
    def of(program: Path) -> Times:
        done = subprocess.run([program], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{program.name} failed: {done.stdout}{done.stderr}")
        words = done.stdout.split()
        return Times(*map(float, words[:3]), *map(int, words[3:5]), float(words[5]))  # type: ignore[arg-type]


def tool(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which(name) or sys.exit(f"{name} not found")


def build(source: Path, folder: Path) -> Path:
    program = folder / source.stem
    subprocess.run([tool("enzyme-cc"), *FLAGS, source, "-lm", "-o", program], check=True)
    return program


# -- upstream


def find_catalyst(folder: Path) -> Path | None:
    wheels = sorted(Path(os.environ.get("ENZYME_CC_ORACLE", ".")).glob("pennylane_catalyst*.whl"))
    if not wheels:
        return None
    with zipfile.ZipFile(wheels[-1]) as wheel:
        name = next(n for n in wheel.namelist() if n.endswith("bin/catalyst"))
        path = Path(wheel.extract(name, folder))
    path.chmod(0o755)
    return path


def build_upstream(source: Path, folder: Path, catalyst: Path) -> Path | None:
    """The same program with upstream's gradient; None where upstream does not differentiate it."""
    work = folder / f"{source.stem}.upstream"
    work.mkdir()
    unoptimised = ["-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"]
    subprocess.run(["clang-22", *FLAGS, *unoptimised, source, "-o", work / "in.ll"], check=True)
    command = [catalyst, "in.ll", "--tool=all", "--keep-intermediate", "-o", "out.ll"]
    subprocess.run(command, cwd=work, capture_output=True)
    made = next(iter(work.rglob("2_AfterEnzymePasses.ll")), None)
    if made is None:
        return None
    made.write_text(re.sub(r"\bwritable\b", "", made.read_text()))
    program = folder / f"{source.stem}-upstream"
    done = subprocess.run(["clang-22", *FLAGS, "-Wno-override-module", made, "-lm", "-o", program], capture_output=True)
    return program if done.returncode == 0 else None


def row(source: Path, folder: Path, catalyst: Path | None) -> list[str]:
    ours = Times.of(build(source, folder))
    rival = build_upstream(source, folder, catalyst) if catalyst else None
    over_upstream = "-"
    if rival is not None:
        theirs = Times.of(rival)
        over_upstream = f"{ours.gradient / ours.primal / (theirs.gradient / theirs.primal):.2f}"
    tape_ratio = f"{ours.tape / ours.tape_by_hand:.2f}" if ours.tape_by_hand else "-"
    return [
        source.stem,
        f"{ours.gradient / ours.primal:.2f}",
        f"{ours.gradient / ours.hand:.2f}",
        over_upstream,
        f"{ours.tape:,}",
        f"{ours.tape_by_hand:,}",
        tape_ratio,
        f"{ours.difference:.1e}",
    ]


def main() -> int:
    names = sys.argv[1:] or [p.stem for p in sorted(HERE.glob("*.c"))]
    table = Table("program", "over primal", "over by hand", "over upstream", "tape", "by hand", "ratio", "difference")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        catalyst = find_catalyst(folder)
        for program in names:
            table.add_row(*row(HERE / f"{program}.c", folder, catalyst))
    Console(width=110).print(table)
    if catalyst is None:
        print("upstream Enzyme: not compared, no wheel of pennylane-catalyst in $ENZYME_CC_ORACLE")
    return 0


if __name__ == "__main__":
    sys.exit(main())
