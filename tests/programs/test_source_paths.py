"""--enzyme-check names a pointer whose shadow is null by its path from the function's variables."""

from __future__ import annotations

from .conftest import ENZYME_CC, Builder, Result

DEEP = """\
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);
struct part { int n; double *data; };
struct node { struct part inner, more[2]; struct node *next; double **rows; };
static double f(const struct node *p, int k) {
  return p->next->inner.data[0] * p->more[1].data[1] * p->next->rows[k][0];
}
static double *two(double x) { double *d = malloc(16); d[0] = d[1] = x; return d; }
static struct node *before(struct node *next, double x) {
  struct node *p = malloc(sizeof *p);
  *p = (struct node){{2, two(x)}, {{2, two(x)}, {2, two(x)}}, next, malloc(2 * sizeof(double *))};
  p->rows[0] = two(x), p->rows[1] = two(x);
  return p;
}
int main(int count, char **words) {
  struct node *p = before(before(0, 2), 3), *d = before(before(0, 0), 0);
  switch (atoi(words[1])) {
  case 0: d->next->inner.data = 0; break;
  case 1: d->more[1].data = 0; break;
  case 2: d->next->rows[1] = 0; break;
  case 3: d->next->rows = 0; break;
  default: d->next = 0; break;
  }
  __enzyme_autodiff((void *)f, p, d, 1);
}
"""


def test_the_path_to_a_null_pointer(builder: Builder) -> None:
    (builder.folder / "f.c").write_text(DEEP)
    assert builder.run(ENZYME_CC, "-O2", "-g", "--enzyme-check", "f.c", "-o", "program") == Result(0, "")
    for number, name in enumerate(["next->inner.data", "more[1].data", "next->rows[...]", "next->rows", "next"]):
        done = builder.run("./program", str(number))
        assert done.status != 0 and f": the shadow of p->{name} is null [EZ0227]" in done.text, done.text
