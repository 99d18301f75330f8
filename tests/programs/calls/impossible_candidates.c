/* Functions that a pointer may reach, but never does, and that cannot be differentiated: assembly, bits of numbers, a
 * number through text, an atomic sum, jumps out. They refuse no request. */
#include "../check.h"
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

typedef double operation(const double *x);
struct operations {
  operation *apply;
};

static double square(const double *x) { return x[0] * x[0] * x[1]; }

static double assembled(const double *x) {
  double y = x[0];
  __asm__("sqrtsd %0, %0" : "+x"(y));
  return y * x[1];
}

static double by_bits(const double *x) {
  uint64_t bits;
  double y = x[0];
  memcpy(&bits, &y, sizeof y);
  bits = (bits >> 1) + (bits >> 2 & 0x5555555555555555);
  memcpy(&y, &bits, sizeof y);
  return y * x[1];
}

static double through_text(const double *x) {
  char text[64];
  snprintf(text, sizeof text, "%g", x[0]);
  return strtod(text, NULL) * x[1];
}

static _Atomic double shared;
static double atomic(const double *x) {
  shared += x[0];
  return shared * x[1];
}

static jmp_buf place;
static double jumps(const double *x) {
  if (setjmp(place))
    return x[1];
  if (x[0] > 100)
    longjmp(place, 1);
  return x[0];
}

static double exchanged(const double *x) {
  unsigned char bytes[8], turned[8];
  double y = x[0];
  memcpy(bytes, &y, 8);
  for (int i = 0; i < 8; i++)
    turned[i] = bytes[7 - i];
  memcpy(&y, turned, 8);
  return y;
}

static struct operations table[] = {{square}, {assembled}, {by_bits}, {through_text}, {atomic}, {jumps}, {exchanged}};
static int chosen;

static double f(double *x) { return table[chosen].apply(x) + sin(x[1]); }

extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern int enzyme_dup, enzyme_width;
typedef struct {
  double of[2];
} two;
extern two __enzyme_fwddiff_two(void *, ...);

int main(int argc, char **argv) {
  chosen = argv ? argc - 1 : 3;
  CHECK(f, 1.5, 0.7);

  double x[] = {1.5, 0.7}, dx[] = {0, 0};
  void *tape = __enzyme_augmentfwd((void *)f, x, dx);
  __enzyme_reverse((void *)f, x, dx, 1.0, tape);
  SAME(dx[0], 2 * x[0] * x[1]);
  SAME(dx[1], x[0] * x[0] + cos(x[1]));

  double first[] = {1, 0}, second[] = {0, 1};
  two both = __enzyme_fwddiff_two((void *)f, enzyme_width, 2, enzyme_dup, x, first, second);
  SAME(both.of[0], dx[0]);
  SAME(both.of[1], dx[1]);
  return failures;
}
