/* A constant number, or a constant integer, is stored in a union over a number: its bits are an integer to LLVM. The
 * derivative of the number before ends there.
 */
#include "../check.h"

struct value {
  int kind;
  union {
    float p[2];
    struct {
      float a;
      int n;
    } s;
    long l;
    double d;
  } u;
};

NOINLINE static double number(const struct value *v) {
  switch (v->kind) {
  case 0:
    return v->u.p[0] * sin(v->u.p[1]);
  case 1:
    return v->u.s.a * v->u.s.n;
  case 2:
    return 0.1 * (double)v->u.l;
  default:
    return v->u.d;
  }
}

/* One half of the word is a number that is computed, the other half a constant. */
static float half(float *x) {
  struct value v[2];
  double s = 0;
  v[0].kind = 0, v[0].u.p[0] = x[0], v[0].u.p[1] = x[1];
  v[1].kind = 1, v[1].u.s.a = x[0], v[1].u.s.n = 3;
  for (int i = 0; i < 3; i++) {
    struct value *t = v + (i & 1);
    double n = number(t);
    s += n;
    if (x[0] > 0)
      t->kind = 0, t->u.p[0] = (float)n, t->u.p[1] = 1.5f;
    else
      t->kind = 1, t->u.s.a = 1, t->u.s.n = 4;
  }
  return (float)(s + number(v) + number(v + 1));
}

static double twin_half(double *x) {
  double c = sin(1.5), first = x[0] * sin(x[1]);
  return first * (1 + c + c * c) + 3 * x[0] * (1 + c);
}

/* The whole word is packed, or is an integer. */
static float whole(float *x) {
  struct value v[3];
  double s = 0;
  for (int i = 0; i < 3; i++)
    v[i].kind = 0, v[i].u.p[0] = x[0] + (float)i, v[i].u.p[1] = x[1];
  for (int i = 0; i < 6; i++) {
    struct value *t = v + i % 3, next = {.kind = 0};
    double n = number(t);
    s += n;
    if (x[0] > 0)
      next.u.p[0] = (float)n, next.u.p[1] = 1.5f;
    else
      next.kind = 2, next.u.l = 4;
    *t = next;
    if (i == 3)
      memcpy(v, v + 1, sizeof *v);
  }
  return (float)(s + number(v) + number(v + 1) + number(v + 2));
}

static double twin_whole(double *x) {
  double v[3], s = 0, c = sin(1.5);
  for (int i = 0; i < 3; i++)
    v[i] = (x[0] + i) * sin(x[1]);
  for (int i = 0; i < 6; i++) {
    s += v[i % 3];
    v[i % 3] *= c;
    if (i == 3)
      v[0] = v[1];
  }
  return s + v[0] + v[1] + v[2];
}

int main(void) {
  CHECK_FLOAT(half, twin_half, 0.5, 1.2);
  CHECK_FLOAT(whole, twin_whole, 0.5, 1.2);
  return failures;
}
