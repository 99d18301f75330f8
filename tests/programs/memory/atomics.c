/* Atomic counters carry nothing; atomic sums of numbers, and numbers exchanged. */
#include "../check.h"
#include <stdatomic.h>

static _Atomic int calls;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static double counted(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    atomic_fetch_add(&calls, 1);
    int expected = 3;
    while (atomic_flag_test_and_set(&busy)) {
    }
    s += x[i] * x[i] * (i + 1);
    atomic_flag_clear(&busy);
    atomic_compare_exchange_strong(&calls, &expected, 0);
  }
  return s;
}

static double summed(double *x) {
  double sum[2] = {x[0], x[1]};
  for (int i = 0; i < 3; i++) {
    __atomic_fetch_add(&sum[i & 1], x[i] * x[0], __ATOMIC_RELAXED);
    __atomic_fetch_sub(&sum[0], sin(x[2]), __ATOMIC_SEQ_CST);
  }
  return sum[0] * sum[1];
}

static double used(double *x) {
  double sum = x[0], r = 0;
  for (int i = 0; i < 3; i++)
    r += __atomic_fetch_add(&sum, x[i] * x[i], __ATOMIC_RELAXED) * x[1];
  return r * sum;
}

static double loaded(double *x) {
  _Atomic double a = x[0];
  double s = 0;
  for (int i = 0; i < 3; i++) {
    s += atomic_load(&a) * x[1];
    atomic_store(&a, s * x[2]);
  }
  return s * atomic_exchange(&a, 1.0);
}

int main(void) {
  CHECK(counted, 0.5, 1.2, -0.7);
  CHECK(summed, 0.5, 1.2, -0.7);
  CHECK(used, 0.5, 1.2, -0.7);
  CHECK(loaded, 0.5, 1.2, -0.7);
  return failures;
}
