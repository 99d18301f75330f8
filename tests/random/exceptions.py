"""Random functions that throw and catch, as C++ source: one program with a main of its own (tests/programs/check.h).

When something is thrown depends on a counter alone, so that the functions are smooth.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

CHECK = Path(__file__).parents[1] / "programs" / "check.h"

_TYPES = f"""#include "{CHECK}"
#include <stdexcept>
#include <string>
#include <vector>

struct plain {{
  double a;
  plain(double v) : a(v) {{}}
  virtual double get() const {{ return a; }}
  virtual ~plain() {{}}
}};
struct derived : plain {{
  double b;
  derived(double v, double w) : plain(v), b(w) {{}}
  double get() const override {{ return a * b; }}
}};
struct described : std::runtime_error {{
  double c;
  std::string text;
  described(double v) : std::runtime_error("described"), c(v), text("a text of some length") {{}}
}};
struct several {{
  std::vector<double> d;
}};
struct guard {{
  double *s, factor;
  ~guard() {{ *s = *s * factor + 0.1; }}
}};
static int tick;
"""

#: what a handler declares, and the number that it finds in the exception
_HANDLERS = {
    "const derived &e": "e.get()",
    "plain e": "(e.get() + e.a)",
    "const described &e": "(e.c + 0.01 * e.text.size() + 0.1 * (e.what()[0] == 'd'))",
    "int e": "(0.1 * e)",
    "double e": "e",
    "several &e": "(e.d[0] * e.d[1])",
    "const std::exception &": "0.3",
    "...": "0.7",
}
_EXPRESSIONS = "A * B|sin(A + B)|A - 0.3 * B|cos(A) * B|A / (2 + B * B)|0.5 * A + 0.1|tanh(A * B)".split("|")
_THROWS = (
    "throw E;|throw plain(E);|throw derived(E, E);|throw described(E);|throw 2;|throw several{{E, E}};"
    '|throw std::domain_error("d");|s += std::vector<double>(2, E).at(2);'
).split("|")
_DEEPEST = 4


class ThrowingFunctions:
    """The functions of one seed, from the first, which calls none, to f, which catches all."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._functions = 0
        self._names = 0

    def program(self) -> str:
        count = self._random.randint(2, 4)
        functions = [self._function() for _ in range(count)]
        body = self._body(["x[0]", "x[1]", "s"], 1, 2)
        last = f"""static double f(double *x) {{
  double s = 0;
  tick = {self._random.randint(0, 9)};
  for (int k = 0; k < 4; k++)
    try {{
      s += f{count}(x[k % 3], x[2]) * x[1];
      {body}
    }} catch (...) {{
      s *= x[2];
    }}
  return s;
}}

int main() {{
  CHECK(f, 0.5, 0.6, 0.7);
  CHECK(f, 0.3, -0.6, 0.9);
  return failures;
}}
"""
        return "\n".join([_TYPES, *functions, last])

    def _function(self) -> str:
        body = self._body(["x", "y", "s"], 0, self._random.randint(3, 6))
        self._functions += 1
        attribute = self._random.choice(["NOINLINE ", ""])
        head = f"{attribute}static double f{self._functions}(double x, double y)"
        return f"{head} {{\n  double s = x + y;\n  {body}\n  return s;\n}}\n"

    def _body(self, values: list[str], depth: int, count: int) -> str:
        return "\n  ".join(self._statement(values, depth) for _ in range(count))

    def _statement(self, values: list[str], depth: int) -> str:
        forms = [self._assignment, self._throwing]
        if depth < _DEEPEST:
            forms += [self._call, self._guard, self._loop, self._try, self._try]
        return self._random.choice(forms)(values, depth)

    def _assignment(self, values: list[str], depth: int) -> str:
        return f"s = {self._expression(values)} + 0.2 * s;"

    def _throwing(self, values: list[str], depth: int) -> str:
        return f"if ({self._condition()}) {{ {self._throw(values)} }}"

    def _call(self, values: list[str], depth: int) -> str:
        if not self._functions:
            return self._assignment(values, depth)
        callee = f"f{self._random.randint(1, self._functions)}"
        return f"s += {callee}({self._expression(values)}, {self._expression(values)});"

    def _guard(self, values: list[str], depth: int) -> str:
        return f"guard {self._fresh()}{{&s, {self._expression(values)}}};"

    def _loop(self, values: list[str], depth: int) -> str:
        k = self._fresh()
        body = self._body(values, depth + 1, self._random.randint(1, 3))
        return f"for (int {k} = 0; {k} < {self._random.randint(1, 3)}; {k}++) {{ {body} }}"

    def _try(self, values: list[str], depth: int) -> str:
        chosen = self._random.sample(range(len(_HANDLERS)), self._random.randint(1, 4))
        kinds = [list(_HANDLERS)[k] for k in sorted(chosen)]
        handlers = " ".join(self._handler(kind, values, depth) for kind in kinds)
        return f"try {{ {self._body(values, depth + 1, self._random.randint(1, 4))} }} {handlers}"

    def _handler(self, kind: str, values: list[str], depth: int) -> str:
        body = [f"s = s * {self._expression(values)} + {_HANDLERS[kind]} * {self._random.choice(values)};"]
        if self._random.random() < 0.3:
            body.append(self._statement(values, depth + 1))
        if self._random.random() < 0.3:
            body.append(f"if ({self._condition()}) throw;")
        if self._random.random() < 0.1:
            body.append(self._random.choice([self._throw(values), "return s;"]))
        return f"catch ({kind}) {{ {' '.join(body)} }}"

    def _throw(self, values: list[str]) -> str:
        return re.sub(r"\bE\b", lambda _: self._expression(values), self._random.choice(_THROWS))

    def _expression(self, values: list[str]) -> str:
        form = self._random.choice(_EXPRESSIONS)
        return form.replace("A", self._random.choice(values)).replace("B", self._random.choice(values))

    def _condition(self) -> str:
        return f"++tick % {self._random.randint(2, 5)} == {self._random.randint(0, 1)}"

    def _fresh(self) -> str:
        self._names += 1
        return f"v{self._names}"
