/* Reductions of vectors, gathers and scatters, by clang's builtins. */
#include "../check.h"

typedef double vec __attribute__((ext_vector_type(4)));
typedef float fvec __attribute__((ext_vector_type(4)));
typedef int ivec __attribute__((ext_vector_type(4)));
typedef long lvec __attribute__((ext_vector_type(4)));
typedef _Bool bits __attribute__((ext_vector_type(4)));

static double extremes(double *x) {
  vec a = {x[0], x[1] * x[2], x[3], x[0] * x[3]};
  return __builtin_reduce_maximum(a) * __builtin_reduce_minimum(a) + __builtin_reduce_max(a * a) * x[0];
}

static double integers(double *x) {
  ivec k = {1, 2, 3, 4};
  int n = __builtin_reduce_add(k) + __builtin_reduce_max(k) * __builtin_reduce_xor(k) + __builtin_elementwise_add_sat((int)k.x, 3);
  int over;
  if (__builtin_mul_overflow(n, 3, &over))
    over = 0;
  return x[0] * n + x[1] * over * x[2];
}

static double gathered(double *x) {
  lvec at = {3, 1, 1, 0};
  bits all = {1, 1, 1, 0};
  vec g = __builtin_masked_gather(all, at, x), h = g * g;
  double out[4] = {x[0], x[1], x[2], x[3]};
  lvec to = {0, 2, 1, 3};
  __builtin_masked_scatter(all, to, h, out);
  return out[0] * out[1] + out[2] * out[3] * x[0];
}

int main(void) {
  CHECK(extremes, 0.5, 1.2, -0.7, 0.9);
  CHECK(integers, 0.5, 1.2, -0.7);
  CHECK(gathered, 0.5, 1.2, -0.7, 0.9);
  return failures;
}
