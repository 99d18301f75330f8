"""Builds derivative functions of one signature: rehearse the reverse sweep, plan, then emit both sweeps."""

from __future__ import annotations

from ...analysis.activity.activity import ArgumentActivity
from ...analysis.callees import plain_name
from ...analysis.storage.needs import Need
from ...analysis.storage.store_or_recompute import Plan, make_plan
from ...ir.builder import Builder
from ...ir.types import VOID, Type
from ...ir.values import Argument, Block, Value
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ..analyses.function_analyses import FunctionAnalyses
from ..analyses.function_checks import check_values, refused_calls
from ..core.round import Round
from ..core.signature import Form, Signature
from ..emit.frame import Frame
from .explain import report
from .primal_sweep import PrimalSweep
from .reverse_sweep import ReverseSweep, scratch_function


def plan_for(session: Round, analysed: FunctionAnalyses) -> Plan:
    """What the primal sweep stores, found by rehearsing the reverse sweep.

    Again, where writes are to be undone that the reverse sweep would not have come to.
    """
    while True:
        plan = _rehearse(session, analysed)
        missed = [w for w in plan.logged() if w not in analysed.undone and not analysed.has_reverse_work(w)]
        if not missed:
            return plan
        analysed.undo_also(missed)


def _rehearse(session: Round, analysed: FunctionAnalyses) -> Plan:
    form = Form.REVERSE if analysed.split else Form.COMBINED
    scratch = scratch_function()
    frame = Frame(session, analysed, form, scratch, Plan())
    stand_ins: dict[Value, Value] = {a: Argument(a.type) for a in analysed.function.arguments}
    directions = analysed.signature.directions
    shadows: list[dict[Value, Value]] = [
        {a: Argument(a.type) for a in _duplicated(analysed)} for _ in range(directions)
    ]
    seeds = [Argument(_seed_type(session, analysed)) for _ in range(directions if _has_seed(analysed.signature) else 0)]
    sweep = ReverseSweep(frame, stand_ins, shadows, seeds, rehearse=True)
    sweep.run()
    problems = [*refused_calls(analysed), *sweep.problems]
    if problems:
        raise EnzymeError(problems)
    wanted = dict(sweep.wanted)
    if analysed.split and len(analysed.reversal.returns) > 1:
        wanted[Need("exit", None)] = {}
    return make_plan(analysed.recipes, wanted)


def build_combined(session: Round, analysed: FunctionAnalyses) -> None:
    """One function that runs the primal and its adjoint."""
    check_values(analysed)
    plan = plan_for(session, analysed)
    report(session, analysed, plan)
    function = session.start(analysed.signature, Form.COMBINED)
    frame = Frame(session, analysed, Form.COMBINED, function, plan)
    arguments, shadows, seeds = _bind(analysed, function.arguments)
    reverse = ReverseSweep(frame, arguments, shadows, seeds)
    result = analysed.function.type.result
    result_slot = frame.prologue.alloca(result) if result != VOID else None

    def finish(block: Block, b: Builder, value: Value | None) -> None:
        if value is not None and result_slot is not None:
            b.store(sweep.of(value), result_slot)
        b.br(reverse.block(block))

    sweep = PrimalSweep(frame, finish)
    sweep.primal.update(arguments)
    _give_shadows(sweep, shadows)
    sweep.run()
    for alloca in filter(analysed.recipes.is_static_alloca, analysed.function.entry.instructions):
        reverse.static[Need("primal", alloca)] = sweep.primal[alloca]
        for direction in sweep.directions():
            reverse.static[Need("shadow", alloca, direction)] = sweep.shadow_of(alloca)
    reverse.run()
    b = Builder(reverse.end)
    if reverse.keeps:
        runtime.PUT_BACK.call(b, frame.arena)
    values: list[Value] = [b.load(result, result_slot)] if result_slot is not None else []
    _return(session, frame, reverse, b, values)
    frame.prologue.br(sweep.blocks[analysed.function.entry])
    session.enter(function)


def build_split(session: Round, analysed: FunctionAnalyses) -> None:
    """The augmented function and the reverse function, with one plan."""
    check_values(analysed)
    plan = plan_for(session, analysed)
    report(session, analysed, plan)
    _build_augmented(session, analysed, plan)
    _build_reverse(session, analysed, plan)


def _build_augmented(session: Round, analysed: FunctionAnalyses, plan: Plan) -> None:
    function = session.start(analysed.signature, Form.AUGMENTED)
    frame = Frame(session, analysed, Form.AUGMENTED, function, plan)
    arguments, shadows, _ = _bind(analysed, function.arguments[1:])

    def finish(block: Block, b: Builder, value: Value | None) -> None:
        values = [sweep.base[None]]
        if value is not None:
            values.append(sweep.of(value))
        if analysed.signature.result.has_shadow and value is not None:
            values += [sweep.shadow_of(value) for _ in sweep.directions()]
        b.ret(b.make_struct(values))

    sweep = PrimalSweep(frame, finish)
    sweep.primal.update(arguments)
    _give_shadows(sweep, shadows)
    sweep.run()
    frame.prologue.br(sweep.blocks[analysed.function.entry])
    session.record_sizes[analysed.signature] = frame.record(None).size
    session.enter(function)


def _build_reverse(session: Round, analysed: FunctionAnalyses, plan: Plan) -> None:
    function = session.start(analysed.signature, Form.REVERSE)
    frame = Frame(session, analysed, Form.REVERSE, function, plan)
    arguments, shadows, rest = _bind(analysed, function.arguments)
    reverse = ReverseSweep(frame, arguments, shadows, rest[:-1], tape=rest[-1])
    reverse.run()
    _return(session, frame, reverse, Builder(reverse.end), [])
    returns = analysed.reversal.returns
    if not returns:
        frame.prologue.unreachable()
    elif len(returns) == 1:
        frame.prologue.br(reverse.block(returns[0]))
    else:
        reverse.b = frame.prologue
        selector = reverse.need(Need("exit", None))
        cases = [(k, reverse.block(block)) for k, block in enumerate(returns)]
        frame.prologue.switch(selector, cases[0][1], cases[1:])
    session.enter(function)


def build_failing(session: Round, analysed: FunctionAnalyses, forms: tuple[Form, ...]) -> None:
    """Functions that end the program with a message, in the place of derivatives that cannot be made."""
    for form in forms:
        function = session.start(analysed.signature, form)
        b = Builder(function.add_block())
        runtime.NOT_DIFFERENTIABLE.call(b, session.text(plain_name(analysed.function.name)))
        b.unreachable()
        session.enter(function)


def _duplicated(analysed: FunctionAnalyses) -> list[Argument]:
    pairs = zip(analysed.function.arguments, analysed.signature.arguments, strict=True)
    return [a for a, activity in pairs if activity is ArgumentActivity.DUP]


def _seed_type(session: Round, analysed: FunctionAnalyses) -> Type:
    return session.carriers.result_type(analysed.function) or analysed.function.type.result


def _has_seed(signature: Signature) -> bool:
    return signature.result.has_adjoint


def _bind(
    analysed: FunctionAnalyses, given: list[Argument]
) -> tuple[dict[Value, Value], list[dict[Value, Value]], list[Argument]]:
    """New arguments for the primal's and their shadows in each direction, and what is left (seeds, tape)."""
    primal: dict[Value, Value] = {}
    shadows: list[dict[Value, Value]] = [{} for _ in range(analysed.signature.directions)]
    rest = list(given)
    for argument, activity in zip(analysed.function.arguments, analysed.signature.arguments, strict=True):
        primal[argument] = rest.pop(0)
        if activity is ArgumentActivity.DUP:
            for direction in shadows:
                direction[argument] = rest.pop(0)
    return primal, shadows, rest


def _give_shadows(sweep: PrimalSweep, shadows: list[dict[Value, Value]]) -> None:
    for direction in sweep.directions():
        sweep.shadow.update(shadows[direction])


def _return(session: Round, frame: Frame, reverse: ReverseSweep, b: Builder, values: list[Value]) -> None:
    """Returns the values and then the adjoints of the OUT arguments."""
    analysed = frame.analysed
    reverse.b = b
    for argument, activity in zip(analysed.function.arguments, analysed.signature.arguments, strict=True):
        if activity is ArgumentActivity.OUT:
            values += [reverse.out_adjoint(argument) for _ in reverse.directions()]
    if frame.owns_arena:
        runtime.FINISH.call(b, frame.arena)
    b.ret(b.make_struct(values) if values else None)
