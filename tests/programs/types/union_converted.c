/* A word of a union in a register: the bits of a number, or an integer that is converted. */
#include "../check.h"

struct value {
  int tag;
  union {
    double number;
    double *place;
    long count;
  } u;
};

static double value_of(const struct value *v) {
  switch (v->tag) {
  case 0:
    return v->u.number;
  case 1:
    return *v->u.place;
  default:
    return v->u.count;
  }
}

static NOINLINE double chosen(double a, double b, double *x) {
  struct value any[3];
  any[0].tag = 0, any[0].u.number = a * b;
  any[1].tag = 1, any[1].u.place = &x[b > 0];
  any[2].tag = 2, any[2].u.count = 2;
  if (a > 0)
    any[0] = any[2];
  if (b > 1)
    any[1].tag = 0, any[1].u.number = a;
  return tanh(value_of(any)) + sin(value_of(&any[1])) * value_of(&any[2]);
}

static double total(double *x) { return chosen(x[0], x[1], x) * chosen(x[2], x[0], x) + chosen(x[1], x[2], x); }

int main(void) {
  CHECK(total, 0.5, 1.2, -0.7);
  CHECK(total, -0.5, 0.2, 0.7);
  return failures;
}
