/* A program without requests, in a format of 4 bits of exponent and 7 of mantissa: numbers below 256, with 8 bits.
 *
 * flags: --enzyme-truncate-all=11-52to4-7 */
#include <stdio.h>

static volatile double one = 1, three = 3, large = 200;

static double at_most(double x) { return x > large ? 1 : 0; }

int main(void) {
  double third = one / three, sum = large + one;
  int wrong = third != 0x1.56p-2;                  /* 8 bits, to nearest */
  wrong += sum != 201 || sum + large * 0.01 != 203; /* 203.0 of 201 + 2.0 */
  wrong += large + large != __builtin_inf();
  wrong += at_most(200.4) != 0; /* comparisons round their operands */
  printf("%a %a: %d wrong\n", third, sum, wrong);
  return wrong;
}
