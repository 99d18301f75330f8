/* A word gets a float in its high half on some ways only, and then a tag. So do structs of a small integer and a float
 * that are returned in a register. */
#include "../check.h"
#include <stdint.h>

struct tagged {
  char kind;
  union {
    float one, two[2];
  } u;
};

static uint64_t packed(int kind, float x) {
  uint64_t word = 0;
  if (kind != 5) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    word = (uint64_t)bits << 32;
  }
  return word | (kind & 255);
}

struct parts {
  uint32_t tag;
  float number;
};

static NOINLINE void fill(struct parts *all, const int *kinds, const double *x) {
  for (int i = 0; i < 8; i++) {
    uint64_t word = packed(kinds[i], (float)(x[0] * x[1] + i * x[1]));
    memcpy(&all[i], &word, sizeof word);
  }
}

static NOINLINE double total(const struct parts *all) {
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += all[i].tag == 5 ? 0.25 : all[i].number;
  return sum;
}

static double words(double *x) {
  static const int kinds[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  struct parts all[8];
  fill(all, kinds, x);
  return total(all);
}

static NOINLINE struct tagged make(int kind, double a, double b) {
  struct tagged made;
  made.kind = kind;
  switch (kind) {
  case 0:
    made.u.one = a;
    break;
  case 1:
    made.u.two[0] = a, made.u.two[1] = b;
    break;
  }
  return made;
}

static NOINLINE double value(struct tagged t) {
  return t.kind == 0 ? t.u.one * 0.9 : t.kind == 1 ? t.u.two[0] * sin(t.u.two[1]) : 0;
}

static NOINLINE void step(struct tagged *stack, int *top, int i, const double *x) {
  if (i & 2)
    stack[(*top)++] = make(i % 2, x[0], sin(x[1] + i));
  stack[*top - 1] = make(0, value(stack[*top - 1]), x[1]);
}

static double stacked(double *x) {
  struct tagged stack[12];
  int top = 1;
  double sum = 0;
  stack[0] = make(1, x[1], x[0]);
  for (int i = 0; i < 7; i++)
    step(stack, &top, i, x);
  while (top)
    sum += value(stack[--top]);
  return sum;
}

int main(void) {
  double x[] = {0.75, -0.5}, dx[2] = {0}, forward[2] = {0};
  __enzyme_autodiff((void *)words, enzyme_dup, x, dx);
  for (int i = 0; i < 2; i++) {
    double v[2] = {0};
    v[i] = 1;
    forward[i] = __enzyme_fwddiff((void *)words, enzyme_dup, x, v);
  }
  double want[] = {7 * x[1], 7 * x[0] + 24}; /* the sum of i without 4, where the kind is 5 */
  for (int i = 0; i < 2; i++)
    same("words, reverse", i, dx[i], want[i], 1e-6), same("words, forward", i, forward[i], want[i], 1e-6);

  double d[2] = {0};
  __enzyme_autodiff((void *)stacked, enzyme_dup, x, d);
  for (int i = 0; i < 2; i++) {
    double v[2] = {0}, y[2] = {x[0], x[1]}, h = 0.02;
    v[i] = 1;
    y[i] = x[i] + h;
    double up = stacked(y);
    y[i] = x[i] - h;
    same("stacked, reverse", i, d[i], (up - stacked(y)) / (2 * h), 1e-3);
    same("stacked, forward", i, __enzyme_fwddiff((void *)stacked, enzyme_dup, x, v), d[i], 1e-6);
  }
  return failures;
}
