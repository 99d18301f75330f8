/* Arithmetic on _Atomic numbers, of which compilers make loops of exchanges by comparison; and such exchanges by hand. */
#include "../check.h"
#include <stdatomic.h>

static double summed(double *x) {
  _Atomic double s = 0;
  for (int i = 0; i < 3; i++)
    s += x[i] * x[i];
  return s * x[1];
}

static double all_operators(double *x) {
  _Atomic double sum = 0, product = 1;
  for (int i = 0; i < 3; i++) {
    sum += x[i] * x[i];
    product *= x[i];
    sum -= 0.5 * x[i];
  }
  product /= x[0] + x[1];
  return sum * product;
}

static double of_floats(double *x) {
  _Atomic float s = 1;
  for (int i = 0; i < 3; i++)
    s *= (float)x[i];
  s /= (float)(x[1] * x[1]);
  return s;
}

static double in_struct(double *x) {
  struct {
    int count;
    _Atomic double largest;
  } found = {0, x[0]};
  for (int i = 1; i < 3; i++) {
    double seen = found.largest;
    while (x[i] * x[i] > seen && !atomic_compare_exchange_weak(&found.largest, &seen, x[i] * x[i]))
      ;
    found.count++;
  }
  return found.largest * found.count * x[0];
}

/* An exchange that fails returns what is there. */
static double exchanged(double *x) {
  _Atomic double a = x[0];
  double old = atomic_exchange(&a, x[1] * x[0]), wanted = old + 5, right = a;
  int made = atomic_compare_exchange_strong(&a, &wanted, x[2]);
  made += 2 * atomic_compare_exchange_strong(&a, &right, x[2] * x[2]);
  return old * right + made * a + wanted * a;
}

static _Atomic double total;
static double in_global(double *x) {
  total = x[0];
  total *= x[1];
  total += x[2];
  return total * total;
}

int main(void) {
  CHECK(summed, 0.9, 1.2, 0.7);
  CHECK(all_operators, 0.9, 1.2, 0.7);
  CHECK_AS(double, check, 1e-4, of_floats, 0.5, 1.25, 0.75);
  CHECK(in_struct, 0.9, 1.2, 0.7);
  CHECK(exchanged, 0.9, 1.2, 0.7);
  CHECK(in_global, 0.9, 1.2, 0.7);
  return failures;
}
