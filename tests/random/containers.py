"""Statements of C++: containers, algorithms, lambdas, objects, smart pointers, references, exceptions.

Each maker is given the generator and the scope, and returns one statement. The types are in runtime.hpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .generate import Node, Scope

if TYPE_CHECKING:
    from .generate_cxx import CxxGenerator


def _inner(scope: Scope, **more: object) -> Scope:
    return scope.inside(depth=scope.depth + 1, **more)


def _closed(scope: Scope, **more: object) -> Scope:
    """For the body of a lambda."""
    return _inner(scope, in_loop=False, can_return=False, **more)


def _lines(*lines: str) -> list[Node]:
    return [Node(line, fixed=True) for line in lines]


def _free(*lines: str) -> list[Node]:
    return [Node(line) for line in lines]


def vector(g: CxxGenerator, scope: Scope) -> Node:
    v, i, n = g.local("vec"), g.local("k"), g.random.randrange(1, 9)
    grown = _inner(scope, counters=[*scope.counters, i], in_loop=False)  # a break would leave fewer elements
    push = g.pick(["push_back", "emplace_back"])
    build = Node(f"for (int {i} = 0; {i} < {n}; {i}++) {{ {v}.{push}({g.expression(grown, 2)});",
                 g.body(_inner(grown, scalars=[*scope.scalars, f"{v}.back()"]), 1), "}", fixed=True)  # fmt: skip
    changes = _free(
        f"std::sort({v}.begin(), {v}.end(), Less());",
        f"std::reverse({v}.begin(), {v}.end());",
        f"{v}.insert({v}.begin() + {g.random.randrange(n)}, {g.expression(scope, 1)});",
        f"{v}.erase({v}.begin() + {g.random.randrange(n)});",
        f"std::partial_sum({v}.begin(), {v}.end(), {v}.begin());",
        f"std::rotate({v}.begin(), {v}.begin() + {g.random.randrange(n)}, {v}.end());",
        f"{v}.resize({v}.size() + 2, {g.expression(scope, 1)});",
    )
    kept = g.random.sample(changes, 2)
    each, w = g.local("each"), g.local("copy")
    walk = Node(f"for (REAL &{each} : {v}) {{", g.body(_inner(scope, scalars=[*scope.scalars, each]), 1), "}")
    other = Node(f"auto {w} = {v}; {w}.swap({v}); {g.place(scope)} += SIN({w}.front());")
    total = g.pick([f"std::accumulate({v}.begin(), {v}.end(), REAL(0))",
                    f"std::inner_product({v}.begin(), {v}.end(), {v}.rbegin(), REAL(0))",
                    f"*std::max_element({v}.begin(), {v}.end(), Less())"])  # fmt: skip
    end = f"if (!{v}.empty()) {g.place(scope)} += SIN({total}); }}"
    return Node(f"{{ std::vector<REAL> {v};", [build, *kept, walk, other], end)


def vector_of_vectors(g: CxxGenerator, scope: Scope) -> Node:
    v, i = g.local("rows"), g.local("k")
    inner = _inner(scope, arrays=[*scope.arrays, f"{v}[{i} & 1]"], counters=[*scope.counters, i])
    loop = Node(f"for (int {i} = 0; {i} < {g.random.randrange(1, 4)}; {i}++) {{", g.body(inner, 2), "}")
    first = g.expression(scope, 1)
    head = f"{{ std::vector<std::vector<REAL>> {v}(2, std::vector<REAL>(4, {first}));"
    swap = Node(f"if ({g.condition(scope)}) std::swap({v}[0], {v}[1]);")
    grow = Node(f"{v}.push_back({v}[0]);")
    return Node(head, [loop, swap, grow], f"{g.place(scope)} += SIN({v}[0][{g.index(scope)}] * {v}.back()[1]); }}")


def associative(g: CxxGenerator, scope: Scope) -> Node:
    m, i, n = g.local("map"), g.local("k"), g.random.randrange(2, 7)
    inner = _inner(scope, counters=[*scope.counters, i])
    type_ = g.pick(["std::map<int, REAL>", "std::map<int, REAL>", "std::unordered_map<int, REAL>"])
    fill = f"for (int {i} = 0; {i} < {n}; {i}++) {m}[(5 * {i}) % 4] += {g.expression(inner, 2)};"
    each = _inner(scope, scalars=[*scope.scalars, "value"])
    walk = Node(f"for (auto &[key, value] : {m}) {{", [*g.body(each, 1), *_lines("value *= 1 + 0.1 * key;")], "}")
    erase = Node(f"{m}.erase({g.random.randrange(4)});")
    key, place = g.random.randrange(5), g.place(scope)  # which may be called at, too
    find = Node(f"if (auto at_{m} = {m}.find({key}); at_{m} != {m}.end()) {place} += at_{m}->second;")
    end = f"for (int k = 0; k < 4; k++) if ({m}.count(k)) {g.place(scope)} += SIN({m}.at(k)); }}"
    return Node(f"{{ {type_} {m};", [*_lines(fill), walk, erase, find], end)


def named(g: CxxGenerator, scope: Scope) -> Node:
    """A map from strings; the strings carry nothing."""
    m, i = g.local("named"), g.local("k")
    inner = _inner(scope, counters=[*scope.counters, i])
    head = f'{{ std::map<std::string, REAL> {m}; std::string text = "{g.pick(["a", "name", "rather a long name"])}";'
    loop = f"for (int {i} = 0; {i} < {g.random.randrange(1, 5)}; {i}++) {m}[text + std::to_string({i} % 3)] += "
    return Node(head, _lines(f"{loop}{g.expression(inner, 2)};"),
                f"for (auto &[key, value] : {m}) {g.place(scope)} += SIN(value) * key.size(); }}")  # fmt: skip


def chain(g: CxxGenerator, scope: Scope) -> Node:
    name, i = g.local("list"), g.local("k")
    type_ = g.pick(["std::list<REAL>", "std::deque<REAL>"])
    inner = _inner(scope, counters=[*scope.counters, i])
    fill = (f"for (int {i} = 0; {i} < {g.random.randrange(1, 6)}; {i}++) "
            f"{name}.{g.pick(['push_back', 'push_front'])}({g.expression(inner, 2)});")  # fmt: skip
    changes = _free(
        f"{name}.push_front({g.expression(scope, 1)});",
        f"if ({g.condition(scope)}) {name}.pop_front();",
        f"{name}.insert(std::next({name}.begin()), {g.expression(scope, 1)});",
        f"{name}.sort(Less());" if "list" in type_ else f"std::sort({name}.begin(), {name}.end(), Less());",
        f"{name}.erase({name}.begin());",
    )
    walk = Node(f"for (auto at = {name}.begin(); at != {name}.end(); ++at) {{",
                g.body(_inner(scope, scalars=[*scope.scalars, "*at"]), 1), "}")  # fmt: skip
    make = f"{{ {type_} {name}; {name}.push_back({g.expression(scope, 1)}); {name}.push_back({g.expression(scope, 1)});"
    end = f"for (const REAL &each : {name}) {g.place(scope)} += SIN(each); }}"
    return Node(make, [*_lines(fill), *g.random.sample(changes, 2), walk], end)


def optional(g: CxxGenerator, scope: Scope) -> Node:
    o = g.local("maybe")
    inner = _inner(scope, scalars=[*scope.scalars, f"*{o}"])
    made = Node(f"if ({g.condition(scope)}) {o} = {g.expression(scope, 2)};", fixed=True)
    used = Node(f"if ({o}) {{", g.body(inner, 1), "}")
    gone = Node(f"if ({g.condition(scope)}) {o}.reset();")
    return Node(f"{{ std::optional<REAL> {o};", [made, used, gone],
                f"{g.place(scope)} += {o}.value_or({g.expression(scope, 1)}); }}")  # fmt: skip


def alternatives(g: CxxGenerator, scope: Scope) -> Node:
    v = g.local("variant")
    visit = "[](auto e) -> REAL { if constexpr (std::is_same_v<decltype(e), int>) return 0.5 * e; else return SIN(e); }"
    change = Node(f"if ({g.condition(scope)}) {v} = {g.random.randrange(5)};", fixed=True)
    back = Node(f"if ({g.condition(scope)}) {v} = REAL({g.expression(scope, 1)});")
    return Node(f"{{ std::variant<int, REAL> {v} = REAL({g.expression(scope, 2)});", [change, back],
                f"{g.place(scope)} += std::visit({visit}, {v}); }}")  # fmt: skip


def pairs(g: CxxGenerator, scope: Scope) -> Node:
    p, q, t = g.local("first"), g.local("second"), g.local("tuple")
    inner = _inner(scope, scalars=[*scope.scalars, p, q])
    head = f"{{ auto [{p}, {q}] = std::pair<REAL, REAL>({g.expression(scope, 2)}, {g.expression(scope, 2)});"
    tuple_ = (f"auto {t} = std::make_tuple({p}, {g.random.randrange(4)}, {q}); "
              f"{g.place(scope)} += std::get<0>({t}) * std::get<1>({t}) - std::get<2>({t});")  # fmt: skip
    return Node(head, [*g.body(inner, 1), Node(tuple_), Node(f"std::tie({p}, {q}) = std::make_pair({q}, {p});")],
                f"{g.place(scope)} = SIN({p} - {q}); }}")  # fmt: skip


def arrays(g: CxxGenerator, scope: Scope) -> Node:
    a, b = g.local("array"), g.local("array")
    inner = _inner(scope, arrays=[*scope.arrays, a, b])
    e, source = g.local("e"), g.pick(scope.arrays)
    mapped = g.expression(_closed(scope, scalars=[*scope.scalars, e]), 2)
    ends = f"{a}.begin(), {a}.end(), {b}.begin()"
    transform = Node(f"std::transform({ends}, [&](REAL {e}) {{ return REAL({mapped}); }});")
    head = f"{{ std::array<REAL, 4> {a}, {b}{{}}; std::copy_n(&{source}[0], 4, {a}.begin());"
    return Node(head, [*g.body(inner, 1), transform, Node(f"if ({g.condition(scope)}) {a} = {b};")],
                f"{g.place(scope)} += SIN(std::accumulate({b}.begin(), {b}.end(), {a}[2])); }}")  # fmt: skip


def closure(g: CxxGenerator, scope: Scope) -> Node:
    f, t = g.local("lambda"), g.local("t")
    inner = _closed(scope, scalars=[*scope.scalars, t])
    by_reference = g.chance(0.5)
    body = g.body(inner, 1) if by_reference else []
    head = f"{{ auto {f} = [{'&' if by_reference else '='}](REAL {t}) mutable -> REAL {{"
    last = Node(f"return {g.expression(inner, 2)}; }};", fixed=True)
    apply = f"call({f}, {g.expression(scope, 1)})"
    if g.appliers and g.chance(0.5):
        apply = f"{g.pick(g.appliers)}<{g.random.randrange(1, 4)}>({f}, {g.expression(scope, 1)})"
    return Node(head, [*body, last], f"{g.place(scope)} = SIN({apply}); }}")


def callables(g: CxxGenerator, scope: Scope) -> Node:
    """std::function: replaced under a condition by one that keeps the first and an array, and one that calls itself."""
    f, again, t = g.local("callable"), g.local("again"), g.local("t")
    inner = _closed(scope, scalars=[*scope.scalars, t])
    a = g.pick(scope.arrays)
    head = f"{{ std::function<REAL(REAL)> {f} = [=](REAL {t}) mutable -> REAL {{ return {g.expression(inner, 2)}; }};"
    kept = f"before = {f}, kept = std::array<REAL, 4>{{{a}[0], {a}[1], {g.expression(scope, 1)}, {a}[3]}}"
    change = Node(f"if ({g.condition(scope)}) {f} = [=, {kept}](REAL {t}) {{ "
                  f"return before({t} * kept[{g.index(scope)}]) + kept[2]; }};")  # fmt: skip
    deeper = f"SIN({again}({g.expression(inner, 1)}, n - 1)) * {g.expression(inner, 1)}"
    recursion = Node(f"std::function<REAL(REAL, int)> {again} = [&](REAL {t}, int n) -> REAL {{ "
                     f"return n <= 0 ? {f}({t}) : REAL({deeper}); }};", fixed=True)  # fmt: skip
    calls = f"{again}({g.expression(scope, 1)}, {g.random.randrange(5)}) - {f}({g.place(scope)})"
    return Node(head, [*g.body(_inner(scope), 1), change, recursion], f"{g.place(scope)} = SIN({calls}); }}")


def operators(g: CxxGenerator, scope: Scope) -> Node:
    p, q = g.local("point"), g.local("point")
    inner = _inner(scope, scalars=[*scope.scalars, f"{p}.a", f"{q}[1]"])
    make = f"{{ Pair<REAL> {p}({g.expression(scope, 1)}, {g.expression(scope, 1)}), {q} = {p} * {g.place(scope)};"
    changes = _free(f"{p} += {q} * {g.expression(scope, 1)};", f"{q} = {p} - {q};", f"{p} *= 0.5;")
    return Node(make, [*g.body(inner, 1), *changes],
                f"{g.place(scope)} += SIN(dot({p}, {q}) - {p}({g.place(scope)})); }}")  # fmt: skip


def reference(g: CxxGenerator, scope: Scope) -> Node:
    r = g.local("ref")
    return Node(f"{{ REAL &{r} = {g.variable(scope)};", g.body(_inner(scope, scalars=[*scope.scalars, r]), 2), "}")


def restored(g: CxxGenerator, scope: Scope) -> Node:
    return Node(f"{{ Restored<REAL> {g.local('guard')}({g.variable(scope)});", g.body(_inner(scope), 2), "}")


def objects(g: CxxGenerator, scope: Scope) -> Node:
    """Objects of classes with virtual methods, owned in different ways."""
    if not g.classes:
        return operators(g, scope)
    base = g.classes[0]
    one, other, s = g.pick(g.classes), g.pick(g.classes), g.local("object")
    arguments = f"({g.expression(scope, 1)}, {g.expression(scope, 1)})"
    kind = g.random.random()
    if kind < 0.35:
        pointer = g.pick(["unique", "shared"])
        make = (f"{{ std::{pointer}_ptr<{base}> {s} = std::make_{pointer}<{one}>{arguments}; "
                f"if ({g.condition(scope)}) {s} = std::make_{pointer}<{other}>{arguments}; "
                f"auto *at_{s} = {s}.get();")  # fmt: skip
        inner = _inner(scope, scalars=[*scope.scalars, f"at_{s}->p"])  # a lambda cannot copy a unique_ptr
        return Node(make, g.body(inner, 1), f"{g.place(scope)} += SIN({s}->value({g.place(scope)})); }}")
    if kind < 0.7:
        pushes = [Node(f"{s}.push_back(std::make_unique<{c}>{arguments});") for c in (one, other, base)]
        walk = f"for (auto &each : {s}) {g.place(scope)} += SIN(each->value({g.place(scope)}));"
        return Node(f"{{ std::vector<std::unique_ptr<{base}>> {s};", pushes, f"{walk} }}")
    made = f"static_cast<{base} *>(new {one}{arguments}) : new {other}{arguments}"
    make = f"{{ {base} *{s} = {g.condition(scope)} ? {made};"
    cast = Node(f"if (dynamic_cast<{other} *>({s})) {g.place(scope)} *= 0.7;")
    return Node(make, [cast], f"{g.place(scope)} = SIN({s}->value({g.place(scope)})); delete {s}; }}")


def heap(g: CxxGenerator, scope: Scope) -> Node:
    h = g.local("h")
    inner = _inner(scope, arrays=[*scope.arrays, h], in_loop=False, can_return=False, can_throw=False)
    source = g.pick(scope.arrays)
    head = f"{{ REAL *{h} = new REAL[4]; std::copy(&{source}[0], &{source}[0] + 4, {h});"
    return Node(head, g.body(inner, 2), f"{g.place(scope)} += SIN({h}[{g.index(scope)}]); delete[] {h}; }}")


def problem(g: CxxGenerator, scope: Scope) -> Node:
    body = g.body(_inner(scope, can_throw=True), 2)
    throw = Node(f"if ({g.condition(scope)}) throw Problem({g.expression(scope, 1)});", fixed=True)
    handled = [*_lines(f"{g.place(scope)} += SIN(problem.amount);"), *g.body(_inner(scope), 1)]
    handler = Node("} catch (const Problem &problem) {", handled, fixed=True)
    return Node("try {", [body[0], throw, *body[1:], handler], "}")


def swap(g: CxxGenerator, scope: Scope) -> Node:
    if len(scope.pointers) > 1 and g.chance(0.5):
        p, q = g.random.sample(scope.pointers, 2)
        return Node(f"std::swap({p}, {q});")
    return Node(f"std::swap({g.variable(scope)}, {g.variable(scope)});")


def queue(g: CxxGenerator, scope: Scope) -> Node:
    q, i = g.local("queue"), g.local("k")
    type_ = g.pick(["std::priority_queue<REAL, std::vector<REAL>, Less>", "std::multiset<REAL, Less>"])
    add, inner = ("push" if "queue" in type_ else "insert"), _inner(scope, counters=[*scope.counters, i])
    fill = f"for (int {i} = 0; {i} < {g.random.randrange(1, 6)}; {i}++) {q}.{add}({g.expression(inner, 2)});"
    top, pop = (f"{q}.top()", f"{q}.pop()") if add == "push" else (f"*{q}.begin()", f"{q}.erase({q}.begin())")
    return Node(f"{{ {type_} {q};", _lines(fill),
                f"for (int k = 1; !{q}.empty(); k++) {{ {g.place(scope)} += k * SIN({top}); {pop}; }} }}")  # fmt: skip


MAKERS: list[Callable[[CxxGenerator, Scope], Node]] = [
    vector, vector_of_vectors, associative, named, chain, optional, alternatives, pairs, arrays, closure, callables,
    operators,
    reference, restored, objects, objects, heap, swap, queue,
]  # fmt: skip
