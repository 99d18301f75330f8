/* __enzyme_virtualreverse: both halves of reverse mode as functions to call; also as the shadow of a function pointer. */
#include "../check.h"

extern void *__enzyme_virtualreverse(void *);

struct taped {
  void *tape;
  double value;
};
struct two {
  double a, b;
};
struct three_words {
  void *tape;
  float *value, *shadow;
};

static double f(double x, const double *y, int n, double z) { return x * y[n] * z; }
static void g(float *x) { x[0] = x[0] * x[0]; }
static float *h(float *x) {
  x[1] = 3 * x[0];
  return x + 1;
}
struct mixed {
  float a, b;
  double c;
};
static double k(float a, float b, double c) { return a * b * c; }

static double apply(double (*action)(double), double x) { return action(x); }
static double cube(double x) { return x * x * x; }

int main(void) {
  struct {
    struct taped (*augmented)(double, const double *, double *, int, double);
    struct two (*reverse)(double, const double *, double *, int, double, double, void *);
  } *of_f = __enzyme_virtualreverse((void *)f);
  double y[2] = {5, 7}, dy[2] = {0};
  struct taped t = of_f->augmented(2, y, dy, 1, 3);
  SAME(t.value, 42);
  struct two d = of_f->reverse(2, y, dy, 1, 3, 10, t.tape);
  SAME(d.a, 210);
  SAME(d.b, 140);
  SAME(dy[1], 60);

  struct {
    void *(*augmented)(float *, float *);
    void (*reverse)(float *, float *, void *);
  } *of_g = __enzyme_virtualreverse((void *)g);
  float x[2] = {3}, dx[2] = {1};
  void *tape = of_g->augmented(x, dx);
  of_g->reverse(x, dx, tape);
  SAME(x[0], 9);
  SAME(dx[0], 6);

  struct {
    struct three_words (*augmented)(float *, float *);
    void (*reverse)(float *, float *, void *);
  } *of_h = __enzyme_virtualreverse((void *)h);
  dx[0] = 0;
  struct three_words w = of_h->augmented(x, dx);
  SAME(*w.value, 27);
  *w.shadow = 2;
  of_h->reverse(x, dx, w.tape);
  SAME(dx[0], 6);

  struct {
    struct taped (*augmented)(float, float, double);
    struct mixed (*reverse)(float, float, double, double, void *);
  } *of_k = __enzyme_virtualreverse((void *)k);
  t = of_k->augmented(2, 3, 5);
  struct mixed m = of_k->reverse(2, 3, 5, 1, t.tape);
  SAME(m.a, 15);
  SAME(m.b, 10);
  SAME(m.c, 6);

  SAME(__enzyme_autodiff((void *)apply, enzyme_dup, cube, __enzyme_virtualreverse((void *)cube), enzyme_out, 2.0), 12);
  return failures;
}
