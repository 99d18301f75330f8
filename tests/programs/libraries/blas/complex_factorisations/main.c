/* LAPACK with complex numbers: QR, least squares, indefinite matrices, bands, eigenvalues, norms, and expert drivers, where the
 * objective uses all that they leave. -DLAPACKE adds its names, by rows and columns; -DONE: one case of each size for each.
 * Single precision is compared with double precision.
 * flags: -lopenblas */
#include "../options.h"

enum { ALL = 4 * SIZE, E_NAMES = 28, SPACE = 2048 };
#ifdef LAPACKE
enum { LAST = 38 };
#else
enum { LAST = E_NAMES - 1 };
#endif

#define NAME f
#define NUMBER double _Complex
#define REAL double
#define Z(ROUTINE) z##ROUTINE##_
#define E(ROUTINE) LAPACKE_z##ROUTINE
#include "objective.h"
#ifndef ONE
#define NAME f_of_floats
#define NUMBER float _Complex
#define REAL float
#define Z(ROUTINE) c##ROUTINE##_
#define E(ROUTINE) LAPACKE_c##ROUTINE
#include "objective.h"
#endif

int main(int count, char **words) {
  for (int routine = count > 1 ? atoi(words[1]) : 0; routine <= (count > 1 ? atoi(words[1]) : LAST); routine++) {
    int before = tried, wrong = failures;
    for (int bits = 0; bits < (routine < E_NAMES ? 16 : 64); bits++)
      for (int size = 0; size < 4; size++) {
#ifdef ONE
        if ((bits * 5 + size + routine) % 8) continue;
#endif
        struct options o = options_of(routine, bits, size);
        o.n += o.n == 0, o.m += o.m == 0;
        check(f, f, &o, ALL, -1);
#ifndef ONE
        compare(f_of_floats, f, &o, ALL, -1);
#endif
      }
    printf("%d: %d right, %d wrong\n", routine, tried - before - (failures - wrong), failures - wrong);
  }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
