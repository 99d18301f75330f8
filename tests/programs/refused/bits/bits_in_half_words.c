/* EZ0304: numbers kept as bfloat, by their bits
   expect: reason: the bits of a number that carries a derivative are stored after integer arithmetic */
#include "../../check.h"
#include <stdint.h>

static uint16_t shortened(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof v);
  return (bits + 0x8000) >> 16;
}
static float lengthened(uint16_t word) {
  uint32_t bits = (uint32_t)word << 16;
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static double run(double *x) {
  uint16_t *words = malloc(6 * sizeof *words);
  double s = 0;
  for (int i = 0; i < 6; i++)
    words[i] = shortened((float)(x[i % 3] * (i + 1)));
  for (int i = 0; i < 6; i++)
    s += lengthened(words[i]) * x[(i + 1) % 3];
  free(words);
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
