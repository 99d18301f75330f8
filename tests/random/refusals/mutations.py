"""Random programs that are right, and mutations of them that must be refused, each with its remedy.

A program is a chain of functions in main.c, whose last one calls `deep` of lib.c. It compares its derivative with
differences. A mutation changes one place at random. It says which diagnostic must name which line, and how to apply the
remedy, if that is mechanical.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

_HEAD = """\
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);
double deep(double);
"""
_MAIN = """\
int main(int count, char **arguments) {{
  double x = {at}, h = 1e-5;
  double got = __enzyme_autodiff((void *)f0, enzyme_out, x);
  double want = (f0(x + h) - f0(x - h)) / (2 * h);
  printf("%.12g %.12g\\n", got, want);
  return !(fabs(got - want) <= 1e-6 * (1 + fabs(want)));
}}
"""
_TERMS = (
    "sin({x} * {a})",
    "{x} * {x} * {a}",
    "exp({x} * {a} * 0.1)",
    "sqrt(2 + {x} * {x})",
    "tanh({x}) * {a}",
    "{a} / (3 + {x} * {x})",
)


@dataclass(frozen=True)
class MutatedProgram:
    """The lines of main.c and lib.c. `slope` is the derivative of deep in C, at `x`; `native` are files for clang."""

    main: tuple[str, ...]
    lib: str
    slope: str
    native: frozenset[str] = frozenset()

    def line_of(self, text: str) -> int:
        """Returns the number of the only line of main.c that has the text."""
        (found,) = (k for k, line in enumerate(self.main, 1) if text in line)
        return found

    def changed(self, old: str, new: str) -> MutatedProgram:
        assert any(old in line for line in self.main), old
        return replace(self, main=tuple(line.replace(old, new) for line in self.main))

    def with_statement(self, rng: random.Random, statement: str) -> MutatedProgram:
        """Returns the program with a statement about y before the return of one of its functions."""
        returns = [k for k, line in enumerate(self.main) if line == "  return y;"]
        at = rng.choice(returns)
        return replace(self, main=(*self.main[:at], statement, *self.main[at:]))


Remedy = Callable[[MutatedProgram, str], MutatedProgram]


@dataclass(frozen=True)
class Mutation:
    """What a mutated program must be refused with: the diagnostic's name, and the text of the line that it names.

    Without `line`, it names `file`. Each remedy takes the program and the message, and returns a program that is right.
    """

    program: MutatedProgram
    id: str
    line: str
    remedies: tuple[Remedy, ...] = ()
    file: str = ""


def right_program(rng: random.Random) -> MutatedProgram:
    count = rng.randint(2, 6)
    lines = [*_HEAD.splitlines(), *(f"static double f{k}(double x);" for k in range(count))]
    for k in range(count):
        callee = f"f{k + 1}" if k + 1 < count else "deep"
        a, b = (f"{rng.uniform(0.3, 1.5):.3f}" for _ in "ab")
        terms = [term.format(x="x", a=c) for term, c in zip(rng.sample(_TERMS, 2), (a, b), strict=True)]
        lines += [f"__attribute__((noinline)) static double f{k}(double x) {{", f"  double y = {terms[0]};"]
        if rng.random() < 0.5:
            lines += [f"  for (int i = 0; i < {rng.randint(2, 5)}; i++)", f"    y += {terms[1]} * i;"]
        lines += [f"  y = y * 0.5 + {callee}(x * 0.7);", "  return y;", "}"]
    a, b = rng.uniform(0.3, 1.5), rng.uniform(-1, 1)
    lines += _MAIN.format(at=f"{rng.uniform(-0.9, 0.9):.3f}").splitlines()
    lib = f"double deep(double x) {{ return {a:.3f} * x * x + {b:.3f} * x; }}\n"
    return MutatedProgram(tuple(lines), lib, f"2 * {a:.3f} * x + {b:.3f}")


def _with_enzyme_cc(program: MutatedProgram, message: str) -> MutatedProgram:
    return replace(program, native=frozenset())


def _with_gradient(program: MutatedProgram, message: str) -> MutatedProgram:
    registered = (
        "struct taped { void *tape; double y; };",
        "static struct taped deep_forward(double x) { return (struct taped){NULL, deep(x)}; }",
        f"static double deep_reverse(double x, double dy, void *tape) {{ return dy * ({program.slope}); }}",
        "void *__enzyme_register_gradient_deep[] = {(void *)deep, (void *)deep_forward, (void *)deep_reverse};",
    )
    return replace(program, main=(*program.main, *registered))


def _with_suggestion(program: MutatedProgram, message: str) -> MutatedProgram:
    unknown = re.search(r"request (\w+) is not known", message)
    suggested = re.search(r"did you mean (\w+)\?", message)
    assert unknown and suggested
    return program.changed(unknown[1], suggested[1])


def _changing(old: str, new: str) -> Remedy:
    return lambda program, message: program.changed(old, new)


def _without(statement: str) -> Remedy:
    return lambda program, message: replace(program, main=tuple(line for line in program.main if line != statement))


def _native_library(rng: random.Random) -> Mutation:
    program = replace(right_program(rng), native=frozenset(["lib.c"]))
    return Mutation(program, "EZ0302", "deep(x * 0.7)", (_with_enzyme_cc, _with_gradient))


def _native_request(rng: random.Random) -> Mutation:
    program = replace(right_program(rng), native=frozenset(["main.c"]))
    return Mutation(program, "EZ0107", "", (_with_enzyme_cc,), "main.o")


def _misspelt_request(rng: random.Random) -> Mutation:
    word = "__enzyme_autodiff"
    at = rng.randrange(len("__enzyme_") + 1, len(word) - 2)  # a longer name is a request, too
    wrong = word[:at] + rng.choice(["", word[at] * 2]) + word[at + 1 :]
    program = right_program(rng).changed(word, wrong)
    return Mutation(program, "EZ0214", f"{wrong}((void *)f0", (_with_suggestion,))


def _unknown_marker(rng: random.Random) -> Mutation:
    wrong = rng.choice(["enzyme_uot", "enzyme_active", "enzyme_in", "enzyme_outt"])
    program = right_program(rng).changed("enzyme_out", wrong)
    named = _changing(wrong, "enzyme_out")  # the message lists the markers
    return Mutation(program, "EZ0201", "__enzyme_autodiff((void *)f0", (named,))


def _function_at_run_time(rng: random.Random) -> Mutation:
    named, chosen = "(void *)f0", "count > 1 ? NULL : (void *)f0"
    program = right_program(rng).changed(named, chosen)
    return Mutation(program, "EZ0204", "__enzyme_autodiff(count", (_changing(chosen, named),))


def _argument_missing(rng: random.Random) -> Mutation:
    program = right_program(rng).changed("enzyme_out, x)", "enzyme_out)")
    passed = _changing("enzyme_out)", "enzyme_out, x)")
    return Mutation(program, "EZ0202", "__enzyme_autodiff((void *)f0", (passed,))


_STATEMENTS = {
    '  { char text[40]; snprintf(text, sizeof text, "%.17g", y); y = strtod(text, NULL); }': "EZ0304",
    '  __asm__ volatile("haddpd %0, %0" : "+x"(y));': "EZ0301",
    "  { uint64_t bits; memcpy(&bits, &y, 8); bits &= 0xfff8000000000000; memcpy(&y, &bits, 8); }": "EZ0304",
}


def _statement(rng: random.Random) -> Mutation:
    statement = rng.choice([*_STATEMENTS])
    program = right_program(rng).with_statement(rng, statement)
    return Mutation(program, _STATEMENTS[statement], statement, (_without(statement),))


KINDS: tuple[Callable[[random.Random], Mutation], ...] = (
    _native_library,
    _native_request,
    _misspelt_request,
    _unknown_marker,
    _function_at_run_time,
    _argument_missing,
    _statement,
)
