/* How much more eight directions cost than one in forward mode, on programs that only compute. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { N = 8, REPEATS = 7 };
extern int enzyme_width, enzyme_dup, enzyme_dupv;
typedef struct {
  double d[N];
} tangents;
extern double __enzyme_fwddiff(void *, ...);
extern tangents __enzyme_fwddiff8(void *, ...);

/* gravity among bodies on a line */
static double bodies(double *x, int steps) {
  double p[N], v[N] = {0};
  memcpy(p, x, sizeof p);
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double d = p[j] - p[i], r2 = d * d + 0.01;
        v[i] += 1e-3 * d / (r2 * sqrt(r2));
      }
    for (int i = 0; i < N; i++)
      p[i] += 1e-3 * v[i];
  }
  double s = 0;
  for (int i = 0; i < N; i++)
    s += p[i] * v[i];
  return s;
}

/* a chain of transcendental functions */
static double waves(double *x, int steps) {
  double s = x[0], c = x[1];
  for (int t = 0; t < steps; t++) {
    s = sin(s + x[2]) + 0.5 * exp(-c * c);
    c = cos(c * x[3]) + log(1 + s * s);
  }
  return s * c;
}

/* multiplications and additions only */
static double logistic(double *x, int steps) {
  double s[N];
  memcpy(s, x, sizeof s);
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < N; i++)
      s[i] = s[i] * (1 - s[i]) * 3.2 + 0.01 * s[(i + 1) % N];
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += s[i];
  return sum;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

#define BEST(best, statement)                                                                                          \
  do {                                                                                                                 \
    memcpy(x, at, sizeof x), memset(v, 0, sizeof v);                                                                   \
    for (int i = 0; i < N; i++)                                                                                        \
      v[i][i] = 1;                                                                                                     \
    double start = now();                                                                                              \
    statement;                                                                                                         \
    best = fmin(best, now() - start);                                                                                  \
  } while (0)

#define MEASURE(f, steps)                                                                                              \
  do {                                                                                                                 \
    const double at[N] = {0.1, 0.3, 0.45, 0.6, 0.71, 0.82, 0.9, 0.97};                                                 \
    double x[N], v[N][N], one = 1e9, eight = 1e9, d;                                                                   \
    tangents t;                                                                                                        \
    for (int k = 0; k < REPEATS; k++) {                                                                                \
      BEST(one, d = __enzyme_fwddiff((void *)f, enzyme_dup, x, v, steps));                                             \
      BEST(eight, t = __enzyme_fwddiff8((void *)f, enzyme_width, N, enzyme_dupv, sizeof *v, x, v, steps));             \
    }                                                                                                                  \
    int agree = fabs(t.d[0] - d) <= 1e-9 * fabs(d);                                                                    \
    printf("%-9s width 1: %5.2f ms, width %d: %5.2f ms, ratio %.2f%s\n", #f, 1e3 * one, N, 1e3 * eight, eight / one,   \
           agree ? "" : ", WRONG");                                                                                    \
  } while (0)

int main(void) {
  MEASURE(bodies, 2000);
  MEASURE(waves, 40000);
  MEASURE(logistic, 80000);
}
