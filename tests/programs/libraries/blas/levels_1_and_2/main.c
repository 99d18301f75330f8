/* Levels 1 and 2 of BLAS by their Fortran names: all options, full, band and packed matrices, and increments that may be
 * negative. The differences are the library's own: plain_library.c is native code.
 * flags: -lopenblas */
#include "../options.h"
#define NAME f
#include "objective.h"

double library(const double *x, const struct options *o);

int main(void) {
  for (int routine = 0; routine < ROUTINES; routine++)
    for (int bits = 0; bits < 16; bits++)
      for (int size = 0; size < 4; size++)
        for (int increments = 0; increments < 4; increments++) {
          struct options o = options_of(routine, bits, size);
          o.incx = (int[]){1, 2, -1, -2}[increments], o.incy = (int[]){1, -2, 2, -1}[increments];
          int is_norm = routine == SCAL || routine == NRM2 || routine == ASUM; /* libraries differ if it is negative */
          if (o.incx > 0 || !is_norm)
            check(f, library, &o, ALL, bits % 5 ? -1 : ALL - 1);
        }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
