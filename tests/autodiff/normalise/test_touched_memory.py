"""The memory that an instruction touches."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.normalise.touched_memory import copied_arguments, touched_by_access
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Instruction


def first(line: str) -> tuple[Module, Instruction]:
    text = f"declare void @g(ptr)\ndefine void @f(ptr %p, double %x) {{\n  {line}\n  ret void\n}}"
    module = Module.parse(text)
    return module, module.body("@f").entry.instructions[0]


@pytest.mark.parametrize(
    "line, size, writes",
    [
        ("%v = load float, ptr %p", "4", False),
        ("store double %x, ptr %p", "8", True),
        ("%o = atomicrmw fadd ptr %p, double %x seq_cst", "8", True),
    ],
)
def test_accesses_touch_what_they_read_or_write(line: str, size: str, writes: bool) -> None:
    found = touched_by_access(first(line)[1])
    assert found is not None
    assert (getattr(found.pointer, "name", ""), str(found.size), found.writes) == ("p", size, writes)


def test_arithmetic_touches_nothing() -> None:
    assert touched_by_access(first("%y = fadd double %x, %x")[1]) is None


def test_a_call_copies_what_it_passes_by_value() -> None:
    (copied,) = copied_arguments(*first("call void @g(ptr byval([3 x double]) %p)"))
    assert (str(copied.size), copied.writes) == ("24", False)
    assert list(copied_arguments(*first("call void @g(ptr %p)"))) == []
