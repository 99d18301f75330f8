/* Functions of the program that are called like functions of the library. */
#include "../../check.h"

extern double run(double *x);

int main(void) {
  CHECK(run, 0.9, -1.2);
  return failures;
}
