"""Integers that carry numbers: the adjoint of a number goes back to the bytes that the number came from."""

import re

from tests.autodiff.jit import Compiled
from tests.autodiff.sweeps import derivative

HIGH_HALF = """
define double @f(i64 %two) {
  %high = lshr i64 %two, 32
  %bits = trunc i64 %high to i32
  %y = bitcast i32 %bits to float
  %z = fpext float %y to double
  ret double %z
}
"""


def test_the_adjoint_of_a_packed_integer_is_a_struct_of_what_its_bytes_carry() -> None:
    lines = derivative(HIGH_HALF, "out")
    assert any("alloca <{ i32, float }>" in line for line in lines)
    assert any(re.search(r"getelementptr inbounds i8, ptr %\d+, i64 4$", line) for line in lines)


SIGNS = """
declare double @__enzyme_autodiff(...)

define double @f(double %x) {
  %bits = bitcast double %x to i64
  %flipped = OPERATION
  %y = bitcast i64 %flipped to double
  ret double %y
}

define double @gradient(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
"""


def test_flipping_the_sign_bit_negates_the_adjoint() -> None:
    made = Compiled(SIGNS.replace("OPERATION", "xor i64 %bits, -9223372036854775808"))
    assert made.call("gradient", 5.0) == -1.0


def test_clearing_the_sign_bit_takes_the_sign_of_the_number() -> None:
    made = Compiled(SIGNS.replace("OPERATION", "and i64 %bits, 9223372036854775807"))
    assert [made.call("gradient", x) for x in (5.0, -5.0)] == [1.0, -1.0]
