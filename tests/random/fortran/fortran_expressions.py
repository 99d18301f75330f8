"""Random expressions in Fortran: numbers, arrays, masks, and the places that can be assigned to.

The text is one for real and complex numbers (NUMBER, and what runtime.f90 begins lines with); conditions look at
real(…, 8) and go through `cond`, indices made of numbers through `index_of`, so that a trace tells where the two
disagree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

INPUTS = 4


@dataclass
class FortranScope:
    """What an expression may name at some place, and where a statement may go from it."""

    scalars: list[str]
    arrays: list[str]  # of INPUTS elements, bounds from 1
    matrices: list[str] = field(default_factory=list)  # 3 by 3
    things: list[str] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)  # among the arrays, with targets
    allocatables: list[str] = field(default_factory=list)  # among the arrays
    counters: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)  # contained procedures
    loops: list[str] = field(default_factory=list)  # names of loops around
    can_return: bool = True
    depth: int = 0

    def inside(self, **changes: Any) -> FortranScope:
        return replace(self, depth=self.depth + 1, **changes)


class FortranExpressions:
    """Makes expressions from the numbers of a random generator. The lists hold what was declared for them to call."""

    def __init__(self, random: Random, name: str) -> None:
        self.random = random
        self.name = name
        self.elementals: list[str] = []
        self.array_functions: list[str] = []
        self.subroutines: list[str] = []
        self.optionals: list[str] = []
        self.methods: list[str] = []
        self.declared: list[str] = []
        self.count = 0

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, items: list[str]) -> str:
        return self.random.choice(items)

    def local(self, what: str, declaration: str | None = None) -> str:
        self.count += 1
        name = f"{what}{self.count}"
        if declaration is not None:
            self.declared.append(f"{declaration} :: {name}")
        return name

    def number(self) -> str:
        value = self.random.uniform(-1.6, 1.6)
        return f"{value:.4f}d0" if value >= 0 else f"({value:.4f}d0)"

    def literal(self) -> str:
        """A number of the kind that all are of."""
        return f"NUM({self.random.uniform(-1.6, 1.6):.4f}d0)"

    def index(self, scope: FortranScope, bound: int = INPUTS) -> str:
        choice = self.random.random()
        if scope.counters and choice < 0.6:
            c = self.pick(scope.counters)
            return f"mod({c} + {self.random.randrange(4)}, {bound}) + 1"
        if choice < 0.7 and bound == INPUTS:
            return f"index_of({self.pick(scope.scalars)})"
        return str(self.random.randrange(bound) + 1)

    # -- expressions

    def place(self, scope: FortranScope) -> str:
        """A number that can be assigned to."""
        choice = self.random.random()
        if scope.things and choice < 0.15:
            t = self.pick(scope.things)
            return self.pick([f"{t}%p", f"{t}%q", f"{t}%r({self.index(scope, 2)})", f"{t}%s({self.index(scope)})"])
        if scope.owners and choice < 0.25:
            o = self.pick(scope.owners)
            return self.pick([f"{o}%w", f"{o}%h({self.index(scope)})", f"{o}%t%q", f"{o}%t%s({self.index(scope)})"])
        if scope.matrices and choice < 0.35:
            return f"{self.pick(scope.matrices)}({self.index(scope, 3)}, {self.index(scope, 3)})"
        if choice < 0.65:
            return f"{self.pick(scope.arrays)}({self.index(scope)})"
        return self.pick(scope.scalars)

    def condition(self, scope: FortranScope) -> str:
        if scope.counters and self.chance(0.25):
            return f"mod({self.pick(scope.counters)}, {self.random.randrange(2, 4)}) == {self.random.randrange(2)}"
        operator = self.pick(["<", ">", "<=", ">="])
        other = self.number() if self.chance(0.6) else f"real({self.place(scope)}, 8)"
        return f"cond(real({self.place(scope)}, 8) {operator} {other})"

    def expression(self, scope: FortranScope, depth: int = 3) -> str:
        if depth == 0 or self.chance(0.15):
            if self.chance(0.15):
                return self.literal()
            if scope.counters and self.chance(0.1):
                return f"({self.pick(scope.counters)} * {self.literal()})"
            return self.place(scope)
        return self._operation(scope, lambda: self.expression(scope, depth - 1), self._reduction)

    def _operation(self, scope: FortranScope, e: Callable[[], str], leaf: Callable[[FortranScope], str]) -> str:
        choice = self.random.random()
        if choice < 0.5:
            return f"({e()} {self.pick(['+', '-', '*', '*'])} {e()})"
        if choice < 0.58:
            return f"({e()} / (1.3d0 + square({e()})))"
        if choice < 0.76:
            pattern = self.pick(
                "sin(%s) cos(%s) tanh(%s) exp(sin(%s)) log(1.1d0+square(%s)) sqrt(0.4d0+square(%s)) atan(sin(%s))"
                " (1.2d0+square(%s))**0.7d0 (-(%s)) absolute(%s) (%s)**2 (%s)**3 sinh(sin(%s)) squash(%s)".split()
            )
            return pattern % e()
        if choice < 0.82:
            return f"larger({e()}, {e()})"
        if choice < 0.88 and self.elementals:
            return f"{self.pick(self.elementals)}({e()}, {e()})"
        return leaf(scope)

    def _reduction(self, scope: FortranScope) -> str:
        """A number made of a whole array, or by a call."""
        a, b = self.pick(scope.arrays), self.pick(scope.arrays)
        choices = [
            f"sum({self.array(scope, 1)})",
            f"sum({self.section(a)})",
            f"product(squash({self.array(scope, 1)}))",
            f"inner({a}, {b})",
            f"inner({a}(1:3), {b}(2:4))",
            f"greatest({a})",
            f"sum({a}, mask=cond(real({b}, 8) > {self.number()}))",
            f"squash({self.place(scope)})",
        ]
        if scope.matrices:
            m, n = self.pick(scope.matrices), self.pick(scope.matrices)
            choices += [
                f"sum(matmul({m}, {n}))",
                f"sum(squash({m}({self.index(scope, 3)}, :)))",
                f"sum({m} * {n}, mask=.true.)",
            ]
            choices += [f"sum(sin(sum({m}, dim={self.pick(['1', '2'])})))"]
        if self.array_functions:
            choices += [
                f"sin({self.pick(self.array_functions)}({a}, ({self.place(scope)}), {self.random.randrange(5)}))"
            ] * 3
        if self.optionals:
            second = f", {self.place(scope)}" if self.chance(0.5) else ""
            choices += [f"{self.pick(self.optionals)}({self.expression(scope, 1)}{second})"] * 3
        if self.methods and scope.things:
            choices += [f"{self.pick(self.methods)}({self.pick(scope.things)})"] * 2
        return self.pick(choices)

    def section(self, a: str) -> str:
        """Two elements of an array."""
        return a + self.pick(
            ["(1:2)", "(2:3)", "(3:4)", "(1:4:2)", "(2:4:2)", "(4:1:-3)", "(3:2:-1)", "([2, 4])", "([4, 1])"]
        )

    def array(self, scope: FortranScope, depth: int = 2) -> str:
        """An expression of INPUTS elements."""
        if depth == 0 or self.chance(0.15):
            a = self.pick(scope.arrays)
            choices = [
                a,
                a,
                a,
                f"{a}(4:1:-1)",
                f"cshift({a}, {self.random.randrange(-2, 4)})",
                self.place(scope) + " * " + a,
            ]
            choices += [
                f"[{', '.join(self.place(scope) for _ in range(INPUTS))}]",
                f"[{self.section(a)}, {self.section(a)}]",
            ]
            if scope.things:
                choices.append(f"{self.pick(scope.things)}%s")
            if scope.owners:
                choices.append(f"{self.pick(scope.owners)}%h")
            return self.pick(choices)

        def merged(s: FortranScope) -> str:
            return f"merge({self.pick(s.arrays)}, {self.pick(s.arrays)}, {self.mask(s)})"

        return self._operation(scope, lambda: self.array(scope, depth - 1), merged)

    def mask(self, scope: FortranScope) -> str:
        return f"cond(real({self.pick(scope.arrays)}, 8) {self.pick(['<', '>'])} {self.number()})"
