"""Reads a request: its function, then markers, arguments and shadows, in the grammar of its kind."""

from __future__ import annotations

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.activity.carriers import holds
from ...analysis.callees import plain_name
from ...ir.module import Module
from ...ir.types import VOID, FloatType, PointerType, Type, is_float, is_pointer
from ...ir.values import Argument, ConstantInt, ConstantWord, Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from ..analyses.refusals import no_body
from ..core.markers import RequestKind, marker_of
from ..core.round import Session
from .grammar import ACTIVITIES, BATCHED, GRAMMARS, RESULTS, STRIDED, UNWANTED, Grammar
from .request import ActualArgument, Request, convertible, function_of
from .struct_result import struct_result


def read_request(session: Session, module: Module, caller: Function, call: Instruction, kind: RequestKind) -> Request:
    """Reads one request call. Raises EnzymeError where it is not understood."""
    if kind not in GRAMMARS:
        raise Request(kind, call, caller, "").error(
            module,
            "EZ0208",
            f"{kind.value} is not supported yet",
            "this version makes gradients and tangents, at once or, with a tape, in two halves",
        )
    return _Reader(session, module, Request(kind, call, caller, ""), GRAMMARS[kind]).read()


class _Reader:
    def __init__(self, session: Session, module: Module, request: Request, grammar: Grammar) -> None:
        self.session = session
        self.module = module
        self.request = request
        self.grammar = grammar
        self.word = request.kind.value
        self.values = request.call.arguments[1 if request.returns_through_memory else 0 :]
        self.position = 0

    def error(self, id_: str, message: str, reason: str) -> EnzymeError:
        return self.request.error(self.module, id_, message, reason)

    def read(self) -> Request:
        request = self.request
        request.function = self._function()
        primal = self._primal()
        request.result = self._default_result(primal.type.result)
        implicit = self._returns_struct(primal)
        for parameter in primal.arguments[implicit:]:
            self._read_argument(parameter)
        self._interleaved_shadows(primal.arguments[implicit:])
        self._markers()
        if implicit:
            self.request.arguments.insert(0, struct_result(self.module, self.request, primal.arguments[0]))
        if self.grammar.has_tape:
            self._seed_and_tape(primal)
        self._check_tape()
        self._check_result(primal)
        if self._left():
            raise self.error(
                "EZ0202",
                f"too many arguments for {plain_name(primal.name)} in {self.word}",
                f"it takes {len(primal.arguments)}, and {self._left()} more values are given",
            )
        return request

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
            )
        self.position = 1
        return target

    def _primal(self) -> Function:
        primal = self.module.functions[self.request.function]
        needs_body = self.grammar.differentiates and primal.name not in self.session.registered.custom
        if primal.is_declaration and needs_body:
            raise no_body(self.session, primal.name, self.request.caller, self.request.call)
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

    def _returns_struct(self, primal: Function) -> bool:
        """Whether function and request both return structs through memory, of which neither is an argument in C."""
        through_memory = bool(primal.arguments) and "sret" in primal.arguments[0].attributes
        return self.grammar.forward and through_memory and self.request.returns_through_memory

    # -- arguments

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

    def _markers(self, only_one: bool = False) -> str | None:
        """Consumes markers before an argument (`only_one`: the next stands for the next argument); those that are not
        about it take effect on the request."""
        activity: str | None = None
        while self._left() and not (only_one and activity):
            marker = marker_of(self.values[self.position], self.module)
            if marker is None:
                return activity
            if marker.startswith("?"):
                raise self.error("EZ0201", f"unknown activity marker {marker[1:]}", "no marker has this name")
            self.position += 1
            if marker in self.grammar.activities and (self.grammar.width or marker not in STRIDED):
                activity = marker
            else:
                self._request_marker(marker)
        return activity

    def _request_marker(self, marker: str) -> None:
        request = self.request
        if marker in self.grammar.flags:
            request.flags.add(marker)
            request.result = RESULTS.get(marker, request.result)
        elif marker == "enzyme_width" and self.grammar.width:
            request.width = self._width()
        elif marker in self.grammar.settings:
            request.settings[marker] = self._next(f"the value after {marker}")
        else:
            raise self.error(
                "EZ0206",
                f"{marker} has no place in {self.word}",
                "it says nothing that this request could heed",
            )

    def _width(self) -> int:
        width = self._next("the value after enzyme_width")
        if not isinstance(width, ConstantInt) or width.value < 1 or self.request.arguments:
            raise self.error(
                "EZ0206",
                "enzyme_width is not followed by a positive constant, or does not stand before all arguments",
                "how many shadows each argument has must be known when it is read",
            )
        return width.value

    def _read_argument(self, parameter: Argument) -> None:
        if not self.grammar.differentiates:
            self._lanes(parameter)
        elif self.grammar.has_values:
            self._argument(parameter)
        else:
            self._activity(parameter)

    def _lanes(self, parameter: Argument) -> None:
        """An argument of a batch: a value for each lane, the first as the primal, or one for all."""
        count = self.request.width if BATCHED[self._markers() or "enzyme_vector"] else 1
        values = [self._next(f"argument {parameter.index + 1} of lane {k}") for k in range(count)]
        for value in values:
            self._check_type(value, parameter)
        self.request.arguments.append(ActualArgument(ArgumentActivity.CONST, values[0], values[1:]))

    def _argument(self, parameter: Argument) -> None:
        marker = self._markers() or self._default_marker(parameter.type)
        number = parameter.index + 1
        stride = self._next(f"the stride of argument {number}") if marker in STRIDED else None
        value = self._next(f"argument {number}")
        if marker == "enzyme_byref":
            value = self._next(f"argument {number}")  # what came before is its size
        actual = ActualArgument(ACTIVITIES[marker], value, stride=stride, unwanted=marker in UNWANTED)
        if actual.activity is ArgumentActivity.DUP and "enzyme_interleave" not in self.request.flags:
            self._shadows(actual, parameter)
        self._check_type(value, parameter)
        self._check_activity(actual.activity, marker, parameter)
        self.request.arguments.append(actual)

    def _activity(self, parameter: Argument) -> None:
        """An argument of which only the marker is given."""
        marker = self._markers(only_one=True) or self._default_marker(parameter.type)
        self._check_activity(ACTIVITIES[marker], marker, parameter)
        nothing = ConstantWord(parameter.type, "poison")
        self.request.arguments.append(ActualArgument(ACTIVITIES[marker], nothing, unwanted=marker in UNWANTED))

    def _seed_and_tape(self, primal: Function) -> None:
        """[the adjoint of the result], tape; a tape that a marker named before does not come again."""
        request, expected = self.request, int("enzyme_tape" not in self.request.settings)
        has_seed = request.result is ResultActivity.ACTIVE and not self.grammar.forward
        if has_seed and self._left() > expected:
            request.seeds = [self._next("an adjoint of the result") for _ in range(request.width)]
        for seed in request.seeds:
            if not convertible(seed.type, primal.type.result):
                raise self.error(
                    "EZ0203",
                    f"the adjoint of {plain_name(primal.name)}'s result has the wrong type",
                    f"{primal.type.result} is expected, {seed.type} is given",
                )
        self._markers()
        if "enzyme_tape" not in request.settings:
            request.settings["enzyme_tape"] = self._next("the tape, which comes last,")
        self._markers()

    def _default_marker(self, type_: Type) -> str:
        if is_pointer(type_):
            return "enzyme_dup"
        number = "enzyme_dup" if self.grammar.forward else "enzyme_out"
        return number if holds(type_, FloatType) else "enzyme_const"

    def _default_result(self, type_: Type) -> ResultActivity:
        if holds(type_, PointerType):
            return self.grammar.pointer_result
        active = type_ != VOID if self.grammar.forward else is_float(type_)
        return ResultActivity.ACTIVE if active else ResultActivity.NONE

    def _shadows(self, actual: ActualArgument, parameter: Argument) -> None:
        for _ in range(1 if actual.stride is not None else self.request.width):
            shadow = self._next(f"the shadow of argument {parameter.index + 1}")
            self._check_type(shadow, parameter)
            actual.shadows.append(shadow)

    def _interleaved_shadows(self, parameters: list[Argument]) -> None:
        """After `enzyme_interleave` the shadows follow all the primals."""
        if "enzyme_interleave" not in self.request.flags:
            return
        for actual, parameter in zip(self.request.arguments, parameters, strict=True):
            if actual.activity is ArgumentActivity.DUP:
                self._shadows(actual, parameter)

    # -- checks

    def _check_tape(self) -> None:
        settings = self.request.settings
        tape = settings.get("enzyme_tape")
        if tape is not None and not is_pointer(tape.type):
            raise self.error("EZ0203", f"the tape given to {self.word} is no pointer", f"it has type {tape.type}")
        if ("enzyme_allocated" in settings) > (tape is not None):
            raise self.error(
                "EZ0202", f"{self.word} has enzyme_allocated without memory", "enzyme_tape and a pointer must follow it"
            )
        if tape is not None and "enzyme_allocated" not in settings and not self.grammar.has_tape:
            raise self.error(
                "EZ0202",
                f"{self.word} has enzyme_tape without enzyme_allocated",
                "how large the memory is must be said before",
            )

    def _check_result(self, primal: Function) -> None:
        """The result can be what the markers say it is."""
        result = primal.type.result
        number = is_float(result) or (self.grammar.forward and result != VOID)
        fits = {ResultActivity.ACTIVE: number, ResultActivity.SHADOW: holds(result, PointerType)}
        if not fits.get(self.request.result, True):
            raise self.error(
                "EZ0206",
                f"the result of {plain_name(primal.name)} is no {_RESULT_WORDS[self.request.result]}",
                f"it has type {result}",
            )

    def _check_activity(self, activity: ArgumentActivity, marker: str, parameter: Argument) -> None:
        what = f"argument {parameter.index + 1} of {plain_name(self.request.function)} cannot be"
        if activity is ArgumentActivity.OUT and self.grammar.forward:
            raise self.error(
                "EZ0203",
                f"{what} enzyme_out",
                "forward mode returns no adjoints; a number is followed by its tangent, as enzyme_dup",
            )
        if activity is ArgumentActivity.OUT and not is_float(parameter.type):
            raise self.error(
                "EZ0203",
                f"{what} enzyme_out",
                f"it has type {parameter.type}; only floating-point scalars are returned",
            )
        if activity is ArgumentActivity.DUP and not self.grammar.forward and not is_pointer(parameter.type):
            raise self.error(
                "EZ0203",
                f"{what} {marker}",
                f"it has type {parameter.type}; in reverse mode only pointers have shadows",
            )

    def _check_type(self, value: Value, parameter: Argument) -> None:
        marker = marker_of(value, self.module)
        if marker is not None or not convertible(value.type, parameter.type):
            raise self.error(
                "EZ0203",
                f"argument {parameter.index + 1} of {plain_name(self.request.function)} has the wrong type",
                f"{parameter.type} is expected, {marker or f'a value of type {value.type}'} is given",
            )


_RESULT_WORDS = {
    ResultActivity.ACTIVE: "floating-point number, as enzyme_active_return has it",
    ResultActivity.SHADOW: "pointer, as enzyme_dup_return has it",
}
