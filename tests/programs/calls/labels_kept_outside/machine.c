#include <math.h>

#include "machine.h"

enum { TRANSLATES, RUNS };

static double enter(struct machine *machine, int what, const int *program, int length, const double *x) {
  static void *const table[] = {&&multiply, &&add, &&sine, &&halt};
  double s = 1;
  void **at = machine->code;
  if (what == TRANSLATES) {
    for (int i = 0; i < length; i++)
      machine->code[i] = table[program[i]];
    return 0;
  }
  goto **at++;
multiply:
  s *= x[0];
  goto **at++;
add:
  s += x[1];
  goto **at++;
sine:
  s = sin(s) * x[2];
  goto **at++;
halt:
  return s;
}

void translate(struct machine *machine, const int *program, int length) {
  enter(machine, TRANSLATES, program, length, 0);
}

double run(struct machine *machine, const double *x) { return enter(machine, RUNS, 0, 0, x); }
