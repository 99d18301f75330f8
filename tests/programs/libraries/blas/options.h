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

enum { LD = 6, SIZE = LD * LD };
struct options {
  int routine, layout, m, n, k, incx, incy, use, alias;
  int side_number, uplo_number, trans_number, trans2_number, diag_number; /* of CBLAS */
  char side, uplo, trans, trans2, diag;
};
static int tried, failures;

/* The directional derivative by both modes and by differences. */
static void check(double f(const double *, const struct options *), double plain(const double *, const struct options *),
                  const struct options *o, int all, int constant) {
  double x[3 * SIZE + 2], d[3 * SIZE + 2] = {0}, t[3 * SIZE + 2], up[3 * SIZE + 2], down[3 * SIZE + 2];
  double reverse = 0, h = 1e-6;
  for (int i = 0; i < all; i++)
    x[i] = cos(3.0 * i * i + 1), t[i] = sin(i + 2.0);
  if (constant >= 0) /* beta = 0: the matrix that it scales is not read */
    x[constant] = t[constant] = 0;
  __enzyme_autodiff((void *)f, x, d, enzyme_const, o);
  for (int i = 0; i < all; i++)
    reverse += d[i] * t[i], up[i] = x[i] + h * t[i], down[i] = x[i] - h * t[i];
  double forward = __enzyme_fwddiff((void *)f, x, t, enzyme_const, o);
  double difference = (plain(up, o) - plain(down, o)) / (2 * h);
  tried++;
  if (fabs(reverse - difference) < 1e-5 * (1 + fabs(difference)) && fabs(reverse - forward) < 1e-8 * (1 + fabs(forward)))
    return;
  if (failures++ < 20)
    printf("routine %d layout %d %c%c%c%c%c %d by %d by %d, increments %d %d: reverse %g forward %g differences %g\n", o->routine,
           o->layout, o->side, o->uplo, o->trans, o->trans2, o->diag, o->m, o->n, o->k, o->incx, o->incy, reverse, forward,
           difference);
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
