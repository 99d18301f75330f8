"""Requests: the `__enzyme_…` calls of a module, read as values and replaced by calls of derivative functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..analysis.activity import ArgumentActivity, ResultActivity
from ..analysis.callees import plain_name, strip_casts
from ..ir.builder import Builder, int_constant, zero
from ..ir.module import Module
from ..ir.types import (
    PTR,
    VOID,
    FloatType,
    IntType,
    Type,
    align_up,
    alignment,
    alloc_size,
    is_float,
    is_pointer,
)
from ..ir.values import Argument, ConstantExpr, Function, GlobalRef, Instruction, Value
from ..report.diagnostics import EnzymeError
from .markers import RequestKind, marker_of, request_kind
from .normalise import drop_incoming
from .session import Session
from .signature import Form, Prototype, Signature


@dataclass
class ActualArgument:
    """One argument of the differentiated function as the request gives it."""

    activity: ArgumentActivity
    primal: Value
    shadow: Value | None = None


@dataclass
class Request:
    """One call: what is differentiated, where it stands, and what was said about each argument."""

    kind: RequestKind
    call: Instruction
    caller: Function
    function: str
    arguments: list[ActualArgument] = field(default_factory=list)
    result: ResultActivity = ResultActivity.NONE
    flags: set[str] = field(default_factory=set)  # markers about the request as a whole

    @property
    def signature(self) -> Signature:
        return Signature(self.function, tuple(a.activity for a in self.arguments), self.result)


def find_requests(module: Module) -> list[tuple[Function, Instruction, RequestKind]]:
    """All request calls of the module, in order. Only functions whose text names one are parsed."""
    found = []
    for name in list(module.functions):
        function = module.functions[name]
        if function.unparsed is None or "__enzyme_" not in function.unparsed:
            continue
        for i in module.body(name).instructions():
            if i.opcode in ("call", "invoke") and isinstance(i.callee, GlobalRef):
                kind = request_kind(i.callee.name)
                if kind is not None and module.functions[i.callee.name].is_declaration:
                    found.append((function, i, kind))
    return found


class RequestReader:
    """Reads one request call. Raises EnzymeError where it is not understood."""

    def __init__(
        self, session: Session, module: Module, caller: Function, call: Instruction, kind: RequestKind
    ) -> None:
        self.session = session
        self.module = module
        self.caller = caller
        self.call = call
        self.kind = kind
        self.values = list(call.arguments)
        if call.call.argument_attributes and "sret" in call.call.argument_attributes[0]:
            self.values = self.values[1:]
        self.position = 0

    def error(self, id_: str, message: str, reason: str) -> EnzymeError:
        return EnzymeError.of(
            id_,
            message,
            reason=reason,
            function=plain_name(self.caller.name),
            location=self.module.source_location(self.call) or self.module.function_location(self.caller),
        )

    def function(self) -> str:
        """The function to differentiate, which must be known at link time."""
        if not self.values:
            raise self.error("EZ0202", f"{self.kind.value} is called without a function", "it has no arguments")
        target = self._constant_function(self.values[0])
        if target is None:
            raise self.error(
                "EZ0204",
                f"the function given to {self.kind.value} is not known at link time",
                "after optimisation its first argument is still not the address of one function",
            )
        self.position = 1
        return target

    def _constant_function(self, value: Value) -> str | None:
        value = strip_casts(value, self.module)
        if isinstance(value, GlobalRef):
            if value.name in self.module.functions:
                return value.name
            variable = self.module.globals.get(value.name)
            return self._constant_function(variable.initializer) if variable and variable.initializer else None
        if isinstance(value, ConstantExpr):
            return self._constant_function(value.operands[0])
        if isinstance(value, Instruction) and value.opcode in ("load", "bitcast", "inttoptr", "ptrtoint", "freeze"):
            pointer = value.operands[0]
            if value.opcode == "load" and isinstance(pointer, GlobalRef) and not self._is_constant(pointer):
                return None
            return self._constant_function(pointer)
        return None

    def _is_constant(self, pointer: GlobalRef) -> bool:
        variable = self.module.globals.get(pointer.name)
        return variable is not None and variable.constant

    def read(self) -> Request:
        if self.kind is not RequestKind.AUTODIFF:
            raise self.error(
                "EZ0208",
                f"{self.kind.value} is not supported yet",
                "this version makes reverse-mode gradients, which __enzyme_autodiff asks for",
            )
        request = Request(self.kind, self.call, self.caller, self.function())
        primal = self.module.functions[request.function]
        if primal.is_declaration:
            raise self.session.no_body(primal.name, self.caller, self.call)
        if primal.type.vararg:
            raise self.error(
                "EZ0203",
                f"{plain_name(primal.name)} takes a variable number of arguments",
                "a request cannot tell which of them are meant; differentiate a function that calls it",
            )
        request.result = _default_result(primal.type.result)
        parameters = list(primal.arguments)
        if parameters and "sret" in parameters[0].attributes and self._given() < len(parameters):
            raise self.error(
                "EZ0203",
                f"{plain_name(primal.name)} returns a struct through memory",
                "its result cannot be seeded; pass a pointer to the result instead",
            )
        while len(request.arguments) < len(parameters):
            self._argument(request, parameters[len(request.arguments)])
        self._interleaved_shadows(request, parameters)
        while self.position < len(self.values):
            self._trailing(request, primal)
        return request

    def _given(self) -> int:
        return len(self.values) - self.position

    def _next(self, what: str, primal: str) -> Value:
        if self.position >= len(self.values):
            raise self.error(
                "EZ0202",
                f"too few arguments for {plain_name(primal)} in {self.kind.value}",
                f"{what} is missing",
            )
        self.position += 1
        return self.values[self.position - 1]

    def _markers(self, request: Request) -> str | None:
        """Consumes markers before an argument; those that are not about it take effect on the request."""
        activity: str | None = None
        while self.position < len(self.values):
            marker = marker_of(self.values[self.position], self.module)
            if marker is None:
                return activity
            if marker.startswith("?"):
                raise self.error("EZ0201", f"unknown activity marker {marker[1:]}", "no marker has this name")
            self.position += 1
            if marker in _ARGUMENT_MARKERS:
                activity = marker
            elif marker in _RESULT_MARKERS:
                request.result = _RESULT_MARKERS[marker]
            elif marker in _FLAGS:
                request.flags.add(marker)
            else:
                raise self.error(
                    "EZ0206",
                    f"{marker} is not supported yet in {self.kind.value}",
                    "it belongs to vector mode or to a tape that the caller holds, which are not there yet",
                )
        return activity

    def _argument(self, request: Request, parameter: Argument) -> None:
        marker = self._markers(request) or _default_marker(parameter.type)
        number = parameter.index + 1
        value = self._next(f"argument {number}", request.function)
        shadow = None
        if marker == "enzyme_byref":
            value = self._next(f"argument {number}", request.function)  # what came before is its size
        if _ARGUMENT_MARKERS[marker] is ArgumentActivity.DUP and "enzyme_interleave" not in request.flags:
            shadow = self._next(f"the shadow of argument {number}", request.function)
            self._check(shadow, parameter, request)
        self._check(value, parameter, request)
        activity = _ARGUMENT_MARKERS[marker]
        if activity is ArgumentActivity.OUT and not is_float(parameter.type):
            raise self.error(
                "EZ0203",
                f"argument {number} of {plain_name(request.function)} cannot be enzyme_out",
                f"it has type {parameter.type}; only floating-point scalars are returned",
            )
        if activity is ArgumentActivity.DUP and not is_pointer(parameter.type):
            raise self.error(
                "EZ0203",
                f"argument {number} of {plain_name(request.function)} cannot be {marker}",
                f"it has type {parameter.type}; in reverse mode only pointers have shadows",
            )
        request.arguments.append(ActualArgument(activity, value, shadow))

    def _interleaved_shadows(self, request: Request, parameters: list[Argument]) -> None:
        """After `enzyme_interleave` the shadows follow all the primals."""
        if "enzyme_interleave" not in request.flags:
            return
        for actual, parameter in zip(request.arguments, parameters, strict=True):
            if actual.activity is ArgumentActivity.DUP:
                actual.shadow = self._next(f"the shadow of argument {parameter.index + 1}", request.function)
                self._check(actual.shadow, parameter, request)

    def _check(self, value: Value, parameter: Argument, request: Request) -> None:
        if marker_of(value, self.module) is not None or not _convertible(value.type, parameter.type):
            given = marker_of(value, self.module) or f"a value of type {value.type}"
            raise self.error(
                "EZ0203",
                f"argument {parameter.index + 1} of {plain_name(request.function)} has the wrong type",
                f"{parameter.type} is expected, {given} is given",
            )

    def _trailing(self, request: Request, primal: Function) -> None:
        before = self.position
        self._markers(request)
        if self.position == before:
            raise self.error(
                "EZ0202",
                f"too many arguments for {plain_name(primal.name)} in {self.kind.value}",
                f"it takes {len(primal.arguments)}, and {self._given()} more values are given",
            )


_ARGUMENT_MARKERS = {
    "enzyme_const": ArgumentActivity.CONST,
    "enzyme_dup": ArgumentActivity.DUP,
    "enzyme_dupnoneed": ArgumentActivity.DUP,
    "enzyme_byref": ArgumentActivity.DUP,
    "enzyme_out": ArgumentActivity.OUT,
}
#: markers that are about the request as a whole
_FLAGS = frozenset(
    ["enzyme_primal_return", "enzyme_runtime_activity", "enzyme_strong_zero", "enzyme_interleave", "enzyme_nofree"]
)
_RESULT_MARKERS = {
    "enzyme_noret": ResultActivity.NONE,
    "enzyme_const_return": ResultActivity.NONE,
    "enzyme_active_return": ResultActivity.ACTIVE,
}


def _default_marker(type_: Type) -> str:
    if is_pointer(type_):
        return "enzyme_dup"
    return "enzyme_out" if is_float(type_) else "enzyme_const"


def _default_result(type_: Type) -> ResultActivity:
    return ResultActivity.ACTIVE if is_float(type_) else ResultActivity.NONE


def _convertible(given: Type, wanted: Type) -> bool:
    """C's default promotions in a variadic call: float to double, small integers to int."""
    if given == wanted:
        return True
    if isinstance(given, FloatType) and isinstance(wanted, FloatType):
        return True
    return isinstance(given, IntType) and isinstance(wanted, IntType)


def convert(b: Builder, value: Value, wanted: Type) -> Value:
    if value.type == wanted:
        return value
    if isinstance(wanted, IntType):
        return b.resize_int(value, wanted, signed=True)
    return b.resize_float(value, wanted)


# ------------------------------------------------------------------------------------------------------- replacement


def replace_request(session: Session, request: Request) -> None:
    """Puts a call of the derivative in the place of the request."""
    call = request.call
    block = call.block
    assert block is not None
    name, proto = session.derivative(request.signature, Form.COMBINED)
    at = block.instructions.index(call)
    rest = block.instructions[at:]
    del block.instructions[at:]
    b = Builder(block)
    result = _call_derivative(session, b, request, name, proto)
    value = _deliver(session, b, request, proto, result)
    debug = call.metadata_node("!dbg")
    for i in block.instructions[at:]:
        if debug is not None and i.opcode == "call":
            i.metadata = (("!dbg", debug),)
    block.instructions += rest
    if value is not None:
        call.replace_uses(value)
    if call.opcode == "invoke":
        _leave_invoke(call)
    call.erase()


def _leave_invoke(call: Instruction) -> None:
    normal, unwind = call.successors
    block = call.block
    assert block is not None
    for phi in unwind.phis:
        drop_incoming(phi, block)
    Builder(block).br(normal)


def _call_derivative(session: Session, b: Builder, request: Request, name: str, proto: Prototype) -> Instruction:
    values: list[Value] = []
    primal = session.output.functions[request.function]
    for actual, parameter in zip(request.arguments, primal.arguments, strict=True):
        values.append(convert(b, actual.primal, parameter.type))
        if actual.shadow is not None:
            values.append(convert(b, actual.shadow, parameter.type))
    if request.result is ResultActivity.ACTIVE:
        from ..ir.builder import float_constant

        values.append(float_constant(1.0, primal.type.result))
    return b.call(name, proto.result, values)


def _deliver(session: Session, b: Builder, request: Request, proto: Prototype, result: Instruction) -> Value | None:
    """The request's value: derivatives of the OUT arguments, laid out as the caller's declared type wants them."""
    call = request.call
    outs = sum(a.activity is ArgumentActivity.OUT for a in request.arguments)
    parts: list[Value] = [b.extract_value(result, len(proto.results) - outs + k) for k in range(outs)]
    if "enzyme_primal_return" in request.flags and len(proto.results) > outs:
        parts.insert(0, b.extract_value(result, 0))
    sret = call.call.argument_attributes and "sret" in call.call.argument_attributes[0]
    if sret:
        _store_parts(b, parts, call.arguments[0])
        return None
    if call.type == VOID:
        return None
    if not parts:
        return zero(call.type)
    if len(parts) == 1 and _convertible(parts[0].type, call.type):
        return convert(b, parts[0], call.type)
    return _through_memory(session, b, request, parts)


def _store_parts(b: Builder, parts: Sequence[Value], pointer: Value) -> int:
    """Stores the parts one after the other as C lays out a struct of them; the size is returned."""
    offset = 0
    for part in parts:
        offset = align_up(offset, alignment(part.type))
        b.store(part, b.offset(pointer, offset))
        offset += alloc_size(part.type)
    return offset


def _through_memory(session: Session, b: Builder, request: Request, parts: Sequence[Value]) -> Value:
    """ABIs return small structs in coerced types: the bytes decide."""
    call = request.call
    entry = request.caller.entry
    size = max(alloc_size(call.type), 16 * (1 + len(parts)))
    buffer = entry.insert(0, Builder(entry).alloca(IntType(8), int_constant(size), 16))
    entry.instructions.pop()
    used = _store_parts(b, parts, buffer)
    if used != alloc_size(call.type) and align_up(used, alignment(call.type)) != alloc_size(call.type):
        raise EnzymeError.of(
            "EZ0205",
            f"{request.kind.value} is declared to return {call.type}",
            reason=f"it returns {len(parts)} derivatives of {used} bytes: {', '.join(str(p.type) for p in parts)}",
            location=session.output.source_location(call),
            function=plain_name(request.caller.name),
        )
    return b.load(call.type, buffer)


__all__ = ["PTR", "Request", "RequestReader", "convert", "find_requests", "replace_request"]
