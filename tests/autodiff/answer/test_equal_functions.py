"""Derivative functions with equal code become one; all others stay."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff.answer.equal_functions import with_equal_functions_once
from enzyme_cc.ir import llvm_passes

_CALLER = """@table = internal constant [2 x ptr] [ptr @__ez_reverse.f, ptr @__ez_reverse.f.1]

define double @caller(double %0) {
  %2 = call double @__ez_reverse.f(double %0)
  %3 = call double @__ez_reverse.f.1(double %2)
  ret double %3
}
"""


def function(name: str, body: str, linkage: str = "internal ") -> str:
    return f"\ndefine {linkage}double @{name}(double %0) {{\n{body}\n}}\n"


def kept(text: str) -> set[str]:
    """Returns the names of the functions that are left in the module, which must be valid."""
    found = with_equal_functions_once(text)
    llvm_passes.verify(llvm_passes.parse(found))
    return set(re.findall(r"^define .*?@([^(]+)\(", found, re.MULTILINE)) - {"caller"}


ADDS = "  %2 = fadd double %0, 1.0\n  ret double %2"
TWICE = "  %2 = fadd double %0, 2.0\n  ret double %2"


def calling(name: str) -> str:
    return f"  %2 = call double @{name}(double %0)\n  ret double %2"


def test_equal_functions_become_one_wherever_they_are_named() -> None:
    text = _CALLER + function("__ez_reverse.f", ADDS) + function("__ez_reverse.f.1", ADDS)
    assert kept(text) == {"__ez_reverse.f"}
    assert "f.1" not in with_equal_functions_once(text)


def test_names_may_be_quoted() -> None:
    quoted = '"__ez_reverse.f<1>"'
    text = _CALLER.replace("__ez_reverse.f.1", quoted)
    text += function("__ez_reverse.f", ADDS) + function(quoted, ADDS)
    assert kept(text) == {"__ez_reverse.f"}


@pytest.mark.parametrize("form", ["augmented", "gradient", "tangent", "dependence"])
def test_callers_of_equal_functions_become_equal(form: str) -> None:
    names = [f"__ez_{form}.g", f"__ez_{form}.g.1"]
    text = _CALLER + function("__ez_reverse.f", ADDS) + function("__ez_reverse.f.1", ADDS)
    text += function(names[0], calling("__ez_reverse.f.1")) + function(names[1], calling("__ez_reverse.f"))
    assert kept(text) == {"__ez_reverse.f", names[0]}


def test_functions_that_call_themselves_become_one() -> None:
    text = _CALLER + "".join(function(name, calling(name)) for name in ("__ez_reverse.f", "__ez_reverse.f.1"))
    assert kept(text) == {"__ez_reverse.f"}


def test_different_functions_stay() -> None:
    text = _CALLER + function("__ez_reverse.f", ADDS) + function("__ez_reverse.f.1", TWICE)
    assert with_equal_functions_once(text) == text


@pytest.mark.parametrize(
    "name, linkage", [("f", "internal "), ("__ez_reverse.f.2", ""), ("__ez_dispatch.1", "internal ")]
)
def test_the_program_s_functions_stay(name: str, linkage: str) -> None:
    """A program may compare their addresses."""
    text = _CALLER + function("__ez_reverse.f", ADDS) + function("__ez_reverse.f.1", TWICE)
    assert with_equal_functions_once(text + function(name, ADDS, linkage)) == text + function(name, ADDS, linkage)
