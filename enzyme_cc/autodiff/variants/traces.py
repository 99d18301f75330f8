"""Answers requests about probabilistic programs: `__enzyme_trace`, `__enzyme_condition`, `__enzyme_likelihood`.

Each runs a variant of the function whose random choices add up a log-likelihood (`random_choices.py`). With
enzyme_duptrace or enzyme_duplikelihood, it runs the gradient of the likelihood, by a request for it in the text.
`__enzyme_sample` outside of such variants is a call of the function that draws.
"""

from __future__ import annotations

from msgspec import Struct, field

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.module import Module
from ...ir.types import PTR, VOID, FunctionType, Type, is_float, is_pointer
from ...ir.values import Function, Value
from ..core.markers import CHOICES, Marker, VariantKind
from ..core.options import Options
from .choice_helpers import ChoiceHelpers
from .random_choices import TracedCopies, constant_text, read_choice
from .reading import FoundVariant, VariantOperands, ready_variants, value_variants, variant_calls

_KINDS = frozenset([VariantKind.TRACE, VariantKind.CONDITION, VariantKind.LIKELIHOOD])
_ABOUT_TRACES = {
    Marker.TRACED: ("trace",),
    Marker.DUPTRACE: ("trace",),
    Marker.OBSERVATIONS: ("observations",),
    Marker.LIKELIHOOD: ("likelihood",),
    Marker.DUPLIKELIHOOD: ("likelihood", "seed"),
    Marker.INTERFACE: ("interface",),
    Marker.ACTIVE_CHOICE: (),
}
_REQUEST = "@__enzyme_autodiff_likelihood"
_USED = ("enzyme_const", "enzyme_dup", "enzyme_out", "enzyme_const_return")
_WRAPPER = """
define internal {result} {name}({parameters}) {{
  %sum = alloca double, align 8
  %adjoint = alloca double, align 8
  %anchor = alloca double, align 8
  %slope = alloca double, align 8
  store double 0.0, ptr %sum, align 8
  store double 0.0, ptr %anchor, align 8
  store double 0.0, ptr %slope, align 8
{enter}{call}{leave}{delivery}  ret {returned}
}}
"""
_ENTER = "  %outer = load ptr, ptr {table}, align 8\n  store ptr %interface, ptr {table}, align 8\n"
_LEAVE = "  store ptr %outer, ptr {table}, align 8\n"
_PLAIN = (
    "  {assigned}call{convention} {type} {copy}({arguments}ptr %sum, ptr %anchor, ptr {observations}, ptr {trace})\n"
)
_SEED = "  %given = load double, ptr %seed, align 8\n"
_GRADIENT = """\
  store double {seed}, ptr %adjoint, align 8
  {assigned}call {result} {request}(ptr {copy}, {kind}{arguments}ptr @enzyme_dup, ptr %sum, ptr %adjoint, \
ptr @enzyme_dup, ptr %anchor, ptr %slope, ptr @enzyme_const, ptr {observations}, ptr @enzyme_const, ptr {trace})
"""
_DELIVERY = "  %total = load double, ptr %sum, align 8\n  store double %total, ptr %likelihood, align 8\n"


def trace_choices(module: Module, options: Options) -> str:
    """Answers the requests that wait for no other one. Returns text to add to the module. Raises EnzymeError."""
    found = ready_variants(module, _KINDS)
    helpers, of_table = ChoiceHelpers(module), ChoiceHelpers(module, is_table=True)
    copies: dict[tuple[bool, bool, bool, frozenset[str]], TracedCopies] = {}
    answers = [_answer(module, (helpers, of_table), copies, request) for request in found]
    for name, _ in answers:
        del module.functions[name]  # the text defines it
    if not any(kind in _KINDS for _, _, kind in variant_calls(module)):
        _draw(module, helpers)
    return helpers.text_of_all + of_table.text_of_all + "".join(text for _, text in answers)


def _draw(module: Module, helpers: ChoiceHelpers) -> None:
    """Replaces the random choices that no trace needs."""
    plain = TracedCopies(module, helpers, False, False)
    for found in value_variants(module, CHOICES):
        plain.suffix = ""
        choice = read_choice(plain, Builder.before(found.call), found.call, found.kind)
        if isinstance(choice.sample, Value):
            found.call.replace_uses(choice.sample)
            found.call.erase()
        else:
            found.replace_by(choice.sample, choice.parameters)


class _Traced(Struct):
    """What one request gives: arguments of the function, and of the trace, in the text of the wrapper.

    `given` and `parameters`: what the call passes, and the parameters that take it. `plain` are the arguments of a call
    of the variant, `differentiated` those of a request for its gradient. `names` are the words that were given.
    `active` are the names of choices after enzyme_active_rand_var.
    """

    given: list[Value] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    differentiated: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    markers: set[Marker] = field(default_factory=set)
    active: set[str] = field(default_factory=set)

    def add(self, value: Value, name: str) -> None:
        self.given.append(value)
        self.parameters.append(f"{value.type} %{name}")

    @property
    def is_differentiated(self) -> bool:
        return bool(self.markers & {Marker.DUPTRACE, Marker.DUPLIKELIHOOD})


def _read(module: Module, found: FoundVariant, primal: Function) -> _Traced:
    b, out, operands = Builder.before(found.call), _Traced(), VariantOperands(module, found)
    marker: Marker | None = None
    for k, parameter in enumerate(primal.arguments):
        while (marker := operands.marker()) in _ABOUT_TRACES:
            _read_setting(b, out, operands, marker)
        out.add(operands.of_type(b, parameter.type, f"argument {k + 1}"), f"x{k}")
        out.plain.append(f"{parameter.type} %x{k}, ")
        activity = _activity(operands, marker, parameter.type)
        shadow = ""
        if activity is Marker.DUP:
            out.add(operands.of_type(b, PTR, f"the shadow of argument {k + 1}"), f"d{k}")
            shadow = f"ptr %d{k}, "
        out.differentiated.append(f"ptr @{activity.value}, {parameter.type} %x{k}, {shadow}")
    while (marker := operands.marker()) is not None:
        _read_setting(b, out, operands, marker)
    operands.end()
    return out


def _activity(operands: VariantOperands, marker: Marker | None, type_: Type) -> Marker:
    """An argument without a marker is constant: traces are about the derivatives of choices."""
    if marker in (None, Marker.CONST):
        return Marker.CONST
    if (marker is Marker.DUP and is_pointer(type_)) or (marker is Marker.OUT and is_float(type_)):
        return marker
    raise operands.misplaced(marker)


def _read_setting(b: Builder, out: _Traced, operands: VariantOperands, marker: Marker) -> None:
    if marker not in _ABOUT_TRACES:
        raise operands.misplaced(marker)
    out.markers.add(marker)
    if marker is Marker.ACTIVE_CHOICE:
        out.active.add(_name_of_choice(operands))
    for name in _ABOUT_TRACES[marker]:
        out.names.add(name)
        out.add(operands.of_type(b, PTR, f"the value after {marker.value}"), name)


def _name_of_choice(operands: VariantOperands) -> str:
    name = constant_text(operands.module, operands.value("the name of a choice"))
    if name is None:
        message = f"the name of a choice in {operands.found.asked} is not known"
        raise operands.found.error(operands.module, "EZ0203", message, "it must be a constant string")
    return name


def _answer(
    module: Module,
    helpers: tuple[ChoiceHelpers, ChoiceHelpers],
    copies: dict[tuple[bool, bool, bool, frozenset[str]], TracedCopies],
    found: FoundVariant,
) -> tuple[str, str]:
    """Replaces a request by a call of a function. Returns the name and the text of that function."""
    primal, result = module.functions[found.function], found.call.type
    read = _read(module, found, primal)
    _check(module, found, read)
    has_table = "interface" in read.names
    key = has_table, "trace" in read.names, "observations" in read.names, frozenset(read.active)
    if key not in copies:
        copies[key] = TracedCopies(module, helpers[has_table], *key[1:])
    copy = copies[key].copy(primal.name)
    name = module.fresh_name(f"__ez_{found.kind.value.removeprefix('__enzyme_')}.{plain_name(primal.name)}")
    module.declare(name, FunctionType(result, tuple(value.type for value in read.given)))
    found.replace_by(name, read.given)
    call = _gradient(module, read, primal, copy, result) if read.is_differentiated else _plain(read, primal, copy)
    text = _WRAPPER.format(
        result=result,
        name=name,
        parameters=", ".join(read.parameters),
        call=call,
        enter=_ENTER.format(table=helpers[1].table()) if has_table else "",
        leave=_LEAVE.format(table=helpers[1].table()) if has_table else "",
        delivery=_DELIVERY if "likelihood" in read.names else "",
        returned="void" if result == VOID else f"{result} %r",
    )
    return name, text


def _plain(read: _Traced, primal: Function, copy: Function) -> str:
    return _PLAIN.format(
        assigned="" if primal.type.result == VOID else "%r = ",
        convention=copy.prefix.removeprefix("internal"),
        type=primal.type.result,
        copy=copy.name,
        arguments="".join(read.plain),
        **_places(read),
    )


def _gradient(module: Module, read: _Traced, primal: Function, copy: Function, result: Type) -> str:
    name = module.fresh_name(_REQUEST)
    module.declare(name, FunctionType(result, (PTR,), True), "nomerge")
    for marker in _USED:
        if f"@{marker}" not in module.globals:
            module.add_global(f"@{marker} = external constant i32")
    has_seed = "seed" in read.names
    request = _GRADIENT.format(
        seed="%given" if has_seed else "1.0",
        assigned="" if result == VOID else "%r = ",
        result=result,
        request=name,
        copy=copy.name,
        kind="ptr @enzyme_const_return, " if is_float(primal.type.result) else "",
        arguments="".join(read.differentiated),
        **_places(read),
    )
    return _SEED * has_seed + request


def _places(read: _Traced) -> dict[str, str]:
    return {word: f"%{word}" if word in read.names else "null" for word in ("observations", "trace")}


def _check(module: Module, found: FoundVariant, read: _Traced) -> None:
    """Raises EnzymeError if what the request is about is missing, or what it returns does not fit."""
    needed = {VariantKind.TRACE: "trace", VariantKind.CONDITION: "observations", VariantKind.LIKELIHOOD: "likelihood"}
    word = needed[found.kind]
    if word not in read.names:
        message = f"too few arguments for {found.asked}"
        raise found.error(module, "EZ0202", message, f"enzyme_{word} and a pointer are missing")
    result, primal = found.call.type, module.functions[found.function].type.result
    if not read.is_differentiated and result not in (VOID, primal):
        reason = f"it is declared to return {result}, and the function returns {primal}"
        raise found.error(module, "EZ0205", f"{found.kind.value} returns what the function returns", reason)


__all__ = ["trace_choices"]
