"""Which recursive calls may drop their tapes, and what the sweeps call then."""

from __future__ import annotations

from msgspec.structs import replace

from enzyme_cc.autodiff.analyses.function_analyses import FunctionAnalyses
from enzyme_cc.autodiff.reverse.build import build_combined
from tests.autodiff.sweeps import analysed

TWO = "%b = call double @g(ptr %p, i32 %m)"
PROGRAM = """
define internal double @g(ptr %p, i32 %n) noinline memory(argmem: read) {{
entry:
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %again
again:
  %m = sub i32 %n, 1
  %a = call double @g(ptr %p, i32 %m)
  {second}
  %s = fmul double %a, {factor}
  br label %done
done:
  %q = phi double [ %x, %entry ], [ %s, %again ]
  ret double %q
}}

define double @f(ptr %p, i32 %n) {{
  %r = call double @g(ptr %p, i32 %n)
  %y = fmul double %r, %r
  {write}
  ret double %y
}}
""".replace("entry:\n", "entry:\n  %x = load double, ptr %p\n")


def of_g(second: str = TWO, factor: str = "%b", write: str = "", held: bool = False) -> FunctionAnalyses:
    """The analyses of the derivative of g that f calls. `held`: the program holds the tape."""
    f = analysed(PROGRAM.format(second=second, factor=factor, write=write), "dup const")
    (call,) = (i for i in f.function.instructions() if i.opcode == "call")
    return FunctionAnalyses(f.round, replace(f.call_signature(call), held=held), not f.is_late(call), f.recursion)


def drops(analyses: FunctionAnalyses) -> list[bool]:
    return [analyses.may_be_dropped(i) for i in analyses.function.instructions() if i.opcode == "call"]


def test_two_recursive_calls_may_drop_their_tapes() -> None:
    assert drops(of_g()) == [True, True]


def test_one_recursive_call_drops_none() -> None:
    assert drops(of_g("", "%a")) == [False]


def test_tapes_are_kept_if_the_memory_that_was_read_is_overwritten() -> None:
    assert drops(of_g(write="store double 0.0, ptr %p")) == [False, False]


def test_tapes_that_the_program_holds_are_kept() -> None:
    assert drops(of_g(held=True)) == [False, False]


def test_the_reverse_sweep_calls_what_makes_a_dropped_tape_again() -> None:
    analyses = of_g()
    build_combined(analyses.round, analyses)
    called = {
        str(i.callee)
        for function in analyses.round.output.functions.values()
        for i in (function.instructions() if function.blocks else ())
        if i.opcode == "call"
    }
    assert {"@__ez_mark", "@__ez_keep_tape", "@__ez_is_dropped", "@__ez_finish"} <= called
