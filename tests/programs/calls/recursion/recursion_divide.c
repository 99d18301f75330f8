/* Divide and conquer: a fast Fourier transform, merge sort, a segment tree, early exits. */
#include "../../check.h"
#include <complex.h>

NOINLINE static void transform(double complex *out, const double complex *in, int n, int stride) {
  if (n == 1) {
    *out = *in;
    return;
  }
  transform(out, in, n / 2, 2 * stride);
  transform(out + n / 2, in + stride, n / 2, 2 * stride);
  for (int k = 0; k < n / 2; k++) {
    double complex twisted = cexp(-2 * M_PI * I * k / n) * out[k + n / 2], even = out[k];
    out[k] = even + twisted;
    out[k + n / 2] = even - twisted;
  }
}

static double spectrum(double *x) {
  double complex in[8], out[8];
  for (int i = 0; i < 8; i++)
    in[i] = x[i] + I * x[7 - i] * x[i];
  transform(out, in, 8, 1);
  double s = 0;
  for (int i = 0; i < 8; i++)
    s += creal(out[i]) * creal(out[i]) * (i + 1) + cimag(out[i]) * creal(out[(i + 3) % 8]);
  return s;
}

NOINLINE static void merge_sort(double *v, double *work, int n) {
  if (n < 2)
    return;
  int half = n / 2, i = 0, j = half;
  merge_sort(v, work, half);
  merge_sort(v + half, work, n - half);
  for (int k = 0; k < n; k++)
    work[k] = j >= n || (i < half && v[i] <= v[j]) ? v[i++] : v[j++];
  memcpy(v, work, n * sizeof *v);
}

static double sorted(double *x) {
  double work[8], s = 0;
  merge_sort(x, work, 8);
  for (int i = 0; i < 8; i++)
    s += x[i] * x[i] * (i + 1);
  return s;
}

/* The product of a segment, with memory of its own for each level. */
NOINLINE static double segment(const double *v, int n) {
  if (n <= 2)
    return n == 2 ? v[0] * v[1] : v[0];
  double *part = malloc((n / 2 + n % 2) * sizeof *part), r;
  for (int i = 0; i + 1 < n; i += 2)
    part[i / 2] = sin(v[i]) * v[i + 1];
  if (n % 2)
    part[n / 2] = v[n - 1];
  r = segment(part, n / 2 + n % 2);
  free(part);
  return r + v[0];
}
static double folded(double *x) { return segment(x, 8); }

/* Depth-first search that stops at the first leaf below a bound. */
NOINLINE static int search(const double *x, double sum, int depth, double bound, double *found) {
  if (sum > bound)
    return 0;
  if (depth == 8) {
    *found = sum * sum;
    return 1;
  }
  return search(x, sum + 2 * x[depth] * x[depth], depth + 1, bound, found) || search(x, sum + sin(x[depth]), depth + 1, bound, found);
}
static double first_found(double *x) {
  double found = 0;
  return search(x, 0, 0, 6.5, &found) ? found : -1;
}

/* Newton's method by recursion: it ends when the step is small. */
NOINLINE static double root(double at, double of) {
  double step = (at * at - of) / (2 * at);
  return fabs(step) < 1e-13 ? at : root(at - step, of);
}
static double roots(double *x) { return root(1, x[0]) * root(x[1], x[2]); }

int main(void) {
  CHECK(spectrum, 0.9, 1.2, 0.7, 0.4, -0.3, 0.2, 1.1, 0.8);
  CHECK(sorted, 0.9, 1.2, 0.7, 0.4, -0.3, 0.2, 1.1, 0.8);
  CHECK(folded, 0.9, 1.2, 0.7, 0.4, -0.3, 0.2, 1.1, 0.8);
  CHECK(first_found, 0.9, 1.2, 0.7, 0.4, -0.3, 0.2, 1.1, 0.8);
  CHECK(roots, 2.0, 1.2, 0.7);
  return failures;
}
