/* Vectors as clang's extensions have them: arithmetic, lanes, shuffles, reductions, minimum and maximum, masks. */
#include "../check.h"

typedef double vec __attribute__((ext_vector_type(4)));
typedef double pair __attribute__((ext_vector_type(2)));
typedef _Bool bits __attribute__((ext_vector_type(4)));

static vec load(const double *p) {
  vec v;
  memcpy(&v, p, sizeof v);
  return v;
}

static double lanes(double *x) {
  vec a = load(x), b = {x[1], 2, x[0], x[3]}, c = a * b - b / (a + 3);
  c[2] *= c[0] + x[1];
  vec d = __builtin_shufflevector(c, a, 3, 5, 0, 2);
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += d[i] * c[(i + 1) & 3];
  return s;
}

static double chosen(double *x) {
  vec a = load(x), b = -a * a;
  vec c = a > b ? a * 2 : b, e = __builtin_elementwise_max(a, b * 0.5), f = __builtin_elementwise_min(a, e * e);
  vec g = __builtin_elementwise_sqrt(__builtin_elementwise_abs(a)) + __builtin_elementwise_fma(c, e, f);
  return g[0] * g[1] + g[2] * g[3] + __builtin_elementwise_exp(a)[2];
}

static double pairs(double *x) {
  pair p = {x[0], x[1]}, q = p.yx * x[2];
  p.x += q.y;
  pair r = p * q + (pair)x[3];
  return r.x * r.y + p.x;
}

static double stored(double *x) {
  vec table[3];
  for (int i = 0; i < 3; i++)
    table[i] = load(x) * (double)i + x[i];
  vec s = {0};
  for (int i = 0; i < 3; i++)
    s += table[i] * table[(i + 1) % 3];
  return s[0] + 2 * s[1] + 3 * s[2] * s[3];
}

static double masked(double *x) {
  bits k = {1, 0, x[0] > 0, 0};
  vec a = __builtin_masked_load(k, x), b = a * a;
  double out[4] = {x[1], x[1], x[1], x[1]};
  __builtin_masked_store(k, b, out);
  return out[0] * out[1] + out[2] * out[3];
}

/* one lane, or some, several times */
static double spread(double *x) {
  typedef double wide __attribute__((ext_vector_type(8)));
  vec a = load(x), b = a * a;
  wide w = {x[0], x[1], x[2], x[3], 1, x[0] * x[1], 3, x[2]};
  wide c = (wide)x[1] * w, d = __builtin_shufflevector(a, b, 1, 1, 5, 1, 6, 1, 5, 1);
  wide e = __builtin_shufflevector(c, d, 9, 9, 9, 9, 9, 9, 9, 9), f = __builtin_shufflevector(a, a, 3, 3, 3, 3, 3, 3, 3, 3);
  wide g = c * d + e * f * w;
  double s = 0;
  for (int i = 0; i < 8; i++)
    s += (i + 1) * g[i] * c[7 - i];
  return s;
}

int main(void) {
  CHECK(spread, 0.5, 1.2, -0.7, 0.9);
  CHECK(lanes, 0.5, 1.2, -0.7, 0.9);
  CHECK(chosen, 0.5, 1.2, -0.7, 0.9);
  CHECK(pairs, 0.5, 1.2, -0.7, 0.9);
  CHECK(stored, 0.5, 1.2, -0.7, 0.9);
  CHECK(masked, 0.5, 1.2, -0.7, 0.9);
  return failures;
}
