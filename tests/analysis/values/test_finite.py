"""Which numbers are surely finite: constants among which conditions choose, and what is promised and kept."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.values.finite import FiniteNumbers
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.instructions import FLOAT_ARITHMETIC
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function, Instruction
from enzyme_cc.rules.math import ROOT
from enzyme_cc.rules.rule import partials

FUNCTION = """
define {type} @f(i1 %c, i1 %d, {type} %x, {type} %y, ptr %p) {{
entry:
{body}
}}
declare float @llvm.sqrt.f32(float)
declare <2 x float> @llvm.sqrt.v2f32(<2 x float>)
"""
STORED = "store {type} %n, ptr %p\n ret {type} %x"
CHOSEN = "%s = select i1 %c, {type} %n, {type} %x\n ret {type} %s"
BRANCH = "br i1 %c, label %then, label %end\nthen:\n store {type} %n, ptr %p\n br label %end\nend:\n ret {type} %x"
LOOP = (
    "br label %loop\nloop:\n %n = fmul fast {type} %x, %y\n br i1 %c, label %latch, label %next\nnext:\n {next}\n"
    " br label %latch\nlatch:\n {latch}\n br i1 %d, label %loop, label %end\nend:\n ret {type} %x"
)
STORE = "store {type} %n, ptr %p"


def numbers(body: str, type_: str = "float") -> tuple[FiniteNumbers, dict[str, Instruction], Function]:
    body = body.replace("{type}", type_)
    function = Module.parse(FUNCTION.format(type=type_, body=body)).body("@f")
    found = FiniteNumbers(ControlFlow(function), lambda i: i.opcode in FLOAT_ARITHMETIC or i.opcode == "call")
    return found, {i.name: i for i in function.instructions() if i.name}, function


@pytest.mark.parametrize("flags, kept", [("fast", True), ("nnan ninf", True), ("nnan", False), ("", False)])
def test_operands_and_result_of_a_promise_that_is_kept(flags: str, kept: bool) -> None:
    finite, made, function = numbers(f"%n = fmul {flags} {{type}} %x, %y\n {STORED}")
    x = function.arguments[2]
    assert [finite.is_finite(v) for v in (x, made["n"])] == [kept, kept]
    assert finite.is_finite_partial(made["n"], partials("y")[0], made["n"].operands) is kept
    assert not finite.is_finite(function.arguments[4])


@pytest.mark.parametrize("type_", ["float", "<2 x float>"])
@pytest.mark.parametrize(
    "end, kept",
    [
        (STORED, True),
        ("ret {type} %n", True),
        ("%m = fadd fast {type} %n, %y\n ret {type} %m", True),
        ("%m = fadd {type} %n, %y\n ret {type} %m", False),
        (CHOSEN, False),
        (BRANCH, False),
        ("br i1 %c, label %then, label %end\nthen:\n br label %end\nend:\n ret {type} %n", True),
    ],
)
def test_where_the_result_goes(type_: str, end: str, kept: bool) -> None:
    finite, made, function = numbers(f"%n = fmul fast {{type}} %x, %y\n {end}", type_)
    assert finite.is_finite(made["n"]) is kept
    assert finite.is_finite(function.arguments[2]) is kept


@pytest.mark.parametrize("next_, latch, kept", [("", STORE, True), (STORE, "", False)])
def test_of_each_round(next_: str, latch: str, kept: bool) -> None:
    """What another round makes is another number."""
    finite, made, _ = numbers(LOOP.replace("{next}", next_).replace("{latch}", latch))
    assert finite.is_finite(made["n"]) is kept


def test_the_partial_of_a_root() -> None:
    call = "%n = call fast {type} @llvm.sqrt.f32({type} %x)\n"
    for end, kept in ((STORED, True), (CHOSEN, False)):
        finite, made, _ = numbers(call + end)
        assert finite.is_finite_partial(made["n"], partials(ROOT)[0], made["n"].arguments) is kept


def test_divisors() -> None:
    for flags, kept in (("fast", True), ("nnan ninf", False)):
        finite, made, _ = numbers(f"%n = fdiv {flags} {{type}} %x, %y\n {STORED}")
        assert finite.is_finite_partial(made["n"], partials("1/y")[0], made["n"].operands) is kept


@pytest.mark.parametrize(
    "body, known",
    [
        ("%n = select i1 %c, float 2.0, float 5.5", True),
        ("%n = select i1 %c, float 2.0, float %x", False),
        ("%n = select i1 %c, float 2.0, float 0x7FF0000000000000", False),
        ("%s = select i1 %c, float 2.0, float -4.0\n %n = fdiv float 1.0, %s", True),
        ("%s = select i1 %c, float 2.0, float 0.0\n %n = fdiv float 1.0, %s", False),
        ("%s = select i1 %c, float 2.0, float 0x36A0000000000000\n %n = fdiv float 1.0, %s", False),
        ("%s = fneg float 3.0\n %n = select i1 %c, float %s, float 1.0", True),
    ],
)
def test_constants(body: str, known: bool) -> None:
    finite, made, _ = numbers(f"{body}\n ret float %x")
    assert finite.is_finite(made["n"]) is known


def test_a_vector_of_constants() -> None:
    finite, made, _ = numbers(
        "%s = select i1 %c, float 2.0, float 4.0\n %v = insertelement <2 x float> splat (float 1.0), float %s, i64 0\n"
        " %n = shufflevector <2 x float> %v, <2 x float> splat (float 1.0), <2 x i32> zeroinitializer\n ret float %x"
    )
    assert finite.is_finite(made["n"])


def test_a_phi_of_itself() -> None:
    finite, made, _ = numbers(
        "br label %loop\nloop:\n %n = phi float [ 1.0, %entry ], [ %n, %loop ]\n br i1 %c, label %loop, label %end\n"
        "end:\n ret float %x"
    )
    assert not finite.is_finite(made["n"])
