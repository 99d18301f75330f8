/* Floats have the bits of an address where there was memory during an earlier gradient. */
#include "../check.h"
#include <sys/mman.h>
union word { float pair[2]; float *place; };

NOINLINE static float f(union word *w, int number) {
  union word t = w[0];
  w[0] = w[1], w[1] = t;
  return number ? w[1].pair[0] : *w[1].place * *w[1].place;
}

static float *page(unsigned long address) {
  return mmap((void *)address, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
  float *x = page(0x5c0040000000), *dx = page(0x5c0040400000);
  *x = 3;
  union word w[2] = {{.place = x}, {{1, 1}}}, dw[2] = {{.place = dx}, {{0, 0}}};
  __enzyme_autodiff((void *)f, w, dw, 0);
  SAME(*dx, 6);

  w[0].place = x, w[1].pair[0] = w[1].pair[1] = 1;
  dw[0].pair[0] = dw[0].pair[1] = 0, dw[1].place = dx;
  munmap(x, 4096), munmap(dx, 4096);
  union word was = dw[1];
  __enzyme_autodiff((void *)f, w, dw, 1);
  SAME(dw[0].pair[0], was.pair[0] + 1);
  SAME(dw[0].pair[1], was.pair[1]);
  return failures;
}
