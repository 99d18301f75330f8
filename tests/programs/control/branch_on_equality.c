/* Branches for one value of x that use x: their derivative is that of the side that the program takes. LLVM would put
 * the value in the place of x. Tests of equality of all kinds, also of bits, where x is a number, its bits, or memory. */
#include "../check.h"
#include <stdint.h>

#define TWO_BITS 0x4000000000000000u
typedef uint64_t __attribute__((may_alias)) anything;
typedef union {
  double d;
  uint64_t u;
} both;
extern float __enzyme_autodiff_float(void *, float);

static double two = 2;
static int is_two(double x) { return x == two; }
static NOINLINE uint64_t bits(double x) { return ((both){x}).u; }
static double number(uint64_t u) { return ((both){.u = u}).d; }

static double chosen(double x) { return x == 2 ? 3 * x : x * x * x; }
static double asserted(double x) {
  if (x != 2)
    __builtin_trap();
  return x * x;
}
static double assumed(double x) {
  __builtin_assume(x == two);
  return x * x;
}
static double bounded(double x) { return x >= 2 && x <= 2 ? 3 * x : x; }
static double neither(double x) { return !(x < two) && !(two < x) ? 3 * x : x; }
static double clamped(double x) {
  double y = x < 2 ? 2 : x;
  return y != 2 ? y * y : 5 * y;
}
static double repeated(double x) {
  while (!is_two(x))
    x /= 2;
  return sin(x);
}
static double zero(double x) { return x - 2 == 0 ? 3 * x : x; }
static double switched(double x) {
  switch (bits(x)) {
  case TWO_BITS: return 3 * number(bits(x));
  default: return x;
  }
}
static double same_bits(double x) {
  uint64_t u = bits(x), v = bits(two);
  return u == v ? 3 * number(u) : x;
}
static double no_bits(double x) {
  uint64_t u = bits(x - 2);
  return u ? x : 3 * number(u);
}
static float in_float(float x) { return x == 2 ? 3 * x : x; }

static double loaded(double *x) { return *(anything *)x == TWO_BITS ? 3 * *x : *x; }
static double compared_bytes(double *x) { return memcmp(x, &two, sizeof two) == 0 ? 3 * *x : *x; }
static double summed(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    s += x[i] == x[0] ? 3 * x[i] : x[i] * x[i];
  return s;
}

#define NUMBER(f, want)                                                                                                \
  same(#f ", reverse", 0, __enzyme_autodiff((void *)f, 2.0), want, 1e-12);                                             \
  same(#f ", forward", 0, __enzyme_fwddiff((void *)f, 2.0, 1.0), want, 1e-12)
#define MEMORY(f, want)                                                                                                \
  do {                                                                                                                 \
    double x[3] = {2, 2, 1}, dx[3] = {0}, t[3] = {1, 0, 0};                                                            \
    __enzyme_autodiff((void *)f, enzyme_dup, x, dx);                                                                   \
    same(#f ", reverse", 0, dx[0], want, 1e-12);                                                                       \
    same(#f ", forward", 0, __enzyme_fwddiff((void *)f, enzyme_dup, x, t), want, 1e-12);                               \
  } while (0)

int main(void) {
  NUMBER(chosen, 3);
  NUMBER(asserted, 4);
  NUMBER(assumed, 4);
  NUMBER(bounded, 3);
  NUMBER(neither, 3);
  NUMBER(clamped, 5);
  NUMBER(repeated, cos(2));
  NUMBER(zero, 3);
  NUMBER(switched, 3);
  NUMBER(same_bits, 3);
  NUMBER(no_bits, 3);
  same("in_float", 0, __enzyme_autodiff_float((void *)in_float, 2), 3, 1e-6);
  MEMORY(loaded, 3);
  MEMORY(compared_bytes, 3);
  MEMORY(summed, 3);
  return failures;
}
