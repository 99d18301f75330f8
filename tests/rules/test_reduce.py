"""Partials of vector reductions."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.constants import ConstantWord
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE, VectorType
from enzyme_cc.ir.values import Value
from enzyme_cc.rules import reduce
from enzyme_cc.rules.intrinsics import INTRINSICS

from .evaluate import CompiledRules, RuleProgram

VECTOR = VectorType(DOUBLE, 4)
CASES = [
    ("fadd", (5, 1, 2, 3, 4), 15, [1, 1, 1, 1, 1]),
    ("fmul", (5, 1, 2, 3, 4), 120, [24, 120, 60, 40, 30]),
    ("fmul", (5, 1, 0, 3, 4), 0, [0, 0, 60, 0, 0]),
    ("fmul", (5, 0, 0, 3, 4), 0, [0, 0, 0, 0, 0]),
    ("fmax", (None, 1, 7, 3, 4), 7, [0, 1, 0, 0]),
    ("fmax", (None, 7, 7, 3, 4), 7, [0.5, 0.5, 0, 0]),
    ("fmin", (None, 1, 7, 3, 4), 1, [1, 0, 0, 0]),
    ("fminimum", (None, 2, 2, 2, 4), 2, [1 / 3, 1 / 3, 1 / 3, 0]),
    ("fmaximum", (None, 2, 2, 2, 4), 4, [0, 0, 0, 1]),
]


@pytest.mark.parametrize(("name", "inputs", "result", "expected"), CASES, ids=str)
def test_partials(name: str, inputs: tuple[float | None, ...], result: float, expected: list[float]) -> None:
    rule = INTRINSICS[f"vector.reduce.{name}"]
    assert rule.kind == "reduce"
    start, *lanes = inputs

    def emit(builder: Builder, env: dict[str, Value]) -> list[Value]:
        vector: Value = ConstantWord(VECTOR, "poison")
        for i in range(4):
            vector = builder.emit("insertelement", VECTOR, (vector, env[f"v{i}"], int_constant(i)))
        operands = [vector] if start is None else [env["s"], vector]
        out: list[Value] = []
        for partial in reduce.partials(rule, builder, operands, env["r"]):
            if isinstance(partial.type, VectorType):
                out += [builder.emit("extractelement", DOUBLE, (partial, int_constant(i))) for i in range(4)]
            else:
                out.append(partial)
        return out

    env = {f"v{i}": value for i, value in enumerate(lanes)} | {"s": start or 0, "r": result}
    compiled = CompiledRules([RuleProgram(name, dict.fromkeys(env, "f"), emit)], DOUBLE)
    assert [float(value) for value in compiled(name, env)] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("lanes", "opcodes"),
    [
        ((2,), ["extractelement"]),
        ((0, 2, 2), ["extractelement"] * 3 + ["fadd"] * 2),
        ((0, 1, 2, 3), ["call"]),
        ((0, 2, 2, 3), ["shufflevector", "call"]),
    ],
    ids=str,
)
def test_many_lanes_are_added_by_a_reduction(lanes: tuple[int, ...], opcodes: list[str]) -> None:
    module = Module.parse("define void @f(<4 x double> %v) {\n  ret void\n}")
    body = module.body("@f")
    total = reduce.sum_of_lanes(Builder.before(body.entry.instructions[-1]), body.arguments[0], lanes)
    assert total.type == DOUBLE
    found = [i.opcode for i in body.instructions() if i.opcode != "ret"]
    assert sorted(found) == sorted(opcodes)
