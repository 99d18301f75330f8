/* Bits of numbers that are put into lanes of a vector of integers, beside constants and other numbers. */
#include "../check.h"
typedef double vec __attribute__((ext_vector_type(4)));
typedef long bits __attribute__((ext_vector_type(4)));
typedef float narrow __attribute__((ext_vector_type(4)));
typedef int words __attribute__((ext_vector_type(4)));

static long bits_of(double x) {
  long b;
  memcpy(&b, &x, sizeof b);
  return b;
}

static int word_of(float x) {
  int b;
  memcpy(&b, &x, sizeof b);
  return b;
}

/* signs and constants */
NOINLINE static double signed_lanes(double *x) {
  bits b = {0, bits_of(-x[0]), bits_of(-0.0), bits_of(1.5)};
  vec v = (vec)b * x[1];
  return v[1] * v[1] + v[3] * sin(v[1]) + v[2] + v[0];
}

/* all lanes are numbers, one after the other, and one is replaced */
NOINLINE static double whole(double *x) {
  bits b = {bits_of(x[0] * x[1]), bits_of(x[1]), bits_of(x[2]), bits_of(x[0])};
  b[2] = bits_of(cos(x[2]));
  memcpy(x, &b, sizeof b);
  return x[0] * x[1] + x[2] * x[3];
}

NOINLINE static double narrow_lanes(double *x) {
  words w = {word_of((float)x[0]), word_of(2), word_of((float)x[1]), 0};
  narrow v = (narrow)w;
  return v[0] * v[2] * v[1] + v[3];
}

int main(void) {
  CHECK(signed_lanes, 0.7, 1.3);
  CHECK(whole, 0.7, 1.3, 0.4, 0.8);
  double x[2] = {0.7, 1.3}, d[2] = {0};
  __enzyme_autodiff((void *)narrow_lanes, x, d);
  same("narrow", 0, d[0], 2.6, 1e-6), same("narrow", 1, d[1], 1.4, 1e-6);
  return failures;
}
