/* Formats of any width: against float, _Float16 and __bf16 of the compiler, bit by bit, also near overflow and zero. */
#include "../check.h"
#include <stdint.h>

typedef double function(double, double, double);
extern function *__enzyme_truncate_op_func(function *, int, int, int);
extern function *__enzyme_truncate_op_func_half(function *, int, int);
extern double __enzyme_truncate_mem_value(double, int, int, int);

#define OPERATIONS(X) X(plus, a + b) X(minus, a - b) X(times, a *b) X(over, a / b) X(negated, -a)
#define DEFINE(NAME, EXPRESSION)                                                                                       \
  static double NAME(double a, double b, double c) { return EXPRESSION; }                                              \
  static float NAME##_f(float a, float b, float c) { return EXPRESSION; }                                              \
  static _Float16 NAME##_h(_Float16 a, _Float16 b, _Float16 c) { return EXPRESSION; }
OPERATIONS(DEFINE)
static double root(double a, double b, double c) { return sqrt(fabs(a)); }
static float root_f(float a, float b, float c) { return sqrtf(fabsf(a)); }
static double fused(double a, double b, double c) { return fma(a, b, c); }
static float fused_f(float a, float b, float c) { return fmaf(a, b, c); }

static uint64_t state = 88172645463325252u;
static uint64_t next(void) { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; }

static float any_float(int spread) {
  float x = (float)(next() >> 40) / 16777216 + 1;
  x = ldexpf(x, (int)(next() % (2 * spread)) - spread);
  return next() & 1 ? x : -x;
}

static void equal(const char *what, double a, double b, double got, double want) {
  if (got != want && !(got != got && want != want)) {
    failures++;
    printf("WRONG %s of %a, %a: %a, expected %a\n", what, a, b, got, want);
  }
}

#define COMPARE(NAME, ...)                                                                                             \
  equal("float " #NAME, a, b, __enzyme_truncate_op_func(NAME, 64, 8, 23)(a, b, c), NAME##_f(a, b, c));
#define COMPARE_HALF(NAME, ...)                                                                                        \
  equal("half " #NAME, h, k, __enzyme_truncate_op_func_half(NAME, 64, 16)(h, k, c), (double)NAME##_h(h, k, c));

/* x rounded to 8 bits of exponent and 7 of mantissa, by its bits */
static double to_bfloat(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += 0x7fff + (bits >> 16 & 1);
  bits &= 0xffff0000;
  memcpy(&x, &bits, sizeof x);
  return x;
}

int main(void) {
  static const int spreads[] = {3, 30, 70, 149};
  for (int i = 0; i < 4000; i++) {
    int spread = spreads[i % 4];
    float a = any_float(spread), b = any_float(spread), c = any_float(spread);
    OPERATIONS(COMPARE)
    COMPARE(root)
    COMPARE(fused)
    int small = i % 4 == 0 ? 3 : i % 4 == 1 ? 9 : i % 4 == 2 ? 15 : 24;
    _Float16 h = (_Float16)any_float(small), k = (_Float16)any_float(small);
    OPERATIONS(COMPARE_HALF)
    equal("value of bfloat", a, 0, __enzyme_truncate_mem_value(a, 64, 8, 7), to_bfloat(a));
    equal("value of half", a, 0, __enzyme_truncate_mem_value(a, 64, 5, 10), (double)(_Float16)a);
    equal("value of float", a, 0, __enzyme_truncate_mem_value(a / 3.0, 64, 8, 23), (float)(a / 3.0));
  }
  static const double edges[] = {0, -0.0, INFINITY, 65504, 65519.99, 65520, 0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-1074};
  for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) {
    double got = __enzyme_truncate_mem_value(edges[i], 64, 5, 10);
    equal("edge", edges[i], 0, got, (double)(_Float16)edges[i]);
    equal("sign of edge", edges[i], 0, signbit(got), signbit(edges[i]));
  }
  /* one bit of mantissa: 1, 1.5, 2, 3, 4 … */
  equal("one bit", 1.3, 0, __enzyme_truncate_mem_value(1.3, 64, 4, 1), 1.5);
  equal("one bit", 5, 0, __enzyme_truncate_mem_value(5, 64, 4, 1), 4);
  printf("%d wrong\n", failures);
  return failures != 0;
}
