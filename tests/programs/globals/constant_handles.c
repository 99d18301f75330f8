/* Handles that count as constant, in which the differentiated function keeps numbers and pointers for a while. */
#include "../check.h"

struct solver {
  double x, *work, scale;
  const double *data;
  double (*step)(struct solver *);
  struct solver *next;
};

static double square(struct solver *s) { return s->scale * s->x * s->x; }
static double summed(struct solver *s) { return s->work[0] * s->work[1] + s->data[0]; }

static NOINLINE double run(struct solver *s) { return s->step(s); }

/* a number, read by a function that gets the handle only */
static NOINLINE double by_callback(struct solver *s, double x) {
  s->x = x * x;
  return run(s) + s->x;
}

/* numbers behind a pointer of a handle of the handle */
static NOINLINE double behind(struct solver *s, double x) {
  struct solver *inner = s->next;
  inner->work[0] = sin(x);
  inner->work[1] = s->scale * x;
  return run(inner);
}

/* blocks of numbers */
static NOINLINE double copied(struct solver *s, double x) {
  double first[4] = {x, x * x, 3, exp(x)};
  memcpy(s->work, first, sizeof first);
  memmove(s->work + 1, s->work, 3 * sizeof(double));
  return s->work[0] + 2 * s->work[2] * s->work[1] + s->work[3];
}

/* a pointer to an argument, and memory that the function makes */
static NOINLINE double pointed(struct solver *s, const double *x) {
  const double *data = s->data;
  double *work = s->work;
  s->data = x;
  s->work = malloc(2 * sizeof(double));
  s->work[0] = x[1], s->work[1] = x[0];
  double sum = run(s);
  free(s->work);
  s->data = data, s->work = work;
  return sum;
}

/* numbers that are only written, and what the caller left there */
static NOINLINE double logged(struct solver *s, double x, double *log) {
  log[0] = x, log[1] = x * x;
  return x * x * s->scale + s->x;
}

static double work[4], inner_work[4];
static const double data[1] = {5};
static struct solver inner, handle;

static void reset(void) {
  inner = (struct solver){0, inner_work, 3, data, summed, 0};
  handle = (struct solver){7, work, 3, data, square, &inner};
}

static double call(double (*f)(struct solver *, double), double x) {
  reset();
  return f(&handle, x);
}
static double call_pointed(double *x) {
  reset();
  handle.step = summed;
  return pointed(&handle, x);
}

#define CHECK_ONE(f, x)                                                                                                \
  do {                                                                                                                 \
    double h = 1e-5, expected = (call(f, x + h) - call(f, x - h)) / (2 * h);                                           \
    reset();                                                                                                           \
    struct solver *s = &handle;                                                                                        \
    for (int k = 0; k < 2; k++) {                                                                                      \
      same(#f, k, __enzyme_autodiff((void *)f, enzyme_const, s, enzyme_out, x), expected, 1e-8);                       \
      same(#f " forward", k, __enzyme_fwddiff((void *)f, enzyme_const, s, enzyme_dup, x, 1.0), expected, 1e-8);        \
    }                                                                                                                  \
  } while (0)

extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern int enzyme_width;
typedef struct {
  double first, second;
} Two;
extern Two __enzyme_fwddiff_two(void *, ...);

/* requests in two halves, and with two directions */
static void check_forms(const double *x, const double *expected) {
  double dx[2] = {0}, unit[2][2] = {{1, 0}, {0, 1}}, wide[2][2] = {{0}};
  struct solver *s = &handle;
  reset();
  handle.step = summed;
  void *tape = __enzyme_augmentfwd((void *)pointed, enzyme_const, s, enzyme_dup, x, dx);
  __enzyme_reverse((void *)pointed, enzyme_const, s, enzyme_dup, x, dx, 1.0, tape);
  __enzyme_autodiff((void *)pointed, enzyme_width, 2, enzyme_const, s, enzyme_dup, x, wide[0], wide[1]);
  Two forward = __enzyme_fwddiff_two((void *)pointed, enzyme_width, 2, enzyme_const, s, enzyme_dup, x, unit[0], unit[1]);
  for (int k = 0; k < 2; k++) {
    same("halves", k, dx[k], expected[k], 1e-12);
    same("directions", k, wide[0][k], expected[k], 1e-12);
    same("directions", k, wide[1][k], expected[k], 1e-12);
    same("directions forward", k, k ? forward.second : forward.first, expected[k], 1e-12);
  }
}

int main(void) {
  CHECK_ONE(by_callback, 0.7);
  CHECK_ONE(behind, 0.7);
  CHECK_ONE(copied, 0.7);
  double x[2] = {0.7, -0.3}, dx[2] = {0}, log[2], seed[2] = {1, 2}, expected = 0;
  struct solver *s = &handle;
  reset();
  handle.step = summed;
  __enzyme_autodiff((void *)pointed, enzyme_const, s, enzyme_dup, x, dx);
  for (int k = 0; k < 2; k++) {
    same("pointed", k, dx[k], check_difference(call_pointed, x, 2, k), 1e-8);
    expected += seed[k] * dx[k];
  }
  reset();
  handle.step = summed;
  same("pointed forward", 0, __enzyme_fwddiff((void *)pointed, enzyme_const, s, enzyme_dup, x, seed), expected, 1e-12);
  check_forms(x, dx);
  reset();
  double *there = log;
  same("logged", 0, __enzyme_autodiff((void *)logged, enzyme_const, s, enzyme_out, 2.0, enzyme_const, there), 12, 1e-15);
  return failures;
}
