"""The other tools that tests/bench/adbench.py measures get the derivatives by hand, as far as they are there."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from ..bench.peers.array_problems import PROBLEMS
from ..bench.peers.bars import bars
from ..bench.peers.programs import CLANG, SAMPLE, Contender, Programs
from ..bench.peers.tools import NOT_OVERLOADED, TOOLS

ROOT = Path(__file__).parents[2]
needs_clang = pytest.mark.skipif(shutil.which(CLANG) is None, reason=f"no {CLANG}")


def check(programs: Programs, contender: Contender, name: str, *sizes: str) -> None:
    command = programs.command(contender, name, list(sizes))
    assert command is not None
    done = subprocess.run([*command, "check", *sizes], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_clang
@pytest.mark.parametrize("name", TOOLS)
def test_tool(tmp_path: Path, name: str) -> None:
    """It reads the problem with its own type of numbers, or gets the problem's arguments."""
    if not TOOLS[name].found(CLANG):
        pytest.skip(f"no {name}")
    check(Programs(tmp_path, None), Contender(by=name), "gmm", "3", "4", "20")


@pytest.mark.parametrize("directions", [1, 8])
def test_forward_requests(tmp_path: Path, directions: int) -> None:
    """Tangents are the products of the gradient by hand with the directions."""
    check(Programs(tmp_path, None), Contender(directions=directions), "gmm", "3", "4", "20")


def test_names_of_problems() -> None:
    assert all((SAMPLE / f"{name}.cpp").exists() for name in (*PROBLEMS, *NOT_OVERLOADED))


def test_bars() -> None:
    """A bar for each ratio, and one for the mean of each tool; bars begin or end where ours is 1."""
    drawn = xml.fromstring(bars({"one": {"hand": 0.5, "CppAD": 20.0}, "two": {"hand": 2.0}}))
    shown = [bar for bar in drawn.iter("{http://www.w3.org/2000/svg}rect") if len(bar)]
    assert [bar[0].text for bar in shown] == [
        "geometric mean, hand: 1", "geometric mean, CppAD: 20", "one, hand: 0.5", "one, CppAD: 20", "two, hand: 2"
    ]  # fmt: skip
    ends = [(float(bar.attrib["x"]), float(bar.attrib["x"]) + float(bar.attrib["width"])) for bar in shown]
    at_one = ends[0][0]
    assert all(at_one == pytest.approx(side) for side in (ends[1][0], ends[2][1], ends[3][0], ends[4][0]))
