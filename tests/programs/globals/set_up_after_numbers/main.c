/* Constructors with much code that may read numbers with a derivative: these are differentiated.
 *
 * flags: --enzyme-closure=4 */
#include "../../check.h"
#include "../set_up_inside/table.h"

/* the library keeps a number, and its constructor reads it */
static double told(double *x) {
  scale_tables(x[1]);
  struct table *t = table_create("told", 3);
  double value = table_value(t, x[0]);
  table_destroy(t);
  scale_tables(1);
  return value;
}

/* the constructor is given numbers */
static double given(double *x) {
  struct values values = {2, x};
  struct table *t = table_create_of("given", &values);
  double value = table_value(t, x[0]);
  table_destroy(t);
  return value;
}

/* the constructor is given memory that differentiated code made, and keeps it */
static double kept(double *x) {
  double *in = malloc(2 * sizeof(double)), out[2];
  struct table *t = table_create_between("kept", 2, in, out);
  in[0] = x[0];
  in[1] = x[1];
  table_run(t);
  double value = out[0] * out[1];
  table_destroy(t);
  free(in);
  return value;
}

int main(void) {
  CHECK(told, 0.4, -0.7);
  CHECK(given, 0.4, -0.7);
  CHECK(kept, 0.4, -0.7);
  SAME(tables(), 0);
  return failures;
}
