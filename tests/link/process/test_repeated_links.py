"""A link that was done before in the same way starts no Python; what the launcher cannot judge does."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_cc.link.native.repeated_links import VARIABLES

from ..conftest import CUBE, ROOT, Project

ENZYME_CC = str(Path(sys.executable).parent / "enzyme-cc")


def link(project: Project, *options: str) -> None:
    project.run(ENZYME_CC, "main.o", "square.o", *options, "-o", "program")


@pytest.fixture
def starts(cached: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], int]:
    """Counts how often a link starts Python: the number since the last call."""
    log, script = tmp_path / "starts", tmp_path / "python"
    script.write_text(f'#!/bin/sh\necho >> {log}\nexec {sys.executable} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("ENZYME_CC_PYTHON", str(script))

    def since() -> int:
        count = len(log.read_text()) if log.exists() else 0
        log.write_text("")
        return count

    return since


def test_the_same_link_starts_no_python(cached: Project, starts: Callable[[], int]) -> None:
    link(cached)
    first = (cached.path / "program").read_bytes()
    (cached.path / "program").unlink()
    assert starts() == 1
    link(cached)
    assert starts() == 0 and (cached.path / "program").read_bytes() == first
    os.utime(cached.path / "square.o")  # the same contents
    link(cached)
    link(cached)
    assert starts() == 1
    cached.compile("square.c", CUBE)
    link(cached)
    assert starts() == 1 and cached.output_of() == ["27.000"]


def test_python_sees_what_the_launcher_cannot(
    cached: Project, starts: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (cached.path / "early").mkdir()
    link(cached, "-Learly", "-lm")
    for change in (
        lambda: (cached.path / "early/libm.so").symlink_to("/nowhere"),  # another file could be meant
        lambda: monkeypatch.setenv("CPATH", "/nowhere"),
        lambda: monkeypatch.setenv("ENZYME_CC_CACHE", str(cached.path / "other")),
        lambda: [path.unlink() for path in (cached.path / "other/links").glob("*/use")],
    ):
        starts()
        change()
        link(cached, "-Learly", "-lm")
        assert starts() == 1


def test_the_launcher_has_the_same_variables() -> None:
    """Both make the key of a record of them, in order."""
    source = (ROOT / "toolchain" / "launcher" / "again.c").read_text()
    found = re.search(r"variables\[\] = \{(.*?)\}", source, re.DOTALL)
    assert found is not None
    assert tuple(re.findall(r'"(\w+)"', found[1])) == VARIABLES
