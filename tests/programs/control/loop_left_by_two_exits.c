/* An inner loop that one iteration of the outer loop leaves by a break in the middle, and the next one by its condition.
 * The reverse sweep enters it by the middle, too, where an adjoint of the other iteration must not be left. */
#include "../check.h"

static double f(double *x) {
  double product = x[2] * x[3], first[4] = {x[1], x[2], -1.2522, x[0]};
  for (int i = 0; i < 2; i++) {
    double *moved = &x[(3 * i + 1) & 3];
    int k = 0;
    do {
      product *= fabs(x[2]) + x[0] - 0.3701 + *moved * 0.0998;
      if (i % 2 == 0)
        break;
      *moved -= 0.3 + 0.1 * k;
    } while (++k < 4 && first[(3 * k + 1) & 3] < *moved);
  }
  return product + x[1];
}

static double in_order(double *x) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double y = x[i];
    for (int k = 0; k < 5; k++) {
      sum += y * y * (k + 1);
      if (k == i)
        break;
      y = y * 0.7 + x[3];
      if (y > 2)
        break;
    }
  }
  return sum;
}

int main(void) {
  CHECK(f, 0.612, -0.834, 1.127, 0.391);
  CHECK(f, -1.213, 0.456, 0.278, -0.645);
  CHECK(in_order, 0.612, 0.834, 1.9, 0.391);
  return failures;
}
