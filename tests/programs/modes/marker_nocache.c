/* enzyme_nocache: the program leaves an argument's memory alone until the reverse half, and the tape does not hold it. */
#include "../check.h"

extern int enzyme_nocache;
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
void enzyme_tape_released(unsigned long bytes);

enum { N = 1000 };
static double x[N], dx[N], y[N], dy[N], c[N];
static unsigned long released;
void enzyme_tape_released(unsigned long bytes) { released += bytes; }

static void f(double *restrict y, const double *restrict x, const double *restrict c) {
  for (int i = 0; i < N; i++)
    y[i] = c[i] * x[i] * x[i];
}

static void prepare(void) {
  for (int i = 0; i < N; i++)
    x[i] = i, c[i] = 2 * i, dx[i] = 0, dy[i] = 1;
  released = 0;
}

static void check(void) {
  for (int i = 0; i < N; i += 37)
    same("reverse", i, dx[i], 4.0 * i * i, 1e-14);
}

int main(void) {
  prepare();
  void *tape = __enzyme_augmentfwd((void *)f, y, dy, x, dx, enzyme_const, c);
  memset(x, 0, sizeof x);
  memset(c, 0, sizeof c);
  __enzyme_reverse((void *)f, y, dy, x, dx, enzyme_const, c, tape);
  check();
  same("the tape holds numbers", 0, released > N * sizeof(double), 1, 0);

  prepare();
  tape = __enzyme_augmentfwd((void *)f, enzyme_nocache, y, dy, enzyme_nocache, x, dx, enzyme_nocache, enzyme_const, c);
  __enzyme_reverse((void *)f, enzyme_nocache, y, dy, enzyme_nocache, x, dx, enzyme_nocache, enzyme_const, c, tape);
  check();
  same("the tape holds no numbers", 0, released < 200, 1, 0);
  return failures;
}
