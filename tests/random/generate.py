"""Random C functions `REAL f(REAL *x)` whose derivative can be had by complex step.

The text is the same for REAL = double and for REAL = double complex: conditions look at RE(…), functions are macros in
upper case (runtime.h). Domains are safe, conditions do not sit at kinks but by chance: every condition and every index
made of numbers goes through COND or INDEX, so that a trace tells where the two disagree. A function is a tree of
statements, which reduce.py can prune.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from . import structures

INPUTS = 4


@dataclass(eq=False)
class Node:
    """A statement: its text before the children, the children, and the text after them."""

    head: str
    children: list[Node] = field(default_factory=list)
    tail: str = ""
    fixed: bool = False  # declarations and returns cannot be removed

    def text(self, depth: int = 0) -> str:
        pad = "  " * depth
        lines = [pad + self.head] if self.head else []
        lines += [child.text(depth + 1) for child in self.children]
        if self.tail:
            lines.append(pad + self.tail)
        return "\n".join(lines)


@dataclass
class Source:
    """One random function with the helpers that it calls; `nodes` in the order in which they are printed."""

    name: str
    nodes: list[Node]

    def text(self) -> str:
        return "\n".join(node.text() for node in self.nodes) + "\n"


@dataclass
class Scope:
    """What an expression may name at some place, and where a statement may go from it."""

    scalars: list[str]
    arrays: list[str]  # of INPUTS elements
    structs: list[str] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)  # variables among arrays that may be swapped
    in_loop: bool = False
    can_return: bool = True
    can_throw: bool = False  # C++
    depth: int = 0

    def inside(self, **changes: Any) -> Scope:
        return replace(self, **changes)


class Generator:
    """Makes one function from the numbers of a random generator."""

    def __init__(self, random: Random, name: str) -> None:
        self.random = random
        self.name = name
        self.scalar_helpers: list[str] = []
        self.array_helpers: list[str] = []
        self.struct_helpers: list[str] = []
        self.struct_users: list[str] = []
        self.table: str | None = None
        self.count = 0
        self.uses_done = False

    def source(self) -> Source:
        nodes = [node for _ in range(self.random.randrange(4)) for node in self._helper()]
        if len(self.scalar_helpers) > 1 and self.chance(0.5):
            self.table = self.fresh("table")
            names = ", ".join(self.scalar_helpers)
            nodes.append(Node(f"static REAL (*const {self.table}[])(REAL, REAL) = {{{names}}};", fixed=True))
        nodes.append(self._main())
        return Source(self.name, nodes)

    # -- small things

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, items: list[str]) -> str:
        return self.random.choice(items)

    def fresh(self, what: str) -> str:
        """A name in all three instances of the file."""
        self.count += 1
        return f"N({self.name}_{what}{self.count})"

    def local(self, what: str) -> str:
        self.count += 1
        return f"{what}{self.count}"

    def constant(self) -> str:
        return f"{self.random.uniform(-1.6, 1.6):.4f}"

    def index(self, scope: Scope) -> str:
        choice = self.random.random()
        if scope.counters and choice < 0.6:
            c = self.pick(scope.counters)
            return self.pick([f"({c} & 3)", f"(({c} + {self.random.randrange(4)}) & 3)", f"((3 * {c} + 1) & 3)"])
        if choice < 0.7:
            return f"INDEX({self.pick(scope.scalars)})"
        return str(self.random.randrange(INPUTS))

    # -- expressions

    def place(self, scope: Scope) -> str:
        """Something that can be assigned to."""
        choice = self.random.random()
        if scope.structs and choice < 0.25:
            s = self.pick(scope.structs)
            return self.pick([f"{s}.p", f"{s}.q", f"{s}.r[{self.index_of_two(scope)}]"])
        if scope.arrays and choice < 0.6:
            return f"{self.pick(scope.arrays)}[{self.index(scope)}]"
        return self.pick(scope.scalars)

    def index_of_two(self, scope: Scope) -> str:
        return f"{self.pick(scope.counters)} & 1" if scope.counters and self.chance(0.5) else self.pick(["0", "1"])

    def condition(self, scope: Scope) -> str:
        if scope.counters and self.chance(0.25):
            return f"{self.pick(scope.counters)} % {self.random.randrange(2, 4)} == {self.random.randrange(2)}"
        operator = self.pick(["<", ">", "<=", ">="])
        other = self.constant() if self.chance(0.6) else f"RE({self.place(scope)})"
        test = f"COND(RE({self.place(scope)}) {operator} {other})"
        if self.chance(0.1):
            return f"({test} {self.pick(['&&', '||'])} {self.condition(scope)})"
        return test

    def expression(self, scope: Scope, depth: int = 3) -> str:
        if depth == 0 or self.chance(0.15):
            return self._atom(scope)

        def e() -> str:
            return self.expression(scope, depth - 1)

        choice = self.random.random()
        if choice < 0.55:
            return f"({e()} {self.pick(['+', '-', '*', '*'])} {e()})"
        if choice < 0.62:
            return f"({e()} / (1.3 + SQUARE({e()})))"
        if choice < 0.80:
            pattern = self.pick(
                "SIN(%s) COS(%s) TANH(%s) EXP(SIN(%s)) LOG(1.1+SQUARE(%s)) SQRT(0.4+SQUARE(%s)) ATAN(%s)"
                " POW(1.2+SQUARE(%s),0.7) (-(%s)) ABS(%s) SQUARE(%s)".split()
            )
            return pattern % e()
        if choice < 0.86:
            return f"{self.pick(['MAX', 'MIN'])}({self.place(scope)}, {self.place(scope)})"
        if choice < 0.91:
            return f"({self.condition(scope)} ? {e()} : {e()})"
        if choice < 0.95 and self.scalar_helpers:
            helper = self.pick(self.scalar_helpers)
            if self.table and scope.counters and self.chance(0.5):
                helper = f"{self.table}[{self.pick(scope.counters)} % {len(self.scalar_helpers)}]"
            return f"{helper}({e()}, {e()})"
        if choice < 0.97 and self.struct_users and scope.structs:
            return f"{self.pick(self.struct_users)}({self.pick(scope.structs)})"
        return f"POW(1.2 + SQUARE({e()}), SIN({e()}))"

    def _atom(self, scope: Scope) -> str:
        if self.chance(0.15):
            return self.constant()
        if scope.counters and self.chance(0.1):
            return f"({self.pick(scope.counters)} * {self.constant()})"
        return self.place(scope)

    # -- statements

    def body(self, scope: Scope, count: int) -> list[Node]:
        return [node for _ in range(count) for node in self.statement(scope)]

    def statement(self, scope: Scope) -> list[Node]:
        choice = self.random.random()
        if choice < 0.36 or scope.depth > 3:
            return [self._assignment(scope)]
        if choice < 0.56 and scope.depth < 3:
            return self._loop(scope)
        if choice < 0.70:
            return [self._branch(scope)]
        if choice < 0.78:
            return [self._leave(scope)]
        return [self._memory(scope)]

    def _assignment(self, scope: Scope) -> Node:
        target, value = self.place(scope), self.expression(scope)
        if self.chance(0.6):
            return Node(f"{target} = {self.pick(['1.5 * SIN', 'TANH', '2 * SQUASH', ''])}({value});")
        return Node(f"{target} {self.pick(['+=', '-=', '*='])} {self.pick(['SIN', '', 'SQUASH'])}({value});")

    def _loop(self, scope: Scope) -> list[Node]:
        i = self.local("i")
        inner = scope.inside(counters=[*scope.counters, i], in_loop=True, depth=scope.depth + 1)
        children = self.body(inner, self.random.randrange(1, 4))
        n = self.random.randrange(1, 7 - scope.depth)
        bound = str(n)
        if scope.counters and self.chance(0.3):
            bound = f"({self.pick(scope.counters)} + {self.random.randrange(2)}) % 5"
        kind = self.random.random()
        if kind < 0.35:
            return [Node(f"for (int {i} = 0; {i} < {bound}; {i}++) {{", children, "}")]
        if kind < 0.45:
            return [Node(f"for (int {i} = {bound}; {i} > 0; {i}--) {{", children, "}")]
        if kind < 0.52:
            return [Node(f"for (int {i} = {self.random.randrange(2)}; {i} < {n + 4}; {i} += 3) {{", children, "}")]
        if kind < 0.72:
            test = self.condition(scope)
            return [Node(f"for (int {i} = 0; {i} < {n + 2} && {test}; {i}++) {{", children, "}")]
        declare = Node(f"int {i} = 0;", fixed=True)
        if kind < 0.86:
            stop = Node(f"if (++{i} > {n + 2}) break;", fixed=True)
            before = [k for k, node in enumerate(children) if "continue" in node.text()]  # would skip the stop
            children.insert(self.random.randrange(min([len(children), *before]) + 1), stop)
            return [declare, Node(f"while ({self.condition(scope)}) {{", children, "}")]
        return [declare, Node("do {", children, f"}} while (++{i} < {n} && {self.condition(inner)});")]

    def _branch(self, scope: Scope) -> Node:
        inner = scope.inside(depth=scope.depth + 1)
        if scope.counters and self.chance(0.2):
            cases = []
            for k in range(3):
                end = "break;" if self.chance(0.8) else "/* falls through */"
                label = "default:" if k == 2 else f"case {k}:"
                cases.append(Node(f"{label} {{", self.body(inner.inside(in_loop=False), 1), f"}} {end}", fixed=True))
            return Node(f"switch ({self.pick(scope.counters)} % 3) {{", cases, "}")
        then = self.body(inner, self.random.randrange(1, 3))
        if self.chance(0.5):
            return Node(f"if ({self.condition(scope)}) {{", then, "}")
        otherwise = Node("} else {", self.body(inner, self.random.randrange(1, 3)), fixed=True)
        return Node(f"if ({self.condition(scope)}) {{", [*then, otherwise], "}")

    def _leave(self, scope: Scope) -> Node:
        if scope.in_loop and self.chance(0.6):
            return Node(f"if ({self.condition(scope)}) {self.pick(['break', 'continue'])};")
        if scope.can_return and self.chance(0.5):
            if self.chance(0.4):
                self.uses_done = True
                return Node(f"if ({self.condition(scope)}) goto done;")
            return Node(f"if ({self.condition(scope)}) return {self.expression(scope)};")
        return self._assignment(scope)

    def _memory(self, scope: Scope) -> Node:
        if self.chance(0.4):
            return self.random.choice(structures.MAKERS)(self, scope)
        choice = self.random.random()
        a, b = self.pick(scope.arrays), self.pick(scope.arrays)
        if choice < 0.2:
            i, j = self.index(scope), self.index(scope)
            return Node(f"{{ REAL t = {a}[{i}]; {a}[{i}] = {b}[{j}]; {b}[{j}] = t; }}")
        if choice < 0.35 and len(scope.pointers) > 1:
            p, q = self.random.sample(scope.pointers, 2)
            return Node(f"{{ REAL *t = {p}; {p} = {q}; {q} = t; }}")
        if choice < 0.45:
            count = self.random.randrange(1, 4)
            return Node(f"memmove({a} + {4 - count}, {b}, {count} * sizeof(REAL));")
        if choice < 0.50:
            return Node(f"memmove({a}, {b}, {INPUTS} * sizeof(REAL));")
        if choice < 0.54:
            return Node(f"memset({a} + {self.random.randrange(3)}, 0, sizeof(REAL));")
        if choice < 0.62 and len(scope.structs) > 1:
            return Node(f"{self.pick(scope.structs)} = {self.pick(scope.structs)};")
        if choice < 0.72 and self.struct_helpers and scope.structs:
            s = self.pick(scope.structs)
            return Node(
                f"{s} = {self.pick(self.struct_helpers)}(&{self.pick(scope.structs)}, {self.expression(scope, 1)});"
            )
        if choice < 0.86 and self.array_helpers:
            helper, target = self.pick(self.array_helpers), self.place(scope)
            return Node(
                f"{target} = 1.2 * SIN({helper}({a}, {self.expression(scope, 1)}, {self.random.randrange(5)}));"
            )
        return self._heap(scope, a)

    def _heap(self, scope: Scope, a: str) -> Node:
        h = self.local("h")
        inner = scope.inside(arrays=[*scope.arrays, h], in_loop=False, can_return=False, depth=scope.depth + 1)
        children = self.body(inner, self.random.randrange(1, 3))
        if self.chance(0.4):
            children.append(Node(f"{h} = realloc({h}, {self.random.randrange(4, 9)} * sizeof(REAL));"))
            children += self.body(inner, 1)
        children.append(Node(f"{self.place(scope)} += SIN({h}[{self.index(scope)}]);"))
        make = f"{{ REAL *{h} = malloc({INPUTS} * sizeof(REAL)); for (int k = 0; k < {INPUTS}; k++) {h}[k] = {a}[k];"
        return Node(make, children, f"free({h}); }}")

    # -- functions

    def _attribute(self) -> str:
        return "__attribute__((noinline)) static" if self.chance(0.7) else "static"

    def _helper(self) -> list[Node]:
        kind = self.random.random()
        if kind < 0.4:
            name = self.fresh("scalar")
            scope = Scope(["u", "v"], ["w"], can_return=True, depth=1)
            children = [Node("REAL w[4] = {u, v, 0.5, u - v};", fixed=True), *self.body(scope, 2)]
            children.append(Node(f"return {self.expression(scope)};", fixed=True))
            node = Node(f"{self._attribute()} REAL {name}(REAL u, REAL v) {{", children, "}", fixed=True)
            self._finish(node)
            self.scalar_helpers.append(name)
            return [node]
        if kind < 0.75:
            return [self._array_helper()]
        name, user = self.fresh("change"), self.fresh("use")
        scope = Scope(["v", "s->p", "s->q"], ["s->r2"], can_return=False, depth=2)
        children = [*self.body(scope, 2), Node("struct S t = *s;", fixed=True)]
        children += [Node(f"t.p = SIN({self.expression(scope)});"), Node("return t;", fixed=True)]
        change = Node(f"{self._attribute()} struct S {name}(struct S *s, REAL v) {{", children, "}", fixed=True)
        scope = Scope(["s.p", "s.q", "s.r[0]"], ["s.r2"], can_return=False, depth=2)
        children = [*self.body(scope, 2), Node(f"return {self.expression(scope)};", fixed=True)]
        use = Node(f"{self._attribute()} REAL {user}(struct S s) {{", children, "}", fixed=True)
        self.struct_helpers.append(name)
        self.struct_users.append(user)
        return [change, use]

    def _array_helper(self) -> Node:
        name = self.fresh("array")
        scope = Scope(["v", "a[n & 3]"], ["a"], counters=["n"], depth=1)
        children = self.body(scope, 3)
        if self.chance(0.5):
            first = self.body(scope, 1)
            guard = Node(f"if (n <= 0) return SIN({self.expression(scope, 2)});", fixed=True)
            again = Node(f"v += SIN({name}(a, {self.expression(scope, 1)}, n - {self.random.randrange(1, 3)}));")
            children = [*first, guard, again, *children]
        children.append(Node(f"return {self.expression(scope)};", fixed=True))
        node = Node(f"{self._attribute()} REAL {name}(REAL *a, REAL v, int n) {{", children, "}", fixed=True)
        self._finish(node)
        self.array_helpers.append(name)
        return node

    def _finish(self, function: Node) -> None:
        """The label that some statement may go to stands before the return."""
        if self.uses_done:
            function.children.insert(len(function.children) - 1, Node("done:;", fixed=True))
        self.uses_done = False

    def _main(self) -> Node:
        scalars, arrays = ["v0", "v1", "v2"], ["x", "a0", "a1"]
        declarations = [
            f"REAL v0 = x[0], v1 = {self.constant()}, v2 = x[2] * x[3];",
            f"REAL a0[{INPUTS}] = {{x[1], x[2], {self.constant()}, x[0]}}, a1[{INPUTS}] = {{0}};",
        ]
        structs, pointers = [], []
        if self.chance(0.5) or self.struct_users:
            structs = ["s0", "s1"]
            declarations.append("struct S s0 = {x[0], x[1], 2, {x[2], x[3]}, {0}}, s1 = {0};")
        if self.chance(0.5):
            pointers = ["p0", "p1"]
            declarations.append("REAL *p0 = a0, *p1 = a1;" if self.chance(0.5) else "REAL *p0 = x, *p1 = a0;")
        if self.chance(0.3):
            arrays.append("global")
            declarations.append(f"for (int k = 0; k < {INPUTS}; k++) global[k] = x[k];")
        scope = Scope(scalars, [*arrays, *pointers], structs, pointers=pointers)
        children = [Node(d, fixed=True) for d in declarations]
        children += self.body(scope, self.random.randrange(3, 9))
        terms = [
            *scalars,
            "a0[1]",
            "a1[2]",
            "x[1]",
            *(["s0.p * s1.q"] if structs else []),
            *[f"{p}[3]" for p in pointers],
        ]
        children.append(Node(f"return {' + '.join(terms)};", fixed=True))
        node = Node(f"REAL N({self.name})(REAL *x) {{", children, "}", fixed=True)
        self._finish(node)
        return node


def function(seed: int, name: str) -> Source:
    """The random function of a seed."""
    return Generator(Random(seed), name).source()
