"""Random C++ functions `REAL f(REAL *x)`, with classes, templates, lambdas and containers.

Expressions, loops and branches are generate.py's; what C++ has besides is in containers.py, the types in runtime.hpp.
"""

from __future__ import annotations

from random import Random

from . import containers
from .generate import INPUTS, Generator, Node, Scope, Source


class CxxGenerator(Generator):
    """Makes one function from the numbers of a random generator."""

    def __init__(self, random: Random, name: str) -> None:
        super().__init__(random, name)
        self.classes: list[str] = []  # the first is the base of the others
        self.appliers: list[str] = []

    def variable(self, scope: Scope) -> str:
        """Something that a reference may be bound to."""
        return f"{self.pick(scope.arrays)}[{self.index(scope)}]" if self.chance(0.5) else self.pick(scope.scalars)

    def _leave(self, scope: Scope) -> Node:
        if scope.in_loop and self.chance(0.6):
            return Node(f"if ({self.condition(scope)}) {self.pick(['break', 'continue'])};")
        if scope.can_throw and self.chance(0.5):
            return Node(f"if ({self.condition(scope)}) throw Problem({self.expression(scope, 1)});")
        if scope.can_return and self.chance(0.5):
            return Node(f"if ({self.condition(scope)}) return {self.expression(scope)};")
        return self._assignment(scope)

    def _memory(self, scope: Scope) -> Node:
        if self.array_helpers and self.chance(0.1):
            helper, a = self.pick(self.array_helpers), self.pick(scope.arrays)
            call = f"{helper}(&{a}[0], {self.expression(scope, 1)}, {self.random.randrange(5)})"
            return Node(f"{self.place(scope)} = 1.2 * SIN({call});")
        if self.chance(0.06):
            return containers.problem(self, scope)
        return self.random.choice(containers.MAKERS)(self, scope)

    def _helper(self) -> list[Node]:
        kind = self.random.random()
        if kind < 0.35 and not self.classes:
            return self._class_hierarchy()
        if kind < 0.55:
            return [self._applier()]
        return super()._helper()

    def _class_hierarchy(self) -> list[Node]:
        base = self.fresh("base")
        nodes = self._class(base, None)
        self.classes.append(base)
        for _ in range(self.random.randrange(1, 3)):
            derived = self.fresh("derived")
            nodes += self._class(derived, self.pick(self.classes))
            self.classes.append(derived)
        return nodes

    def _class(self, name: str, base: str | None) -> list[Node]:
        """The class; its method stands inside it or, alone, in the other file of the program."""
        scope = Scope(["p", "q", "u"], ["r"], depth=2)
        member = "r" if base is None else self.local("r")
        scope.arrays = sorted({"r", member})
        type_ = self.pick(["std::array<REAL, 4>", "std::vector<REAL>"])
        values = "p, q, 0.5, p * q" if base is None else "q, 1.5, p, p - q"
        first = f"{name}(REAL p, REAL q) : " + (f"p(p), q(q), {member}" if base is None else f"{base}(q, p), {member}")
        members = [Node(f"{type_} {member};", fixed=True), Node(f"{first}{{{values}}} {{}}", fixed=True)]
        if base is None:
            members += [Node("REAL p, q;", fixed=True), Node(f"virtual ~{name}() = default;", fixed=True)]
        inherited = f" + 0.5 * {base}::value(u)" if base is not None and self.chance(0.5) else ""
        last = Node(f"return {self.expression(scope, 2)}{inherited};", fixed=True)
        virtual, override = ("virtual ", "") if base is None else ("", " override")
        body = [*self.body(scope, 1), last]
        head = f"struct {name}" + (f" : {base} {{" if base is not None else " {")
        if self.chance(0.5):
            members.append(Node(f"{virtual}REAL value(REAL u){override} {{", body, "}", fixed=True))
            return [Node(head, members, "};", fixed=True)]
        members.append(Node(f"{virtual}REAL value(REAL u){override};", fixed=True))
        method = Node(f"#if METHODS\nREAL {name}::value(REAL u) {{", body, "}\n#endif", fixed=True)
        return [Node(head, members, "};", fixed=True), method]

    def _applier(self) -> Node:
        """A function template that calls what it is given."""
        name = self.fresh("apply")
        scope = Scope(["u", "w[0]"], ["w"], counters=["k"], can_return=False, depth=2)
        loop = Node("for (int k = 0; k < K; k++) {", [Node("u = f(u) + w[k];", fixed=True), *self.body(scope, 1)], "}",
                    fixed=True)  # fmt: skip
        children = [Node("REAL w[4] = {u, 0.5, 1, -u};", fixed=True), loop, Node("return SIN(u);", fixed=True)]
        node = Node(f"template <int K, class F> REAL {name}(F &f, REAL u) {{", children, "}", fixed=True)
        self.appliers.append(name)
        return node

    def _main(self) -> Node:
        scalars, arrays = ["v0", "v1", "v2"], ["x", "a0", "a1"]
        declarations = [
            f"REAL v0 = x[0], v1 = {self.constant()}, v2 = x[2] * x[3];",
            f"std::vector<REAL> a0 = {{x[1], x[2], {self.constant()}, x[0]}}; REAL a1[{INPUTS}] = {{0}};",
        ]
        structs, pointers = [], []
        if self.chance(0.3) or self.struct_users:
            structs = ["s0", "s1"]
            declarations.append("struct S s0 = {x[0], x[1], 2, {x[2], x[3]}, {0}}, s1 = {0};")
        if self.chance(0.4):
            pointers = ["p0", "p1"]
            declarations.append("REAL *p0 = a1, *p1 = x;")
        if self.chance(0.2):
            arrays.append("global")
            declarations.append(f"for (int k = 0; k < {INPUTS}; k++) global[k] = x[k];")
        scope = Scope(scalars, [*arrays, *pointers], structs, pointers=pointers)
        children = [Node(d, fixed=True) for d in declarations]
        children += self.body(scope, self.random.randrange(3, 7))
        terms = [*scalars, "a0[1]", "a1[2]", "x[1]", *(["s0.p * s1.q"] if structs else [])]
        terms += [f"{p}[3]" for p in pointers]
        children.append(Node(f"return {' + '.join(terms)};", fixed=True))
        return Node(f"#if FUNCTIONS\nREAL {self.name}(REAL *x) {{", children, "}\n#endif", fixed=True)


def function(seed: int, name: str) -> Source:
    """The random C++ function of a seed."""
    return CxxGenerator(Random(seed), name).source()
