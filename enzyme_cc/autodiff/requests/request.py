"""Requests: the `__enzyme_…` calls of a module, and what each of them says, as values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name, strip_casts
from ...analysis.memory.dead_writes import DeadWriteAnalysis
from ...ir.builder import Builder
from ...ir.constants import ConstantExpr, GlobalRef
from ...ir.folding import is_zero
from ...ir.instructions import FUNCTION_CALLS
from ...ir.module import Module
from ...ir.types import FloatType, IntType, Type
from ...ir.value_edges import NAMED
from ...ir.values import Function, Instruction, Value
from ...report.diagnostics import Diagnostic, EnzymeError
from ..core.markers import HOLDING, Marker, RequestKind, UnknownRequest, request_kind, unknown_request
from ..core.signature import Signature, Team


class ActualArgument(Struct, frozen=True):
    """One argument of the differentiated function f, as the request gives it.

    `shadows` has one value for each direction. With a `stride`, it has the first one only, and the others lie at
    multiples of the stride behind it. `unneeded`: the caller does not need what f writes behind the pointer.
    `preserved`: only f writes the memory before its reverse sweep. `count`: in a sparse derivative, the number of
    elements, which stands in the place of the shadow. `is_work_space`: it is constant, but f stores numbers there.
    """

    activity: ArgumentActivity
    primal: Value
    shadows: tuple[Value, ...] = ()
    stride: Value | None = None
    unneeded: bool = False
    preserved: bool = False
    count: Value | None = None
    is_work_space: bool = False

    def as_work_space(self, directions: int) -> ActualArgument:
        """Returns the argument with itself as its shadow."""
        shadows = (self.primal,) * directions
        return replace(self, activity=ArgumentActivity.DUP, shadows=shadows, is_work_space=True)

    def with_values(self, of: Callable[[Value], Value]) -> ActualArgument:
        """Returns the argument with other values."""
        stride, count = (None if value is None else of(value) for value in (self.stride, self.count))
        return replace(self, primal=of(self.primal), shadows=tuple(map(of, self.shadows)), stride=stride, count=count)


class Request(Struct, frozen=True, eq=False):
    """What one call asks for: which function is differentiated, and with respect to what."""

    kind: RequestKind
    call: Instruction
    caller: Function
    function: str
    arguments: tuple[ActualArgument, ...] = ()
    result: ResultActivity = ResultActivity.NONE
    flags: frozenset[Marker] = frozenset()  # markers about the request as a whole
    settings: Mapping[Marker, Value] = field(default_factory=dict)  # those of them that a value follows
    seeds: tuple[Value, ...] = ()  # adjoints of the result, where the program passes them
    width: int = 1
    in_place: bool = False  # the derivative itself writes the result to the memory that the call passes for it

    @property
    def signature(self) -> Signature:
        unneeded = tuple(k for k, a in enumerate(self.arguments) if a.unneeded)
        activities = tuple(a.activity for a in self.arguments)
        held = self.kind in HOLDING
        wants_result = self.kind is not RequestKind.AUTODIFF or Marker.PRIMAL_RETURN in self.flags
        preserved = tuple(k for k, a in enumerate(self.arguments) if a.preserved and held)
        found = Signature(self.function, activities, self.result, self.width, unneeded, wants_result, held, preserved)
        return replace(found, team=Team.SHARED) if Marker.SHARED in self.flags else found

    @property
    def is_sparse(self) -> bool:
        """True if the request asks for a sparse matrix."""
        return Marker.SPARSE in self.settings

    @property
    def returns_through_memory(self) -> bool:
        attributes = self.call.call.argument_attributes
        return bool(attributes) and "sret" in attributes[0]

    def following(self, replaced: Mapping[Value, Value]) -> Request:
        """Returns the request with the values of answers in the place of earlier requests, where it uses these."""

        def of(value: Value) -> Value:
            return replaced.get(value, value)

        arguments = tuple(actual.with_values(of) for actual in self.arguments)
        settings = {marker: of(value) for marker, value in self.settings.items()}
        return replace(self, arguments=arguments, settings=settings, seeds=tuple(map(of, self.seeds)))

    def error(self, module: Module, id_: str, message: str, reason: str, remedy: str = "") -> EnzymeError:
        """Returns a diagnostic that points at the request's line."""
        return error_at(module, self.caller, self.call, id_, message, reason, remedy)


def error_at(
    module: Module, caller: Function, call: Instruction, id_: str, message: str, reason: str, remedy: str
) -> EnzymeError:
    """Returns a diagnostic that points at the line of a call."""
    return EnzymeError.of(
        id_,
        message,
        reason=reason,
        remedy=remedy,
        function=plain_name(caller.name),
        location=module.source_location(call) or module.function_location(caller),
    )


class Found(NamedTuple):
    """A request call that has not been read."""

    caller: Function
    call: Instruction
    kind: RequestKind


def with_needed(request: Request, source: Module, output: Module, dead_writes: DeadWriteAnalysis) -> Request:
    """Returns the request without `unneeded` for arguments that f does not only write to: f needs that memory.

    Raises EnzymeError (EZ0203) if such an argument is null.
    """
    function = source.functions[request.function]
    arguments = []
    for actual, argument in zip(request.arguments, function.arguments, strict=True):
        is_needed = actual.unneeded and dead_writes.of(argument) is None
        arguments.append(replace(actual, unneeded=False) if is_needed else actual)
        if is_needed and is_zero(actual.primal):
            raise request.error(
                output,
                "EZ0203",
                f"argument {argument.index + 1} of {plain_name(request.function)} is null",
                "the function reads that memory, compares the pointer, or passes it on to what may",
                "pass memory; enzyme_dupnoneed permits null only where the function does nothing but write there",
            )
    return replace(request, arguments=tuple(arguments))


def find_requests(module: Module) -> list[Found]:
    """Returns all request calls of the module, in order. Parses the functions whose text names one.

    Raises EnzymeError (EZ0208, EZ0214) for calls of `__enzyme_` functions that are no request.
    """
    found, unknown = [], list[Diagnostic]()
    for name in list(module.functions):
        function = module.functions[name]
        if function.is_declaration or (function.unparsed is not None and "__enzyme_" not in function.unparsed):
            continue
        for i in module.body(name).instructions():
            if i.opcode in FUNCTION_CALLS and isinstance(i.callee, GlobalRef):
                kind = request_kind(i.callee.name)
                asked = unknown_request(i.callee.name) if kind is None else None
                if (kind is None and asked is None) or not module.functions[i.callee.name].is_declaration:
                    continue
                if kind is not None:
                    found.append(Found(function, i, kind))
                elif asked is not None:
                    unknown.append(_refusal(module, function, i, asked))
    if unknown:
        raise EnzymeError(unknown)
    return found


def _refusal(module: Module, caller: Function, call: Instruction, asked: UnknownRequest) -> Diagnostic:
    known = "Enzyme has this request, and enzyme-cc has no answer to it"
    return Diagnostic(
        "EZ0208" if asked.exists else "EZ0214",
        f"the request {asked.name} is not {'supported' if asked.exists else 'known'}",
        location=module.source_location(call) or module.function_location(caller),
        function=plain_name(caller.name),
        reason=known if asked.exists else "no request, and no other function of the interface, has a name like this",
        remedy=f"did you mean {asked.nearest}?" if asked.nearest and not asked.exists else None,
    )


def function_of(module: Module, value: Value) -> str | None:
    """Returns the name of the function that a request's first argument points to; None if only the run tells."""
    value = strip_casts(value, module)
    if isinstance(value, GlobalRef):
        if value.name in module.functions:
            return value.name
        variable = module.globals.get(value.name)
        return function_of(module, variable.initializer) if variable and variable.initializer else None
    if isinstance(value, ConstantExpr):
        return function_of(module, value.operands[0])
    if isinstance(value, Instruction) and value.opcode in NAMED:
        pointer = value.operands[0]
        if value.opcode == "load" and isinstance(pointer, GlobalRef) and not _is_constant(module, pointer):
            return None
        return function_of(module, pointer)
    return None


def _is_constant(module: Module, pointer: GlobalRef) -> bool:
    variable = module.globals.get(pointer.name)
    return variable is not None and variable.constant


def convertible(given: Type, wanted: Type) -> bool:
    """True if C's default promotions in a variadic call relate the types: float to double, small integers to int."""
    if given == wanted:
        return True
    if isinstance(given, FloatType) and isinstance(wanted, FloatType):
        return True
    return isinstance(given, IntType) and isinstance(wanted, IntType)


def convert(b: Builder, value: Value, wanted: Type) -> Value:
    """Returns the value in the wanted type, converted as C does."""
    if value.type == wanted:
        return value
    if isinstance(wanted, IntType):
        return b.resize_int(value, wanted, signed=True)
    return b.resize_float(value, wanted)
