"""Calls that the reverse sweep may make again: they write nothing, and what they read is still the same."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.memory.facts import MemoryFacts
from enzyme_cc.analysis.memory.repeatable import is_repeatable

from ..support import Analysed

TEXT = """
declare double @of_value(double) memory(none)
declare double @of_memory(ptr) memory(argmem: read)
declare double @of_all_memory(ptr) memory(read)
declare double @writes(ptr) memory(argmem: readwrite)
declare double @silent(ptr)

define double @f(double %x, ptr %p, ptr noalias %q) {
  %y = CALL
  store double %x, ptr %q
  ret double %y
}
"""
CASES = {
    "it depends on its argument alone": ("call double @of_value(double %x)", True),
    "it reads memory that stays": ("call double @of_memory(ptr %p)", True),
    "it reads memory that is overwritten": ("call double @of_memory(ptr %q)", False),
    "it may read any memory": ("call double @of_all_memory(ptr %p)", False),
    "it writes": ("call double @writes(ptr %p)", False),
    "nothing is said of it": ("call double @silent(ptr %p)", False),
}


@pytest.mark.parametrize("name", CASES)
def test_is_repeatable(name: str) -> None:
    call, expected = CASES[name]
    a = Analysed(TEXT.replace("CALL", call))
    facts = MemoryFacts(a.module, a.function("f"), a.flow("f"), a.types)
    (found,) = a.all("f", "call")
    assert is_repeatable(a.module, facts, found, lambda pointer: True) == expected
    if "of_memory" in call:
        assert not is_repeatable(a.module, facts, found, lambda pointer: False)  # a caller writes there
