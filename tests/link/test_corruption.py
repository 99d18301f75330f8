"""A hundred damaged inputs: always a clear error or a link that works, never a traceback, a hang or a leftover."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from enzyme_cc.link import elf

from .conftest import MAIN, SQUARE, Project

SEED = 20261121
KINDS = ("object", "archive", "bitcode", "truncated object", "truncated archive")


def damage(kind: str, generator: random.Random, data: bytes) -> bytes:
    """Return the file with a few bytes flipped, or cut short."""
    if kind.startswith("truncated"):
        return data[: generator.randrange(1, len(data))]
    start, end = 0, len(data)
    if kind == "bitcode":
        (section,) = elf.read(data).named(".enzybc")
        start, end = section.offset, section.offset + section.size
    damaged = bytearray(data)
    for _ in range(generator.choice([1, 3, 20, 100])):
        damaged[generator.randrange(start, end)] ^= 1 << generator.randrange(8)
    return bytes(damaged)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", range(4))
def test_damaged_input(project: Project, kind: str, part: int) -> None:
    main, square = project.compile("main.c", MAIN), project.compile("square.c", SQUARE)
    library = project.archive("libsquare.a", square)
    victim = Path(project.path / (library if "archive" in kind else square))
    whole = victim.read_bytes()
    generator = random.Random(f"{SEED} {kind} {part}")
    for _ in range(5):
        victim.write_bytes(damage(kind, generator, whole))
        result = project.try_link(main, victim.name)
        assert "Traceback" not in result.stderr
        assert "EZ0900" not in result.stderr
        assert project.leftovers() == []
        clear = (victim.name, "[EZ0", "undefined reference to `square'")  # the last is what plain ld says, too
        assert result.status == 0 or any(words in result.stderr for words in clear), result.stderr
        (project.path / "program").unlink(missing_ok=True)
