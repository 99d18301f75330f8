"""Attributes of sanitizers are notes while derivatives are made."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.back_ends import InProcess, back_end
from enzyme_cc.link.inputs.units import Unit
from enzyme_cc.link.merged_module import sanitizers
from enzyme_cc.link.participants.lost_checks import lost_checks

UNIT = """\
define void @checked() #0 {
  ret void
}

define void @unchecked() #1 {
  ret void
}

define void @__ez_gradient.f() {
  ret void
}

attributes #0 = { nounwind sanitize_address sanitize_thread }
attributes #1 = { nounwind }
attributes #2 = { cold }
"""


def groups(text: str) -> dict[str, str]:
    """The attributes of each function."""
    words = dict(re.findall(r"^attributes (#\d+) = \{ (.*) \}", text, re.MULTILINE))
    return {name: words.get(group, "") for name, group in re.findall(r"^define .*@([\w.]+)\(\) ?(#\d+)?", text, re.M)}


def test_attributes_become_notes() -> None:
    noted = sanitizers.with_notes(UNIT)
    assert groups(noted) == {
        "checked": 'nounwind "enzyme-sanitize_address" "enzyme-sanitize_thread"',
        "unchecked": 'nounwind "enzyme-sanitize-none"',
        "__ez_gradient.f": "",
    }
    assert "{ cold }" in noted and sanitizers.with_notes(noted) == noted


def test_notes_become_attributes_of_all_that_is_emitted() -> None:
    module = llvm_passes.parse(sanitizers.with_notes(UNIT))
    sanitizers.ask_for_checks(module)
    found = {name: {w for w in words.split() if '"' not in w} for name, words in groups(str(module)).items()}
    checks = {"sanitize_address", "sanitize_thread"}
    assert found == {
        "checked": {"nounwind", *checks},
        "unchecked": {"nounwind"},
        "__ez_gradient.f": {"noinline", *checks},
    }


def test_units_without_sanitizers_are_not_changed() -> None:
    plain = UNIT.replace("sanitize_address sanitize_thread ", "")
    module = llvm_passes.parse(plain)
    before = str(module)
    sanitizers.ask_for_checks(module)
    assert sanitizers.with_notes(plain) == plain and str(module) == before


@pytest.mark.parametrize("mark", ["sanitize_address", "sanitize_memory"])
def test_clang_puts_the_checks_in(mark: str) -> None:
    emitter = back_end("clang-22")
    if isinstance(emitter, InProcess):
        pytest.skip("no clang of this LLVM")
    text = "define double @f(ptr %x) #0 {\n  %y = load double, ptr %x\n  ret double %y\n}\n"
    head, group = 'target triple = "x86_64-pc-linux-gnu"', f"attributes #0 = {{ {mark} }}"
    assert f"@__{mark[9]}san_" in emitter.optimise(f"{head}\n{text}{group}\n", huge=False)


def test_only_units_with_sanitizers_lose_checks() -> None:
    unit = Unit("plain.txt", None, "plain.txt", memoryview(b"text"))
    assert lost_checks([unit], {}) == [] == lost_checks([], {unit: ["f"]})
