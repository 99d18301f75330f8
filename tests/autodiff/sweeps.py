"""One function of a module in LLVM's text form, analysed and differentiated by one sweep, without a request."""

from __future__ import annotations

import re
from collections.abc import Callable

from enzyme_cc.analysis.activity.activity import ArgumentActivity, ResultActivity
from enzyme_cc.analysis.storage.store_or_recompute import Plan
from enzyme_cc.autodiff.analyses.function_analyses import FunctionAnalyses
from enzyme_cc.autodiff.analyses.recursion import Recursion
from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.core.round import Round
from enzyme_cc.autodiff.core.signature import Form, Signature
from enzyme_cc.autodiff.emit.frame import Frame
from enzyme_cc.autodiff.engine import explore
from enzyme_cc.autodiff.globals.pointing import foreign_pointers
from enzyme_cc.autodiff.preparation import open_round, prepare, reach
from enzyme_cc.autodiff.reverse.build import build_combined, build_split
from enzyme_cc.autodiff.reverse.primal_sweep import PrimalSweep
from enzyme_cc.autodiff.reverse.reverse_sweep import scratch_function
from enzyme_cc.autodiff.tangent.dependence import build_dependence
from enzyme_cc.autodiff.tangent.tangent_sweep import TangentSweep, build_tangent

_BUILDERS: dict[Form, Callable[[Round, FunctionAnalyses], None]] = {
    Form.COMBINED: build_combined,
    Form.AUGMENTED: build_split,
    Form.REVERSE: build_split,
    Form.TANGENT: build_tangent,
    Form.DEPENDENCE: build_dependence,
}

#: a function that keeps its result in memory behind a pointer, and asks whether the key of the result is old
KEPT_RESULT = """
declare i64 @__ez_key_is_old(i64, ptr, i64)
define double @f(double %x, ptr %h) {{
  %old = load double, ptr %h
  %q = call i64 @__ez_key_is_old(i64 0, ptr %h, i64 {has_result})
  %is = icmp ne i64 %q, 0
  %key = select i1 %is, double 1.0e+150, double %old
  %same = fcmp oeq double %key, {compared}
  br i1 %same, label %kept, label %new
kept:
  ret double 1.0
new:
  %y = fmul double %x, %x
  ret double %y
}}
"""


def analysed(
    text: str,
    arguments: str,
    form: Form = Form.COMBINED,
    result: ResultActivity = ResultActivity.ACTIVE,
    *,
    asks: bool = False,
    directions: int = 1,
) -> FunctionAnalyses:
    """The analyses of @f; `arguments` are the activities of its parameters, as words. `asks`: with runtime activity."""
    signature = Signature("@f", tuple(ArgumentActivity(word) for word in arguments.split()), result, directions)
    opened = open_round(text, Options(verify=True), lambda name: None)
    explored = explore(prepare(opened, reach(opened, ["@f"], [])), [signature])
    options = Options(verify=True, runtime_activity=asks)
    round = explored.completed(options, foreign_pointers(explored, [signature.function]))
    return FunctionAnalyses(round, signature, form in (Form.AUGMENTED, Form.REVERSE), Recursion(round))


def derivative(
    text: str,
    arguments: str,
    form: Form = Form.COMBINED,
    result: ResultActivity = ResultActivity.ACTIVE,
    *,
    asks: bool = False,
    directions: int = 1,
) -> list[str]:
    """The instructions of the derivative of @f in this form: lines of text, without metadata and fast-math flags."""
    analyses = analysed(text, arguments, form, result, asks=asks, directions=directions)
    _BUILDERS[form](analyses.round, analyses)
    name, _ = analyses.round.derivatives.of(analyses.signature, form)
    text = str(analyses.round.output)
    body = text[text.index(f" {name}(") :].split("\n}\n")[0]
    lines = [line.strip() for line in body.splitlines() if line.startswith("  ")]
    return [re.sub(r"(, !.*| reassoc| nsz| arcp| contract| nounwind willreturn.*)", "", line) for line in lines]


def clone_primal(analyses: FunctionAnalyses) -> None:
    """Runs the primal sweep of @f alone, into a function that is thrown away."""
    frame = Frame(analyses.round, analyses, Form.COMBINED, scratch_function(), Plan())
    PrimalSweep(frame, lambda block, b, value: None).run()


def clone_tangent(analyses: FunctionAnalyses) -> None:
    """Runs forward mode on @f, into a function that is thrown away."""
    TangentSweep(analyses, scratch_function(), lambda block, b, value: None).run()
