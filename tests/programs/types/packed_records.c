/* Numbers of packed structs share words, at bytes of their own. Arrays of them are copied and moved. */
#include "../check.h"
#include <stdlib.h>
#include <string.h>

enum { N = 5 };
struct __attribute__((packed)) record {
  char tag;
  double value;
  short kind;
  float weight;
  unsigned low : 3, high : 5;
  double square;
};

NOINLINE static void set(struct record *all, int k, double value) {
  all[k].tag = (char)k;
  all[k].value = value;
  all[k].kind = (short)(k + 1);
  all[k].weight = (float)value;
  all[k].low = (unsigned)k & 7;
  all[k].high = (unsigned)k * 3;
  all[k].square = value * value;
}

static double f(double *x) {
  struct record all[N], moved[N];
  double sum = 0;
  for (int k = 0; k < N; k++)
    set(all, k, x[k]);
  memcpy(moved, all + 1, sizeof *all * (N - 1));
  moved[N - 1] = all[0];
  memmove(moved + 1, moved, sizeof *all * 3);
  for (int k = 0; k < N; k++) {
    struct record one = moved[k];
    sum += one.value * one.square + one.kind * one.square + one.high * one.value + 2 * one.weight;
  }
  return sum;
}

/* Numbers that are overwritten have adjoints of zero, of either sign. */
struct __attribute__((packed)) pair {
  double first, second;
  short kind;
  int at;
};
enum { M = 24 };

static double overwritten(double *x) {
  struct pair r[M] = {0}, *h = calloc(M, sizeof *h);
  double sum = 0;
  for (int i = 0; i < M; i++)
    h[i].second = x[i % 4], h[i].first = 0.3 * x[0] * i + x[5];
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < M; i++)
    r[(i * 7 + 3) % M] = h[i * i % M];
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < M; i++) {
    double u = sin(h[i / 2].first + r[i].first);
    r[i].first = 0.5 * u * sin(u) + u;
  }
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < M; i++)
    r[M - 1 - i] = h[i];
  for (int i = 0; i < M; i++)
    sum += r[i].first * h[i].second + sin(r[i].second) * h[i].first;
  free(h);
  return sum;
}

int main(void) {
  CHECK(overwritten, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  double x[N] = {0.5, 0.75, 1.25, 1.5, 2}, dx[N] = {0}, tangent[N] = {1, -2, 0.5, 3, -1}, along = 0;
  __enzyme_autodiff((void *)f, x, dx);
  const int times[N] = {1, 2, 1, 1, 0}; /* how often each is in `moved` */
  for (int k = 0; k < N; k++) {
    same("f", k, dx[k], times[k] * (3 * x[k] * x[k] + 2 * (k + 1) * x[k] + 3 * k + 2), 1e-14);
    along += tangent[k] * dx[k];
  }
  same("forward mode", 0, __enzyme_fwddiff((void *)f, x, tangent), along, 1e-14);
  return failures;
}
