"""Scalars inside of types and constants: where they lie, and which they are."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.constant_numbers import numbers
from enzyme_cc.ir.constants import Constant
from enzyme_cc.ir.indices import address_terms, member_offset
from enzyme_cc.ir.leaves import float_leaves, scalar_leaves, shuffle_lanes, word_leaves
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE, FLOAT, I32, I64, PTR, ArrayType, StructType, VectorType
from enzyme_cc.ir.values import Instruction
from enzyme_cc.rules.expression_functions import type_suffix

MIXED = StructType((DOUBLE, I32, FLOAT, PTR, VectorType(FLOAT, 2)))


def first(line: str) -> Instruction:
    text = f"define void @f(ptr %p, i64 %k, <2 x double> %v) {{\n  {line}\n  ret void\n}}"
    return Module.parse(text).body("@f").entry.instructions[0]


def test_numbers_lie_where_the_abi_puts_them() -> None:
    assert [(leaf, at) for _, leaf, at in float_leaves(MIXED)] == [(DOUBLE, 0), (FLOAT, 12), (VectorType(FLOAT, 2), 24)]
    assert scalar_leaves(MIXED)[-2:] == [(FLOAT, 24), (FLOAT, 28)]


def test_words_are_pointers_and_integers_that_may_carry_one() -> None:
    assert [at for _, _, at in word_leaves(MIXED)] == [16]
    assert [at for _, _, at in word_leaves(StructType((I64, I32)))] == [0]


def test_an_index_that_is_not_known_has_a_scale() -> None:
    address = first("%q = getelementptr { double, [3 x i32] }, ptr %p, i64 1, i32 1, i64 %k")
    constant, variable = address_terms(address.source_type, address.operands[1:])
    assert (constant, [scale for _, scale in variable]) == (32, [4])


def test_the_offset_of_a_member_is_that_of_its_struct() -> None:
    assert member_offset(StructType((DOUBLE, ArrayType(FLOAT, 4))), [1, 2]) == 16


@pytest.mark.parametrize("mask, lanes", [("<i32 1, i32 poison>", [1, -1]), ("zeroinitializer", [0, 0])])
def test_lanes_of_a_shuffle(mask: str, lanes: list[int]) -> None:
    shuffle = first(f"%s = shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> {mask}")
    assert shuffle_lanes(shuffle.operands[2]) == lanes


def test_numbers_of_a_constant_and_what_is_none() -> None:
    added = first("%s = fadd <2 x double> %v, <double 1.5, double poison>").operands[1]
    assert isinstance(added, Constant)
    assert list(numbers(added)) == [1.5, None]


def test_names_of_types_in_intrinsics() -> None:
    assert [type_suffix(t) for t in (DOUBLE, VectorType(FLOAT, 2), I32)] == ["f64", "v2f32", "i32"]
