"""What a request says must fit its function: each check has a request that passes it, and one that does not."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.requests.reader import read_request
from enzyme_cc.autodiff.requests.request import find_requests
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import EnzymeError

MARKERS = "out dup const primal_return dup_return active_return tape allocated width sparse".split()
TEXT = (
    "\n".join(f"@enzyme_{marker} = external global i32" for marker in MARKERS)
    + """
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare double @__enzyme_reverse(...)
define double @f(double %x, ptr %p, i32 %n) {{
  ret double %x
}}
define double @g(double %x, ptr %p, ptr %q, i32 %n) {{
  %d = call double (...) @__enzyme_{kind}(ptr @f, {arguments})
  ret double %d
}}
"""
)
X, P, N = "double %x", "ptr @enzyme_dup, ptr %p, ptr %q", "i32 %n"


def read(*arguments: str, kind: str = "autodiff") -> None:
    module = Module.parse(TEXT.format(kind=kind, arguments=", ".join(arguments)))
    read_request(module, find_requests(module)[0], frozenset(), lambda name: None)


def refused(*arguments: str, kind: str = "autodiff") -> str:
    with pytest.raises(EnzymeError) as raised:
        read(*arguments, kind=kind)
    (diagnostic,) = raised.value.diagnostics
    return f"{diagnostic.id} {diagnostic.message}"


def test_an_argument_has_a_type_that_c_converts() -> None:
    read(X, P, N)
    read("float 1.0", P, "i8 1")
    assert refused("ptr %p", P, N) == "EZ0203 argument 1 of f has the wrong type"


def test_only_numbers_are_returned() -> None:
    read("ptr @enzyme_out, double %x", P, N)
    assert refused(X, "ptr @enzyme_out, ptr %p", N) == "EZ0203 argument 2 of f cannot be enzyme_out"


def test_in_reverse_mode_only_pointers_have_shadows() -> None:
    assert refused("ptr @enzyme_dup, double %x, double 1.0", P, N) == "EZ0203 argument 1 of f cannot be enzyme_dup"
    read("ptr @enzyme_dup, double %x, double 1.0", P, N, kind="fwddiff")


def test_forward_mode_returns_no_adjoints() -> None:
    found = refused("ptr @enzyme_out, double %x", P, N, kind="fwddiff")
    assert found == "EZ0203 argument 1 of f cannot be enzyme_out"


def test_a_number_is_no_pointer_with_a_shadow() -> None:
    read("ptr @enzyme_active_return", X, P, N)
    assert refused("ptr @enzyme_dup_return", X, P, N).startswith("EZ02")
