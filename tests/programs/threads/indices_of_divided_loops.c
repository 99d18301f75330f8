/* Places that threads add to, whose indices are quotients and rests: of collapsed loops, in any order of digits, of
 * numbers below zero, in loops of large steps. Sizes are variables that regions share.
 * flags: -fopenmp */
#include "on_teams.h"

struct tensor {
  double *numbers;
  int rows, columns, planes;
};

static struct tensor made(const double *x, int rows, int columns, int planes) {
  struct tensor t = {malloc(sizeof(double) * rows * columns * planes), rows, columns, planes};
  for (int i = 0; i < rows * columns * planes; i++)
    t.numbers[i] = sin(x[i % N] + 0.1 * i);
  return t;
}

static double freed(struct tensor a, struct tensor b) {
  double s = 0;
  for (int i = 0; i < a.rows * a.columns * a.planes; i++)
    s += (1 + i % 3) * a.numbers[i];
  for (int i = 0; i < b.rows * b.columns * b.planes; i++)
    s += cos(b.numbers[i]);
  free(a.numbers);
  free(b.numbers);
  return s;
}

/* rows of (plane, row) in the order of the loops, and in another one */
static void transform(struct tensor *out, struct tensor *in, int rows, int columns, int planes) {
  double *to = out->numbers, *from = in->numbers;
  int half = columns / 2;
#pragma omp parallel for collapse(3)
  for (int p = 0; p < planes; p++)
    for (int r = 0; r < rows; r++)
      for (int h = 0; h < 2; h++) {
        double *row = to + (h * planes + p) * rows * half + r * half;
        double *read = from + p * rows * columns + r * columns + h * half, s = 0;
        for (int c = 0; c < half; c++)
          s += read[c] * read[c];
        for (int c = 0; c < half; c++)
          row[c] = row[c] * s + read[c];
        for (int c = 0; c <= r % half; c++)
          row[c] *= 0.5;
      }
}

static double collapsed(double *x) {
  struct tensor a = made(x, 5, 6, 3), b = made(x, 5, 6, 3);
  transform(&a, &b, a.rows, a.columns, a.planes);
  return freed(a, b);
}

/* each thread adds to rows of others: no digits apart */
static void mix(struct tensor *out, struct tensor *in, int rows, int columns) {
  double *to = out->numbers, *from = in->numbers;
#pragma omp parallel for collapse(2)
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < 4; k++)
      for (int c = 0; c < columns; c++)
        to[(r * 4 + k) * columns + c] += from[(r + k) % rows * columns + c] * from[c];
}

static double mixed(double *x) {
  struct tensor a = made(x, 7 * 4, 3, 1), b = made(x, 7, 3, 1);
  mix(&a, &b, 7, 3);
  return freed(a, b);
}

/* quotients of numbers below zero are rounded towards zero */
static void negative(double *to, double *from, int n, int by) {
#pragma omp parallel for
  for (int i = -n; i < n; i++)
    to[i + n] = sin(from[i / by + n]) * (i + 0.5);
}

static double below_zero(double *x) {
  enum { M = 400 };
  double *from = malloc(sizeof(double) * 2 * M), *to = malloc(sizeof(double) * 2 * M), s = 0;
  for (int i = 0; i < 2 * M; i++)
    from[i] = x[i % N] * 0.01 * i;
  negative(to, from, M, M / 133);
  for (int i = 0; i < 2 * M; i++)
    s += to[i] * (i % 5);
  free(to);
  free(from);
  return s;
}

/* a number below zero is divided, and read beside the quotient of another one */
static void beside_quotients(double *to, double *from, double *divided, int n, int by, int m) {
#pragma omp parallel for
  for (int i = -n; i < n; i++)
    for (int j = 0; j < m; j++)
      to[(i + n) * m + j] = sin(from[i + n + j / by]) * (i + 0.5) + divided[i / by + n];
}

static double below_zero_beside(double *x) {
  enum { M = 100, K = 6 };
  double *from = malloc(sizeof(double) * (2 * M + K)), *divided = malloc(sizeof(double) * 2 * M);
  double *to = malloc(sizeof(double) * 2 * M * K), s = 0;
  for (int i = 0; i < 2 * M + K; i++)
    from[i] = x[i % N] * 0.01 * i;
  for (int i = 0; i < 2 * M; i++)
    divided[i] = x[i % N];
  beside_quotients(to, from, divided, M, M / 50, K);
  for (int i = 0; i < 2 * M * K; i++)
    s += to[i] * (i % 5) * 1e-3;
  free(to);
  free(divided);
  free(from);
  return s;
}

/* a tiled product with a step of four rows, and an array of variable length in the region */
static void product(double *out, const double *in, const double *weight, const double *bias, int rows, int n,
                             int columns) {
  const int tile = 4;
#pragma omp parallel for
  for (int first = 0; first < rows; first += tile)
    for (int o = 0; o < columns; o++) {
      double result[tile];
      for (int t = 0; t < tile; t++)
        result[t] = bias ? bias[o] : 0;
      for (int i = 0; i < n; i++)
        for (int t = 0; t < tile; t++)
          result[t] += in[(first + t) * n + i] * weight[o * n + i];
      for (int t = 0; t < tile; t++)
        out[(first + t) * columns + o] = result[t];
    }
}

static double tiled(double *x) {
  struct tensor a = made(x, 16, 5, 1), b = made(x, 16, 3, 1), c = made(x, 3, 5, 1);
  product(b.numbers, a.numbers, c.numbers, c.numbers + 1, 16, 5, 3);
  product(b.numbers + 8, a.numbers, c.numbers, 0, 8, 5, 3);
  for (int i = 0; i < 15; i++)
    a.numbers[i] += c.numbers[i];
  free(c.numbers);
  return freed(a, b);
}

/* two quotients of one number, neither of which is a digit of the other */
static double two_quotients(double *x) {
  static double from[60], to[60];
  double s = 0;
  for (int i = 0; i < 60; i++)
    from[i] = x[i % N] + 0.1 * i, to[i] = 0;
#pragma omp parallel for
  for (int i = 0; i < 60; i++)
    to[i] += from[i / 2 + i / 3] * from[i / 2 * 2 % 60];
  for (int i = 0; i < 60; i++)
    s += to[i] * to[59 - i];
  return s;
}

GRADIENT(collapsed)
GRADIENT(mixed)
GRADIENT(below_zero)
GRADIENT(below_zero_beside)
GRADIENT(tiled)
GRADIENT(two_quotients)

int main(void) {
  ON_TEAMS(collapsed);
  ON_TEAMS(mixed);
  ON_TEAMS(below_zero);
  ON_TEAMS(below_zero_beside);
  ON_TEAMS(tiled);
  ON_TEAMS(two_quotients);
  return failures;
}
