"""Random functions through upstream Enzyme and through this project: where they differ, and who is right.

`python -m tests.random.upstream [FIRST [COUNT [LEVEL]]]`. Upstream comes from the wheel of pennylane-catalyst in the
folder that ENZYME_CC_ORACLE names (pip download --no-deps pennylane-catalyst). The judge is the complex step.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from ..bench.gradients import find_catalyst
from .generate import Source, function
from .program import CLANG, Program, Verdict

_AFTER_ENZYME = "2_AfterEnzymePasses.ll"
_BATCH = 10


class UpstreamProgram(Program):
    """Built with upstream Enzyme of the catalyst binary, one function to a program: it may end the process."""

    catalyst: ClassVar[Path]

    def build(self, level: str) -> tuple[int, str]:
        work = self.folder / "upstream"
        work.mkdir(exist_ok=True)
        unoptimised = ("-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm")
        status, text = self.run(CLANG, level, "-w", *unoptimised, "main.c", "-o", "upstream/in.ll")
        if status:
            return status, text
        # it goes on to read MLIR, of which there is none, after the file wanted is written
        tool = f"cd upstream && {self.catalyst} in.ll --tool=all --keep-intermediate -o out.ll"
        status, text = self.run("sh", "-c", tool, seconds=120)
        made = next(iter(work.rglob(_AFTER_ENZYME)), None)
        if made is None:
            return 1, text or "upstream wrote nothing"
        made.write_text(re.sub(r"\bwritable\b", "", made.read_text()))
        return self.run(CLANG, level, "-w", "-Wno-override-module", made, "reference.o", "-o", "program", "-lm")


def compare(first: int, count: int, level: str) -> Iterator[tuple[int, Verdict, Verdict]]:
    """Seed, what came of it here, what came of it upstream."""
    for start in range(first, first + count, _BATCH):
        seeds = range(start, min(start + _BATCH, first + count))
        with tempfile.TemporaryDirectory() as folder:
            sources = [function(seed, f"f{k}") for k, seed in enumerate(seeds)]
            ours = Program(Path(folder) / "ours", sources).outcomes(level)
            for seed, source, here in zip(seeds, sources, ours, strict=True):
                yield seed, here, _upstream(Path(folder) / "theirs" / source.name, source, level)


def _upstream(folder: Path, source: Source, level: str) -> Verdict:
    (found,) = UpstreamProgram(folder, [source]).outcomes(level)
    return found


def main() -> int:
    numbers = [int(word) for word in sys.argv[1:3]]
    first, count = (*numbers, *(20240301, 100)[len(numbers) :])
    level = sys.argv[3] if len(sys.argv) > 3 else "-O2"
    with tempfile.TemporaryDirectory() as folder:
        catalyst = find_catalyst(Path(folder))
        if catalyst is None:
            print("upstream Enzyme: not compared, no wheel of pennylane-catalyst in $ENZYME_CC_ORACLE")
            return 0
        UpstreamProgram.catalyst = catalyst.resolve()
        met: Counter[tuple[str, str]] = Counter()
        for seed, ours, theirs in compare(first, count, level):
            met[ours.kind, theirs.kind] += 1
            if ours.kind != theirs.kind:
                print(f"seed {seed} {level}: here {ours.kind}, upstream {theirs.kind}", flush=True)
    for (here, there), number in met.most_common():
        print(f"{number:6} here {here:10} upstream {there}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
