"""Which blocks every complete run passes: loops count as entered, and paths that do not return do not count."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.certain_blocks import certain_blocks
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module

FUNCTION = "define void @f(i1 %c, i1 %d) {{\n{}\n}}\n"

CASES = {
    "condition": (
        "entry:\n br i1 %c, label %then, label %join\nthen:\n br label %join\njoin:\n ret void",
        {"entry", "join"},
    ),
    "either returns": (
        "entry:\n br i1 %c, label %then, label %else\nthen:\n ret void\nelse:\n ret void",
        {"entry"},
    ),
    "guarded loop": (
        "entry:\n br i1 %c, label %before, label %join\nbefore:\n br label %body\n"
        "body:\n br i1 %d, label %body, label %exit\nexit:\n br label %join\njoin:\n ret void",
        {"entry", "before", "body", "exit", "join"},
    ),
    "loop under a condition": (
        "entry:\n br i1 %c, label %then, label %join\nthen:\n br i1 %d, label %before, label %after\n"
        "before:\n br label %body\nbody:\n br i1 %d, label %body, label %exit\nexit:\n br label %after\n"
        "after:\n br label %join\njoin:\n ret void",
        {"entry", "join"},
    ),
    "test in the header": (
        "entry:\n br label %header\nheader:\n br i1 %c, label %body, label %exit\nbody:\n br label %header\n"
        "exit:\n ret void",
        {"entry", "header", "body", "exit"},
    ),
    "condition in a loop": (
        "entry:\n br label %body\nbody:\n br i1 %c, label %then, label %latch\nthen:\n br label %latch\n"
        "latch:\n br i1 %d, label %body, label %exit\nexit:\n ret void",
        {"entry", "body", "latch", "exit"},
    ),
    "abort": (
        "entry:\n br i1 %c, label %bad, label %good\nbad:\n unreachable\ngood:\n ret void",
        {"entry", "good"},
    ),
    "no return": ("entry:\n br label %entry2\nentry2:\n br label %entry2", set()),
}


@pytest.mark.parametrize("name", CASES)
def test_certain_blocks(name: str) -> None:
    text, wanted = CASES[name]
    flow = ControlFlow(Module.parse(FUNCTION.format(text)).body("@f"))
    assert {block.name for block in certain_blocks(flow)} == wanted
