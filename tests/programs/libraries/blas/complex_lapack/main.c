/* LAPACK with complex numbers: factorisations and solutions, where the objective uses the solution alone, or the factors too;
 * eigenvectors and singular vectors with their phases. -DLAPACKE adds its names, by rows and columns. A matrix that is larger than the blocks of
 * the adjoint.
 * Single precision is compared with double precision.
 * flags: -lopenblas */
#include "../options.h"

enum { ALL = 4 * SIZE, E_NAMES = 15, SVD = 23, LAST = 25, LARGE = 101 };
static const char *const names[] = {"potrf", "potrs", "potrf and potrs", "posv", "getrf", "getrs", "getrf and getrs", "gesv", "trtrs", "heev",
    "trtri", "potri", "getri", "gels", "heevd", "E potrf", "E posv", "E potrf, potrs", "E gesv", "E getrf, getrs", "E trtrs", "E heev",
    "E trtri or potri", "gesvd", "gesdd", "large potrf"};

#define NAME f
#define LARGE_NAME large
#define VECTORS_NAME of_vectors
#define NUMBER double _Complex
#define REAL double
#define Z(ROUTINE) z##ROUTINE##_
#define E(ROUTINE) LAPACKE_z##ROUTINE
#include "objective.h"

#define NAME f_of_floats
#define LARGE_NAME large_of_floats
#define VECTORS_NAME vectors_of_floats
#define NUMBER float _Complex
#define REAL float
#define Z(ROUTINE) c##ROUTINE##_
#define E(ROUTINE) LAPACKE_c##ROUTINE
#include "objective.h"

int main(void) {
  for (int routine = 0; routine <= LAST; routine++) {
#ifndef LAPACKE
    if (routine == E_NAMES) routine = SVD;
#endif
    int before = tried, wrong = failures;
    for (int bits = 0; bits < 96; bits++)
      for (int size = 0; size < 4; size++) {
        struct options o = options_of(routine, bits % 32 + 32 * (bits / 16 % 2 && routine >= E_NAMES), size);
        o.trans = "NtC"[bits / 32];
        o.n += o.n == 0, o.m += o.m == 0;
        int is_large = routine == LAST, uses_trans = routine == 5 || routine == 6 || routine == 8 || routine == 19 || routine == 20;
        if (is_large ? bits >= 4 || size > 0 : bits >= 32 && !uses_trans) continue;
        check(f, f, &o, ALL, -1);
        compare(f_of_floats, f, &o, ALL, -1);
      }
    printf("%s: %d right, %d wrong\n", names[routine], tried - before - (failures - wrong), failures - wrong);
  }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
