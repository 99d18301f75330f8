/* A select takes what a loop computed, or not: the reverse of the loop is left out where it did not. */
#include "../check.h"

static volatile int count = 4, size = 3;
static const double places[] = {0.1, 0.9, 0.4, 0.8, 0.2, 0.3, 0.5, 0.5, 0.5, 0.7, 0.6, 0.1};

/* the result is the select's first operand */
static double nearest(double *x) {
  double total = 0;
  int n = count, d = size;
  for (int i = 0; i < n; i++) {
    double least = INFINITY;
    for (int c = 0; c < 2; c++) {
      double distance = 0;
      for (int j = 0; j < d; j++) {
        double delta = places[i * d + j] - x[c * d + j];
        distance += delta * delta;
      }
      if (distance < least)
        least = distance;
    }
    total += least * least;
  }
  return total;
}

/* it is the second one, the sum begins with a number that has a derivative, and the loop holds another */
static double largest(double *x) {
  double most = x[0];
  int n = count, d = size;
  for (int i = 0; i < n; i++) {
    double sum = x[i % 2] * x[1];
    for (int j = 0; j < d; j++) {
      double power = x[2];
      for (int k = 0; k <= j; k++)
        power *= x[j];
      sum += sin(places[i * d + j] * power);
    }
    most = most >= sum ? most : sum;
  }
  return most * most;
}

/* the result is used in another place too */
static double used_twice(double *x) {
  double most = 0, all = 0;
  int n = count, d = size;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < d; j++)
      sum += places[i * d + j] * x[j] * x[j];
    most = sum > most ? sum : most;
    all += sum;
  }
  return most * all;
}

/* square of a distance that is zero: its adjoint is zero, but the second derivative is not */
static double zero_adjoint(double *x) {
  double least = 1e9;
  int n = count, d = size;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < d; j++)
      sum += places[i * d] * (x[j] - x[0]);
    if (sum < least)
      least = sum;
  }
  return least * least;
}

/* replaced in most iterations: the last replacement has the adjoint; two values run at once, and one more inside */
static double replaced_often(double *x) {
  int n = count, d = size;
  double total = 0;
  for (int r = 0; r < 2; r++) {
    double least = 100 * x[2], most = -100;
    for (int i = 0; i < n; i++) {
      double low = 0, high = 0;
      for (int j = 0; j < d; j++)
        low += (n - i) * x[j] * x[r];
      for (int j = 0; j < d; j++)
        high += (i + 1) * x[j] * x[j];
      least = low < least ? low : least;
      most = high < most ? most : high;
    }
    total += least * least * most;
  }
  return total;
}

/* what runs is used in each iteration: all replacements have adjoints */
static double used_on_the_way(double *x) {
  int n = count, d = size;
  double least = 100, total = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < d; j++)
      sum += (n - i) * x[j] * x[j];
    total += least * x[0];
    least = sum < least ? sum : least;
  }
  return total + least;
}

/* the loop ends in the middle, with what ran until then, and goes on from it */
static double ends_early(double *x) {
  int n = count, d = size, i = 0;
  double least = 100;
  for (int r = 0; r < 2; r++) {
    for (;; i++) {
      double sum = 0;
      for (int j = 0; j < d; j++)
        sum += (n - i) * x[j] * x[j];
      if (sum < 2.5 - r)
        break;
      least = sum < least ? sum : least;
    }
    least *= least * x[1];
  }
  return least;
}

static void gradient(double *x, double *dx) { __enzyme_autodiff((void *)zero_adjoint, enzyme_dup, x, dx); }

int main(void) {
  CHECK(nearest, 0.2, 0.8, 0.5, 0.7, 0.3, 0.2);
  CHECK(largest, 0.9, 1.2, 0.7);
  CHECK(largest, 9.0, -1.2, 0.7);
  CHECK(used_twice, 0.9, 1.2, 0.7);
  CHECK(replaced_often, 0.9, 1.2, 0.7);
  CHECK(used_on_the_way, 0.9, 1.2, 0.7);
  CHECK(ends_early, 0.9, 0.8, 0.7);

  double x[3] = {0.5, 0.5, 0.5}, v[3] = {0, 1, 0}, dx[3] = {0}, tangent[3] = {0};
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, dx, tangent);
  double slope = places[0]; /* of the first sum, as all are zero */
  SAME(dx[1], 0);
  SAME(tangent[1], 2 * slope * slope);
  SAME(tangent[0], -2 * slope * 2 * slope);
  return failures;
}
