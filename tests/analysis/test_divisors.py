"""Which number divides an integer: what wrapping around leaves of it, by flags and by how the result is read."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.integers.divisors import Divisors
from enzyme_cc.ir.values import Instruction
from tests.ir.llvm_check import parsed

STRICT = Divisors(wraps=lambda _: True)
#: instructions that compute %r from %x, a number that nothing is known of; the divisor read as signed, and as unsigned
CASES = {
    "constant_times": ("%r = mul nsw nuw i32 %x, 24", 24, 24),
    "signed_product": ("%r = mul nsw i32 %x, 24", 24, 8),
    "unsigned_product": ("%r = mul nuw i32 %x, 24", 8, 24),
    "product_that_may_wrap": ("%r = mul i32 %x, 24", 8, 8),
    "shifted": ("%r = shl i32 %x, 4", 16, 16),
    "shifted_by_too_much": ("%r = shl i32 %x, 40", 1, 1),
    "sum": ("%a = mul nsw i32 %x, 6\n  %r = add nsw i32 %a, 9", 3, 1),
    "sum_that_may_wrap": ("%a = mul nsw i32 %x, 24\n  %r = sub i32 %a, 12", 4, 4),
    "disjoint_bits": ("%a = mul nsw nuw i32 %x, 24\n  %r = or disjoint i32 %a, 6", 6, 6),
    "bits": ("%a = mul nsw nuw i32 %x, 24\n  %r = or i32 %a, 12", 4, 4),
    "masked": ("%r = and i32 %x, -16", 16, 16),
    "choice": ("%a = mul nsw i32 %x, 6\n  %r = select i1 %c, i32 %a, i32 9", 3, 1),
    # 86 · 3 = 258 is 2 in eight bits
    "truncated": ("%a = mul nsw i32 %x, 3\n  %r = trunc i32 %a to i8", 1, 1),
    "truncated_keeps_powers_of_two": ("%a = mul nsw i32 %x, 24\n  %r = trunc i32 %a to i8", 8, 8),
    "truncated_without_wrapping": ("%a = mul nsw i32 %x, 3\n  %r = trunc nsw i32 %a to i8", 3, 1),
    # a negative multiple of 3, read as unsigned, is that number less than 2^32, which is none
    "zero_extended_signed_product": ("%a = mul nsw i32 %x, 3\n  %r = zext i32 %a to i64", 1, 1),
    "zero_extended_unsigned_product": ("%a = mul nuw i32 %x, 3\n  %r = zext i32 %a to i64", 3, 3),
    "sign_extended_signed_product": ("%a = mul nsw i32 %x, 3\n  %r = sext i32 %a to i64", 3, 1),
    "sign_extended_unsigned_product": ("%a = mul nuw i32 %x, 3\n  %r = sext i32 %a to i64", 1, 1),
    "quotient": ("%r = sdiv i32 %x, 4", 1, 1),
}


def _divisors(text: str, divisors: Divisors = STRICT) -> tuple[int, int]:
    function = parsed(f"define void @f(i1 %c, i32 %x) {{\n  {text}\n  ret void\n}}\n").body("@f")
    result = next(i for i in function.instructions() if i.name == "r")
    return divisors.of(result), divisors.of(result, signed=False)


@pytest.mark.parametrize("name", CASES)
def test_divisor(name: str) -> None:
    text, signed, unsigned = CASES[name]
    assert _divisors(text) == (signed, unsigned)


LOOP = """define void @f(i64 %n) {{
entry:
  br label %loop

loop:
  %r = phi i64 [ 12, %entry ], [ %next, %loop ]
  %next = add {flag} i64 %r, 18
  %go = icmp slt i64 %next, %n
  br i1 %go, label %loop, label %end

end:
  ret void
}}
"""


@pytest.mark.parametrize(("flag", "divisor"), [("nsw", 6), ("", 2)])
def test_induction_variable_is_a_multiple_of_what_divides_start_and_step(flag: str, divisor: int) -> None:
    phi = parsed(LOOP.format(flag=flag)).body("@f").blocks[1].phis[0]
    assert STRICT.of(phi) == divisor


def test_a_caller_may_know_more_of_instructions_and_of_wrapping() -> None:
    def known(i: Instruction) -> int | None:
        return 0 if i.opcode == "sub" else None

    assert _divisors("%a = sub i32 %x, 1\n  %r = mul i32 %a, 7", Divisors(lambda _: False, known)) == (0, 0)
    assert _divisors("%r = mul i32 %x, 24", Divisors(lambda _: False)) == (24, 24)
