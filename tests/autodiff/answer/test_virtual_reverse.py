"""`__enzyme_virtualreverse`: a table of the two halves, made once for each signature."""

from __future__ import annotations

from .answered import SQUARE, answered

VIRTUAL = """
declare ptr @__enzyme_virtualreverse(...)
define ptr @g() {
  %pair = call ptr (...) @__enzyme_virtualreverse(ptr @f)
  ret ptr %pair
}
define ptr @h() {
  %pair = call ptr (...) @__enzyme_virtualreverse(ptr @f)
  ret ptr %pair
}
"""


def test_both_requests_get_one_table_of_two_functions() -> None:
    text = answered(SQUARE + VIRTUAL)
    table = next(line for line in text.splitlines() if line.startswith("@__ez_virtual.f"))
    assert "[ptr @__ez_virtual_augmented.f, ptr @__ez_virtual_reverse.f]" in table
    assert text.count("ret ptr @__ez_virtual.f") == 2


def test_the_reverse_half_takes_the_seed_and_the_tape() -> None:
    text = answered(SQUARE + VIRTUAL)
    head = next(line for line in text.splitlines() if line.startswith("define") and "@__ez_virtual_reverse.f" in line)
    assert [word for word in head.split("(")[1].split(")")[0].replace(",", "").split() if "%" not in word] == [
        "double",
        "double",
        "ptr",
    ]
