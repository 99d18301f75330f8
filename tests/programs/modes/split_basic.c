/* __enzyme_augmentfwd and __enzyme_reverse: numbers and pointers, with and without the adjoint of the result. */
#include "../check.h"

struct taped {
  void *tape;
  double value;
};
struct two {
  double a, b;
};
extern void *__enzyme_augmentfwd(void *, ...);
extern struct taped __enzyme_augmentfwd_value(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern struct two __enzyme_reverse_two(void *, ...);
extern float __enzyme_reverse_float(void *, ...);

static double square(double x) { return x * x; }
static float cube(float x) { return x * x * x; }
static double product(double x, double y) { return sin(x) * y; }

static void in_place(double *x, int n) {
  for (int i = 1; i < n; i++)
    x[i] = x[i] * x[i] * x[i - 1];
}

static double collatz(double *x, int n) {
  double s = 0;
  for (; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
    s = sin(s + x[n % 3]) * x[0];
  x[0] = s;
  return s * s;
}

static void numbers(void) {
  void *tape = __enzyme_augmentfwd((void *)square, 3.0);
  SAME(__enzyme_reverse((void *)square, 3.0, tape), 6);
  tape = __enzyme_augmentfwd((void *)square, 3.0);
  SAME(__enzyme_reverse((void *)square, 3.0, 10.0, tape), 60);
  struct taped t = __enzyme_augmentfwd_value((void *)product, 2.0, enzyme_const, 5.0);
  SAME(t.value, sin(2) * 5);
  SAME(__enzyme_reverse((void *)product, 2.0, enzyme_const, 5.0, 0.5, t.tape), cos(2) * 2.5);
  t = __enzyme_augmentfwd_value((void *)product, 2.0, 5.0);
  struct two d = __enzyme_reverse_two((void *)product, 2.0, 5.0, 1.0, t.tape);
  SAME(d.a, 5 * cos(2));
  SAME(d.b, sin(2));
  tape = __enzyme_augmentfwd((void *)cube, 2.0f);
  SAME(__enzyme_reverse_float((void *)cube, 2.0f, 0.5f, tape), 6);
}

/* the primal overwrites its argument, and the program changes it once more */
static void memory(void) {
  double x[] = {2, 3, 5}, dx[] = {0, 0, 1};
  void *tape = __enzyme_augmentfwd((void *)in_place, x, dx, 3);
  SAME(x[2], 25 * 18);
  memset(x, 0, sizeof x);
  __enzyme_reverse((void *)in_place, x, dx, 3, tape);
  SAME(dx[0], 25 * 9);
  SAME(dx[1], 25 * 2 * 3 * 2);
  SAME(dx[2], 2 * 5 * 18);
}

static int steps;
static double of(double *x) { return collatz(x, steps); }

/* as the combined gradient has it, for a loop whose length is not known */
static void loop(void) {
  for (steps = 1; steps < 20; steps++) {
    double x[] = {0.9, 1.1, -0.7}, y[] = {0.9, 1.1, -0.7}, dx[3] = {0}, dy[3] = {0};
    struct taped t = __enzyme_augmentfwd_value((void *)collatz, x, dx, steps);
    __enzyme_reverse((void *)collatz, x, dx, steps, 1.0, t.tape);
    double left[] = {0.9, 1.1, -0.7};
    SAME(t.value, of(left));
    for (int i = 0; i < 3; i++)
      same("loop", i, dx[i], check_difference(of, y, 3, i), 1e-7);
    __enzyme_autodiff((void *)collatz, y, dy, steps);
    for (int i = 0; i < 3; i++)
      SAME(dx[i], dy[i]);
  }
}

int main(void) {
  numbers();
  memory();
  loop();
  return failures;
}
