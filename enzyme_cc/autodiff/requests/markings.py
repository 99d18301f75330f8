"""Replaces the calls of the interface that ask for no derivative, once all derivatives are made.

- Type hints are removed.
- A cut of a derivative is its argument.
- `__enzyme_iter(n, more)` is n. In derivatives, n has been raised (normalise/more_iterations.py).
- `__enzyme_call_inactive(f, …)` is the call f(…).
"""

from __future__ import annotations

from ...analysis.callees import CALL_INACTIVE, CUT, HELPERS, MORE_ITERATIONS, Callees
from ...ir.builder import Builder
from ...ir.constants import ConstantWord
from ...ir.instructions import FUNCTION_CALLS
from ...ir.module import Module
from ...ir.types import FunctionType, is_pointer
from ...ir.values import CallInfo, Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from .request import convert, convertible, function_of


def drop_markings(module: Module) -> None:
    """Replaces all such calls. Raises EnzymeError (EZ0203) if one has other arguments than it takes."""
    for name in list(module.functions):
        function = module.functions[name]
        if function.unparsed is not None and any(word in function.unparsed for word in HELPERS):
            module.body(name)
        for i in [i for i in function.instructions() if i.opcode in FUNCTION_CALLS and _is_marking(module, i)]:
            if CALL_INACTIVE in str(i.callee):
                _call_directly(module, function, i)
            else:
                i.replace_uses(_replacement(module, function, i))
                i.erase()


def _is_marking(module: Module, i: Instruction) -> bool:
    name = str(i.callee)
    return Callees.is_marking(name) and name in module.functions and module.functions[name].is_declaration


def _replacement(module: Module, function: Function, i: Instruction) -> Value:
    if CUT in str(i.callee):
        return _value(module, function, i, 1, f"{CUT} takes one value and returns it")
    if MORE_ITERATIONS in str(i.callee):
        return _value(module, function, i, 2, f"{MORE_ITERATIONS} takes two integers and returns one")
    return ConstantWord(i.type, "poison")


def _value(module: Module, function: Function, i: Instruction, count: int, rule: str) -> Value:
    if len(i.arguments) != count or not all(convertible(a.type, i.type) for a in i.arguments):
        raise _error(module, function, i, rule)
    return convert(Builder.before(i), i.arguments[0], i.type)


def _call_directly(module: Module, function: Function, i: Instruction) -> None:
    """Calls the function that is the first argument, with the types that it declares if it is known."""
    if not i.arguments or not is_pointer(i.arguments[0].type):
        raise _error(module, function, i, f"{CALL_INACTIVE} takes a function and its arguments")
    called, *given = i.arguments
    target = function_of(module, called)
    if target is None:
        type_ = FunctionType(i.type, tuple(a.type for a in given))
    else:
        type_, called = module.functions[target].type, module.functions[target].ref
    pairs = list(zip(given, type_.params, strict=False))
    has_all = len(given) == len(type_.params) or (type_.vararg and len(given) > len(type_.params))
    if not has_all or not all(convertible(a.type, t) for a, t in pairs) or (i.users and i.type != type_.result):
        raise _error(module, function, i, f"the function that {CALL_INACTIVE} calls has the type {type_}")
    b = Builder.before(i)
    operands = [*(convert(b, a, t) for a, t in pairs), *given[len(pairs) :]]
    info = CallInfo(type_, ("",) * len(operands))
    rest = i.operands[len(i.arguments) : -1]
    call = b.insert(Instruction(i.opcode, type_.result, [*operands, *rest, called], info, metadata=i.metadata))
    if i.users:
        i.replace_uses(call)
    i.erase()


def _error(module: Module, function: Function, i: Instruction, rule: str) -> EnzymeError:
    return EnzymeError.of(
        "EZ0203",
        rule,
        location=module.source_location(i) or module.function_location(function),
        reason=f"it is given ({', '.join(str(a.type) for a in i.arguments)}) and declared to return {i.type}",
    )
