"""Programs that must be refused: each message has the right name, the line, and a remedy that works when it is applied.

`pytest tests/random/refusals` tries one of each kind; with `-m random`, 200.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from .mutations import KINDS, MutatedProgram, Mutation

ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
LEVELS = ["-O0", "-O1", "-O2"]


def _run(folder: Path, *command: str | Path) -> tuple[int, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def _linked(folder: Path, program: MutatedProgram, level: str) -> tuple[int, str]:
    texts = {"main.c": "\n".join([*program.main, ""]), "lib.c": program.lib}
    for name, text in texts.items():
        (folder / name).write_text(text)
        compiler = "clang-22" if name in program.native else ENZYME_CC
        status, said = _run(folder, compiler, "-g", level, "-w", "-c", name)
        assert status == 0, said
    return _run(folder, ENZYME_CC, "main.o", "lib.o", "-o", "program", "-lm")


def check_mutation(folder: Path, mutation: Mutation, level: str) -> None:
    status, message = _linked(folder, mutation.program, level)
    where = f"main.c:{mutation.program.line_of(mutation.line)}:" if mutation.line else mutation.file
    assert status != 0, "it was not refused"
    assert f"[{mutation.id}]" in message and where in message and "remedy: " in message, f"{where}\n{message}"
    for remedy in mutation.remedies:
        status, said = _linked(folder, remedy(mutation.program, message), level)
        assert status == 0, said
        assert _run(folder, "./program")[0] == 0


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_one_mutation(tmp_path: Path, kind: int) -> None:
    check_mutation(tmp_path, KINDS[kind](random.Random(kind)), LEVELS[kind % 3])


@pytest.mark.random
@pytest.mark.parametrize("seed", range(200))
def test_mutations(tmp_path: Path, seed: int) -> None:
    rng = random.Random(1000 + seed)
    check_mutation(tmp_path, rng.choice(KINDS)(rng), rng.choice(LEVELS))
