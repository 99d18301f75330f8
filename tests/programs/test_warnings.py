"""A function that cannot be differentiated, and is called under a condition: the link warns."""

from __future__ import annotations

from .conftest import Builder
from .test_programs import STOPPED


def test_branch_without_derivative(builder: Builder) -> None:
    (program,) = [path for path in STOPPED if path.name == "branch_without_derivative.c"]
    built = builder.build(program, "-O1", "-g")
    assert built.status == 0, built.text
    assert "branch_without_derivative.c:10:3: warning: inline assembly in differentiated code [EZ0301]" in built.text
    assert "  reached by: the request at" in built.text
    assert "note: these functions are called under conditions: the program ends if it calls their deriv" in built.text
