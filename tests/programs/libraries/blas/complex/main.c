/* BLAS with complex numbers by its Fortran names: all options. The differences are the library's own: plain_library.c is
 * native code. Single precision is compared with double precision.
 * flags: -lopenblas */
#include "enumeration.h"
#define NAME f
#include "of_double.h"

#define NAME f_of_floats
#define NUMBER float _Complex
#define REAL float
#define Z(ROUTINE) c##ROUTINE##_
#define DZ(ROUTINE) sc##ROUTINE##_
#define ZD(ROUTINE) cs##ROUTINE##_
#define AMAX icamax_
#include "objective.h"

double library(const double *x, const struct options *o);

int main(void) {
  for (int routine = 0; routine < ROUTINES; routine++) {
    int before = tried, wrong = failures;
    struct options o;
    for (int number = 0; next_case(routine, number, &o); number++) {
      int constant = o.is_beta_0 ? ALL - 2 : -1;
      check(f, library, &o, ALL, constant);
      compare(f_of_floats, f, &o, ALL, constant);
    }
    printf("%s: %d right, %d wrong\n", table[routine].name, tried - before - (failures - wrong), failures - wrong);
  }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
