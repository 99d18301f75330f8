"""Answers `__enzyme_error_estimate`: a bound of the rounding error of a function's result, to first order.

The result r of each operation is wrong by at most units * u * |r| if its operands are exact (rounding_errors.py).
To first order, the function's result is then wrong by at most the sum over all operations of
|adjoint of r| * units * u * |r|: see J. L. Larson and A. H. Sameh, Efficient calculation of the effects of roundoff
errors, ACM TOMS 4 (1978), and M. Iri, Simultaneous computation of functions, partial derivatives and estimates of
rounding errors, 1984.

In a copy of the function, each result passes through `__ez_rounded`, which returns it. The registered gradient of that
function adds the operation's part of the sum to the shadow of a place in memory, one place for each source line.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from ...analysis.callees import Callee, plain_name
from ...ir.builder import Builder
from ...ir.constants import ConstantInt
from ...ir.instructions import INTEGER_TO_FLOAT
from ...ir.module import Module
from ...ir.types import (
    DOUBLE,
    I1,
    I32,
    I64,
    PTR,
    VOID,
    FloatType,
    FunctionType,
    IntType,
    Type,
    is_float,
    is_pointer,
    scalar,
)
from ...ir.values import Argument, Function, Instruction, LandingPad, Value
from ...report.diagnostics import EnzymeError
from ...rules.knowledge import CalleeKind
from ...rules.runtime_functions import REPORT_ESTIMATE
from ..core.markers import Marker, VariantKind
from ..core.options import Options
from .reading import FoundVariant, VariantOperands, ready_variants
from .rewritten_copies import Copies, change_uses, for_each_number, split_product, what_is_called
from .rounding_errors import INSTRUCTIONS, MANTISSA, rounds_integers, units_of
from .source_lines import line_of, text_of

#: names of functions that numbers pass through: the type follows
_ROUNDED, _INEXACT = "__ez_rounded.", "__ez_inexact."
_HELPERS = """
define internal {type} @__ez_rounded.{type}({type} %r, ptr %place, i32 %units) noinline {{
  ret {type} %r
}}

define internal {type} @__ez_rounded.{type}.augmented({type} %r, ptr %place, ptr %error, i32 %units) {{
  ret {type} %r
}}

define internal {type} @__ez_rounded.{type}.reverse({type} %r, ptr %place, ptr %error, i32 %units, {type} %adjoint) {{
  %count = uitofp i32 %units to double
  %unit = fmul double %count, {unit}
  %product = fmul {type} %r, %adjoint
  %wide = {widen} {type} %product to double
{add}  ret {type} %adjoint
}}

define internal {type} @__ez_inexact.{type}({type} %x, ptr %place, {type} %by) noinline {{
  ret {type} %x
}}

define internal {type} @__ez_inexact.{type}.augmented({type} %x, ptr %place, ptr %error, {type} %by) {{
  ret {type} %x
}}

define internal {{{type}, {type}}} @__ez_inexact.{type}.reverse({type} %x, ptr %place, ptr %error, {type} %by, \
{type} %adjoint) {{
  %product = fmul {type} %by, %adjoint
  %wide = {widen} {type} %product to double
  %unit = fadd double 0.0, 1.0
{add}  %both = insertvalue {{{type}, {type}}} zeroinitializer, {type} %adjoint, 0
  ret {{{type}, {type}}} %both
}}

@__enzyme_register_gradient___ez_rounded.{type} = constant [3 x ptr] [ptr @__ez_rounded.{type}, \
ptr @__ez_rounded.{type}.augmented, ptr @__ez_rounded.{type}.reverse]
@__enzyme_register_gradient___ez_inexact.{type} = constant [3 x ptr] [ptr @__ez_inexact.{type}, \
ptr @__ez_inexact.{type}.augmented, ptr @__ez_inexact.{type}.reverse]
"""
_ADD = """\
  %size = call double @llvm.fabs.f64(double %wide)
  %part = fmul double %size, %unit
  %old = load double, ptr %error
  %new = fadd double %old, %part
  store double %new, ptr %error
"""
_ESTIMATE = """
define internal {result} {name}({parameters}) {{
entry:
  %places = alloca [{count} x double], align 8
  %errors = alloca [{count} x double], align 8
  call void @llvm.memset.p0.i64(ptr %places, i8 0, i64 {bytes}, i1 false)
  call void @llvm.memset.p0.i64(ptr %errors, i8 0, i64 {bytes}, i1 false)
  call void {request}(ptr {function}, {arguments}ptr @enzyme_dup, ptr %places, ptr %errors)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %place = getelementptr double, ptr %errors, i64 %k
  %error = load double, ptr %place
  %more = fadd double %sum, %error
  %next = add i64 %k, 1
  %end = icmp eq i64 %next, {count}
  br i1 %end, label %done, label %loop
done:
{report}{conversion}}}
"""
_AROUND = """
define internal {type} {name}({parameters}{errors}ptr %places) {{
{inexact}  %r = call{convention} {type} {copy}({passed}ptr %places)
  ret {type} %r
}}
"""
#: bytes of a place
_BYTES = 8
#: the request in the text
_REQUEST = "@__enzyme_autodiff_errors"


def estimate_errors(module: Module, options: Options) -> str:
    """Answers the requests that wait for no other one. Returns text to add to the module. Raises EnzymeError."""
    found = ready_variants(module, frozenset([VariantKind.ERROR_ESTIMATE]))
    if not found:
        return ""
    copies = ErrorCopies(module)
    module.declare(_REQUEST, FunctionType(VOID, (PTR,), True), "nomerge")
    module.declare("@llvm.memset.p0.i64", FunctionType(VOID, (PTR, IntType(8), I64, I1)))
    for marker in ("@enzyme_const", "@enzyme_dup"):
        if marker not in module.globals:
            module.add_global(f"{marker} = external constant i32")
    answers = [_answer(module, copies, request, options) for request in found]
    for name in [name for answer in answers for name in answer.names]:
        del module.functions[name]  # the text defines it
    helpers = [_helpers(module, kind) for kind in sorted(copies.kinds)]
    return "".join([*helpers, *(answer.text for answer in answers)])


class ErrorCopies(Copies):
    """Copies whose operations tell their results, and by how much these are wrong.

    `lines` numbers the source lines with such operations. Number 0 is for the arguments of the function, and for
    operations without a line. `kinds` are the types of numbers.
    """

    suffix = ".with_errors"
    opaque = True
    extra = ((PTR, "places", "noundef"),)

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.lines: dict[str | None, int] = {None: 0}
        self.kinds: set[str] = set()
        self._catching: Instruction | None = None
        self._throws = False

    def inactive(self, i: Instruction, callee: Callee) -> None:
        self._throws = self._throws or plain_name(callee.name) == "__cxa_throw"

    def check_exceptions(self) -> None:
        """Raises EnzymeError if an exception may be caught: it would leave the derivative of the estimate."""
        if self._throws and self._catching is not None:
            raise self._refusal(
                self._catching,
                "code that throws and catches",
                "exceptions leave the derivative that estimates the error",
            )

    def instruction(self, i: Instruction, more: Sequence[Argument]) -> None:
        if i.opcode == "landingpad" and isinstance(i.extra, LandingPad) and "catch" in i.extra.clauses:
            self._catching = self._catching or i
        from_integer = i.opcode in INTEGER_TO_FLOAT
        if from_integer and not rounds_integers(scalar(i.operands[0].type), scalar(i.type)):
            return
        if from_integer or i.opcode in INSTRUCTIONS:
            self._rounded(i, 1, more)
        elif i.opcode == "atomicrmw" and is_float(i.type):
            raise self._refusal(i, "an atomic operation on numbers", "what it leaves in memory is rounded there")

    def math(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        assert callee.rule is not None
        if parts := split_product(i, callee):
            for part in parts:
                self.instruction(part, more)
            return
        units = units_of(callee.rule)
        if units is None:
            raise self._refusal(i, what_is_called(callee), "the error of its result is not proportional to the result")
        if units and i.users:
            self._rounded(i, units, more)
        for k in callee.rule.outputs if units else ():
            b, type_ = Builder.after(i), i.arguments[0].type
            b.store(self._passed(b, b.load(type_, i.arguments[k]), units, self._place(b, i, more)), i.arguments[k])

    def unknown(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        if callee.kind is not CalleeKind.CUSTOM:
            raise self._refusal(i, what_is_called(callee), "what it computes is not known when the program is linked")
        if is_float(i.type):
            self._rounded(i, 2, more)

    def _refusal(self, i: Instruction, what: str, reason: str) -> EnzymeError:
        return self.refusal(i, f"the rounding error of {what} is not known", reason)

    def _rounded(self, i: Instruction, units: int, more: Sequence[Argument]) -> None:
        change_uses(i, lambda b: self._passed(b, i, units, self._place(b, i, more)))

    def _place(self, b: Builder, i: Instruction, more: Sequence[Argument]) -> Value:
        line = line_of(self.module, i)
        return b.offset(more[0], _BYTES * self.lines.setdefault(line, len(self.lines)))

    def _passed(self, b: Builder, value: Value, units: int, place: Value) -> Value:
        def passed(b: Builder, number: Value) -> Value:
            return b.call(self._helper(_ROUNDED, number.type), number.type, [number, place, ConstantInt(I32, units)])

        return for_each_number(b, value, passed)

    def inexact(self, type_: Type) -> str:
        """Returns the name of the function that an argument of the requested function passes through."""
        return self._helper(_INEXACT, type_)

    def _helper(self, prefix: str, type_: Type) -> str:
        """Returns the name of the function that a number of the type passes through. Its text is added later."""
        assert isinstance(type_, FloatType)
        self.kinds.add(type_.kind)
        return f"@{prefix}{type_.kind}"


def _helpers(module: Module, kind: str) -> str:
    if f"@{_ROUNDED}{kind}" in module.functions:
        return ""
    module.declare("@llvm.fabs.f64", FunctionType(DOUBLE, (DOUBLE,)))
    widen = {"double": "bitcast", "x86_fp80": "fptrunc", "fp128": "fptrunc"}.get(kind, "fpext")
    return _HELPERS.format(type=kind, unit=f"{2.0 ** -MANTISSA[kind]:.17e}", widen=widen, add=_ADD)


# -- one request


class _Arguments(Struct):
    """The arguments of one request, in the text of the functions that answer it.

    - `given`: what the call passes on; `parameters`: the parameters that take it.
    - `requested`: the operands of the derivative's request, for the function's own arguments.
    - `errors`: number of an argument → its type, for the arguments that are followed by their errors.
    """

    given: list[Value] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)
    errors: dict[int, Type] = field(default_factory=dict)

    def add(self, value: Value, name: str) -> None:
        self.given.append(value)
        self.parameters.append(f"{value.type} {name}")


def _read(module: Module, found: FoundVariant, primal: Function) -> _Arguments:
    """Reads the arguments: numbers are followed by their errors, pointers by their shadows."""
    b, out, operands = Builder.before(found.call), _Arguments(), VariantOperands(module, found)
    for k, parameter in enumerate(primal.arguments):
        marker, type_, own = operands.marker(), parameter.type, f"argument {k + 1}"
        if marker not in (None, Marker.CONST, Marker.DUP):
            raise operands.misplaced(marker)
        out.add(operands.of_type(b, type_, own), f"%x{k}")
        follows = (is_pointer(type_) or is_float(type_)) if marker is None else marker is Marker.DUP
        shadow = ""
        if follows:
            out.add(operands.of_type(b, type_, f"what follows {own}"), f"%d{k}")
        if follows and isinstance(type_, FloatType):
            out.errors[k] = type_
        elif follows and is_pointer(type_):
            shadow = f", ptr %d{k}"
        elif follows:
            raise operands.misplaced(Marker.DUP)
        out.requested.append(f"ptr @enzyme_{'dup' if shadow else 'const'}, {type_} %x{k}{shadow}, ")
    operands.end()
    return out


class _Answer(Struct, frozen=True):
    """The functions that answer one request: their names, and their text."""

    names: tuple[str, ...]
    text: str


def _answer(module: Module, copies: ErrorCopies, found: FoundVariant, options: Options) -> _Answer:
    """Replaces a request by a call of a function, which requests a derivative of a second one."""
    primal, result = module.functions[found.function], found.call.type
    _check(module, found, primal)
    arguments, copy = _read(module, found, primal), copies.copy(primal.name)
    copies.check_exceptions()
    stem = plain_name(primal.name)
    name, function = module.fresh_name(f"__ez_error_estimate.{stem}"), module.fresh_name(f"{stem}.inexact")
    types = tuple(value.type for value in arguments.given)
    for new, type_ in ((name, FunctionType(result, types)), (function, primal.type)):
        module.declare(new, type_)  # so that the names are taken
    found.replace_by(name, arguments.given)
    errors = arguments.errors
    inexact = [
        f"  %y{k} = call {t} {copies.inexact(t)}({t} %x{k}, ptr %places, {t} %d{k})\n" for k, t in errors.items()
    ]
    passed = "".join(f"{p.type} %{'y' if k in errors else 'x'}{k}, " for k, p in enumerate(primal.arguments))
    around = _AROUND.format(
        type=primal.type.result,
        name=function,
        parameters="".join(f"{p.type} %x{k}, " for k, p in enumerate(primal.arguments)),
        errors="".join(f"{t} %d{k}, " for k, t in errors.items()),
        inexact="".join(inexact),
        convention=copy.prefix.removeprefix("internal"),
        copy=copy.name,
        passed=passed,
    )
    requested = [*arguments.requested, *(f"ptr @enzyme_const, {t} %d{k}, " for k, t in errors.items())]
    estimate = _ESTIMATE.format(
        result=result,
        name=name,
        parameters=", ".join(arguments.parameters),
        count=len(copies.lines),
        bytes=_BYTES * len(copies.lines),
        request=_REQUEST,
        function=function,
        arguments="".join(requested),
        report=_report(module, copies, stem) if options.precision_report else "",
        conversion=_conversion(result),
    )
    return _Answer((name, function), around + estimate)


def _report(module: Module, copies: ErrorCopies, function: str) -> str:
    """Returns the call that prints the parts of an estimate."""
    REPORT_ESTIMATE.declare(module)
    places = [text_of(module, line or "arguments, and code without lines") for line in copies.lines]
    table = module.fresh_name("@__ez_places")
    entries = ", ".join(f"ptr {place.name}" for place in places)
    module.add_global(f"{table} = private constant [{len(places)} x ptr] [{entries}]")
    given = f"ptr {text_of(module, function).name}, ptr {table}, ptr %errors, i64 {len(places)}"
    return f"  call void {REPORT_ESTIMATE.symbol}({given})\n"


def _check(module: Module, found: FoundVariant, primal: Function) -> None:
    if not isinstance(primal.type.result, FloatType):
        raise found.error(
            module,
            "EZ0203",
            f"{plain_name(found.function)} returns no number",
            "the estimate is of the number that a function returns",
            "write a function that returns the number whose error is asked for",
        )
    if not isinstance(found.call.type, FloatType) and found.call.type != VOID:
        reason = f"it is declared to return {found.call.type}"
        raise found.error(module, "EZ0205", f"{found.kind.value} returns a number", reason)


def _conversion(result: Type) -> str:
    """Returns the end of a function that has computed the double %more and returns it as another type."""
    if result == VOID:
        return "  ret void\n"
    if result == DOUBLE:
        return "  ret double %more\n"
    assert isinstance(result, FloatType)
    opcode = "fptrunc" if result.bits < DOUBLE.bits else "fpext"
    return f"  %result = {opcode} double %more to {result}\n  ret {result} %result\n"
