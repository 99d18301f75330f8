/* What functions that are not inlined read of their caller's memory: it stays as it is, or is overwritten later by the
 * caller, by its caller, by the next call, through another pointer. */
double shared_shadow[4];
#define BEFORE_REQUEST memset(shared_shadow, 0, sizeof shared_shadow)
#include "../check.h"

enum { N = 4 };

static NOINLINE double table(const double *a, const double *b, int n, double *count) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += a[i] * b[j] * b[i];
  *count += 1;
  return sum;
}

static double stays(double *x) {
  double count = 0;
  return table(x, x + 1, N - 1, &count) + count;
}

static double overwritten_after(double *x) {
  double count = 0, sum = table(x, x + 1, N - 1, &count);
  x[1] = sum;
  return sum + table(x, x, N, &count) * count;
}

static NOINLINE double middle(double *a, double *count) { return 0.5 * table(a, a, N, count) + table(a, a, 2, count); }

static double overwritten_above(double *x) {
  double count = 0, sum = middle(x, &count);
  x[2] *= 2;
  return sum * x[2];
}

static double left_above(double *x) {
  double count = 0, y[N];
  for (int i = 0; i < N; i++)
    y[i] = x[i] * x[i];
  return middle(y, &count) + middle(x, &count);
}

static double in_a_loop(double *x) {
  double count = 0, sum = 0;
  for (int t = 0; t < 3; t++) {
    sum += middle(x, &count);
    x[t] = sin(x[t] + sum);
  }
  return sum;
}

struct holder {
  double *data;
};

static NOINLINE double held(struct holder *h, double *count) { return table(h->data, h->data, N, count); }

static double through_a_struct(double *x) {
  double count = 0;
  struct holder h = {x};
  return held(&h, &count);
}

static double through_a_struct_overwritten(double *x) {
  double count = 0;
  struct holder h = {x};
  double sum = held(&h, &count);
  for (int i = 0; i < N; i++)
    x[i] = 3;
  return sum * x[0];
}

double shared[N];
static NOINLINE double of_global(double *count) { return table(shared, shared, N, count); }

static double global_stays(double *x) {
  double count = 0;
  memcpy(shared, x, sizeof shared);
  return of_global(&count);
}

static double global_is_overwritten(double *x) {
  double count = 0;
  memcpy(shared, x, sizeof shared);
  double sum = of_global(&count);
  shared[0] = sum;
  return sum + of_global(&count);
}

static NOINLINE double halves(double *a, int n, double *count) {
  if (n == 1) {
    *count += 1;
    return sin(a[0]) * a[0];
  }
  double left = halves(a, n / 2, count), right = halves(a + n / 2, n - n / 2, count);
  a[0] = left * right;
  return left + right * a[n - 1];
}

static double recursive(double *x) {
  double count = 0;
  return halves(x, N, &count) * count;
}

int main(void) {
  CHECK(stays, 0.5, 1.2, 0.7, -0.4);
  CHECK(overwritten_after, 0.5, 1.2, 0.7, -0.4);
  CHECK(overwritten_above, 0.5, 1.2, 0.7, -0.4);
  CHECK(left_above, 0.5, 1.2, 0.7, -0.4);
  CHECK(in_a_loop, 0.5, 1.2, 0.7, -0.4);
  CHECK(through_a_struct, 0.5, 1.2, 0.7, -0.4);
  CHECK(through_a_struct_overwritten, 0.5, 1.2, 0.7, -0.4);
  CHECK(global_stays, 0.5, 1.2, 0.7, -0.4);
  CHECK(global_is_overwritten, 0.5, 1.2, 0.7, -0.4);
  CHECK(recursive, 0.5, 1.2, 0.7, -0.4);
  return failures;
}
