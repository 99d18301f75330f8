"""What parallel regions call is marked to be inlined, unless the program forbids it, or it may be replaced."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.whole_regions import with_whole_regions

MODULE = """define internal void @region(ptr %0, ptr %1) #0 {{
  call void @near()
  ret void
}}
define internal void @near() #0 {{
  call void @far()
  ret void
}}
define {linkage}void @far() #{group} {{
  {body}
  ret void
}}
define internal void @elsewhere() #0 {{
  ret void
}}
define void @program() #0 {{
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 0, ptr {region})
  call void @elsewhere()
  ret void
}}
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
attributes #0 = {{ nounwind }}
attributes #1 = {{ noinline nounwind }}
"""


def marked(**changed: str) -> set[str]:
    """Returns the functions that must be inlined."""
    words = {"linkage": "internal ", "group": "0", "body": "fence acquire", "region": "@region"} | changed
    text = with_whole_regions(MODULE.format(**words))
    groups = {line.split()[1] for line in text.splitlines() if line.startswith("attributes") and "alwaysinline" in line}
    heads = [line for line in text.splitlines() if line.startswith("define")]
    return {line.partition("@")[2].partition("(")[0] for line in heads if line.split()[-2] in groups}


def test_all_that_a_region_calls_is_inlined() -> None:
    assert marked() == {"near", "far"}


@pytest.mark.parametrize(
    "changed",
    [{"group": "1"}, {"linkage": "weak "}, {"body": "call void @far()"}],
    ids=["noinline", "may-be-replaced", "recursive"],
)
def test_functions_that_stay(changed: dict[str, str]) -> None:
    assert marked(**changed) == {"near"}


def test_a_region_that_is_not_known_changes_nothing() -> None:
    assert not marked(region="%f")


def test_nothing_is_inlined_into_the_programs_own_regions() -> None:
    assert not marked(region="@native.region")
