/* Lanes of vectors are chosen by masks on bits: some hold constants on one way, and some are used by nobody. */
#include "../check.h"

typedef double VECTOR __attribute__((vector_size(32)));
typedef long long BITS __attribute__((vector_size(32)));

static inline VECTOR load(const double *x) {
  VECTOR v;
  memcpy(&v, x, sizeof v);
  return v;
}

/* The first lane is a quotient, or a constant. */
NOINLINE static double joined(double *x) {
  const BITS first = {-1, 0, 0, 0};
  VECTOR v = load(x), chosen = {1.25, 0.5, 2, 3};
  if (x[0] > 0)
    chosen = 1.352 / (1.3 + v * v);
  VECTOR both = (VECTOR)(((BITS)chosen & first) | ((BITS)v & ~first));
  both = both / (1.3 + both * both);
  return both[0] * both[1] + both[2] * both[3];
}

/* The sizes of some lanes of equal ones, of which one is replaced. */
NOINLINE static double sizes(double *x) {
  const BITS size = {-1, 0x7fffffffffffffff, 0x7fffffffffffffff, 0x7fffffffffffffff};
  double y = 0.174 - x[1];
  VECTOR v = {y, y, y, y};
  v = (VECTOR)((BITS)v & size);
  v[2] = cos(x[2]);
  v = v / (1.3 + v * v);
  return v[0] * x[0] + v[1] * x[3] + v[2] + v[3] * x[1];
}

/* The same for one lane that the program writes, and others that it does not. */
NOINLINE static double constants(double *x) {
  VECTOR v = load(x), other = {0.5, -1.5, 0, 2};
  BITS bits = x[3] > 0 ? (BITS)v : (BITS)other;
  v = (VECTOR)(bits ^ (BITS){0, -0x7fffffffffffffff - 1, 0, 0});
  return sin(v[0]) * v[1] + v[2] * v[3] * x[0];
}

int main(void) {
  for (int sign = -1; sign <= 1; sign += 2) {
    CHECK(joined, sign * 0.4, 0.7, -1.2, 2.1);
    CHECK(sizes, 0.4, sign * 0.7, -1.2, 2.1);
    CHECK(constants, 0.4, 0.7, -1.2, sign * 2.1);
  }
  return failures;
}
