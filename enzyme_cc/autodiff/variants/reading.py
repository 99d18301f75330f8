"""Finds the requests for variants of functions, and reads their operands."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...analysis.callees import plain_name
from ...analysis.references import functions_referenced
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.graphs import reachable
from ...ir.module import Module
from ...ir.types import FunctionType, Type
from ...ir.values import CallInfo, Function, Instruction, Value
from ...report.diagnostics import Diagnostic, EnzymeError
from ..core.markers import CHOICES, Marker, UnknownMarker, VariantKind, marker_of, request_kind, variant_kind
from ..requests.request import convert, convertible, error_at, function_of
from ..requests.virtual_tables import leave_invoke


class FoundVariant(Struct, frozen=True):
    """A call that asks for a variant. `function` is the name of the function that it is of."""

    caller: Function
    call: Instruction
    kind: VariantKind
    function: str

    @property
    def asked(self) -> str:
        """The request, for a message."""
        return f"{plain_name(self.function)} in {self.kind.value}" if self.function else self.kind.value

    def error(self, module: Module, id_: str, message: str, reason: str, remedy: str = "") -> EnzymeError:
        """Returns a diagnostic that points at the request's line."""
        return error_at(module, self.caller, self.call, id_, message, reason, remedy)

    def replace_by_value(self, value: Value) -> None:
        """Lets the users of the request use the value, which exists before it, and drops the request."""
        self.call.replace_uses(value)
        if self.call.opcode == "invoke":
            leave_invoke(self.call)
        self.call.erase()

    def replace_by(self, name: str, given: Sequence[Value]) -> None:
        """Replaces the request by a call of a function with the same type of result."""
        old = self.call
        type_ = FunctionType(old.type, tuple(value.type for value in given))
        operands = [*given, *old.successors, GlobalRef.of(name)]
        new = Instruction(old.opcode, old.type, operands, CallInfo(type_, ("",) * len(given)), (), "", old.metadata)
        Builder.before(old).insert(new)
        old.replace_uses(new)
        old.erase()


def ready_variants(module: Module, kinds: frozenset[VariantKind]) -> list[FoundVariant]:
    """Returns the requests of these kinds whose function makes no requests, also not through others.

    Raises EnzymeError (EZ0204) if the function of a request is not known, and (EZ0108) if it has no bitcode.
    """
    found, problems = [], list[Diagnostic]()
    for caller, call, kind in variant_calls(module):
        if kind not in kinds:
            continue
        try:
            found.append(_find(module, caller, call, kind))
        except EnzymeError as error:
            problems += error.diagnostics
    if problems:
        raise EnzymeError(problems)
    return [request for request in found if not _makes_requests(module, request.function)]


def value_variants(module: Module, kinds: frozenset[VariantKind]) -> list[FoundVariant]:
    """Returns the requests of these kinds, which are given a value and no function."""
    return [FoundVariant(caller, call, kind, "") for caller, call, kind in variant_calls(module) if kind in kinds]


def _makes_requests(module: Module, function: str) -> bool:
    def referenced(name: str) -> list[str]:
        is_body = name in module.functions and not module.functions[name].is_declaration
        return functions_referenced(module, module.body(name)) if is_body else []

    names = map(plain_name, reachable([function], referenced))
    return any(is_request(name) for name in names)


def is_request(name: str) -> bool:
    """True if a function asks for a derivative or a variant. Random choices ask for neither."""
    return request_kind(name) is not None or variant_kind(name) not in (None, *CHOICES)


def variant_calls(module: Module) -> list[tuple[Function, Instruction, VariantKind]]:
    """Returns all calls that ask for variants, with their callers."""
    words = [kind.value for kind in VariantKind]
    calls: list[tuple[Function, Instruction, VariantKind]] = []
    for name in list(module.functions):
        function = module.functions[name]
        text = function.unparsed
        if function.is_declaration or (text is not None and not any(word in text for word in words)):
            continue
        for i in module.body(name).instructions():
            kind = variant_kind(i.callee.name) if i.is_call and isinstance(i.callee, GlobalRef) else None
            if kind is not None:
                calls.append((function, i, kind))
    return calls


def _find(module: Module, caller: Function, call: Instruction, kind: VariantKind) -> FoundVariant:
    target = function_of(module, call.arguments[0]) if call.arguments else None
    found = FoundVariant(caller, call, kind, target or "")
    if target is None:
        raise found.error(
            module,
            "EZ0204",
            f"the function given to {kind.value} is not known at link time",
            "after optimisation its first argument is still not the address of one function",
        )
    if module.functions[target].is_declaration:
        raise found.error(
            module,
            "EZ0108",
            f"there is no bitcode of {plain_name(target)}, which {kind.value} is given",
            "its operations are not known",
        )
    return found


class VariantOperands:
    """Takes the operands of a request, from left to right, in the types that the function has."""

    def __init__(self, module: Module, found: FoundVariant) -> None:
        self.module = module
        self.found = found
        self._values = found.call.arguments
        self._at = 1

    @property
    def first(self) -> Value:
        """The function, or the value that the request is given in its place. Raises EnzymeError (EZ0202)."""
        if not self._values:
            raise self.found.error(self.module, "EZ0202", f"{self.found.asked} is given nothing", "it has no arguments")
        return self._values[0]

    @property
    def left(self) -> int:
        return len(self._values) - self._at

    def marker(self) -> Marker | None:
        """Takes the next operand if it is a marker. Raises EnzymeError (EZ0201) for an unknown one."""
        marker = marker_of(self._values[self._at], self.module) if self.left else None
        if isinstance(marker, UnknownMarker):
            reason = "no marker has this name"
            raise self.found.error(self.module, "EZ0201", f"unknown activity marker {marker.text}", reason)
        self._at += marker is not None
        return marker

    def value(self, what: str) -> Value:
        """Takes an operand. Raises EnzymeError (EZ0202) if there is none."""
        if not self.left:
            message = f"too few arguments for {self.found.asked}"
            raise self.found.error(self.module, "EZ0202", message, f"{what} is missing")
        self._at += 1
        return self._values[self._at - 1]

    def of_type(self, b: Builder, type_: Type, what: str) -> Value:
        """Takes an operand, converted as C does. Raises EnzymeError (EZ0203) if it has another kind of type."""
        value = self.value(what)
        if not convertible(value.type, type_):
            message = f"{what} of {self.found.asked} has the wrong type"
            raise self.found.error(self.module, "EZ0203", message, f"it is {value.type}, and {type_} is needed")
        return convert(b, value, type_)

    def misplaced(self, marker: Marker) -> EnzymeError:
        message = f"{marker.value} has no place in {self.found.kind.value}"
        return self.found.error(self.module, "EZ0206", message, "the marker has no meaning for this kind of request")

    def end(self) -> None:
        """Raises EnzymeError (EZ0202) if operands are left."""
        if self.left:
            message = f"too many arguments for {self.found.asked}"
            raise self.found.error(self.module, "EZ0202", message, f"{self.left} more values are given")
