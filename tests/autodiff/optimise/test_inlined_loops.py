"""Which functions with loops LLVM may inline although they are large."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.inlined_loops import with_loops_inlined

MARK = '"loops"'
MODULE = """define internal double @f(ptr %x) #0 {{
  {first}
  ret double 0.0
}}
define internal double @g(ptr %x) #{group} {{
  {body}
  ret double 0.0
}}
attributes #0 = {{ nounwind }}
attributes #1 = {{ nounwind "loops" }}
"""
PRODUCT = "%y = fmul double %a, %b"


def limited(body: str, group: int = 1) -> bool:
    """Returns whether @g has a limit of its own; @f never has."""
    text = with_loops_inlined(MODULE.format(first=PRODUCT, body=body, group=group), MARK)
    f, g = [line for line in text.splitlines() if line.startswith("define")]
    assert f.endswith("#0 {") and "inline" not in f
    return '#1 "function-inline-threshold"=' in g and g.endswith(" {")


@pytest.mark.parametrize(
    "more",
    [
        "",
        "%z = call double @sin(double %y)",
        "%z = tail call double @llvm.sqrt.f64(double %y)",
        "call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 %n, i1 false)",
    ],
)
def test_arithmetic(more: str) -> None:
    assert limited(f"{PRODUCT}\n  {more}")


@pytest.mark.parametrize(
    "more", ["call void @other(ptr %x)", "%z = call double %x(double %y)", "%z = invoke double @other() to label %a"]
)
def test_other_calls(more: str) -> None:
    assert not limited(f"{PRODUCT}\n  {more}")


def test_no_numbers() -> None:
    assert not limited("%y = add i64 %a, %b")


def test_no_loop() -> None:
    assert not limited(PRODUCT, group=0)
