/* Large structs passed and returned by value, through pointers to functions and recursion. */
#include "../check.h"

struct matrix {
  double m[2][2];
};

typedef struct matrix operation(struct matrix, struct matrix);

NOINLINE static struct matrix multiply(struct matrix a, struct matrix b) {
  struct matrix r = {{{0}}};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        r.m[i][j] += a.m[i][k] * b.m[k][j];
  return r;
}

NOINLINE static struct matrix add(struct matrix a, struct matrix b) {
  a.m[0][0] += b.m[0][0], a.m[0][1] += b.m[0][1], a.m[1][0] += b.m[1][0], a.m[1][1] += b.m[1][1];
  return a;
}

NOINLINE static struct matrix power(operation *f, struct matrix a, int n) {
  if (n == 1)
    return a;
  struct matrix h = power(f, a, n / 2);
  h = f(h, h);
  return n % 2 ? f(h, a) : h;
}

static double run(double *x) {
  struct matrix a = {{{x[0], x[1]}, {x[2], 0.4}}}, p = power(multiply, a, 5), q = power(add, a, 3);
  return p.m[0][0] * q.m[1][0] + p.m[1][1] * q.m[0][1];
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
