/* One block is an array at one time and a struct at another. What follows the first member does not end the array. */
#include "../check.h"

struct pointer_last {
  double a, b;
  double *p;
};
struct pointer_first {
  double *p;
  double a, b;
};
struct integer_between {
  double a;
  long n;
  double *p;
  double b;
};

NOINLINE static void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

NOINLINE static double of_pointers(void *block, void *other, const double *x, double *v, int n) {
  double **rows = block, **again = other, sum = 0;
  for (int i = 0; i < n; i++)
    v[i] = x[i] * x[0], rows[i] = &v[i];
  copy(other, block, n * sizeof *rows);
  for (int i = 0; i < n; i++)
    sum += *again[i] * (i + 1);
  return sum;
}

NOINLINE static double of_numbers(void *block, void *other, const double *x, double *v, int n) {
  double *rows = block, *again = other, sum = 0;
  for (int i = 0; i < n; i++)
    rows[i] = x[i] * x[1] + v[0];
  copy(other, block, n * sizeof *rows);
  for (int i = 0; i < n; i++)
    sum += again[i] * again[i] * (i + 1);
  return sum;
}

#define WITH(type, array_of, name)                                                                                       \
  static double name(double *x) {                                                                                        \
    void *block = malloc(4 * 8), *other = malloc(4 * 8);                                                                 \
    double v[4] = {0}, sum = 0;                                                                                          \
    for (int turn = 0; turn < 2; turn++) {                                                                               \
      sum += array_of(block, other, x, v, 4) * x[2];                                                                     \
      struct type *s = block, *t = other;                                                                                \
      s->a = sum * x[3], s->b = sin(x[0]), s->p = &v[1];                                                                 \
      copy(other, block, sizeof *s);                                                                                     \
      sum += t->a * t->b + *t->p * x[1];                                                                                 \
    }                                                                                                                    \
    free(block), free(other);                                                                                            \
    return sum;                                                                                                          \
  }
WITH(pointer_last, of_pointers, last_pointers)
WITH(pointer_last, of_numbers, last_numbers)
WITH(pointer_first, of_pointers, first_pointers)
WITH(pointer_first, of_numbers, first_numbers)
WITH(integer_between, of_pointers, between_pointers)
WITH(integer_between, of_numbers, between_numbers)

int main(void) {
  CHECK(last_pointers, 0.7, -0.4, 1.1, 0.9);
  CHECK(last_numbers, 0.7, -0.4, 1.1, 0.9);
  CHECK(first_pointers, 0.7, -0.4, 1.1, 0.9);
  CHECK(first_numbers, 0.7, -0.4, 1.1, 0.9);
  CHECK(between_pointers, 0.7, -0.4, 1.1, 0.9);
  CHECK(between_numbers, 0.7, -0.4, 1.1, 0.9);
  return failures;
}
