/* The program's own code keeps addresses of labels, and a derivative jumps to what they mean. */
#include <stdlib.h>

#include "../../check.h"
#include "machine.h"

static struct machine *machine;

static double f(double *x) { return run(machine, x); }

int main(void) {
  static const int program[] = {0, 1, 2, 1, 0, 3};
  machine = malloc(sizeof *machine);
  translate(machine, program, 6);
  CHECK(f, 0.5, 1.2, -0.7);
  free(machine);
  return failures;
}
