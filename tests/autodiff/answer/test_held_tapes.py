"""Tapes that the program holds: allocated by the augmented half, used and released by the reverse half."""

from __future__ import annotations

import pytest

from enzyme_cc.report.diagnostics import EnzymeError

from .answered import SQUARE, answered, body

AUGMENTED = """
declare ptr @__enzyme_augmentfwd(...)
define ptr @g(double %x) {
  %tape = call ptr (...) @__enzyme_augmentfwd(ptr @f, double %x)
  ret ptr %tape
}
"""
PROVIDED = """
declare double @__enzyme_augmentfwd(...)
define double @g(double %x, ptr %memory) {{
  %a = load i32, ptr @enzyme_allocated
  %t = load i32, ptr @enzyme_tape
  %r = call double (...) @__enzyme_augmentfwd(ptr @f, i32 %a, i64 {size}, i32 %t, ptr %memory, double %x)
  ret double %r
}}
"""
REVERSE = """
declare double @__enzyme_reverse(...)
define double @h(double %x, ptr %tape) {
  %t = load i32, ptr @enzyme_tape
  %d = call double (...) @__enzyme_reverse(ptr @f, double %x, double 1.0, i32 %t, ptr %tape)
  ret double %d
}
"""


def test_the_augmented_half_returns_a_new_tape_with_its_record() -> None:
    g = body(answered(SQUARE + AUGMENTED))
    steps = [g.index(step) for step in ("@__ez_tape_open", "@__ez_augmented.f", "@__ez_tape_keep")]
    assert steps == sorted(steps)


def test_the_reverse_half_reads_the_record_and_closes_the_tape() -> None:
    h = body(answered(SQUARE + REVERSE), "@h")
    steps = [h.index(step) for step in ("@__ez_tape_record", "@__ez_reverse.f", "@__ez_tape_close")]
    assert steps == sorted(steps)


def test_memory_that_the_program_provides_must_suffice() -> None:
    answered(SQUARE + PROVIDED.format(size=4096))
    with pytest.raises(EnzymeError, match="8 bytes are too few") as error:
        answered(SQUARE + PROVIDED.format(size=8))
    assert error.value.diagnostics[0].id == "EZ0209"
