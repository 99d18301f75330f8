"""Atomic exchanges of numbers and pointers become loads, comparisons and stores."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.bits.exchanges import separate_exchanges
from enzyme_cc.ir.module import Module

from ..rewriting import body, is_unchanged


def opcodes(text: str) -> list[str]:
    module = Module.parse(text)
    separate_exchanges(module.body("@f"))
    body(str(module))  # LLVM accepts it
    return [i.opcode for i in module.body("@f").instructions()]


SWAP = """
define {type} @f(ptr %p, {type} %x) {{
  %old = atomicrmw xchg ptr %p, {type} %x seq_cst
  ret {type} %old
}}
"""
COMPARED = """
define i64 @f(ptr %p, double %x) {{
  %seen = load i64, ptr %p
  %number = {use}
  %sum = fadd double %number, %x
  %new = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %seen, i64 {stored} seq_cst seq_cst
  %old = extractvalue {{ i64, i1 }} %pair, 0
  ret i64 %old
}}
"""


def test_an_exchange_of_pointers_is_a_load_and_a_store() -> None:
    assert opcodes(SWAP.format(type="ptr")) == ["load", "store", "ret"]


def test_an_exchange_of_integers_is_a_lock() -> None:
    is_unchanged(lambda _, function: separate_exchanges(function), SWAP.format(type="i64"))


def test_a_comparison_of_the_bits_of_numbers_is_none_of_atomic_words() -> None:
    found = opcodes(COMPARED.format(use="bitcast i64 %seen to double", stored="%new"))
    assert "cmpxchg" not in found
    assert "icmp" in found or "fcmp" in found


def test_a_comparison_of_integers_stays() -> None:
    integers = COMPARED.format(use="sitofp i64 %seen to double", stored="7")
    is_unchanged(lambda _, function: separate_exchanges(function), integers)
