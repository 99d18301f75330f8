"""Builds the derivative functions of one signature: rehearses the reverse sweep, makes the plan, emits both sweeps."""

from __future__ import annotations

from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity
from ...analysis.callees import plain_name
from ...analysis.storage.needs import Need, NeedKind
from ...analysis.storage.store_or_recompute import Plan, make_plan
from ...ir.builder import Builder
from ...ir.types import VOID
from ...ir.values import Argument, Block, Value
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ..analyses.function_analyses import FunctionAnalyses
from ..analyses.function_checks import check_values, refused_calls
from ..core.calling_convention import Results, prototype
from ..core.derivatives import plain
from ..core.round import Round
from ..core.signature import Form
from ..emit.frame import Frame
from ..emit.loop_versions import make_loop_versions
from .explain import report
from .primal_sweep import PrimalSweep
from .reverse_sweep import ReverseSweep, scratch_function


def plan_for(round: Round, analyses: FunctionAnalyses) -> Plan:
    """Returns the plan of what the primal sweep stores, found by rehearsals of the reverse sweep.

    The rehearsal is repeated if the plan undoes writes in blocks that the reverse sweep did not visit.
    """
    while True:
        plan = _rehearse(round, analyses)
        missed = [w for w in plan.logged() if w not in analyses.undone and not analyses.has_reverse_work(w)]
        if not missed:
            return plan
        analyses.undo_also(missed)


def _rehearse(round: Round, analyses: FunctionAnalyses) -> Plan:
    form = Form.REVERSE if analyses.split else Form.COMBINED
    scratch = scratch_function()
    frame = Frame(round, analyses, form, scratch, Plan())
    types = prototype(analyses.signature, form, analyses.function, round.carriers)
    stand_ins = types.parameters.unpack(Argument(type_) for type_ in types.params)
    sweep = ReverseSweep(frame, stand_ins, rehearse=True)
    sweep.run()
    problems = [*refused_calls(analyses), *sweep.problems]
    if problems:
        raise EnzymeError(problems)
    wanted = dict(sweep.wanted)
    if analyses.split and len(analyses.reversal.returns) > 1:
        wanted[Need(NeedKind.EXIT, None)] = {}
    return make_plan(analyses.recipes, wanted)


def build_combined(round: Round, analyses: FunctionAnalyses) -> None:
    """Builds the function that runs the primal and its adjoint."""
    check_values(analyses)
    plan = plan_for(round, analyses)
    report(round, analyses, plan)
    for is_alone in _kinds(analyses):
        _build_combined(round, analyses, plan, is_alone)


def _kinds(analyses: FunctionAnalyses) -> tuple[bool, ...]:
    """Returns whether to build the function for any team, and that for a team of one."""
    return (False, True) if analyses.signature.team else (False,)


def _build_combined(round: Round, analyses: FunctionAnalyses, plan: Plan, is_alone: bool) -> None:
    function = round.start(analyses.signature, Form.COMBINED, is_alone=is_alone)
    frame = Frame(round, analyses, Form.COMBINED, function, plan, is_alone=is_alone)
    _, proto = round.derivatives.of(analyses.signature, Form.COMBINED)
    parameters = proto.parameters.unpack(function.arguments)
    reverse = ReverseSweep(frame, parameters)
    result = analyses.function.type.result
    result_slot = frame.prologue.alloca(result) if proto.results.primal is not None else None

    def finish(block: Block, b: Builder, value: Value | None) -> None:
        if value is not None and result_slot is not None:
            b.store(sweep.of(value), result_slot)
        b.br(reverse.block(block))

    sweep = PrimalSweep(frame, finish)
    sweep.bind(parameters)
    sweep.run()
    for alloca in filter(analyses.recipes.is_static_alloca, analyses.function.entry.instructions):
        reverse.static[Need(NeedKind.PRIMAL, alloca)] = sweep.primal[alloca]
        for direction in sweep.directions():
            reverse.static[Need(NeedKind.SHADOW, alloca, direction)] = sweep.shadow_of(alloca)
    reverse.run()
    b = Builder(reverse.end)
    if reverse.keeps:
        runtime.PUT_BACK.call(b, frame.arena)
    _return(frame, reverse, b, None if result_slot is None else b.load(result, result_slot))
    frame.prologue.br(sweep.blocks[analyses.function.entry])
    make_loop_versions(round, function)
    round.enter(function)


def build_split(round: Round, analyses: FunctionAnalyses) -> None:
    """Builds the augmented function and the reverse function, with one plan."""
    check_values(analyses)
    plan = plan_for(round, analyses)
    report(round, analyses, plan)
    _build_augmented(round, analyses, plan)
    for is_alone in _kinds(analyses):
        has_tests = _build_reverse(round, analyses, plan, is_alone=is_alone)
        if has_tests:
            _build_reverse(round, analyses, plan, is_plain=True)


def _build_augmented(round: Round, analyses: FunctionAnalyses, plan: Plan) -> None:
    function = round.start(analyses.signature, Form.AUGMENTED)
    frame = Frame(round, analyses, Form.AUGMENTED, function, plan)
    _, proto = round.derivatives.of(analyses.signature, Form.AUGMENTED)

    def finish(block: Block, b: Builder, value: Value | None) -> None:
        sweep.reaches.tell(b)
        results = replace(sweep.results(proto, value), tape=sweep.base[None])
        b.ret(b.make_struct(results.in_order()))

    sweep = PrimalSweep(frame, finish)
    sweep.bind(proto.parameters.unpack(function.arguments))
    sweep.run()
    frame.prologue.br(sweep.blocks[analyses.function.entry])
    round.record_sizes[analyses.signature] = frame.record(None).size
    make_loop_versions(round, function)
    round.enter(function)


def _build_reverse(
    round: Round, analyses: FunctionAnalyses, plan: Plan, *, is_alone: bool = False, is_plain: bool = False
) -> bool:
    """Builds the reverse function. Returns whether another one runs in its place if its tests of additions hold."""
    function = round.start(analyses.signature, Form.REVERSE, is_alone=is_alone, is_plain=is_plain)
    frame = Frame(round, analyses, Form.REVERSE, function, plan, is_alone=is_alone, is_plain=is_plain)
    _, proto = round.derivatives.of(analyses.signature, Form.REVERSE)
    reverse = ReverseSweep(frame, proto.parameters.unpack(function.arguments))
    reverse.run()
    _return(frame, reverse, Builder(reverse.end), None)
    returns = analyses.reversal.returns
    has_tests = not is_plain and _choose_plain(frame, reverse)
    if not returns:
        frame.prologue.unreachable()
    elif len(returns) == 1:
        frame.prologue.br(reverse.block(returns[0]))
    else:
        reverse.b = frame.prologue
        selector = reverse.need(Need(NeedKind.EXIT, None))
        cases = [(k, reverse.block(block)) for k, block in enumerate(returns)]
        frame.prologue.switch(selector, cases[0][1], cases[1:])
    make_loop_versions(round, function)
    round.enter(function)
    return has_tests


def _choose_plain(frame: Frame, reverse: ReverseSweep) -> bool:
    """Emits the call of the function without tests of additions, if all hold. Returns whether there are any."""
    reverse.b = frame.prologue
    test = reverse.memory.team.all_plain() if reverse.memory.team is not None else None
    if test is None or reverse.memory.team is None:
        return False
    function, chosen, rest = frame.target, frame.target.add_block(), frame.target.add_block()
    frame.prologue.cond_br(test, chosen, rest)
    reverse.b = b = Builder(chosen)
    reverse.memory.team.drop()
    result = b.call(plain(function.name), function.type.result, function.arguments)
    b.ret(None if function.type.result == VOID else result)
    frame.prologue.block = rest
    return True


def build_failing(round: Round, analyses: FunctionAnalyses, forms: tuple[Form, ...], error: EnzymeError) -> None:
    """Builds functions that end the program with a message, in place of derivatives that cannot be made."""
    for form, is_alone in [(form, is_alone) for form in forms for is_alone in _kinds(analyses)]:
        function = round.start(analyses.signature, form, is_alone=is_alone)
        b = Builder(function.add_block())
        name = plain_name(analyses.function.name)
        first = error.diagnostics[0]
        runtime.NOT_DIFFERENTIABLE.call(b, *map(round.text, (name, first.summary, first.reason or "")))
        b.unreachable()
        round.enter(function)


def _return(frame: Frame, reverse: ReverseSweep, b: Builder, primal: Value | None) -> None:
    """Returns the primal's result and the adjoints of the OUT arguments."""
    reverse.b = b
    adjoints = {
        k: [reverse.out_adjoint(argument) for _ in reverse.directions()]
        for k, argument in enumerate(frame.analyses.function.arguments)
        if frame.analyses.signature.arguments[k] is ArgumentActivity.OUT
    }
    if reverse.memory.team is not None:
        reverse.memory.team.drop()
    if frame.owns_arena:
        runtime.FINISH.call(b, frame.arena)
    values = Results(primal=primal, adjoints=adjoints).in_order()
    b.ret(b.make_struct(values) if values else None)
