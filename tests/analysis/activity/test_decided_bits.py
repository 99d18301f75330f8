"""Which numbers count as made bit by bit of tests of another number's bits: many, not one of a sign or an exponent."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.decided_bits import DecidedBits
from enzyme_cc.analysis.activity.number_bytes import is_byte_of_number
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
    return bits.decided.leaves(casts[0])


@pytest.mark.parametrize(("tests", "is_made"), [(1, False), (7, False), (8, True), (20, True)])
def test_many_tests_make_a_number(tests: int, is_made: bool) -> None:
    assert makes_number(tests) == is_made


_TABLE = """
@table = global [256 x i8] zeroinitializer
define double @f(double %x) {{
entry:
  %from = alloca double
  %to = alloca double
  store double %x, ptr %from
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %from, i64 %k
  %byte = load i8, ptr %p
  %index = zext i8 {index} to i64
  %q = getelementptr i8, ptr @table, i64 %index
  %found = load i8, ptr %q
  %place = getelementptr i8, ptr %to, i64 %k
  store i8 %found, ptr %place
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, 8
  br i1 %done, label %end, label %loop
end:
  %y = load double, ptr %to
  ret double %y
}}"""


@pytest.mark.parametrize(("index", "is_made"), [("%byte", True), ("5", False)])
def test_bytes_out_of_a_table_make_a_number(index: str, is_made: bool) -> None:
    """The index must be a byte among bytes that begin with a number (number_bytes.py)."""
    bits = UntrackedBits(Input(_TABLE.format(index=index), "out", ACTIVE).activity)
    stores = [i for i in bits.activity.function.instructions() if i.opcode == "store"]
    place = stores[-1].operands[1]
    assert is_byte_of_number(bits.types, place, 1)
    assert bits.decided.leaves(stores[-1]) == is_made
