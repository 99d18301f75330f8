"""Products that repeat bits become words that are put together."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.bits.repeated import pack_repeated_bits
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function

from ..rewriting import becomes, is_unchanged

PRODUCT = """
define i64 @f(i32 %x) {{
  %wide = zext i32 %x to i64
  %pair = mul i64 %wide, {}
  ret i64 %pair
}}
"""


def packed(_: Module, function: Function) -> None:
    pack_repeated_bits(function)


def test_the_same_bits_twice_are_two_parts_of_a_word() -> None:
    after = """
      %wide = zext i32 %x to i64
      %1 = shl nuw i64 %wide, 32
      %2 = or disjoint i64 %wide, %1
      ret i64 %2
    """
    becomes(packed, PRODUCT.format("4294967297"), after)


def test_other_products_stay() -> None:
    is_unchanged(packed, PRODUCT.format("4294967296"))
    is_unchanged(packed, PRODUCT.format("65537"))
