"""Which arguments point, at every call, into memory whose shadow a derivative made."""

from __future__ import annotations

from enzyme_cc.analysis.activity.activity import ArgumentActivity, ResultActivity
from enzyme_cc.autodiff.analyses.active_function import ActiveFunction
from enzyme_cc.autodiff.analyses.sure_shadows import ActiveCall, sure_shadows
from enzyme_cc.autodiff.engine import explore

from ..rounds import prepared, signature

DUP, OUT, CONST = ArgumentActivity.DUP, ArgumentActivity.OUT, ArgumentActivity.CONST
TEXT = """
@numbers = constant [2 x double] [double 1.0, double 2.0]
define internal double @square(ptr %p) noinline {{
  %x = load double, ptr %p
  %y = fmul double %x, %x
  ret double %y
}}
define double @f(ptr %given, double %x) {{
  %local = alloca double
  store double %x, ptr %local
  %a = call double @square(ptr {first})
  %b = call double @square(ptr {second})
  %s = fadd double %a, %b
  ret double %s
}}
"""


def active(first: str, second: str) -> ActiveFunction:
    root = signature("@f", DUP, OUT)
    return ActiveFunction(explore(prepared(TEXT.format(first=first, second=second)), [root]), root)


def own(first: str, second: str) -> list[tuple[int, ...]]:
    f = active(first, second)
    calls = [ActiveCall(f, i, f.called(i)) for i in f.function.instructions() if i in f.activity.active_calls]
    return list(sure_shadows([f.signature], calls).values())


def test_memory_of_the_function_has_a_shadow_of_its_own_and_that_of_a_request_may_not() -> None:
    assert own("%local", "%local") == [(0,)]
    assert own("%local", "%given") == [()]
    assert own("%given", "%given") == [()]


def test_a_call_passes_a_shadow_where_the_memory_has_one() -> None:
    f = active("%local", "@numbers")
    with_shadow, without = [i for i in f.function.instructions() if i.is_call]
    assert f.called(with_shadow).arguments == (DUP,)
    assert f.called(with_shadow).result is ResultActivity.ACTIVE
    assert f.called(without).arguments == (CONST,)
