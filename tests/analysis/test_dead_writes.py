"""Which arguments' memory a function only writes: those writes can be left out where nobody wants the contents."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.callees import Callees
from enzyme_cc.analysis.memory.dead_writes import DeadWriteAnalysis
from tests.ir.llvm_check import parsed

CASES = {
    "stored_to": ("  store double %x, ptr %p", True),
    "stored_to_at_an_offset": ("  %q = getelementptr double, ptr %p, i64 3\n  store double %x, ptr %q", True),
    "passed_to_a_function_that_only_writes": ("  call void @writes(ptr %p)", True),
    "read": ("  %v = load double, ptr %p", False),
    "passed_to_a_function_that_reads": ("  call void @reads(ptr %p)", False),
    "its_address_is_stored": ("  store ptr %p, ptr %other", False),
    "compared": ("  %same = icmp eq ptr %p, %other", False),
    "one_of_two": ("  %q = select i1 %c, ptr %p, ptr %other\n  store double %x, ptr %q", False),
}
TEXT = """define void @writes(ptr %p) {{
  store double 0.000000e+00, ptr %p
  ret void
}}

define void @reads(ptr %p) {{
  %v = load double, ptr %p
  ret void
}}

define void @f(ptr %p, ptr %other, double %x, i1 %c) {{
{body}
  ret void
}}
"""


@pytest.mark.parametrize("name", CASES)
def test_memory_behind_an_argument(name: str) -> None:
    body, expected = CASES[name]
    module = parsed(TEXT.format(body=body))
    found = DeadWriteAnalysis(module, Callees(module)).of(module.body("@f").arguments[0])
    assert (found is not None) == expected
