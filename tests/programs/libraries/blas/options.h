/* What the programs about BLAS share: one objective with many options, checked in both modes against differences.
 *
 * A program defines ALL (how many numbers) and `struct options`. `objective` calls the library; `plain` does the same in
 * code that no request reaches, so that the library itself computes the differences. */
#ifndef OPTIONS_H
#define OPTIONS_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const char *C;
typedef const int *I;
typedef const double *X;

extern int enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

enum { LD = 6, SIZE = LD * LD, MOST = 2 * (3 * SIZE + 2) };
struct options {
  int routine, layout, m, n, k, incx, incy, use, alias, is_whole, is_beta_0;
  int side_number, uplo_number, trans_number, trans2_number, diag_number; /* of CBLAS */
  char side, uplo, trans, trans2, diag;
};
static int tried, failures;

static void fill(double *x, double *t, int all, int constant) {
  for (int i = 0; i < all; i++)
    x[i] = cos(3.0 * i * i + 1), t[i] = sin(i + 2.0);
  for (int i = constant; i >= 0 && i < all; i++) /* beta = 0: the matrix that it scales is not read */
    x[i] = t[i] = 0;
}

static void tell(const struct options *o, double reverse, double forward, double wanted) {
  if (failures++ < 20)
    printf("routine %d layout %d %c%c%c%c%c %d by %d by %d, increments %d %d: reverse %g forward %g, should be %g\n", o->routine,
           o->layout, o->side, o->uplo, o->trans, o->trans2, o->diag, o->m, o->n, o->k, o->incx, o->incy, reverse, forward,
           wanted);
}

typedef double objective(const double *, const struct options *);

/* The directional derivative by both modes and by differences. `constant`: where numbers begin that stay 0, or -1. */
static void check(objective f, objective plain, const struct options *o, int all, int constant) {
  double x[MOST], d[MOST] = {0}, t[MOST], up[MOST], down[MOST];
  double reverse = 0, h = 1e-6;
  fill(x, t, all, constant);
  __enzyme_autodiff((void *)f, x, d, enzyme_const, o);
  for (int i = 0; i < all; i++)
    reverse += d[i] * t[i], up[i] = x[i] + h * t[i], down[i] = x[i] - h * t[i];
  double forward = __enzyme_fwddiff((void *)f, x, t, enzyme_const, o);
  double difference = (plain(up, o) - plain(down, o)) / (2 * h);
  tried++;
  if (!(fabs(reverse - difference) < 1e-5 * (1 + fabs(difference)) && fabs(reverse - forward) < 1e-8 * (1 + fabs(forward))))
    tell(o, reverse, forward, difference);
}

/* The gradient and a directional derivative of a function in single precision against those of one in double precision. */
static __attribute__((unused)) void compare(objective f, objective precise, const struct options *o, int all, int constant) {
  double x[MOST], d[MOST] = {0}, wanted[MOST] = {0}, t[MOST], error = 0, largest = 1, reverse = 0;
  fill(x, t, all, constant);
  __enzyme_autodiff((void *)f, x, d, enzyme_const, o);
  __enzyme_autodiff((void *)precise, x, wanted, enzyme_const, o);
  for (int i = 0; i < all; i++) {
    reverse += wanted[i] * t[i], largest = fmax(largest, fabs(wanted[i]));
    if (!(fabs(d[i] - wanted[i]) <= error)) error = fabs(d[i] - wanted[i]);
  }
  double forward = __enzyme_fwddiff((void *)f, x, t, enzyme_const, o);
  tried++;
  if (!(error < 1e-4 * largest && fabs(forward - reverse) < 1e-4 * (largest + fabs(reverse))))
    tell(o, error, forward, reverse);
}

/* The options of the number-th case: 32 choices of characters, 4 sizes. */
static struct options options_of(int routine, int bits, int size) {
  return (struct options){
      .routine = routine,
      .layout = bits & 32 ? 101 : 102,
      .m = (int[]){4, 1, 0, 5}[size],
      .n = (int[]){3, 5, 3, 5}[size],
      .k = (int[]){5, 4, 2, 5}[size],
      .side = bits & 1 ? 'L' : 'r',
      .side_number = bits & 1 ? 141 : 142,
      .uplo = bits & 2 ? 'U' : 'l',
      .uplo_number = bits & 2 ? 121 : 122,
      .trans = bits & 4 ? 'N' : 't',
      .trans_number = bits & 4 ? 111 : 112,
      .diag = bits & 8 ? 'U' : 'n',
      .diag_number = bits & 8 ? 132 : 131,
      .trans2 = bits & 16 ? 'n' : 'C',
      .trans2_number = bits & 16 ? 111 : 113,
      .use = bits & 1,
  };
}
#endif
