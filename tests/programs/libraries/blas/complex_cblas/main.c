/* CBLAS with complex numbers, with matrices stored by columns and by rows. The differences are the library's own:
 * plain_library.c is native code.
 * flags: -lopenblas */
#include "../options.h"
#define NAME f
#include "objective.h"

double library(const double *x, const struct options *o);

int main(void) {
  for (int routine = 0; routine < ROUTINES; routine++) {
    int before = failures, all = tried;
    for (int bits = 0; bits < 192; bits++)
      for (int size = 0; size < 4; size++) {
        struct options o = options_of(routine, bits % 64, size);
        o.trans_number = 111 + (bits & 4 ? 0 : 1 + bits / 64 % 2);
        o.trans2_number = 111 + (bits & 16 ? 0 : 1 + (bits / 64 + 1) % 2);
        if (routine < 15 || bits < 64) check(f, library, &o, ALL, -1);
      }
    if (failures > before) printf("routine %d: %d of %d wrong\n", routine, failures - before, tried - all);
  }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
