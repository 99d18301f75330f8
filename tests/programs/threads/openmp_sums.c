/* Reductions and sums of OpenMP, whose regions run on teams.
 * flags: -fopenmp -fopenmp-version=60 -latomic */
#include "../check.h"
#include <complex.h>
#include <omp.h>

enum { N = 6 };

static double red_plus_minus_times(double *x) {
  double s = x[0], m = x[1], p = x[2];
#pragma omp parallel for reduction(+ : s, m) reduction(* : p)
  for (int i = 0; i < 12; i++) {
    s += x[i % N] * i;
    m -= sin(x[i % N]);
    p *= 1 + 0.1 * x[i % N];
  }
  return s * m * p;
}

static double red_min_max(double *x) {
  double s = 1e9, m = -1e9;
#pragma omp parallel for reduction(min : s) reduction(max : m) schedule(dynamic)
  for (int i = 0; i < 12; i++) {
    s = fmin(s, x[i % N] * (i + 1));
    if (m < x[i % N] * i)
      m = x[i % N] * i;
  }
  return s * m;
}

static double red_logical(double *x) {
  int a = 1, b = 0;
  double s = 0;
  unsigned bits = 0, all = ~0u, xo = 0;
#pragma omp parallel for reduction(&& : a) reduction(|| : b) reduction(+ : s) reduction(| : bits) reduction(& : all)   \
    reduction(^ : xo)
  for (int i = 0; i < 12; i++) {
    a = a && x[i % N] > -5;
    b = b || x[i % N] > 50;
    s += x[i % N] * x[i % N];
    bits |= 1u << i;
    all &= ~(1u << i);
    xo ^= i;
  }
  return (a ? s : 0) + (b ? 100 : x[1]) + (bits == 4095 ? x[2] * x[3] : 0) + (xo == 0) * x[4] * s + (all == ~4095u) * s;
}

static double red_array(double *x) {
  double h[4] = {0}, s = 0;
  double *d = h;
#pragma omp parallel for reduction(+ : h)
  for (int i = 0; i < 20; i++)
    h[i % 4] += x[i % N] * i;
#pragma omp parallel for reduction(+ : d[1 : 2])
  for (int i = 0; i < 20; i++)
    d[1 + i % 2] += sin(x[i % N]);
  for (int i = 0; i < 4; i++)
    s += h[i] * h[3 - i] * x[i];
  return s;
}

static double red_array_vla(double *x) {
  int n = 3 + (x[0] > -100);
  double h[n], s = 0;
  for (int i = 0; i < n; i++)
    h[i] = 0;
#pragma omp parallel for reduction(+ : h[ : n])
  for (int i = 0; i < 20; i++)
    h[i % n] += x[i % N] * i;
  for (int i = 0; i < n; i++)
    s += h[i] * h[n - 1 - i] * x[i];
  return s;
}

static double red_2d(double *x) {
  double h[3][2] = {{0}}, s = 0;
#pragma omp parallel for reduction(+ : h) collapse(2)
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 4; j++)
      h[i % 3][j % 2] += x[i % N] * x[j];
  for (int i = 0; i < 3; i++)
    s += h[i][0] * h[i][1];
  return s;
}

struct pair_of_red_user {
  double a, b;
};
#pragma omp declare reduction(join : struct pair_of_red_user : omp_out.a += omp_in.a, omp_out.b *= omp_in.b)           \
    initializer(omp_priv = {0, 1})
static double red_user(double *x) {
  struct pair_of_red_user p = {1, 2};
#pragma omp parallel for reduction(join : p)
  for (int i = 0; i < 12; i++) {
    p.a += x[i % N] * i;
    p.b *= 1 + 0.1 * x[i % N];
  }
  return p.a * p.b;
}

static void start_of_red_user_orig(double *p, double *o) { *p = 0 * *o; }
#pragma omp declare reduction(absum:double : omp_out += fabs(omp_in))                                                  \
    initializer(start_of_red_user_orig(&omp_priv, &omp_orig))
static double red_user_orig(double *x) {
  double s = 0;
#pragma omp parallel for reduction(absum : s) num_threads(1)
  for (int i = 0; i < 12; i++)
    s += x[i % N] * x[i % N];
  return s * s;
}

static double red_complex(double *x) {
  double complex s = 0, p = 1;
#pragma omp parallel for reduction(+ : s) reduction(* : p)
  for (int i = 0; i < 12; i++) {
    s += x[i % N] * (1 + I * i);
    p *= 1 + 0.1 * I * x[i % N];
  }
  return creal(s * p);
}

static double sections_reduction(double *x) {
  double s = x[0];
#pragma omp parallel
#pragma omp sections reduction(+ : s) nowait
  {
    s += x[0] * x[1];
#pragma omp section
    { s += x[2] * x[3]; }
#pragma omp section
    s += sin(x[4]);
  }
  return s * s;
}

static double scan_inclusive(double *x) {
  double s = 0, y[20], r = 0;
#pragma omp parallel for reduction(inscan, + : s)
  for (int i = 0; i < 20; i++) {
    s += x[i % N] * i;
#pragma omp scan inclusive(s)
    y[i] = s * x[(i + 1) % N];
  }
  for (int i = 0; i < 20; i++)
    r += y[i] * y[i];
  return r + s;
}

static double scan_exclusive(double *x) {
  double s = 0, y[20], r = 0;
#pragma omp parallel for reduction(inscan, + : s)
  for (int i = 0; i < 20; i++) {
    y[i] = s * x[(i + 1) % N];
#pragma omp scan exclusive(s)
    s += x[i % N] * i;
  }
  for (int i = 0; i < 20; i++)
    r += y[i] * y[i];
  return r + s;
}

static double scan_simd(double *x) {
  double s = 0, y[20], r = 0;
#pragma omp simd reduction(inscan, + : s)
  for (int i = 0; i < 20; i++) {
    s += x[i % N] * i;
#pragma omp scan inclusive(s)
    y[i] = s * x[(i + 1) % N];
  }
  for (int i = 0; i < 20; i++)
    r += y[i] * y[i];
  return r + s;
}

static double single_nowait(double *x) {
  double a = 0, b = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    a = x[0] * x[1];
#pragma omp single
    b = x[2] * x[3];
#pragma omp barrier
#pragma omp single
    a *= b;
  }
  return a * a;
}

static double master_masked(double *x) {
  double a = 0, b = 0;
#pragma omp parallel
  {
#pragma omp master
    a = x[0] * x[1];
#pragma omp barrier
#pragma omp masked
    b = a * x[2];
#pragma omp barrier
#pragma omp single
    a = a + b * b;
  }
  return a * b;
}

static double masked_filter(double *x) {
  double a = 0;
  int n = omp_get_max_threads() - 1;
#pragma omp parallel
  {
#pragma omp masked filter(n)
    a = x[0] * x[1];
  }
  return a * a;
}

static double critical(double *x) {
  double s = 1, p = 1;
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
#pragma omp critical
    s += x[i % N] * i;
#pragma omp critical(product)
    p *= 1 + 0.1 * x[i % N];
  }
  return s * p;
}

static double critical_hint(double *x) {
  double s = 1;
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
#pragma omp critical(named) hint(1)
    s += x[i % N] * i;
  }
  return s * s;
}

static double critical_order(double *x) {
  double s = 1;
  int next = 0;
#pragma omp parallel
  {
    int done = 0;
    while (!done) {
      int i;
#pragma omp critical
      {
        i = next;
        if (i < 20) {
          s = s * 0.9 + x[i % N] * x[(i + 1) % N];
          next++;
        } else
          done = 1;
      }
    }
  }
  return s * s;
}

static double scope(double *x) {
  double s = 0, r = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 3; i++) {
#pragma omp atomic
      s += x[i] * x[i];
    }
#pragma omp scope reduction(+ : r)
    {
      if (omp_get_thread_num() == 0)
        r += s * x[1];
    }
  }
  return r;
}

static double proc_bind(double *x) {
  double y[20], s = 0;
#pragma omp parallel for proc_bind(spread) num_threads(2)
  for (int i = 0; i < 20; i++)
    y[i] = sin(x[i % N] * i);
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

static double plain_of_variant(const double *x, int i);
static double fast_of_variant(const double *x, int i) { return x[i % N] * i; }
#pragma omp declare variant(fast_of_variant) match(construct = {parallel})
static double plain_of_variant(const double *x, int i) { return x[i % N] * i; }
static double variant(double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 20; i++)
    s += plain_of_variant(x, i) * plain_of_variant(x, i);
#pragma omp metadirective when(user = {condition(1)} : parallel for reduction(+ : s)) otherwise(simd)
  for (int i = 0; i < 20; i++)
    s += plain_of_variant(x, i);
  return s;
}

static double assume(double *x) {
  double s = 0;
#pragma omp assume holds(1)
  {
#pragma omp parallel for reduction(+ : s) order(concurrent)
    for (int i = 0; i < 20; i++)
      s += sin(x[i % N] * i);
  }
  return s;
}

int main(void) {
  CHECK(red_plus_minus_times, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_min_max, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_logical, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_array, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_array_vla, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_2d, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_user, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_user_orig, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_complex, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(sections_reduction, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(scan_inclusive, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(scan_exclusive, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(scan_simd, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(single_nowait, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(master_masked, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(masked_filter, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(critical, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(critical_hint, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(critical_order, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(scope, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(proc_bind, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(variant, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(assume, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
