"""Every partial of every row against central differences in 60 digits, at double, float and long double."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath
import pytest
from mpmath import mp, mpc, mpf

from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.types import DOUBLE, FLOAT, HALF, X86_FP80, FloatType
from enzyme_cc.ir.values import Value
from enzyme_cc.rules.expression import OPERAND_NAMES, Expression
from enzyme_cc.rules.rule import Rule

from .cases import Case, case_of, every_rule
from .evaluate import EPSILON, CompiledRules, RuleProgram, exact, rounded

POINTS = 25
RULES = dict(every_rule())
TESTED = [name for name, rule in RULES.items() if not rule.is_constant and rule.kind != "reduce"]
mp.dps = 60


@dataclass
class PartialsRow:
    """One function of operands, and its partials: the result, a field of it, or what is stored through an operand."""

    partials: Sequence[Expression]
    part: int | None = None  # field of the result
    through: int | None = None

    def of(self, case: Case, operands: Sequence[Any]) -> Any:
        function = case.reference if self.through is None else case.stored[self.through]
        value = function(*operands)
        return parts(value)[self.part] if self.part is not None else value


def rows_of(rule: Rule) -> Iterator[PartialsRow]:
    if rule.fields:
        yield from (PartialsRow(partials, part=k) for k, partials in enumerate(rule.fields))
    else:
        yield PartialsRow(rule.partials)
    yield from (PartialsRow(partials, through=k) for k, partials in rule.outputs.items())


def parts(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return list(value)
    return [value.real, value.imag] if isinstance(value, mpc) else [value]


def components(case: Case) -> list[tuple[int, str]]:
    """For each operand that an expression can name: index among the reference's operands, and its kind."""
    out: list[tuple[int, str]] = []
    index = 0
    for letter in case.signature:
        out += [(index, letter)] * (2 if letter == "c" else 1)
        index += letter != "p"
    return out


def inputs_of(case: Case) -> dict[str, str]:
    """Names an expression may use, with kinds as evaluate.RuleProgram has them; the result's names are all there."""
    kinds = {"f": "f", "c": "f", "n": "f", "i": "i", "l": "l"}
    named = zip(OPERAND_NAMES, components(case), strict=False)
    return {name: kinds[kind] for name, (_, kind) in named if kind != "p"} | dict.fromkeys(("r", "r0", "r1"), "f")


def program(name: str, rule: Rule, case: Case) -> RuleProgram:
    expressions = [partial for row in rows_of(rule) for partial in row.partials]

    def emit(builder: Builder, env: dict[str, Value]) -> list[Value]:
        type_ = env["r"].type
        return [expression.emit(builder, env, type_) for expression in expressions]

    return RuleProgram(name, inputs_of(case), emit)


@cache
def compiled(type_: FloatType, lanes: int = 0) -> CompiledRules:
    programs = []
    for name in TESTED:
        case = case_of(name)
        if case is not None and not (lanes and RULES[name].kind == "complex"):
            programs.append(program(name, RULES[name], case))
    return CompiledRules(programs, type_, lanes)


def sample(case: Case, type_: FloatType, rng: random.Random) -> list[Any]:
    """Operands, exact in the type."""

    def fit(value: Any) -> Any:
        if isinstance(value, mpc):
            return mpc(fit(value.real), fit(value.imag))
        return value if isinstance(value, int) else exact(rounded(mpf(value), type_))

    return [fit(sampler(rng)) for sampler in case.domain]


def environment(case: Case, operands: Sequence[Any], result: Any) -> dict[str, Any]:
    env: dict[str, Any] = {}
    seen: set[int] = set()
    for name, (index, kind) in zip(OPERAND_NAMES, components(case), strict=False):
        if kind == "c":
            env[name] = operands[index].imag if index in seen else operands[index].real
            seen.add(index)
        elif kind != "p":
            env[name] = operands[index]
    values = parts(result)
    return env | {"r": values[0], "r0": values[0], "r1": values[-1]}


def difference(row: PartialsRow, case: Case, operands: Sequence[Any], component: int) -> Any:
    """The partial with respect to a component, by a central difference; zero for what is not to differentiate by."""
    places = components(case)
    index, kind = places[component]
    if kind not in "fc":
        return mpf(0)
    unit = mpf(1)
    if kind == "c" and component and places[component - 1] == places[component] and component % 2:
        unit = mpc(0, 1)
    step = unit * mpf(10) ** -20 * max(abs(operands[index]), mpf(10) ** -6)
    values = []
    for sign in (1, -1):
        moved = [operand + sign * step if k == index else operand for k, operand in enumerate(operands)]
        values.append(row.of(case, moved))
    return (values[0] - values[1]) / (2 * abs(step))


def check(name: str, type_: FloatType, points: int, lanes: int = 0) -> None:
    rule, case = RULES[name], case_of(name)
    assert case is not None, f"no case for {name}: add one to tests/rules/cases.py"
    rng = random.Random(zlib.crc32(name.encode()))
    for _ in range(points):
        operands = sample(case, type_, rng)
        env = environment(case, operands, case.reference(*operands))
        got = iter(compiled(type_, lanes)(name, env))
        for row in rows_of(rule):
            for component in range(len(row.partials)):
                expected = difference(row, case, operands, component)
                scale = case.scale(*operands) if case.scale else 0
                allowed = case.ulps * EPSILON[type_] * max(abs(expected), abs(scale)) + mpf(10) ** -30
                for _lane in range(max(lanes, 1)):
                    value = next(got)
                    error = abs(value - expected)
                    assert error <= allowed, (
                        f"d{name}/d operand {component} at {[str(o)[:24] for o in operands]}: {mpmath.nstr(value, 20)} "
                        f"is not {mpmath.nstr(expected, 20)} ({mpmath.nstr(error / allowed * case.ulps, 4)} ulp)"
                    )


def test_every_row_has_a_case() -> None:
    assert [name for name in TESTED if case_of(name) is None] == []


@pytest.mark.parametrize("name", TESTED)
@pytest.mark.parametrize("type_", [DOUBLE, FLOAT, X86_FP80], ids=str)
def test_partials_are_those_of_the_function(name: str, type_: FloatType) -> None:
    check(name, type_, POINTS)


@pytest.mark.parametrize("name", [name for name in TESTED if RULES[name].kind != "complex"])
def test_vectors_are_differentiated_lane_by_lane(name: str) -> None:
    check(name, DOUBLE, 2, lanes=2)


@pytest.mark.parametrize("name", ["fadd", "fmul", "sin", "hypot", "exp"])
def test_half_is_computed_in_float(name: str) -> None:
    rule, case = RULES[name], case_of(name)
    assert case is not None
    text = CompiledRules([program(name, rule, case)], HALF)
    assert text.counts[name] == len(rule.partials)
