"""The values at points without a derivative, one row per line of the tables in docs/conventions.md."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest

from enzyme_cc.ir.types import DOUBLE

from .cases import case_of
from .evaluate import CompiledRules
from .test_partials import RULES, program

INF, NAN = math.inf, math.nan
# function, operands, result, partials; None: an operand that has none
EDGES = [
    ("fabs", (0.0,), 0.0, (1,)),
    ("fabs", (-0.0,), 0.0, (1,)),
    ("copysign", (0.0, -1.0), -0.0, (-1, 0)),
    ("sqrt", (0.0,), 0.0, (0,)),
    ("sqrt", (INF,), INF, (0,)),
    ("cbrt", (0.0,), 0.0, (0,)),
    ("rootn", (0.0, 3), 0.0, (0, 0)),
    ("pow", (0.0, 0.0), 1.0, (0, 0)),
    ("pow", (0.0, 0.5), 0.0, (0, 0)),
    ("pow", (0.0, 1.0), 0.0, (1, 0)),
    ("pow", (0.0, 2.0), 0.0, (0, 0)),
    ("pow", (0.0, -1.0), INF, (-INF, 0)),
    ("pow", (-2.0, 3.0), -8.0, (12, 0)),
    ("pow", (3.0, 0.0), 1.0, (0, math.log(3))),
    ("pow", (5e-324, 0.0), 1.0, (0, math.log(5e-324))),
    ("pow", (INF, -0.5), 0.0, (0, 0)),
    ("llvm.powi", (0.0, 0), 1.0, (0, 0)),
    ("llvm.powi", (0.0, 1), 0.0, (1, 0)),
    ("llvm.powi", (0.0, 2), 0.0, (0, 0)),
    ("pown", (0.0, 1), 0.0, (1, 0)),
    ("hypot", (0.0, 0.0), 0.0, (0, 0)),
    ("hypot", (1e300, 1e300), 1.4142135623730951e300, (0.7071067811865475, 0.7071067811865475)),
    ("atan2", (0.0, 0.0), 0.0, (0, 0)),
    ("atan2", (1e300, 1e300), math.pi / 4, (5e-301, -5e-301)),
    ("atan2", (INF, 1.0), math.pi / 2, (0, 0)),
    ("atan2", (1.0, INF), 0.0, (0, 0)),
    ("asinh", (1e300,), 691.0, (1e-300,)),
    ("asinh", (INF,), INF, (0,)),
    ("acosh", (1e300,), 691.0, (1e-300,)),
    ("asin", (1.0,), math.pi / 2, (INF,)),
    ("acos", (-1.0,), math.pi, (-INF,)),
    ("acosh", (1.0,), 0.0, (INF,)),
    ("atan", (1e300,), math.pi / 2, (0,)),
    ("tanh", (1000.0,), 1.0, (0,)),
    ("log", (0.0,), -INF, (INF,)),
    ("fmax", (2.0, 2.0), 2.0, (0.5, 0.5)),
    ("fmin", (2.0, 2.0), 2.0, (0.5, 0.5)),
    ("fmax", (0.0, -0.0), 0.0, (0.5, 0.5)),
    ("fmax", (NAN, 2.0), 2.0, (0, 1)),
    ("fmax", (2.0, NAN), 2.0, (1, 0)),
    ("fmin", (NAN, 2.0), 2.0, (0, 1)),
    ("fmin", (2.0, NAN), 2.0, (1, 0)),
    ("llvm.maximum", (3.0, 3.0), 3.0, (0.5, 0.5)),
    ("llvm.minimum", (3.0, 3.0), 3.0, (0.5, 0.5)),
    ("fdim", (1.0, 1.0), 0.0, (0.5, -0.5)),
    ("fdim", (0.0, 1.0), 0.0, (0, 0)),
    ("fmod", (5.0, INF), 5.0, (1, 0)),
    ("fmod", (6.0, 3.0), 0.0, (1, -2)),
    ("frexp", (0.0,), 0.0, (1, 0)),
    ("significand", (0.0,), 0.0, (1,)),
    ("j1", (0.0,), 0.0, (0.5,)),
    ("jn", (1, 0.0), 0.0, (0, 0.5)),
    ("cabs", (0.0, 0.0), 0.0, (0, 0)),
    ("carg", (0.0, 0.0), 0.0, (0, 0)),
]


@cache
def compiled() -> CompiledRules:
    programs = []
    for name in dict.fromkeys(edge[0] for edge in EDGES):
        case = case_of(name)
        assert case is not None
        programs.append(program(name, RULES[name], case))
    return CompiledRules(programs, DOUBLE)


@pytest.mark.parametrize(("name", "operands", "result", "expected"), EDGES, ids=str)
def test_convention(name: str, operands: tuple[float, ...], result: float, expected: tuple[float, ...]) -> None:
    env = dict(zip("xyzw", operands, strict=False)) | dict.fromkeys(("r", "r0", "r1"), result)
    got = [float(value) for value in compiled()(name, env)]
    assert got == pytest.approx(list(expected), rel=1e-14, abs=0)


def test_every_convention_is_in_the_document() -> None:
    text = (Path(__file__).parents[2] / "docs" / "conventions.md").read_text()
    functions = {edge[0].removeprefix("llvm.") for edge in EDGES}
    assert sorted(name for name in functions if f"`{name}" not in text) == []
