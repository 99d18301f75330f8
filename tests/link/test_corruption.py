"""A hundred damaged inputs: a clear error or a right program, never a traceback, a hang or a leftover."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from enzyme_cc.link.inputs import elf

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


def compile_and_stamp(project: Project) -> str:
    """Compile as users do: the stamp keeps a checksum of the bitcode."""
    project.write("square.c", SQUARE)
    project.run(str(Path(sys.executable).parent / "enzyme-cc"), "-O1", "-c", "square.c")
    return "square.o"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", range(4))
def test_damaged_input(project: Project, kind: str, part: int) -> None:
    main, square = project.compile("main.c", MAIN), compile_and_stamp(project)
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
        clear = (victim.name, "[EZ0", "square'")  # the last is what plain ld says of the symbol
        assert result.status == 0 or any(words in result.stderr for words in clear), result.stderr
        assert result.status != 0 or project.output_of() == ["6.000"]
        (project.path / "program").unlink(missing_ok=True)


def test_flips_that_leave_readable_bitcode_are_found(project: Project) -> None:
    main, square = project.compile("main.c", MAIN), compile_and_stamp(project)
    data = bytearray((project.path / square).read_bytes())
    (section,) = elf.read(data).named(".enzybc")
    data[section.offset + data[section.offset :].index(b"clang version")] ^= 1  # no part of the program's meaning
    (project.path / square).write_bytes(data)
    result = project.try_link(main, square)
    assert result.status == 1
    assert "square.o carries corrupt bitcode: it is damaged: its checksum" in result.stderr
    assert "[EZ0103]" in result.stderr


@pytest.mark.parametrize("tool", ["strip -g", "objcopy", "ld -r -o again.o"])
def test_objects_written_anew_by_other_tools_have_no_checksum(project: Project, tool: str) -> None:
    main, square = project.compile("main.c", MAIN), compile_and_stamp(project)
    project.run(*tool.split(), square)
    made = "again.o" if "again.o" in tool else square
    assert not any(elf.read((project.path / made).read_bytes()).padding)
    project.link(main, made)
    assert project.output_of() == ["6.000"]
