"""On which integers bits of numbers depend, through memory and between functions."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.integer_flow.deciding_integers import DecidingIntegers
from tests.analysis.support import Analysed

_TEXT = """
define double @f(ptr %flags) {
  %flag = load i64, ptr %flags
  %is = icmp eq i64 %flag, 0
  %word = select i1 %is, i64 0, i64 4611686018427387904
  %y = bitcast i64 %word to double
  ret double %y
}
define double @g(double %x, i64 %n) {
  %flags = alloca i64
  %other = alloca i64
  store i64 %n, ptr %flags
  store i64 %n, ptr %other
  %y = call double @f(ptr %flags)
  ret double %y
}
"""


def test_a_word_that_is_tested_for_a_number_decides_its_bits() -> None:
    a = Analysed(_TEXT, ["@g"])
    deciding = a.types.number_flow.deciding
    assert isinstance(deciding, DecidingIntegers)
    assert [deciding.are_at(i) for i in a.all("g", "alloca")] == [True, False]
