"""Statements about data structures: lists, trees, unions, growing buffers, pointers to pointers, bytes of numbers.

Each maker is given the generator and the scope, and returns one statement. The C types are in runtime.h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .generate import Generator, Node, Scope


def _inner(g: Generator, scope: Scope, **more: object) -> Scope:
    """For statements inside a block that must be left at its end."""
    return scope.inside(in_loop=False, can_return=False, depth=scope.depth + 1, **more)


def _node(head: str, children: list[Node], tail: str) -> Node:
    from .generate import Node

    return Node(head, children, tail)


def _fixed(*lines: str) -> list[Node]:
    from .generate import Node

    return [Node(line, fixed=True) for line in lines]


def linked_list(g: Generator, scope: Scope) -> Node:
    first, n, i = g.local("list"), g.random.randrange(1, 5), g.local("k")
    inner = _inner(g, scope, counters=[*scope.counters, i])
    build = f"for (int {i} = 0; {i} < {n}; {i}++) {first} = PUSH({first}, {g.expression(inner, 2)});"
    walk = _inner(g, scope, scalars=[*scope.scalars, "node->v"])
    loop = _node(f"for (struct L *node = {first}; node; node = node->next) {{", g.body(walk, 1), "}")
    turn = _node(f"{first} = REVERSED({first});", [], "")
    take = _node(f"if ({g.condition(scope)}) {first} = POPPED({first});", [], "")
    end = f"{g.place(scope)} += SIN(LIST_SUM({first})); while ({first}) {first} = POPPED({first}); }}"
    return _node(f"{{ struct L *{first} = NULL;", [*_fixed(build), loop, turn, take], end)


def tree(g: Generator, scope: Scope) -> Node:
    name, depth = g.local("tree"), g.random.randrange(1, 4)
    make = f"{{ struct T *{name} = TREE({depth}, {g.expression(scope, 1)}, {g.pick(scope.arrays)});"
    inner = _inner(g, scope, scalars=[*scope.scalars, f"{name}->v", f"{name}->left->v"])
    swap = f"{{ struct T *t = {name}->left; {name}->left = {name}->right; {name}->right = t; }}"
    children = [*g.body(inner, 1), _node(f"if ({g.condition(inner)}) {swap}", [], "")]
    return _node(make, children, f"{g.place(scope)} = SIN(TREE_SUM({name})); TREE_FREE({name}); }}")


def tagged_union(g: Generator, scope: Scope) -> Node:
    name, a = g.local("any"), g.pick(scope.arrays)
    make = [
        f"{name}[0].tag = 0, {name}[0].u.r = {g.expression(scope, 2)};",
        f"{name}[1].tag = 1, {name}[1].u.p = &{a}[{g.index(scope)}];",
        f"{name}[2].tag = 2, {name}[2].u.n = {g.random.randrange(5)};",
    ]
    moves = [
        f"{name}[{g.random.randrange(3)}] = {name}[{g.random.randrange(3)}];",
        f"if ({g.condition(scope)}) {name}[{g.random.randrange(3)}] = {name}[{g.random.randrange(3)}];",
        f"{{ struct U t = {name}[0]; {name}[0] = {name}[2]; {name}[2] = t; }}",
        f"if ({g.condition(scope)}) {name}[1].tag = 0, {name}[1].u.r = {g.expression(scope, 1)};",
    ]
    g.random.shuffle(moves)
    nodes = [*_fixed(*make), *(_node(m, [], "") for m in moves)]
    nodes += _fixed(f"{g.place(scope)} += SIN(VALUE_OF(&{name}[{g.random.randrange(3)}]));")
    return _node(f"{{ struct U {name}[3];", nodes, f"{g.place(scope)} = TANH(VALUE_OF({name})); }}")


def growing_buffer(g: Generator, scope: Scope) -> Node:
    h, i, n = g.local("grown"), g.local("k"), g.random.randrange(1, 9)
    inner = _inner(g, scope, counters=[*scope.counters, i], scalars=[*scope.scalars, f"{h}[{i}]"])
    head = f"{{ REAL *{h} = NULL; int n{h} = 0, room{h} = 0;"
    stop = f" && {g.condition(scope)}" if g.chance(0.4) else ""
    grow = f"if (n{h} == room{h}) {h} = realloc({h}, (room{h} = 2 * room{h} + 1) * sizeof *{h});"
    loop = _node(
        f"for (int {i} = 0; {i} < {n}{stop}; {i}++) {{",
        [*_fixed(grow, f"{h}[n{h}++] = {g.expression(scope, 2)};"), *g.body(inner, 1)],
        "}",
    )
    total = f"for (int k = 0; k < n{h}; k++) {g.place(scope)} += SIN({h}[k]);"
    return _node(head, [loop, *_fixed(total)], f"free({h}); }}")


def rows(g: Generator, scope: Scope) -> Node:
    name, i = g.local("rows"), g.local("k")
    a, b = g.pick(scope.arrays), g.pick(scope.arrays)
    swap = f"{{ REAL *t = {name}[0]; {name}[0] = {name}[1]; {name}[1] = t; }}"
    inner = _inner(g, scope, arrays=[*scope.arrays, f"{name}[{i} & 1]", f"(*at{name})"], counters=[*scope.counters, i])
    body = [*g.body(inner, 2), _node(f"if ({g.condition(scope)}) {swap}", [], ""),
            _node(f"at{name} = &{name}[{g.random.randrange(2)}];", [], "")]  # fmt: skip
    loop = _node(f"for (int {i} = 0; {i} < {g.random.randrange(1, 4)}; {i}++) {{", body, "}")
    return _node(f"{{ REAL *{name}[2] = {{{a}, {b}}}, **at{name} = {name};", [loop], "}")


def words(g: Generator, scope: Scope) -> Node:
    """Numbers on their way through integers."""
    a, b = g.pick(scope.arrays), g.pick(scope.arrays)
    i, j = g.index(scope), g.index(scope)
    count = g.random.randrange(1, 3)
    size = f"{count} * sizeof(REAL)"
    if g.chance(0.5):
        move = "for (unsigned k = 0; k < sizeof from_ / 8; k++) to_[k] = from_[k];"
        head = f"{{ unsigned long from_[{size} / 8], to_[{size} / 8]; memcpy(from_, &{a}[{2 - count}], sizeof from_); "
        return _node(head + move, [], f"memcpy(&{b}[{g.random.randrange(2)}], to_, sizeof to_); }}")
    return _node(f"{{ unsigned char byte_[sizeof(REAL)]; memcpy(byte_, &{a}[{i}], sizeof byte_); "
                 f"memcpy(&{b}[{j}], byte_, sizeof byte_); }}", [], "")  # fmt: skip


def heap_structs(g: Generator, scope: Scope) -> Node:
    h, n = g.local("things"), g.random.randrange(2, 5)
    if not scope.structs:
        return rows(g, scope)
    inner = _inner(g, scope, structs=[*scope.structs, f"{h}[{g.random.randrange(n)}]", f"(*{h})"])
    source = g.pick(scope.structs)
    head = f"{{ struct S *{h} = malloc({n} * sizeof *{h}); for (int k = 0; k < {n}; k++) {h}[k] = {source};"
    copy = f"memmove({h}, {h} + 1, {n - 1} * sizeof *{h});"
    return _node(head, [*g.body(inner, 2), _node(copy, [], ""), *g.body(inner, 1)],
                 f"{source} = {h}[{n - 1}]; free({h}); }}")  # fmt: skip


def long_double(g: Generator, scope: Scope) -> Node:
    name, a = g.local("l"), g.pick(scope.arrays)
    loop = f"for (int k = 0; k < 4; k++) {name}[k & 1] = {name}[(k + 1) & 1] * 0.5L + {a}[k] * (LREAL){g.place(scope)};"
    head = f"{{ LREAL {name}[2] = {{{g.expression(scope, 1)}, {g.place(scope)}}};"
    return _node(head, _fixed(loop), f"{g.place(scope)} = SIN((REAL)({name}[0] - {name}[1])); }}")


def goto_loop(g: Generator, scope: Scope) -> Node:
    i, label = g.local("k"), g.local("again")
    inner = _inner(g, scope, counters=[*scope.counters, i])
    body = g.body(inner, g.random.randrange(1, 3))
    test = f"if (++{i} < {g.random.randrange(1, 5)} && {g.condition(scope)}) goto {label};"
    return _node(f"{{ int {i} = 0; {label}:;", body, f"{test} }}")


def into_the_middle(g: Generator, scope: Scope) -> Node:
    """A loop that is entered at two places."""
    i, label, middle = g.local("k"), g.local("top"), g.local("middle")
    inner = _inner(g, scope, counters=[*scope.counters, i])
    first, second = g.body(inner, 1), g.body(inner, 1)
    test = f"if (++{i} < {g.random.randrange(1, 4)}) goto {label};"
    enter = f"{{ int {i} = 0; if ({g.condition(scope)}) goto {middle}; {label}:;"
    return _node(enter, [*first, *_fixed(f"{middle}:;"), *second], f"{test} }}")


def closure(g: Generator, scope: Scope) -> Node:
    if not g.scalar_helpers:
        return growing_buffer(g, scope)
    name, one, other = g.local("call"), g.pick(g.scalar_helpers), g.pick(g.scalar_helpers)
    head = f"{{ struct F {name} = {{{g.condition(scope)} ? {one} : {other}, {g.expression(scope, 1)}}}, copy = {name};"
    return _node(head, [], f"{g.place(scope)} = copy.f({name}.c, {g.place(scope)}); }}")


def vectors(g: Generator, scope: Scope) -> Node:
    """Vectors of four numbers, of which some lanes are used."""
    v, w, a = g.local("vec"), g.local("vec"), g.pick(scope.arrays)
    head = f"{{ VEC {v} = VLOAD({a}), {w} = VSPREAD({g.expression(scope, 1)});"
    steps = [_vector_step(g, scope, v, w) for _ in range(g.random.randrange(1, 6))]
    store = f"VSTORE({g.pick(scope.arrays)}, VDIV({w}, {w})); " if g.chance(0.4) else ""
    value = f"VLANE({v}, {g.random.randrange(4)}) * VLANE({w}, {g.random.randrange(4)})"
    return _node(head, steps, f"{store}{g.place(scope)} = SIN({value}); }}")


def _vector_step(g: Generator, scope: Scope, v: str, w: str) -> Node:
    to, a, b = (g.pick([v, w]) for _ in range(3))
    lanes = ", ".join(str(g.random.randrange(4)) for _ in range(4))
    operation = g.pick(["VADD", "VMUL", "VMUL", "VDIV", "VMAX"])
    steps = [
        f"{to} = {operation}({a}, {b});",
        f"{to} = VPICK({a}, {b}, {lanes});",
        f"{to} = VSET({a}, {g.random.randrange(4)}, {g.expression(scope, 1)});",
        f"{to} = VSET({a}, {g.index(scope)}, VLANE({b}, {g.index(scope)}));",
        f"if ({g.condition(scope)}) {to} = {operation}({a}, {b});",
        f"VSTORE({g.pick(scope.arrays)}, {a}); {to} = VLOAD({g.pick(scope.arrays)});",
        f"{to} = {g.pick(['VFLIP', 'VKEEP', 'VSIZE'])}({a}, {g.random.randrange(16)});",
        f"{to} = VMIX({a}, {b}, {g.random.randrange(16)});",
        f"{to} = VWHERE({a}, {b});",
    ]
    return _node(g.pick(steps), [], "")


MAKERS: list[Callable[[Generator, Scope], Node]] = [
    linked_list, tree, tagged_union, growing_buffer, rows, words, heap_structs, long_double, goto_loop, into_the_middle,
    closure, vectors,
]  # fmt: skip
