"""Which numbers count as made bit by bit of tests of another number's bits: many, not one of a sign or an exponent."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.decided_bits import DecidedBits
from enzyme_cc.analysis.activity.untracked_bits import UntrackedBits

from .inputs import Input
from .refused import ACTIVE

_TEST = """\
  %here{k} = and i64 %bits, {bit}
  %is{k} = icmp eq i64 %here{k}, 0
  %set{k} = select i1 %is{k}, i64 0, i64 {bit}
  %word{next} = or i64 %word{k}, %set{k}
"""


def makes_number(tests: int) -> bool:
    """Returns whether a number counts as made of another, of which so many bits are tested."""
    body = "".join(_TEST.format(k=k, next=k + 1, bit=1 << k + 30) for k in range(tests))
    text = f"""
define double @f(double %x) {{
  %bits = bitcast double %x to i64
  %word0 = and i64 0, 0
{body}  %y = bitcast i64 %word{tests} to double
  ret double %y
}}"""
    bits = UntrackedBits(Input(text, "out", ACTIVE).activity)
    assert isinstance(bits.decided, DecidedBits)
    casts = [i for i in bits.activity.function.instructions() if i.name == "y"]
    return bits.decided.makes_number(casts[0])


@pytest.mark.parametrize(("tests", "is_made"), [(1, False), (7, False), (8, True), (20, True)])
def test_many_tests_make_a_number(tests: int, is_made: bool) -> None:
    assert makes_number(tests) == is_made
