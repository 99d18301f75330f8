/* expect: the bits of a number that carries a derivative are accessed in place as an integer
 * A number in a tagged union is counted up as if it were an integer: the next number. The adjoint tells.
 * flags: -O1 */
#include "../check.h"
#include <stdint.h>

#ifndef DERIVATIVE
#define DERIVATIVE __enzyme_autodiff
#endif

typedef struct value {
  union {
    double number;
    int64_t integer;
    struct value *link;
  } u;
  unsigned char tag;
} value;

static volatile int many = 3;

static double f(double *x) {
  int n = many;
  value *s = malloc((size_t)n * sizeof *s);
  for (int i = 0; i < n; i++) s[i].u.number = x[i] * x[0], s[i].tag = 0;
  s[0].u.link = &s[n - 1], s[0].tag = 2;
  for (int i = 0; i < n; i++)
    if (s[i].tag < 2)
      s[i].u.integer = s[i].u.integer + 1;
  double r = s[1].u.number * s[0].u.link->u.number;
  free(s);
  return r;
}

int main(void) {
  double x[3] = {0.7, 0.2, -0.4}, dx[3] = {1, 0, 0};
  DERIVATIVE((void *)f, x, dx);
  return 0;
}
