"""Reads a request: its function, then markers, arguments and shadows, in the grammar of its kind."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...ir.constants import ConstantInt, ConstantWord
from ...ir.module import Module
from ...ir.types import VOID, FloatType, PointerType, Type, holds, is_float, is_pointer
from ...ir.values import Argument, Function, Value
from ...report.diagnostics import EnzymeError
from ..core.markers import Marker, UnknownMarker, marker_of
from ..core.provenance import Provenance, remedy_of_request, why_no_bitcode
from .checks import check_activity, check_result, check_seed, check_sparse, check_tape, check_type
from .grammar import ACTIVITIES, BATCHED, GRAMMARS, RESULTS, STRIDED, UNNEEDED, Grammar
from .request import ActualArgument, Found, Request, function_of
from .struct_result import struct_result


def read_request(module: Module, found: Found, custom: Container[str], provenance: Provenance) -> Request:
    """Returns what one request call says.

    Functions in `custom` have registered derivatives, and need no body. Raises EnzymeError where the call violates the
    grammar of its kind.
    """
    request = Request(found.kind, found.call, found.caller, "")
    return _RequestReader(module, request, GRAMMARS[found.kind], custom, provenance).read()


class _RequestReader:
    """Consumes the operands of one call from left to right."""

    def __init__(
        self, module: Module, request: Request, grammar: Grammar, custom: Container[str], provenance: Provenance
    ) -> None:
        self.module = module
        self.request = request
        self.grammar = grammar
        self.custom = custom
        self.provenance = provenance
        self.word = request.kind.value
        self.values = request.call.arguments[1 if request.returns_through_memory else 0 :]
        self.position = 0
        self.preserved = False  # enzyme_nocache precedes the argument that is read next

    def error(self, id_: str, message: str, reason: str, remedy: str = "") -> EnzymeError:
        return self.request.error(self.module, id_, message, reason, remedy)

    def read(self) -> Request:
        self._set(function=self._function())
        primal = self._primal()
        self._set(result=self._default_result(primal.type.result))
        implicit = self._returns_struct(primal)
        for parameter in primal.arguments[implicit:]:
            self._read_argument(parameter)
        self._interleaved_shadows(primal.arguments[implicit:])
        self._markers()
        if implicit:
            result = struct_result(self.module, self.request, primal.arguments[0])
            self._set(in_place=True, arguments=(result, *self.request.arguments))
        if self.grammar.has_tape:
            self._seed_and_tape(primal)
        if self.request.is_sparse:
            check_sparse(self.module, self.request)
            self._set(result=ResultActivity.NONE)
        check_tape(self.module, self.request, self.grammar)
        check_result(self.module, self.request, self.grammar, primal)
        if self._left():
            raise self.error(
                "EZ0202",
                f"too many arguments for {plain_name(primal.name)} in {self.word}",
                f"it takes {len(primal.arguments)}, and {len(primal.arguments) + self._left()} are given",
            )
        return self.request

    def _set(self, **fields: Any) -> None:
        self.request = replace(self.request, **fields)

    # -- the function

    def _function(self) -> str:
        """The function to differentiate, which must be known at link time."""
        if not self.values:
            raise self.error("EZ0202", f"{self.word} is called without a function", "it has no arguments")
        target = function_of(self.module, self.values[0])
        if target is None:
            raise self.error(
                "EZ0204",
                f"the function given to {self.word} is not known at link time",
                "after optimisation its first argument is still not the address of one function",
                "name one function in each request: make a request for each, and choose between these",
            )
        self.position = 1
        return target

    def _primal(self) -> Function:
        primal = self.module.functions[self.request.function]
        if primal.is_declaration and self.grammar.differentiates and primal.name not in self.custom:
            raise self._no_body(plain_name(primal.name))
        if primal.type.vararg:
            raise self.error(
                "EZ0203",
                f"{plain_name(primal.name)} takes a variable number of arguments",
                "a request cannot tell which of them are meant; differentiate a function that calls it",
            )
        if self._returns_struct(primal):
            return primal
        is_short = not self.grammar.has_values or self._left() < len(primal.arguments)
        if primal.arguments and "sret" in primal.arguments[0].attributes and is_short:
            raise self.error(
                "EZ0203",
                f"{plain_name(primal.name)} returns a struct through memory",
                "its result cannot be seeded; pass a pointer to the result instead",
            )
        return primal

    def _no_body(self, name: str) -> EnzymeError:
        return EnzymeError.of(
            "EZ0108",
            f"{name} cannot be differentiated: there is no bitcode of it",
            location=self.module.source_location(self.request.call),
            function=plain_name(self.request.caller.name),
            reason=why_no_bitcode(self.provenance, name),
            remedy=remedy_of_request(self.provenance, name),
        )

    def _returns_struct(self, primal: Function) -> bool:
        """True if function and request both return structs through memory: in C neither result is an argument."""
        through_memory = bool(primal.arguments) and "sret" in primal.arguments[0].attributes
        return self.grammar.forward and through_memory and self.request.returns_through_memory

    # -- markers

    def _left(self) -> int:
        return len(self.values) - self.position

    def _next(self, what: str) -> Value:
        if not self._left():
            raise self.error(
                "EZ0202",
                f"too few arguments for {plain_name(self.request.function)} in {self.word}",
                f"{what} is missing",
            )
        self.position += 1
        return self.values[self.position - 1]

    def _markers(self, only_one: bool = False) -> Marker | None:
        """Consumes markers and returns the activity of the next argument, if one names it.

        Markers about the request as a whole take effect on it. With `only_one`, reading stops behind an activity: the
        next marker belongs to the next argument.
        """
        activity: Marker | None = None
        while self._left() and not (only_one and activity):
            marker = marker_of(self.values[self.position], self.module)
            if marker is None:
                return activity
            if isinstance(marker, UnknownMarker):
                raise self.error("EZ0201", f"unknown activity marker {marker.text}", "no marker has this name")
            self.position += 1
            if marker is Marker.NOCACHE and self.grammar.differentiates:
                self.preserved = True
            elif marker in self.grammar.activities and (self.grammar.width or marker not in STRIDED):
                activity = marker
            else:
                self._request_marker(marker)
        return activity

    def _request_marker(self, marker: Marker) -> None:
        request = self.request
        if marker in self.grammar.flags:
            self._set(flags=request.flags | {marker}, result=RESULTS.get(marker, request.result))
        elif marker is Marker.WIDTH and self.grammar.width:
            self._set(width=self._width())
        elif marker in self.grammar.settings:
            self._setting(marker, self._next(f"the value after {marker.value}"))
        else:
            raise self.error(
                "EZ0206",
                f"{marker.value} has no place in {self.word}",
                "the marker has no meaning for this kind of request",
            )

    def _setting(self, marker: Marker, value: Value) -> None:
        self._set(settings={**self.request.settings, marker: value})

    def _width(self) -> int:
        width = self._next("the value after enzyme_width")
        if not isinstance(width, ConstantInt) or width.value < 1 or self.request.arguments:
            raise self.error(
                "EZ0206",
                "enzyme_width is not followed by a positive constant, or does not stand before all arguments",
                "how many shadows each argument has must be known when it is read",
            )
        return width.value

    # -- arguments

    def _read_argument(self, parameter: Argument) -> None:
        if not self.grammar.differentiates:
            self._batched(parameter)
        elif self.grammar.has_values:
            self._argument(parameter)
        else:
            self._activity(parameter)

    def _batched(self, parameter: Argument) -> None:
        """Reads an argument of a batch: one value for each element, the first as the primal, or one for all."""
        count = self.request.width if BATCHED[self._markers() or Marker.VECTOR] else 1
        values = [self._next(f"argument {parameter.index + 1} of element {k} of the batch") for k in range(count)]
        for value in values:
            check_type(self.module, self.request, value, parameter)
        self._set(
            arguments=(*self.request.arguments, ActualArgument(ArgumentActivity.CONST, values[0], tuple(values[1:])))
        )

    def _argument(self, parameter: Argument) -> None:
        marker = self._markers() or self._default_marker(parameter.type)
        number = parameter.index + 1
        stride = self._next(f"the stride of argument {number}") if marker in STRIDED else None
        value = self._next(f"argument {number}")
        if marker is Marker.BYREF:
            value = self._next(f"argument {number}")  # the first value is its size
        actual = ActualArgument(ACTIVITIES[marker], value, stride=stride, unneeded=marker in UNNEEDED)
        if actual.activity is ArgumentActivity.DUP and self.request.is_sparse:
            actual = replace(actual, count=self._next(f"the number of elements of argument {number}"))
        elif actual.activity is ArgumentActivity.DUP and Marker.INTERLEAVE not in self.request.flags:
            actual = self._with_shadows(actual, parameter)
        check_type(self.module, self.request, value, parameter)
        check_activity(self.module, self.request, self.grammar, actual.activity, marker, parameter)
        self._append(actual)

    def _activity(self, parameter: Argument) -> None:
        """Reads an argument that is given by its marker only."""
        marker = self._markers(only_one=True) or self._default_marker(parameter.type)
        check_activity(self.module, self.request, self.grammar, ACTIVITIES[marker], marker, parameter)
        nothing = ConstantWord(parameter.type, "poison")
        self._append(ActualArgument(ACTIVITIES[marker], nothing, unneeded=marker in UNNEEDED))

    def _append(self, actual: ActualArgument) -> None:
        self._set(arguments=(*self.request.arguments, replace(actual, preserved=self.preserved)))
        self.preserved = False

    def _with_shadows(self, actual: ActualArgument, parameter: Argument) -> ActualArgument:
        shadows = []
        for _ in range(1 if actual.stride is not None else self.request.width):
            shadow = self._next(f"the shadow of argument {parameter.index + 1}")
            check_type(self.module, self.request, shadow, parameter)
            shadows.append(shadow)
        return replace(actual, shadows=tuple(shadows))

    def _interleaved_shadows(self, parameters: list[Argument]) -> None:
        """Reads the shadows behind all primals, which is their place after `enzyme_interleave`."""
        if Marker.INTERLEAVE not in self.request.flags:
            return
        pairs = zip(self.request.arguments, parameters, strict=True)
        arguments = [self._with_shadows(a, p) if a.activity is ArgumentActivity.DUP else a for a, p in pairs]
        self._set(arguments=tuple(arguments))

    def _seed_and_tape(self, primal: Function) -> None:
        """Reads the adjoint of the result, if given, and the tape, unless a marker has named it before."""
        request, expected = self.request, int(Marker.TAPE not in self.request.settings)
        has_seed = request.result is ResultActivity.ACTIVE and not self.grammar.forward
        if has_seed and self._left() > expected:
            self._set(seeds=tuple(self._next("an adjoint of the result") for _ in range(request.width)))
        for seed in self.request.seeds:
            check_seed(self.module, self.request, seed, primal)
        self._markers()
        if Marker.TAPE not in self.request.settings:
            self._setting(Marker.TAPE, self._next("the tape, which comes last,"))
        self._markers()

    # -- defaults

    def _default_marker(self, type_: Type) -> Marker:
        if is_pointer(type_):
            return Marker.DUP
        number = Marker.DUP if self.grammar.forward else Marker.OUT
        return number if holds(type_, FloatType) else Marker.CONST

    def _default_result(self, type_: Type) -> ResultActivity:
        if holds(type_, PointerType):
            return self.grammar.pointer_result
        active = type_ != VOID if self.grammar.forward else is_float(type_)
        return ResultActivity.ACTIVE if active else ResultActivity.NONE
