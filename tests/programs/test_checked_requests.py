"""--enzyme-check: mistakes in requests that only a run shows are told with the line of the request."""

from __future__ import annotations

import re

import pytest

from .conftest import ENZYME_CC, Builder, Result

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern double __enzyme_autodiff(void *, ...);
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}
static double inverse(double x) { return 1 / x; }
static double inverses(const double *x) { return 1 / x[0] + 1 / x[1]; }
int main(int count, char **words) {
  const char *word = words[1];
  int n = atoi(words[2]);
  double *x = malloc(n * sizeof *x), *d = calloc(strcmp(word, "small") ? n : n - 1, sizeof *d);
  double *y = calloc(n, sizeof *y), *e = calloc(n, sizeof *e);
  for (int i = 0; i < n; i++) x[i] = i + 1;
  double pair[2] = {2, 0}, shadow[2] = {0, 0};
  if (!strcmp(word, "shadow")) __enzyme_autodiff((void *)inverses, pair, shadow); // line 22
  else if (!strcmp(word, "infinite")) {
    __enzyme_autodiff((void *)inverse, n - 4.0); // line 24
  } else if (!strcmp(word, "null")) {
    __enzyme_autodiff((void *)sum, x, count > 3 ? x : 0, n); // line 26
  } else if (!strcmp(word, "own")) {
    __enzyme_autodiff((void *)sum, x, count > 3 ? d : x, n); // line 28
  } else if (!strcmp(word, "zero") || !strcmp(word, "seeded")) {
    if (!strcmp(word, "seeded")) e[0] = 1;
    for (int k = 0; k < n; k++)
      __enzyme_autodiff((void *)squares, x, d, y, e, n); // line 32
  } else {
    __enzyme_autodiff((void *)sum, x, d, n); // line 34
  }
  printf("%g\\n", d[0]);
}
"""
#: what is told; then the program ends
FAULTS = {
    "shadow": "f.c:22:32: the shadow of argument 1 of inverses holds -inf, 8 bytes behind its start;"
    " the first such number arose at f.c:14:63",
    "infinite": "f.c:24:5: a derivative of inverse is -inf; the first such number arose at f.c:13:44",
    "null": "f.c:26:5: the shadow of argument 1 of sum is null",
    "own": "f.c:28:5: the shadow of argument 1 of sum is the argument itself",
    "small": "f.c:34:5: the shadow of argument 1 of sum has 24 bytes, the argument has 32",
}
NO_SEED = "enzyme-cc: warning: f.c:32:7: all shadows are zero, and squares returns no number [EZ0226]\n"


@pytest.mark.parametrize("level", [pytest.param("-O0", marks=pytest.mark.slow), "-O2"])
def test_mistakes_end_the_program(builder: Builder, level: str) -> None:
    (builder.folder / "f.c").write_text(PROGRAM)
    done = builder.run(ENZYME_CC, level, "-g", "--enzyme-check", "f.c", "-o", "program")
    assert done == Result(0, ""), done.text
    for word, told in FAULTS.items():
        done = builder.run("./program", word, "4")
        assert done.status != 0 and done.text.startswith(f"enzyme-cc: error: {told} [EZ0227]\n  remedy: "), done.text
    assert builder.run("./program", "right", "4") == Result(0, "2\n")
    assert builder.run("./program", "seeded", "4") == Result(0, "2\n")
    assert builder.run("./program", "zero", "4") == Result(0, "0\n" + NO_SEED)


ODD = """\
#include <math.h>
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);
extern float __enzyme_autodiff_float(void *, ...); static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += exp(x[i]) / (x[i] + 1);
  return s;
}
static double of_log(double x) {
  double y = log(x); // line 11
  return 1 / (y * y + 1);
}
__attribute__((noinline)) static double square(double y) { return y * y; }
static double of_inner(double x) {
  double y = log(x); // line 16
  return square(y) + 1;
}
static float of_inverse(float x) {
  float y = expf(x); // line 20
  return 1 / y;
}
int main(int count, char **words) {
  double x[] = {1, 2, 3}, d[] = {0, 0, 0};
  switch (atoi(words[1])) {
  case 0: d[2] = NAN; break;
  case 1: x[1] = -1; break;
  case 2: x[1] = INFINITY; break;
  case 3: return __enzyme_fwddiff((void *)of_log, 0.0, 1.0) > 0;
  case 4: return __enzyme_autodiff((void *)of_inner, 0.0) > 0;
  default: return __enzyme_autodiff_float((void *)of_inverse, 1000.0f) > 0;
  }
  __enzyme_autodiff((void *)sum, x, d, 3);
}
"""
ARISES = {
    0: "16 bytes behind its start; an argument or a shadow held such a number before, which is used at f.c:7",
    1: "holds -inf, 8 bytes behind its start; the first such number arose at f.c:7:20",
    2: "8 bytes behind its start; an argument or a shadow held such a number before, which is used at f.c:7:10",
    3: "a derivative of of_log is nan; the first such number arose at f.c:11:14",
    4: "a derivative of of_inner is -inf; the first such number arose at f.c:16:14",
    5: "a derivative of of_inverse is nan; the first such number arose at f.c:20:13",
}


@pytest.mark.parametrize("level", [pytest.param("-O0", marks=pytest.mark.slow), "-O2"])
def test_the_line_where_the_first_odd_number_arose(builder: Builder, level: str) -> None:
    (builder.folder / "f.c").write_text(ODD)
    done = builder.run(ENZYME_CC, level, "-g", "--enzyme-check", "f.c", "-o", "program", "-lm")
    assert done == Result(0, ""), done.text
    for number, told in ARISES.items():
        done = builder.run("./program", str(number))
        assert done.status != 0 and told in done.text, done.text


INNER = """\
#include <stdio.h>
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);
struct node { int n; struct node *next; double *data; };
static double sum(const struct node *p) {
  double s = 0;
  for (; p; p = p->next)
    for (int i = 0; i < p->n; i++)
      s += p->data[i] * p->data[i]; // line 9
  return s;
}
static struct node *before(struct node *next, double value) {
  struct node *p = malloc(sizeof *p);
  *p = (struct node){2, next, malloc(2 * sizeof(double))};
  p->data[0] = p->data[1] = value;
  return p;
}
int main(int count, char **words) {
  struct node *p = before(before(0, 2), 3), *d = before(before(0, 0), 0);
  switch (atoi(words[1])) {
  case 0: d->data = 0; break;
  case 1: d->next->data = 0; break;
  case 2: d->next = 0; break;
  case 3: *d = *p; break;
  }
  __enzyme_autodiff((void *)sum, p, d);
  printf("%g %g\\n", d->data[0], d->next->data[1]);
}
"""


@pytest.mark.parametrize("level", [pytest.param("-O0", marks=pytest.mark.slow), "-O2"])
def test_null_in_the_shadow_of_a_struct(builder: Builder, level: str) -> None:
    (builder.folder / "f.c").write_text(INNER)
    assert builder.run(ENZYME_CC, level, "-g", "--enzyme-check", "f.c", "-o", "program") == Result(0, "")
    for number, (line, name) in enumerate([(9, "p->data"), (9, "p->data"), (7, "p->next")]):
        done = builder.run("./program", str(number))
        assert done.status != 0 and f" the shadow of {name} is null [EZ0227]" in done.text, done.text
        assert f"f.c:{line}:" in done.text
    done = builder.run("./program", "3")
    assert done.status != 0 and "the shadow of p->data leads to the argument's own memory" in done.text, done.text
    assert builder.run("./program", "4") == Result(0, "6 4\n")


LOOPS = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_out;
struct data { double *x; int n; };
static double squares(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i]; // line 9
  return s;
}
static double scaled(double a, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a * x[i]; // line 15
  return s;
}
static float of_floats(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i]; // line 20
  return s;
}
static double inverses(const struct data *d) {
  double s = 0;
  for (int i = 0; i < d->n; i++)
    if (d->x[i] != 0) s += 1 / d->x[i]; // line 26
  return s;
}
int main(int count, char **words) {
  int n = atoi(words[2]), at = atoi(words[3]);
  double *x = malloc(n * sizeof *x), *d = calloc(n, sizeof *d), value = atof(words[4]);
  float *y = malloc(n * sizeof *y), *e = calloc(n, sizeof *e);
  for (int i = 0; i < n; i++) y[i] = x[i] = i % 3;
  y[at] = x[at] = value;
  struct data a = {x, n}, b = {d, n};
  switch (words[1][0]) {
  case 'q': __enzyme_autodiff((void *)squares, x, d, n); break;
  case 'f': __enzyme_autodiff((void *)of_floats, y, e, n); break;
  case 'i': __enzyme_autodiff((void *)inverses, &a, &b); break;
  default: x[0] = value; __enzyme_autodiff((void *)scaled, enzyme_out, 2.0, enzyme_const, x, n); break;
  }
  puts("fine");
}
"""
HELD = "; an argument or a shadow held such a number before, which is used at f.c:"


@pytest.mark.parametrize("flags", [(), ("-mavx2", "-mfma")])
def test_numbers_in_loops_that_are_vectorised(builder: Builder, flags: tuple[str, ...]) -> None:
    """The test of numbers stays in vectorised loops. It finds each lane, and not those that the loop leaves out."""
    (builder.folder / "f.c").write_text(LOOPS)
    command = (ENZYME_CC, "-O2", *flags, "-g", "--enzyme-check", "--enzyme-save-temps=made", "f.c", "-o", "program")
    assert builder.run(*command) == Result(0, "")
    optimised = (builder.folder / "made" / "final.ll").read_text()
    loops = re.findall(r"call void @__ez_test_numbers(?:\.\d+)?\.of_\d+\(<\d+ x (?:double|float)>", optimised)
    assert len(set(loops)) >= 4, loops
    for number in ("q", "f", "i", "s"):
        assert builder.run("./program", number, "19", "5", "1") == Result(0, "fine\n")
    for at in (0, 1, 2, 3, 4, 7, 16, 17, 18):
        for number, value, told in (
            ("q", "1e308", f"holds inf, {8 * at} bytes behind its start; the first such number arose at f.c:9"),
            ("q", "nan", f"holds nan, {8 * at} bytes behind its start{HELD}9"),
            ("f", "1e30", f"holds inf, {4 * at} bytes behind its start; the first such number arose at f.c:20"),
            ("i", "1e-200", "made an infinite number or NaN, first at f.c:26"),
        ):
            text = builder.run("./program", number, "19", str(at), value).text
            assert told in text, (number, at, text)


def test_sums_in_loops_are_tested_behind_them(builder: Builder) -> None:
    """What they add is tested in the loop: it is told apart from a sum that grows too large."""
    (builder.folder / "f.c").write_text(LOOPS)
    assert builder.run(ENZYME_CC, "-O2", "-g", "--enzyme-check", "f.c", "-o", "program") == Result(0, "")
    told = builder.run("./program", "s", "19", "6", "1e308").text
    assert "a derivative of scaled is inf; the first such number arose at f.c:15" in told
    told = builder.run("./program", "s", "19", "6", "inf").text
    assert f"a derivative of scaled is inf{HELD}15" in told
