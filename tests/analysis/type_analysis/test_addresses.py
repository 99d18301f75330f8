"""Offsets and strides of address computations."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.constraints.addresses import address_offset, few_values
from enzyme_cc.ir.values import Instruction

from ..support import Analysed


def first(text: str, opcode: str) -> Instruction:
    return Analysed(f"%pair = type {{ i32, [4 x double] }}\n{text}").all("f", opcode)[0]


def offset(text: str) -> tuple[int, int]:
    address = first(text, "getelementptr")
    return address_offset(address.source_type, address.operands[1:])


def test_constant_indices_give_an_offset() -> None:
    text = "define void @f(ptr %p) {\n %a = getelementptr %pair, ptr %p, i64 1, i32 1, i64 2\n ret void\n}"
    assert offset(text) == (40 + 8 + 16, 0)


def test_other_indices_give_a_stride() -> None:
    text = "define void @f(ptr %p, i64 %k) {\n %a = getelementptr %pair, ptr %p, i64 0, i32 1, i64 %k\n ret void\n}"
    assert offset(text) == (8, 8)


def test_a_byte_index_has_the_stride_that_divides_it() -> None:
    text = (
        "define void @f(ptr %p, i64 %k) {\n %n = mul i64 %k, 24\n %a = getelementptr i8, ptr %p, i64 %n\n ret void\n}"
    )
    assert offset(text) == (0, 24)


def test_the_difference_of_two_pointers_leads_to_an_element_that_is_alike() -> None:
    """It is a multiple of the size of the elements, whatever that is, and so adds no stride of its own."""
    text = """
define void @f(ptr %p, ptr %q) {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %d = sub i64 %a, %b
  %r = getelementptr i8, ptr %q, i64 %d
  ret void
}"""
    assert offset(text) == (0, 0)


def test_an_index_that_chooses_one_of_a_few_fields() -> None:
    select = first("define void @f(i1 %c) {\n %k = select i1 %c, i64 0, i64 3\n ret void\n}", "select")
    assert few_values(select) == {0, 3}
    assert few_values(select.operands[0]) is None
