"""Tables of virtual functions are their own shadows."""

from __future__ import annotations

from enzyme_cc.autodiff.requests.virtual_tables import shadow_tables
from enzyme_cc.ir.module import Module

from ..normalise.rewriting import body

TEXT = """
@table = constant [2 x ptr] [ptr null, ptr @f]
declare ptr @__enzyme_virtualreverse(ptr)
define double @f(double %x) {{
  ret double %x
}}
define ptr @g(ptr %p) {{
  %t = call ptr @__enzyme_virtualreverse(ptr {of})
  ret ptr %t
}}
"""


def rewritten(of: str) -> list[str]:
    module = Module.parse(TEXT.format(of=of))
    shadow_tables(module)
    return body(str(module), "@g")


def test_a_table_is_its_own_shadow() -> None:
    assert rewritten("@table") == ["ret ptr @table"]


def test_a_known_function_stays_a_request() -> None:
    assert any("@__enzyme_virtualreverse(ptr @f)" in line for line in rewritten("@f"))


def test_what_only_the_run_tells_is_refused_if_it_is_a_function() -> None:
    found = rewritten("%p")
    assert found[-1] == "ret ptr %p"
    assert "@__ez_refuse_function(ptr %p" in found[0]
