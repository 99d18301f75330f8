/* CBLAS, with matrices stored by columns and by rows. The differences are the library's own: plain_library.c is native
 * code.
 * flags: -lopenblas */
#include "../options.h"
#define NAME f
#include "objective.h"

double library(const double *x, const struct options *o);

int main(void) {
  for (int routine = 0; routine < ROUTINES; routine++)
    for (int bits = 0; bits < 64; bits++)
      for (int size = 0; size < 4; size++) {
        struct options o = options_of(routine, bits, size);
        check(f, library, &o, ALL, -1);
      }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
