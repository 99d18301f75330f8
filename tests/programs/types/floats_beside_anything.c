/* Shadows of floats beside bytes that are no numbers: together they may look like an address. */
#include "../check.h"
#include <stdint.h>

struct sample {
  float value;
  int32_t id; /* the upper half of a word */
};

static void square(const struct sample *in, struct sample *out) { out->value = in->value * in->value; }

int main(void) {
  /* the upper halves of addresses of programs, of the heap and of libraries */
  const int32_t halves[] = {0, 1, 0x40, 0x5555, 0x55aa, 0x7ffe, -1};
  for (int i = 0; i < (int)(sizeof halves / sizeof *halves); i++) {
    struct sample in = {3, halves[i]}, out = {0, halves[i]}, din = {0, halves[i]}, dout = {1, halves[i]};
    __enzyme_autodiff((void *)square, enzyme_dup, &in, &din, enzyme_dup, &out, &dout);
    same("gradient", i, din.value, 6, 0);
    same("the half beside it", i, din.id == halves[i] && dout.id == halves[i], 1, 0);
    din = (struct sample){2, halves[i]};
    __enzyme_fwddiff((void *)square, enzyme_dup, &in, &din, enzyme_dup, &out, &dout);
    same("tangent", i, dout.value, 12, 0);
  }
  return failures;
}
