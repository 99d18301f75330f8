/* Computed gotos: an interpreter of a small program. */
#include "../check.h"

static double run(double *x) {
  static const void *const table[] = {&&push, &&add, &&multiply, &&sine, &&jump_if_small, &&halt};
  enum { PUSH, ADD, MULTIPLY, SINE, JUMP, HALT };
  static const int program[] = {PUSH, 0, PUSH, 1, MULTIPLY, PUSH, 2, ADD, SINE, PUSH, 0, ADD, JUMP, 5, HALT};
  double stack[16];
  int top = 0, at = 0, jumps = 0;
  goto *table[program[at++]];
push:
  stack[top++] = x[program[at++]];
  goto *table[program[at++]];
add:
  top--, stack[top - 1] += stack[top];
  goto *table[program[at++]];
multiply:
  top--, stack[top - 1] *= stack[top];
  goto *table[program[at++]];
sine:
  stack[top - 1] = sin(stack[top - 1]);
  goto *table[program[at++]];
jump_if_small:
  at = stack[top - 1] < 5 && jumps++ < 4 ? program[at] : at + 1;
  goto *table[program[at++]];
halt:
  return stack[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
