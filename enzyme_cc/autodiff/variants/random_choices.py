"""Copies of probabilistic functions: each random choice adds to the log-likelihood, and goes to and from traces.

A choice is a call `__enzyme_sample(sample, log_density, name, parameters…)`. In a copy it becomes

    x = the choice `name` of the observations, if there are such; else sample(parameters…)
    *likelihood += log_density(parameters…, x)
    insert x into the trace

The derivative of the likelihood with respect to x is delivered by the registered gradient of a function that x passes
through. What draws numbers and what keeps traces are functions of text (`choice_helpers.py`) without derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...analysis.callees import Callee, plain_name, strip_casts
from ...analysis.references import functions_referenced
from ...ir.builder import Builder
from ...ir.constants import ConstantString, GlobalRef
from ...ir.graphs import reachable
from ...ir.module import Module, global_name
from ...ir.types import DOUBLE, I64, PTR, VOID, FloatType, IntType, PointerType, alloc_size
from ...ir.values import Argument, Instruction, Value
from ...rules import trace_interface as interface
from ...rules.knowledge import CalleeKind
from ..core.markers import CHOICES, VariantKind, variant_kind
from ..requests.request import convert, convertible, function_of
from .choice_helpers import ChoiceHelpers
from .rewritten_copies import Copies


class RandomChoice(Struct, frozen=True):
    """One `__enzyme_sample`: names of the functions that draw and that give the log-density, the name, parameters.

    Of `__enzyme_observe`, `sample` is the number that was observed.
    """

    sample: str | Value
    density: str
    name: Value
    parameters: tuple[Value, ...]


class TracedCopies(Copies):
    """Copies with the further parameters likelihood, anchor, observations and trace.

    `traced`, `observed`: there is a trace, there are observations. `active`: the names of the choices that carry a
    derivative; without names, all do. The anchor is memory with a shadow, whose contents
    do not matter: what depends on it carries a derivative.
    """

    opaque = True
    extra = ((PTR, "likelihood", ""), (PTR, "anchor", ""), (PTR, "observations", ""), (PTR, "trace", ""))

    def __init__(
        self,
        module: Module,
        helpers: ChoiceHelpers,
        traced: bool,
        observed: bool,
        active: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(module)
        self.helpers = helpers
        self.traced = traced
        self.observed = observed
        self.active = active
        self.suffix = ".choosing" + ".traced" * traced + ".observed" * observed + ".of_table" * helpers.is_table
        self.suffix += "".join(f".{name}" for name in sorted(active))
        self._sampling: dict[str, bool] = {}

    def begin(self, arguments: Sequence[Argument], first: Instruction) -> None:
        """Records the function and its arguments, as far as the program has functions for that."""
        if not self.traced:
            return
        assert first.block is not None and first.block.function is not None
        function, b, helpers = first.block.function, Builder.before(first), self.helpers
        anchor, trace = function.arguments[-3], function.arguments[-1]
        if helpers.has(interface.INSERT_FUNCTION):
            original = global_name(self.original_name(function))
            b.call(helpers.interface(interface.INSERT_FUNCTION, first), VOID, [trace, GlobalRef.of(original)])
        for k, argument in enumerate(arguments):
            if not isinstance(argument.type, FloatType | IntType | PointerType) or alloc_size(argument.type) > _MOST:
                continue
            users, name = list(argument.users), helpers.text(_spelled(argument, k))
            if helpers.has(interface.INSERT_ARGUMENT):
                b.call(helpers.recording(interface.INSERT_ARGUMENT, argument.type), VOID, [trace, name, argument])
            if helpers.has(interface.INSERT_ARGUMENT_GRADIENT) and isinstance(argument.type, FloatType):
                passed = helpers.chosen(argument.type, self.traced, interface.INSERT_ARGUMENT_GRADIENT)
                operands = [b.cast("ptrtoint", v, I64) for v in (trace, name)]
                new = b.call(passed, argument.type, [argument, anchor, *operands])
                for user in users:
                    user.replace_operand(argument, new)

    def instruction(self, i: Instruction, more: Sequence[Argument]) -> None:
        if i.opcode != "ret" or not self.traced or not i.operands or not self.helpers.has(interface.INSERT_RETURN):
            return
        type_ = i.operands[0].type
        if isinstance(type_, FloatType | IntType | PointerType) and alloc_size(type_) <= _MOST:
            recording = self.helpers.recording(interface.INSERT_RETURN, type_)
            Builder.before(i).call(recording, VOID, [more[-1], i.operands[0]])

    def math(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        return

    def defined(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        if not self._samples(callee.name):
            return
        likelihood, anchor, observations, trace = more
        if not self.traced and not self.observed:
            self.redirect(i, callee.name, more)
            return
        b, helpers = Builder.before(i), self.helpers
        name = helpers.text(plain_name(callee.name))
        below: Value = trace
        if self.traced:
            below = b.call(helpers.interface(interface.NEW_TRACE, i), PTR, [])
        seen: Value = observations
        if self.observed:
            seen = b.call(helpers.observed_call(i), PTR, [observations, name])
        new = self.redirect(i, callee.name, [likelihood, anchor, seen, below])
        if self.traced:
            behind = Builder.after(new) if new.opcode == "call" else Builder.before(new)
            behind.call(helpers.interface(interface.INSERT_CALL, i), VOID, [trace, name, below])

    def unknown(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        kind = variant_kind(callee.name)
        if kind in CHOICES:
            self._choose(i, kind, more)
        elif callee.kind is CalleeKind.INDIRECT:
            raise self.refusal(
                i, "a function pointer is called in a traced function", "what it calls may make random choices"
            )

    def _samples(self, name: str) -> bool:
        if name not in self._sampling:
            self._sampling[name] = samples(self.module, name)
        return self._sampling[name]

    def _choose(self, i: Instruction, kind: VariantKind, more: Sequence[Argument]) -> None:
        likelihood, anchor, observations, trace = more
        b, helpers, type_ = Builder.before(i), self.helpers, i.type
        choice = read_choice(self, b, i, kind)
        if not isinstance(type_, FloatType | IntType) or i.opcode != "call":
            raise self.refusal(i, "a random choice is no number", "traces hold floating-point numbers and integers")
        is_active = not self.active or constant_text(self.module, choice.name) in self.active
        x = self._chosen(b, i, choice, observations)
        if isinstance(type_, FloatType) and is_active and kind is VariantKind.SAMPLE:
            operands = [b.cast("ptrtoint", v, I64) for v in (trace, choice.name)]
            x = b.call(helpers.chosen(type_, self.traced), type_, [x, anchor, *operands])
        density = self.module.functions[choice.density]
        given = [*choice.parameters, x]
        if len(given) != len(density.arguments):
            raise self.refusal(i, "a log-density takes the wrong arguments", "it takes the parameters, then the choice")
        converted = [convert(b, v, p) for v, p in zip(given, density.type.params, strict=True)]
        name = density.name if is_active else helpers.constant_density(density)
        term = b.resize_float(b.call(GlobalRef.of(name), density.type.result, converted), DOUBLE)
        b.store(b.fadd(b.load(DOUBLE, likelihood, 8), term), likelihood, 8)
        if self.traced:
            b.call(helpers.inserting(i, type_), VOID, [trace, choice.name, term, x])
        i.replace_uses(x)
        i.erase()

    def _chosen(self, b: Builder, i: Instruction, choice: RandomChoice, observations: Value) -> Value:
        if isinstance(choice.sample, Value):
            return choice.sample
        sample = self.module.functions[choice.sample]
        if self.observed:
            return b.call(self.helpers.observing(i, sample), i.type, [observations, choice.name, *choice.parameters])
        return b.call(self.helpers.drawing(sample), i.type, choice.parameters)


#: the bytes of a pointer, in which numbers are passed
_MOST = 8


def _spelled(argument: Argument, number: int) -> str:
    """Returns an argument's name, or its number if the bitcode has no name."""
    plain = argument.name.removeprefix("%").strip('"')
    return str(number) if not plain or plain.isdecimal() else plain


def samples(module: Module, name: str) -> bool:
    """True if a function makes random choices, itself or in what it calls."""

    def referenced(name: str) -> list[str]:
        is_body = name in module.functions and not module.functions[name].is_declaration
        return functions_referenced(module, module.body(name)) if is_body else []

    return any(variant_kind(n) in CHOICES for n in reachable([name], referenced))


def constant_text(module: Module, value: Value) -> str | None:
    """Returns the string that a value is the address of; None if it is no constant."""
    value = strip_casts(value, module)
    variable = module.globals.get(value.name) if isinstance(value, GlobalRef) else None
    initializer = variable.initializer if variable is not None and variable.constant else None
    return initializer.text.removesuffix("\\00") if isinstance(initializer, ConstantString) else None


def read_choice(copies: TracedCopies, b: Builder, i: Instruction, kind: VariantKind) -> RandomChoice:
    """Reads the arguments of `__enzyme_sample` or `__enzyme_observe`. Raises EnzymeError (EZ0215)."""
    if kind is VariantKind.OBSERVE:
        return _read_observed(copies, b, i)
    module = copies.module
    functions = [function_of(module, value) for value in i.arguments[:2]]
    if len(i.arguments) < 3 or None in functions:
        raise copies.refusal(
            i,
            "a random choice does not name its functions",
            "__enzyme_sample takes a function that draws, one that returns the log-density, a name, and parameters",
        )
    sample, density = (str(name) for name in functions)
    wanted, given = module.functions[sample].type.params, i.arguments[3:]
    fits = len(wanted) == len(given) and all(convertible(v.type, t) for v, t in zip(given, wanted, strict=True))
    if not fits or module.functions[sample].type.result != i.type:
        raise copies.refusal(
            i, f"the parameters of a random choice do not fit {plain_name(sample)}", "it takes and returns other types"
        )
    parameters = tuple(convert(b, v, t) for v, t in zip(given, wanted, strict=True))
    return RandomChoice(sample, density, i.arguments[2], parameters)


def _read_observed(copies: TracedCopies, b: Builder, i: Instruction) -> RandomChoice:
    density = function_of(copies.module, i.arguments[1]) if len(i.arguments) > 2 else None
    if density is None or i.arguments[0].type != i.type:
        raise copies.refusal(
            i,
            "an observation does not name its function",
            "__enzyme_observe takes and returns a number; then come a function that returns the log-density, a name, "
            "and parameters",
        )
    wanted, given = copies.module.functions[density].type.params[:-1], i.arguments[3:]
    if len(wanted) != len(given) or not all(convertible(v.type, t) for v, t in zip(given, wanted, strict=True)):
        raise copies.refusal(
            i, f"the parameters of an observation do not fit {plain_name(density)}", "it takes other types"
        )
    parameters = tuple(convert(b, v, t) for v, t in zip(given, wanted, strict=True))
    return RandomChoice(i.arguments[0], density, i.arguments[2], parameters)
