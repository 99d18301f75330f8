/* Floats that pass through arrays of integers, from one to the next: declared integers all the way, no bits are cast. */
#include "../check.h"

enum { N = 3 };

__attribute__((noinline)) static void turn(int *to, const int *from) {
  for (int i = 0; i < N; i++)
    to[i] = from[N - 1 - i];
}

/* Behind the floats lies a true integer. */
struct record {
  int bits[N], chosen;
};

__attribute__((noinline)) static void copy(struct record *to, const struct record *from) {
  turn(to->bits, from->bits);
  to->chosen = from->chosen;
}

static float through_arrays(float *x) {
  float numbers[N], found[N];
  int first[N], second[N], third[N];
  for (int i = 0; i < N; i++)
    numbers[i] = x[i] * x[i];
  memcpy(first, numbers, sizeof first);
  turn(second, first);
  turn(third, second);
  turn(first, third);
  memcpy(found, first, sizeof found);
  return found[0] * x[1] + 2 * found[1] * found[2];
}

static double twin_through_arrays(double *x) { return x[2] * x[2] * x[1] + 2 * x[1] * x[1] * x[0] * x[0]; }

static float through_records(float *x) {
  struct record a = {.chosen = 2}, b;
  float numbers[N], found[N];
  for (int i = 0; i < N; i++)
    numbers[i] = x[i] * x[(i + 1) % N];
  memcpy(a.bits, numbers, sizeof a.bits);
  copy(&b, &a);
  copy(&a, &b);
  copy(&b, &a);
  memcpy(found, b.bits, sizeof found);
  return found[b.chosen] * found[0] + found[1];
}

static double twin_through_records(double *x) { return x[0] * x[1] * x[2] * x[0] + x[1] * x[2]; }

int main(void) {
  CHECK_FLOAT(through_arrays, twin_through_arrays, 0.5, 1.2, -0.7);
  CHECK_FLOAT(through_records, twin_through_records, 0.5, 1.2, -0.7);
  return failures;
}
