"""Replaces requests by calls of derivative functions: one function for each kind of request, in the table EMIT."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...ir.builder import Builder
from ...ir.edit import drop_incoming, move_tail
from ...ir.folding import float_constant
from ...ir.module import Module
from ...ir.types import VOID, is_pointer
from ...ir.values import Block, Instruction, Value
from ...rules import runtime_functions as runtime
from ..analyses.recursion import Recursion
from ..core.calling_convention import Parameters, Prototype
from ..core.markers import Marker, RequestKind
from ..core.round import Round
from ..core.signature import Form
from ..globals import foreign_memory
from ..globals.foreign_memory import with_work_space
from ..requests.request import Request, convert
from ..unwinding.names import is_entry
from .answers import Answers, Emit
from .checked_differences import begin, end
from .checked_requests import check_arguments, check_results
from .deliver import deliver
from .evaluated_again import emit_keep_inputs, emit_with_inputs, functions_evaluated_again, signature_of_tape
from .held_tapes import Tapes
from .second_stack import SWITCH
from .sparse import emit_sparse
from .virtual_reverse import pair_of


def follows_files(module: Module) -> bool:
    """Returns whether numbers that are written to files keep their derivatives there."""
    return any(row.symbol in module.functions for row in (runtime.FILE_WRITE, runtime.FILE_PUT))


def replace_requests(round: Round, recursion: Recursion, tapes: Tapes, requests: Iterable[Request]) -> None:
    """Replaces each request by a call of a derivative. The value of one request may be an argument of a later one."""
    requests = list(requests)
    answers = Answers(round, tapes, functions_evaluated_again(round, requests), recursion)
    values: dict[Value, Value] = {}
    for request in requests:
        request = request.following(values)
        with round.derivatives.chains.asking_at(round.output.source_location(request.call)):
            value = _replace(answers, request)
        if value is not None:
            values[request.call] = value


def _replace(answers: Answers, request: Request) -> Value | None:
    call = request.call
    block = call.block
    assert block is not None
    earlier = set(block.instructions)
    b = Builder.before(call)
    if follows_files(answers.round.output):
        runtime.FILE_BEGIN.call(b)
    if answers.round.options.check:
        check_arguments(answers.round, b, request)
    comparison = None
    if answers.round.options.differences:
        comparison = begin(answers.round, b, request, _seed(answers.round, b, request))
    emit = EMIT[request.kind] if not request.is_sparse else partial(emit_sparse, _evaluate)
    parts = emit(answers, b, request)
    if answers.round.options.check:
        check_results(answers.round, b, request, parts)
    if comparison is not None:
        adjoints = sum(a.activity is ArgumentActivity.OUT for a in request.arguments)
        end(b, comparison, parts[len(parts) - adjoints :])
    value = deliver(answers.round.output, b, request, parts)
    calls = [i for i in block.instructions if i.opcode == "call" and i not in earlier]
    for made in calls:
        answers.round.output.declare(str(made.callee), made.call.function_type)
    if value is not None:
        call.replace_uses(value)
    unwinding = call.successors if call.opcode == "invoke" else []
    call.erase()
    if unwinding:
        _invoke_derivative(block, calls, *unwinding)
    return value


def _invoke_derivative(block: Block, calls: list[Instruction], normal: Block, unwind: Block) -> None:
    """Makes the call of the derivative an invoke with the landing pad of the replaced request.

    The request was an invoke, the terminator of `block`. What replaced it contains `calls`.
    """
    Builder(block).br(normal)
    derivative = next((i for i in reversed(calls) if _is_derivative(i)), None)
    if derivative is None:
        for phi in unwind.phis:
            drop_incoming(phi, block)
        return
    assert block.function is not None
    after = block.function.add_block()
    move_tail(derivative, after)
    operands = [*derivative.arguments, after, unwind, derivative.callee]
    invoke = Instruction("invoke", derivative.type, operands, derivative.extra, metadata=derivative.metadata)
    derivative.replace_uses(invoke)
    derivative.erase()
    block.append(invoke)


def _is_derivative(call: Instruction) -> bool:
    name = str(call.callee)
    return name == SWITCH or any(name.startswith(f"@{form.prefix}") for form in Form)


def _parameters(round: Round, b: Builder, request: Request) -> Parameters[Value]:
    """Returns the parameters that the request passes: the primal's arguments and their shadows."""
    types = round.output.functions[request.function].type.params
    given = request.arguments
    return Parameters.paired(
        request.signature.arguments,
        lambda k: convert(b, given[k].primal, types[k]),
        lambda k: [convert(b, shadow, types[k]) for shadow in foreign_memory.shadows_of(b, given[k], request.width)],
    )


def _call(
    answers: Answers, b: Builder, request: Request, name: str, proto: Prototype, given: Parameters[Value]
) -> Instruction:
    """Emits a call of a derivative that also runs the primal: any form but the reverse one."""
    entered = foreign_memory.begin(answers.round, b, request)
    called = answers.call(b, request, name, proto, given)
    foreign_memory.end(answers.round, b, request, *entered)
    return called


def _seed(round: Round, b: Builder, request: Request) -> list[Value]:
    """Returns the seed in each direction if the result is active: the one that the program passes, else 1."""
    if request.result is not ResultActivity.ACTIVE:
        return []
    type_ = round.output.functions[request.function].type.result
    given = [convert(b, seed, type_) for seed in request.seeds]
    return given or [float_constant(1.0, type_)] * request.width


def _out_adjoints(b: Builder, result: Value, proto: Prototype) -> list[Value]:
    """Returns the adjoints of the OUT arguments among the results of a derivative."""
    return [b.extract_value(result, place) for places in proto.places.adjoints.values() for place in places]


def _emit_autodiff(answers: Answers, b: Builder, request: Request) -> list[Value]:
    """Returns the primal result if it is asked for, then the derivatives of the OUT arguments."""
    name, proto = answers.round.derivatives.of(request.signature, Form.COMBINED)
    request = with_work_space(answers.round, b, request)
    given = replace(_parameters(answers.round, b, request), seeds=_seed(answers.round, b, request))
    result = _call(answers, b, request, name, proto, given)
    parts = _out_adjoints(b, result, proto)
    if Marker.PRIMAL_RETURN in request.flags and proto.places.primal is not None:
        parts.insert(0, b.extract_value(result, proto.places.primal))
    return parts


def _emit_augmentfwd(answers: Answers, b: Builder, request: Request) -> list[Value]:
    """Returns the tape unless the program provides its memory, then the primal result and its shadows, if any."""
    parts = _augment(answers, b, request)
    if is_pointer(request.call.type):
        return parts[:1]
    return parts[1:] if Marker.ALLOCATED in request.settings else parts


def _augment(answers: Answers, b: Builder, request: Request) -> list[Value]:
    name, proto = answers.round.derivatives.of(request.signature, Form.AUGMENTED)
    tape = answers.tapes.open(b, request)
    emit_keep_inputs(answers, b, request, tape)
    request = with_work_space(answers.round, b, request)
    result = _call(answers, b, request, name, proto, replace(_parameters(answers.round, b, request), arena=tape))
    places = proto.places
    assert places.tape is not None
    answers.tapes.keep(b, tape, b.extract_value(result, places.tape))
    if is_entry(request.function):
        runtime.UNWIND_DROP_TAPE.call(b, tape)
    primal = None if Marker.NORET in request.flags else places.primal
    return [tape, *(b.extract_value(result, place) for place in replace(places, tape=None, primal=primal).in_order())]


def _emit_reverse(answers: Answers, b: Builder, request: Request) -> list[Value]:
    """Returns the derivatives of the OUT arguments."""
    name, proto = answers.round.derivatives.of(request.signature, Form.REVERSE)
    record = answers.tapes.record(b, request, request.signature)
    request = with_work_space(answers.round, b, request)
    given = replace(_parameters(answers.round, b, request), seeds=_seed(answers.round, b, request), tape=record)
    mark = foreign_memory.begin_again(answers.round, b, request)
    result = answers.call(b, request, name, proto, given)
    foreign_memory.leave(answers.round, b, mark)
    answers.tapes.close(b, request)
    return _out_adjoints(b, result, proto)


def _emit_augmentsize(answers: Answers, b: Builder, request: Request) -> list[Value]:
    return [answers.tapes.size(b, request.signature)]


def _evaluate(answers: Answers, b: Builder, request: Request, form: Form) -> None:
    """Emits a call of a derivative in one form, which returns nothing of interest."""
    name, proto = answers.round.derivatives.of(request.signature, form)
    request = with_work_space(answers.round, b, request)
    _call(answers, b, request, name, proto, _parameters(answers.round, b, request))


def _emit_fwddiff(answers: Answers, b: Builder, request: Request) -> list[Value]:
    """Returns the primal result if it is asked for, then the tangents of the result."""
    name, proto = answers.round.derivatives.of(request.signature, Form.TANGENT)
    request = with_work_space(answers.round, b, request)
    result = _call(answers, b, request, name, proto, _parameters(answers.round, b, request))
    primal = proto.places.primal if Marker.PRIMAL_RETURN in request.flags else None
    return [b.extract_value(result, place) for place in replace(proto.places, primal=primal).in_order()]


def _emit_fwdsplit(answers: Answers, b: Builder, request: Request) -> list[Value]:
    """Returns the same as fwddiff, evaluated on the inputs of the augmented function."""
    answers.tapes.record(b, request, signature_of_tape(answers.round.source, request))
    parts = emit_with_inputs(answers, b, request, _emit_fwddiff)
    answers.tapes.close(b, request)
    return parts


def _emit_virtualreverse(answers: Answers, b: Builder, request: Request) -> list[Value]:
    return [pair_of(answers, request, _augment, _emit_reverse)]


def _emit_batch(answers: Answers, b: Builder, request: Request) -> list[Value]:
    """Returns the results for all elements of the batch; LLVM vectorises the calls if that is profitable."""
    primal = answers.round.output.functions[request.function]
    parts: list[Value] = []
    for k in range(request.width):
        given = [a.shadows[k - 1] if k and a.shadows else a.primal for a in request.arguments]
        values = [convert(b, v, p.type) for v, p in zip(given, primal.arguments, strict=True)]
        attributes = tuple(p.attributes for p in primal.arguments)
        parts.append(b.call(primal.name, primal.type.result, values, argument_attributes=attributes))
    return [] if primal.type.result == VOID else parts


#: what replaces a request: emits the code, and returns the parts of the request's value in order
EMIT: dict[RequestKind, Emit] = {
    RequestKind.AUTODIFF: _emit_autodiff,
    RequestKind.AUGMENTFWD: _emit_augmentfwd,
    RequestKind.REVERSE: _emit_reverse,
    RequestKind.AUGMENTSIZE: _emit_augmentsize,
    RequestKind.FWDDIFF: _emit_fwddiff,
    RequestKind.FWDSPLIT: _emit_fwdsplit,
    RequestKind.VIRTUALREVERSE: _emit_virtualreverse,
    RequestKind.BATCH: _emit_batch,
}
