/* Keys of results that are written by copies which check the size of the memory.
 *
 * flags: -D_FORTIFY_SOURCE=3
 */
#include "../check.h"

enum { SLOTS = 4 };
static double key[SLOTS], kept;
static int count;

/* how much of it is written is not known */
NOINLINE static double product(const double *x, int n) {
  if (n != count || memcmp(key, x, (size_t)n * sizeof *x)) {
    memcpy(key, x, (size_t)n * sizeof *x);
    count = n;
    kept = 1;
    for (int k = 0; k < n; k++)
      kept *= x[k] + k;
  }
  return kept;
}

struct solver {
  double last[SLOTS], result;
  int n;
};

NOINLINE static double solved(struct solver *s, const double *x, int n) {
  if (memcmp(s->last, x, (size_t)n * sizeof *x)) {
    memcpy(s->last, x, (size_t)n * sizeof *x);
    s->result = 0;
    for (int k = 0; k < n; k++)
      s->result += sin(x[k]) * k;
  }
  return s->result;
}

static struct solver *handle;
static volatile int three = 3;
static double f(double *x) { return product(x, three) + solved(handle, x, three); }

int main(void) {
  handle = calloc(1, sizeof *handle);
  double x[] = {0.5, 1.2, 0.7};
  f(x);
  CHECK(f, 0.5, 1.2, 0.7);
  CHECK(f, 0.5, 1.2, 0.7);
  free(handle);
  return failures;
}
