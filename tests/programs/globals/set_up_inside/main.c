/* Handles that the differentiated function makes and frees: their constructors have much code, and see nothing active.
 *
 * flags: --enzyme-closure=1 */
#include "../../check.h"
#include "table.h"

/* what the function returned a pointer to */
static double returned(double *x) {
  struct table *t = table_create("some name", 3);
  double value = table_value(t, x[0]) * table_value(t, x[0] * x[1]);
  table_destroy(t);
  return value;
}

static void make(struct table *a, struct table *b) {
  table_init(a, "first", 2);
  table_init(b, "second", 3);
}

/* variables on the stack, filled by way of a function of this file; x is copied to the stack before that */
static double filled(double *x) {
  double copy[2];
  for (int i = 0; i < 2; i++)
    copy[i] = x[i] * x[i];
  struct table a, b;
  make(&a, &b);
  double value = table_value(&a, copy[0]) + table_value(&b, copy[1]) * x[0];
  table_end(&a);
  table_end(&b);
  return value;
}

/* arrays on the stack whose addresses the handle keeps: numbers reach the library through these alone */
static double kept(double *x) {
  double in[2], out[2];
  struct table *t = table_create_between("in and out", 2, in, out);
  for (int i = 0; i < 2; i++)
    in[i] = x[i] * (i + 1);
  table_run(t);
  double value = out[0] * out[1];
  table_destroy(t);
  return value + in[0];
}

/* inside of a struct, and in an array of structs */
struct solver {
  double state[2];
  struct table t;
};
static NOINLINE void start(struct solver *s) { table_init(&s->t, "solver", 2); }
static double in_struct(double *x) {
  struct solver s;
  start(&s);
  s.state[0] = x[0];
  s.state[1] = table_value(&s.t, x[1]) * s.state[0];
  table_end(&s.t);
  return s.state[1] * s.state[0];
}
static double in_array(double *x) {
  struct table tables[3];
  double r = 0;
  for (int i = 0; i < 3; i++)
    table_init(&tables[i], "array", i + 1);
  for (int i = 0; i < 3; i++)
    r += table_value(&tables[i], x[i % 2] * (1 + r));
  for (int i = 0; i < 3; i++)
    table_end(&tables[i]);
  return r;
}

/* members of the handle that differentiated code sets: numbers, and pointers to what carries a derivative */
static double changed(double *x) {
  double out[2];
  struct table *t = table_create("changed", 2), copy;
  t->factor[0] = x[1];
  t->factor[2] *= x[0];
  t->in = x;
  t->out = out;
  table_run(t);
  copy = *t;
  double value = table_value(&copy, x[0]) * out[0] * out[1] + table_value(t, x[1]);
  table_destroy(t);
  return value;
}

/* an early end without the handle */
static double sometimes(double *x) {
  if (x[0] < 0)
    return x[1];
  return returned(x) + x[1];
}

int main(void) {
  CHECK(returned, 0.4, -0.7);
  CHECK(filled, 0.4, -0.7);
  CHECK(kept, 0.4, -0.7);
  CHECK(in_struct, 0.4, -0.7);
  CHECK(in_array, 0.4, -0.7);
  CHECK(changed, 0.4, -0.7);
  CHECK(sometimes, 0.4, -0.7);
  CHECK(sometimes, -0.4, -0.7);
  SAME(tables(), 0);
  return failures;
}
