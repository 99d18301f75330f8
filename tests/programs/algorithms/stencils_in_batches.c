/* Loops whose adjoints add to neighbours: their reverse runs in batches of iterations. Loops in which an iteration uses
   what another one wrote, or may have written, run one by one. */
#include "../check.h"

enum { MOST_PLACES = 300 };
extern int enzyme_width;

NOINLINE static void smooth(int n, double *restrict to, const double *restrict from, const double *restrict weight) {
  for (int i = 1; i < n - 1; i++)
    to[i] = from[i] + weight[i] * (from[i - 1] - 2 * from[i] + from[i + 1]) * sin(from[i]);
}

static void fill(double *a, int n, const double *x, int k) {
  for (int i = 0; i < n; i++)
    a[i] = sin(x[k] * (i + 1)) + x[k + 1] * i / n;
}

static double weighted(const double *a, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * cos(i);
  return sum;
}

/* several steps, of lengths about a batch and several batches */
static double diffused(const double *x, int n, int steps) {
  double a[MOST_PLACES], b[MOST_PLACES], w[MOST_PLACES];
  fill(a, n, x, 0), fill(b, n, x, 1), fill(w, n, x, 2);
  for (int s = 0; s < steps; s++)
    smooth(n, s % 2 ? a : b, s % 2 ? b : a, w);
  return weighted(a, n) + weighted(b, n);
}

static double diffused_3(double *x) { return diffused(x, 3, 3); }
static double diffused_65(double *x) { return diffused(x, 65, 2); }
static double diffused_66(double *x) { return diffused(x, 66, 2); }
static double diffused_67(double *x) { return diffused(x, 67, 3); }
static double diffused_300(double *x) { return diffused(x, 300, 2); }

/* sums over neighbours */
static double valley(double *x) {
  double a[MOST_PLACES], sum = x[0], other = 1;
  fill(a, 200, x, 0);
  for (int i = 0; i < 199; i++) {
    double t = a[i + 1] - a[i] * a[i];
    sum += 100 * t * t + (1 - a[i]) * (1 - a[i]);
  }
  for (int i = 1; i < 199; i++)
    other -= a[i - 1] * a[i + 1] * sum;
  return sum * 1e-3 + other * 1e-6;
}

/* a sum that the loop also uses is none */
static double running(double *x) {
  double a[MOST_PLACES], sum = x[1];
  fill(a, 100, x, 1);
  for (int i = 1; i < 99; i++)
    sum += 0.1 * a[i - 1] * a[i + 1] * sum;
  return sum;
}

/* each place uses the one before, as it is now */
static double in_place(double *x) {
  double a[MOST_PLACES];
  fill(a, 150, x, 0);
  for (int s = 0; s < 2; s++)
    for (int i = 1; i < 149; i++)
      a[i] = 0.5 * a[i] * cos(a[i - 1]) + 0.25 * a[i + 1];
  return weighted(a, 150);
}

/* to and from may overlap, and do */
NOINLINE static void shifted(int n, double *to, const double *from) {
  for (int i = 1; i < n; i++)
    to[i] = 0.5 * from[i] * from[i - 1] + to[i];
}

static double overlapping(double *x) {
  double a[MOST_PLACES];
  fill(a, 150, x, 0);
  shifted(140, a + 1, a);
  shifted(140, a, a + 2);
  return weighted(a, 150);
}

/* a grid, with rows of variable length */
NOINLINE static void plate(int n, double *restrict to, const double *restrict t, const double *restrict k) {
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < n - 1; i++) {
      int at = j * n + i;
      to[at] = t[at] + 0.1 * ((k[at] + k[at - 1]) * (t[at - 1] - t[at]) + (k[at] + k[at + 1]) * (t[at + 1] - t[at]) +
                              (k[at] + k[at - n]) * (t[at - n] - t[at]) + (k[at] + k[at + n]) * (t[at + n] - t[at]));
    }
}

static double heated(double *x) {
  double t[MOST_PLACES], to[MOST_PLACES] = {0}, k[MOST_PLACES];
  fill(t, 256, x, 0), fill(k, 256, x, 2);
  plate(16, to, t, k), plate(16, t, to, k), plate(9, to, t, k);
  return weighted(t, 256) + weighted(to, 256);
}

/* numbers of another size */
static double narrow(double *x) {
  float a[MOST_PLACES], sum = 0;
  for (int i = 0; i < 130; i++)
    a[i] = (float)(x[0] * i / 130 + x[1]);
  for (int i = 1; i < 129; i++)
    sum += a[i - 1] * a[i + 1];
  return x[2] * sum;
}

int main(void) {
  double at[4] = {0.4, -0.2, 0.3, 0.1}, one[4] = {0}, d[2][4] = {{0}};
  __enzyme_autodiff((void *)heated, at, one);
  __enzyme_autodiff((void *)heated, enzyme_width, 2, at, d[0], d[1]);
  for (int i = 0; i < 4; i++)
    SAME(d[0][i], one[i]), SAME(d[1][i], one[i]);
  CHECK(diffused_3, 0.4, -0.2, 0.3, 0.1);
  CHECK(diffused_65, 0.4, -0.2, 0.3, 0.1);
  CHECK(diffused_66, 0.4, -0.2, 0.3, 0.1);
  CHECK(diffused_67, 0.4, -0.2, 0.3, 0.1);
  CHECK(diffused_300, 0.4, -0.2, 0.3, 0.1);
  CHECK(valley, 0.4, -0.2);
  CHECK(running, 0.4, -0.2, 0.3);
  CHECK(in_place, 0.4, -0.2);
  CHECK(overlapping, 0.4, -0.2);
  CHECK(heated, 0.4, -0.2, 0.3, 0.1);
  double y[3] = {0.4, -0.2, 0.3}, dy[3] = {0};
  __enzyme_autodiff((void *)narrow, y, dy);
  double exact = 0, by_first = 0, by_second = 0;
  for (int i = 1; i < 129; i++) {
    double p = 0.4 * (i - 1) / 130 - 0.2, q = 0.4 * (i + 1) / 130 - 0.2;
    exact += p * q, by_first += 0.3 * (p * (i + 1) + q * (i - 1)) / 130, by_second += 0.3 * (p + q);
  }
  same("narrow", 0, dy[0], by_first, 1e-4), same("narrow", 1, dy[1], by_second, 1e-4);
  same("narrow", 2, dy[2], exact, 1e-4);
  return failures;
}
