/* Memory of posix_memalign, aligned_alloc, memalign, reallocarray, and text of strdup. */
#define _GNU_SOURCE
#include "../check.h"
#include <malloc.h>

static double aligned(double *x) {
  void *any;
  if (posix_memalign(&any, 64, 3 * sizeof(double)))
    abort();
  double *a = any, *b = aligned_alloc(32, 4 * sizeof *b), *c = memalign(16, 2 * sizeof *c);
  for (int i = 0; i < 3; i++)
    a[i] = x[i] * x[(i + 1) % 3];
  b[0] = a[0] * a[1], b[1] = a[2];
  c[0] = sin(b[0]), c[1] = b[1] * c[0];
  double r = c[1] + a[1];
  free(a), free(b), free(c);
  return r;
}

static double grown(double *x) {
  double *a = reallocarray(NULL, 2, sizeof *a), s = 0;
  a[0] = x[0], a[1] = x[1] * x[0];
  a = reallocarray(a, 5, sizeof *a);
  for (int i = 2; i < 5; i++)
    a[i] = a[i - 1] * a[i - 2] + x[2];
  for (int i = 0; i < 5; i++)
    s += a[i] * a[i];
  free(a);
  return s;
}

static double text(double *x) {
  char *name = strdup("weights"), *start = strndup(name, 3), copy[16];
  double s = 0;
  for (int i = 0; name[i]; i++)
    s += x[i % 3] * name[i];
  char *end = memccpy(copy, name, 'g', sizeof copy);
  s *= x[1] * (double)(end - copy) + (double)strlen(start);
  free(name), free(start);
  return s;
}

int main(void) {
  CHECK(aligned, 0.5, 1.2, -0.7);
  CHECK(grown, 0.5, 1.2, -0.7);
  CHECK(text, 0.5, 1.2, -0.7);
  return failures;
}
