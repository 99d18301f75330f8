"""Answers requests without derivatives: a request runs its function, and its value and its shadows stay zero."""

from __future__ import annotations

from ...ir.attributes import byval_type
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.module import Module
from ...ir.types import I1, I8, I64, PTR, VOID, FunctionType, alloc_size
from ...ir.values import Argument, CallInfo, Function, Instruction, Value
from ...rules.runtime_functions import BEGIN_NOTING, END_NOTING
from ..core.options import Options
from ..core.pass_table import run
from ..core.provenance import Provenance
from ..core.registrations import read_registrations
from ..emit.shadow_memory import clear
from ..passes import BEFORE_ROUNDS, VARIANTS, ModuleCode
from ..requests.grammar import GRAMMARS
from ..requests.markings import drop_markings
from ..requests.reader import read_request
from ..requests.request import Request, convert, find_requests
from ..requests.virtual_tables import leave_invoke


def answered_plainly(text: str, options: Options, provenance: Provenance) -> str:
    """Returns a module in which each request runs its function. Raises EnzymeError for what is no request."""
    code = run(BEFORE_ROUNDS, ModuleCode(options.verify, text, options.back_end, options=options))
    module = Module.parse(run(VARIANTS, code).text)
    custom = read_registrations(module).custom
    for found in find_requests(module):
        _answer(module, read_request(module, found, custom, provenance))
    drop_markings(module)
    return str(module)


def _answer(module: Module, request: Request) -> None:
    call, grammar = request.call, GRAMMARS[request.kind]
    b = Builder.before(call)
    if request.returns_through_memory:
        declared = byval_type(module, call.call.argument_attributes[0])
        assert declared is not None
        clear(b, call.arguments[0], int_constant(alloc_size(declared)))
        module.declare("@llvm.memset.p0.i64", FunctionType(VOID, (PTR, I8, I64, I1)))
    if grammar.has_values and not grammar.has_tape:
        _run(module, b, request)
    elif call.opcode == "invoke":
        leave_invoke(call)
    if call.type != VOID:
        call.replace_uses(zero(call.type))
    call.erase()


def _run(module: Module, b: Builder, request: Request) -> None:
    """Runs the function: by a call in the place of the request's, which passes exceptions on as this does."""
    primal, call = module.functions[request.function], request.call
    given = [convert(b, a.primal, p.type) for a, p in zip(request.arguments, primal.arguments, strict=True)]
    attributes = tuple(argument.attributes for argument in primal.arguments)
    info = CallInfo(primal.type, attributes)
    operands: list[Value] = [*given, *call.successors, _noting(module, primal).ref]
    b.insert(Instruction(call.opcode, primal.type.result, operands, info, metadata=call.metadata))


def _noting(module: Module, primal: Function) -> Function:
    """Returns a new function that calls the primal, and notes calls through pointers meanwhile."""
    arguments = [Argument(a.type, "", a.attributes, k) for k, a in enumerate(primal.arguments)]
    function = Function(module.fresh_name("__ez_profiled"), primal.type, arguments, "internal")
    b = Builder(function.add_block())
    for noting in (BEGIN_NOTING, END_NOTING):
        noting.declare(module)
    BEGIN_NOTING.call(b)
    info = CallInfo(primal.type, tuple(a.attributes for a in arguments))
    result = b.insert(Instruction("call", primal.type.result, [*arguments, primal.ref], info))
    END_NOTING.call(b)
    b.ret(None if primal.type.result == VOID else result)
    return module.add_function(function)
