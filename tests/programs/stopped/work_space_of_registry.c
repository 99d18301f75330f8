/* expect: [EZ0306]
 * A function finds the constant handle in a global table, stores a number there, and reads it by its argument. */
#include "../check.h"

struct handle {
  double result;
};
static struct handle *table[4];

NOINLINE static struct handle *find(int k) { return table[k]; }
NOINLINE static void put(struct handle *h, double x) { h->result = x * x; }
NOINLINE static double get(const struct handle *h) { return h->result; }
NOINLINE static double f(const struct handle *h, double x) {
  put(find(1), x);
  return get(h) * x;
}

int main(int argc, char **argv) {
  struct handle *h = calloc(1, sizeof *h);
  table[1] = argc ? h : NULL;
  printf("%g\n", __enzyme_autodiff((void *)f, enzyme_const, h, enzyme_out, 0.8));
  return argv == NULL;
}
