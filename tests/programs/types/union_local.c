/* Local unions of a number, a pointer and an integer: the compiler keeps them in registers. */
#include "../check.h"

struct any {
  int tag;
  union {
    double number;
    const double *place;
    long count;
  } u;
};

static double value(const struct any *a) {
  switch (a->tag) {
  case 0:
    return a->u.number;
  case 1:
    return *a->u.place;
  default:
    return (double)a->u.count;
  }
}

static double numbers(double *x) {
  struct any a = {.tag = 2}, b = {.tag = 2};
  a.u.count = 3, b.u.count = 2;
  double s = 0;
  for (int i = 0; i < 5; i++) {
    if (x[i % 3] * s < 0.3)
      a.tag = 0, a.u.number = x[0] * x[i % 3] + s;
    s += sin(value(&a)) * value(&b);
    if (i & 1)
      b = a;
    else
      a.tag = 2, a.u.count = i;
  }
  return s;
}

static double all(double *x) {
  struct any v[2] = {{.tag = 2}, {.tag = 1}};
  v[0].u.count = 3, v[1].u.place = &x[2];
  double s = x[1];
  for (int i = 0; i < 6; i++) {
    struct any t = v[0];
    v[0] = v[1], v[1] = t;
    s += sin(value(&v[0])) * x[i % 3];
    if (i == 2)
      v[0].tag = 0, v[0].u.number = s * x[0];
    if (i == 4)
      v[0].tag = 1, v[0].u.place = x;
  }
  return s * value(&v[1]);
}

int main(void) {
  CHECK(numbers, 0.5, 1.2, -0.7);
  CHECK(all, 0.5, 1.2, -0.7);
  return failures;
}
