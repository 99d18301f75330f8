"""Random Fortran functions `real(8) function f(x)` with a derivative by complex step, as generate.py for C."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.random.generate import Node, Source

from .fortran_expressions import FortranExpressions, FortranScope


class FortranGenerator(FortranExpressions):
    """Makes one function from the numbers of a random generator."""

    def source(self) -> Source:
        makers = [self._elemental, self._recursive, self._subroutine, self._optional, self._method]
        nodes = [self.random.choice(makers)() for _ in range(self.random.randrange(4))]
        return Source(self.name, [*nodes, self._main()])

    def body(self, scope: FortranScope, count: int) -> list[Node]:
        return [self.statement(scope) for _ in range(count)]

    def statement(self, scope: FortranScope) -> Node:
        choice = self.random.random()
        if choice < 0.28 or scope.depth > 3:
            return self._assignment(scope)
        if choice < 0.46 and scope.depth < 3:
            return self._loop(scope)
        if choice < 0.58:
            return self._branch(scope)
        if choice < 0.66:
            return self._leave(scope)
        return self._whole(scope)

    def _assignment(self, scope: FortranScope) -> Node:
        target, value = self.place(scope), self.expression(scope)
        kinds = ["1.5d0 * sin(@)", "tanh(@)", "2 * squash(@)", "@", "& + sin(@)", "& * squash(@)"]
        return Node(f"{target} = {self.pick(kinds).replace('@', value).replace('&', target)}")

    def _loop(self, scope: FortranScope) -> Node:
        i, name = self.local("i", "integer"), self.local("loop")
        inner = scope.inside(counters=[*scope.counters, i], loops=[*scope.loops, name])
        children = self.body(inner, self.random.randrange(1, 4))
        n = self.random.randrange(1, 6 - scope.depth)
        bound = f"mod({self.pick(scope.counters)} + 1, 4)" if scope.counters and self.chance(0.3) else str(n)
        kind = self.random.random()
        if kind < 0.5:
            control = self.pick([f"1, {bound}", f"{bound}, 1, -1", f"0, {n + 2}, 2"])
            return Node(f"{name}: do {i} = {control}", children, f"end do {name}")
        step = Node(f"{i} = {i} + 1", fixed=True)
        stop = Node(f"if ({i} > {n}) exit {name}", fixed=True)
        test = f"while ({self.condition(scope)})" if kind < 0.8 else ""
        loop = Node(f"{name}: do {test}", [step, stop, *children], f"end do {name}")
        return Node(f"{i} = 0", [loop])

    def _branch(self, scope: FortranScope) -> Node:
        inner = scope.inside()
        if scope.counters and self.chance(0.25):
            cases = [Node(f"case ({c})", self.body(inner, 1), fixed=True) for c in ("0", "1", "2:")]
            cases[-1].head = self.pick(["case (2:)", "case default"])
            return Node(f"select case (mod({self.pick(scope.counters)}, 3))", cases, "end select")
        then = self.body(inner, self.random.randrange(1, 3))
        if self.chance(0.5):
            then.append(
                Node(
                    f"else if ({self.condition(scope)}) then" if self.chance(0.3) else "else",
                    self.body(inner, 1),
                    fixed=True,
                )
            )
        return Node(f"if ({self.condition(scope)}) then", then, "end if")

    def _leave(self, scope: FortranScope) -> Node:
        if scope.loops and self.chance(0.7):
            return Node(f"if ({self.condition(scope)}) {self.pick(['exit', 'cycle'])} {self.pick(scope.loops)}")
        if scope.can_return and self.chance(0.5):
            children = [Node(f"y = {self.expression(scope)}"), Node("return", fixed=True)]
            return Node(f"if ({self.condition(scope)}) then", children, "end if")
        return self._assignment(scope)

    def _whole(self, scope: FortranScope) -> Node:
        """A statement about whole arrays, or memory."""
        a, b = self.pick(scope.arrays), self.pick(scope.arrays)
        makers: list[Callable[[], Node]] = [
            lambda: Node(f"{a} = {self.array(scope)}"),
            lambda: Node(f"{a} = tanh({self.array(scope)})"),
            lambda: Node(f"{self.section(a)} = {self.section(b)} * {self.expression(scope, 1)}"),
            lambda: Node(f"{a}(2:4) = {b}(1:3) + squash({a}(2:4))"),
            lambda: Node(f"{a} = {self.expression(scope, 1)}"),
            lambda: self._where(scope, a, b),
            lambda: self._heap(scope, a),
        ]
        if scope.matrices:
            makers += [lambda: self._matrix(scope)] * 2
        if scope.things:
            makers += [lambda: self._thing(scope)] * 2
        if scope.owners:
            makers += [lambda: self._owner(scope)] * 2
        if scope.pointers:
            makers += [lambda: self._pointer(scope)]
        if scope.allocatables:
            makers += [lambda: self._allocatable(scope)]
        if scope.inner:
            makers += [lambda: Node(f"call {self.pick(scope.inner)}(({self.expression(scope, 1)}))")] * 2
            makers += [lambda: self._repeated(scope)]
        if self.subroutines and b != "shared":  # what they change may not be an argument by another name
            section = f"{b}(4:1:-1)" if self.chance(0.2) else b
            makers += [
                lambda: Node(f"call {self.pick(self.subroutines)}({section}, ({self.expression(scope, 1)}))")
            ] * 3
        return self.random.choice(makers)()

    def _repeated(self, scope: FortranScope) -> Node:
        """A contained procedure as an argument, with the variables of this one."""
        times = self.random.randrange(1, 4)
        return Node(f"call repeated({self.pick(scope.inner)}, ({self.expression(scope, 1)}), {times})")

    def _where(self, scope: FortranScope, a: str, b: str) -> Node:
        children = [Node(f"{a} = {self.array(scope, 1)}")]
        if self.chance(0.6):
            children.append(Node("elsewhere", [Node(f"{a} = {b} * {self.number()}")], fixed=True))
        return Node(f"where ({self.mask(scope)})", children, "end where")

    def _heap(self, scope: FortranScope, a: str) -> Node:
        h = self.local("h", "NUMBER, allocatable").split()[-1]
        self.declared[-1] = f"NUMBER, allocatable :: {h}(:)"
        inner = scope.inside(arrays=[*scope.arrays, h], can_return=False, loops=[])
        children = [Node(self.pick([f"allocate ({h}(4))", f"allocate ({h}, source={a})", f"{h} = {a}"]), fixed=True)]
        children.append(Node(f"{h} = {self.array(scope, 1)}", fixed=True))
        children += self.body(inner, self.random.randrange(1, 3))
        if self.chance(0.4):
            children.append(Node(f"{h} = [{h}, {self.place(scope)}]"))
            children.append(Node(f"{self.place(scope)} = sin(sum({h}))"))
        children.append(Node(f"{self.place(scope)} = sin({h}({self.index(scope)}))"))
        children.append(Node(f"deallocate ({h})", fixed=True))
        return Node("if (.true.) then", children, "end if")

    def _matrix(self, scope: FortranScope) -> Node:
        m, n, a = self.pick(scope.matrices), self.pick(scope.matrices), self.pick(scope.arrays)
        return Node(
            self.pick(
                [
                    f"{m} = tanh(matmul({m}, {n}))",
                    f"{m} = transpose({n})",
                    f"{m}(:, {self.index(scope, 3)}) = {a}(2:4)",
                    f"{m}({self.index(scope, 3)}, :) = {m}(:, {self.index(scope, 3)}) * {self.expression(scope, 1)}",
                    f"{a}(1:3) = matmul({m}, squash({a}(2:4)))",
                    f"{m}(1:2, 2:3) = reshape({a}, [2, 2])",
                    f"{m} = {m} * {self.place(scope)} + spread({a}(1:3), {self.pick(['1', '2'])}, 3)",
                    f"{a} = reshape({m}(2:3, 1:2), [4])",
                    f"{m} = squash({m}) + {n}(3:1:-1, :)",
                    f"{a}(1:3) = sum({m}, dim={self.pick(['1', '2'])})",
                ]
            )
        )

    def _thing(self, scope: FortranScope) -> Node:
        t, u, a = self.pick(scope.things), self.pick(scope.things), self.pick(scope.arrays)
        return Node(
            self.pick(
                [
                    f"{t} = {u}",
                    f"{t} = thing({self.place(scope)}, {self.place(scope)}, 3, {self.section(a)}, {a})",
                    f"{t}%s = {u}%s * {self.expression(scope, 1)}",
                    f"{a} = {t}%s",
                    f"{t}%r = {u}%s(2:3)",
                ]
            )
        )

    def _owner(self, scope: FortranScope) -> Node:
        o, u, a = self.pick(scope.owners), self.pick(scope.owners), self.pick(scope.arrays)
        return Node(
            self.pick(
                [
                    f"{o} = {u}",
                    f"{o}%h = {self.array(scope, 1)}",
                    f"{a} = {o}%h(1:4)",
                    f"{o}%t%s = {u}%h(1:4) * {self.number()}",
                    f"{o} = owner({self.place(scope)}, {a}, {u}%t)",
                ]
            )
        )

    def _pointer(self, scope: FortranScope) -> Node:
        p, q = self.random.sample(scope.pointers, 2)
        children = [
            Node(f"spare => {p}", fixed=True),
            Node(f"{p} => {q}", fixed=True),
            Node(f"{q} => spare", fixed=True),
        ]
        return Node("if (.true.) then", children, "end if")

    def _allocatable(self, scope: FortranScope) -> Node:
        p, q = self.random.sample(scope.allocatables, 2)
        move = [Node(f"call move_alloc({p}, {q})", fixed=True), Node(f"{p} = {q}(4:1:-1)", fixed=True)]
        children = move if self.chance(0.5) else [Node(f"{p} = {self.array(scope, 1)}")]
        return Node("if (.true.) then", children, "end if")

    # -- procedures

    def _procedure(self, head: str, dummies: list[str], scope: FortranScope, count: int, result: bool = True) -> Node:
        """A procedure with `count` statements; the result is `y`."""
        outer, self.declared = self.declared, []
        children = self.body(scope, count)
        declarations = [*dummies, *self.declared]
        self.declared = outer
        nodes = [Node(d, fixed=True) for d in declarations]
        if result:
            nodes.append(Node("NUMBER :: y", fixed=True))
            children.append(Node(f"y = {self.expression(scope)}", fixed=True))
        return Node(head, [*nodes, *children], "end " + ("function" if result else "subroutine") + "\n", fixed=True)

    def _elemental(self) -> Node:
        name = self.local(f"{self.name}_each")
        scope = FortranScope(["u", "v", "w"], ["z"], depth=1)
        dummies = ["NUMBER, intent(in) :: u, v", "NUMBER :: w, z(4)"]
        start = Node("w = u - v", fixed=True), Node("z = [u, v, w, w * v]", fixed=True)
        node = self._procedure(f"impure elemental function {name}(u, v) result(y)", dummies, scope, 2)
        scope.scalars = ["w"]
        self._begin(node, start)
        self.elementals.append(name)
        return self._only_writes(node, ["u", "v"])

    def _begin(self, node: Node, start: tuple[Node, ...]) -> None:
        at = next(k for k, child in enumerate(node.children) if "::" not in child.head)
        node.children[at:at] = start

    def _only_writes(self, node: Node, names: list[str]) -> Node:
        """Arguments that may not be written are copied to variables of their own."""
        node.children[0].head = "NUMBER, intent(in) :: u_, v_"
        node.head = node.head.replace("(u, v)", "(u_, v_)")
        node.children.insert(1, Node("NUMBER :: u, v", fixed=True))
        self._begin(node, tuple(Node(f"{n} = {n}_", fixed=True) for n in names))
        return node

    def _recursive(self) -> Node:
        name = self.local(f"{self.name}_again")
        scope = FortranScope(["v"], ["a"], counters=["n"], depth=1)
        dummies = ["NUMBER, intent(in) :: a_(4), v_", "integer, intent(in) :: n", "NUMBER :: v, a(4)"]
        node = self._procedure(f"recursive function {name}(a_, v_, n) result(y)", dummies, scope, 3)
        guard = Node(
            "if (n <= 0) then",
            [Node("y = squash(v + a(2))", fixed=True), Node("return", fixed=True)],
            "end if",
            fixed=True,
        )
        self._begin(node, (Node("v = v_", fixed=True), Node("a = a_", fixed=True), guard))
        node.children.insert(-1, Node(f"v = v + sin({name}(a, {self.place(scope)} * 1, n - 1))"))
        self.array_functions.append(name)
        return node

    def _subroutine(self) -> Node:
        name = self.local(f"{self.name}_change")
        shape = self.pick(["(:)", "(4)", "(*)"])
        scope = FortranScope(["v", "b(2)"], ["b", "shared"], depth=1, can_return=False)
        dummies = [f"NUMBER, intent(inout) :: a{shape}", "NUMBER, intent(in) :: v_", "NUMBER :: v, b(4)"]
        node = self._procedure(f"subroutine {name}(a, v_)", dummies, scope, 3, result=False)
        self._begin(node, (Node("v = v_", fixed=True), Node("b = a(1:4)", fixed=True)))
        node.children.append(Node("a(1:4) = b + a(1:4) * v", fixed=True))
        self.subroutines.append(name)
        return node

    def _optional(self) -> Node:
        name = self.local(f"{self.name}_perhaps")
        scope = FortranScope(["v"], ["b"], depth=2, can_return=False)
        dummies = ["NUMBER, intent(in) :: u", "NUMBER, intent(in), optional :: w", "NUMBER :: v, b(4)"]
        node = self._procedure(f"function {name}(u, w) result(y)", dummies, scope, 2)
        start = (
            Node("v = u", fixed=True),
            Node("if (present(w)) v = v * squash(w)", fixed=True),
            Node("b = [u, v, u * v, v]", fixed=True),
        )
        self._begin(node, start)
        self.optionals.append(name)
        return node

    def _method(self) -> Node:
        name = self.local(f"{self.name}_use")
        scope = FortranScope(["v", "t%q"], ["b"], things=["t"], depth=2, can_return=False)
        dummies = ["type(thing), intent(in) :: t_", "type(thing) :: t", "NUMBER :: v, b(4)"]
        node = self._procedure(f"function {name}(t_) result(y)", dummies, scope, 2)
        self._begin(node, (Node("t = t_", fixed=True), Node("v = t%p", fixed=True), Node("b = t%s", fixed=True)))
        self.methods.append(name)
        return node

    def _main(self) -> Node:
        scope = FortranScope(["v0", "v1", "v2"], ["x", "a0", "a1"])
        has_targets = self.chance(0.4)
        start = ["v0 = x(1)", f"v1 = {self.literal()}", "v2 = x(3) * x(4)"]
        start += [f"a0 = [x(2), x(3), x(1), x(1) * {self.number()}]", "a1 = 0"]
        parts = [part for part in _PARTS if self._is_chosen(part, has_targets)]
        for part in parts:
            part.enter(scope)
        if self.chance(0.3):
            scope.inner = [self.local("within")]
        dummies = ["NUMBER, intent(inout) :: x(4)", "NUMBER :: v0, v1, v2"]
        dummies.append(f"NUMBER{', target' if has_targets else ''} :: a0(4), a1(4)")
        node = self._procedure(
            f'function {self.name}(x) result(y) bind(c, name="{self.name}SUFFIX")',
            dummies + [part.declaration for part in parts if part.declaration],
            scope,
            self.random.randrange(3, 9),
        )
        self._begin(node, tuple(Node(s, fixed=True) for s in [*start, *(s for part in parts for s in part.start)]))
        terms = ["v0", "v1", "v2", "a0(2)", "a1(3)", "x(2)", *(part.term for part in parts if part.term), "shared(2)"]
        node.children[-1] = Node(f"y = {' + '.join(terms)}", fixed=True)
        if scope.inner:
            node.children += [Node("contains", fixed=True), self._contained(scope)]
        return node

    def _is_chosen(self, part: _Part, has_targets: bool) -> bool:
        if part.chance is None:
            return has_targets or not part.of_targets
        return self.chance(part.chance) or ("things" in part.names and bool(self.methods))

    def _contained(self, scope: FortranScope) -> Node:
        """A procedure that works on the variables of the one that contains it."""
        hosted = FortranScope(
            [*scope.scalars, "u"],
            scope.arrays,
            scope.matrices,
            scope.things,
            scope.owners,
            depth=2,
            can_return=False,
        )
        head = f"subroutine {scope.inner[0]}(u_)"
        inner = self._procedure(head, ["NUMBER, intent(in) :: u_", "NUMBER :: u"], hosted, 2, result=False)
        self._begin(inner, (Node("u = u_", fixed=True),))
        return inner


class _Part(NamedTuple):
    """Variables that a function may have: how often, their names by field of the scope, and what is done with them."""

    chance: float | None  # None: always, or where there are targets
    names: dict[str, list[str]]
    declaration: str
    start: tuple[str, ...]
    term: str
    of_targets: bool = False

    def enter(self, scope: FortranScope) -> None:
        for field_name, names in self.names.items():
            getattr(scope, field_name).extend(names)


_PARTS = [
    _Part(
        0.5,
        {"matrices": ["m0", "m1"]},
        "NUMBER :: m0(3, 3), m1(3, 3)",
        ("m0 = 0.1d0", "m0(1, :) = x(1:3)", "m0(:, 2) = x(2:4)", "m1 = transpose(m0)"),
        "sum(m0 * m1(3:1:-1, :)) * 0.1d0",
    ),
    _Part(
        0.5,
        {"things": ["t0", "t1"]},
        "type(thing) :: t0, t1",
        ("t0 = thing(x(1), x(2), 2, x(3:4), 0)", "t1 = t0"),
        "t0%p * t1%q + sum(t1%s)",
    ),
    _Part(
        0.3,
        {"owners": ["o0", "o1"]},
        "type(owner) :: o0, o1",
        ("o0%w = x(3)", "o0%h = x", "o0%t = thing(x(1), x(2), 2, x(3:4), 0)", "o1 = o0"),
        "o0%w * sum(o1%h) + o1%t%q",
    ),
    _Part(
        None,
        {"pointers": ["p0", "p1"], "arrays": ["p0", "p1"]},
        "NUMBER, pointer :: p0(:), p1(:), spare(:)",
        ("p0 => a0", "p1 => a1"),
        "p0(4) - p1(1)",
        of_targets=True,
    ),
    _Part(
        0.3,
        {"allocatables": ["d0", "d1"], "arrays": ["d0", "d1"]},
        "NUMBER, allocatable :: d0(:), d1(:)",
        ("d0 = x", "allocate (d1(4))", "d1 = 0.5d0"),
        "d0(1) * d1(4)",
    ),
    _Part(0.3, {"arrays": ["state"]}, "", ("state = x * 0.5d0",), "sum(state)"),
    _Part(None, {}, "", ("shared = x(4:1:-1)",), ""),
    _Part(
        0.2,
        {"arrays": ["kept"]},
        "",
        ("if (allocated(kept)) deallocate (kept)", "allocate (kept(4))", "kept = x"),
        "kept(3)",
    ),
]


def function(seed: int, name: str) -> Source:
    """The random function of a seed."""
    return FortranGenerator(Random(seed), name).source()
