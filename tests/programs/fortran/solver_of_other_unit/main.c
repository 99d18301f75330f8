/* A solver of one unit calls, by a pointer to a procedure, the equations that a type of another unit extends it by. Its
 * destructor has an argument that is intent(out), and leads to the tables of types that both units define.
 */
#include "../../check.h"

double steps_of_oscillator(double *x);

int main(void) {
  CHECK(steps_of_oscillator, 1.2, 0.3, 0.8);
  return failures;
}
