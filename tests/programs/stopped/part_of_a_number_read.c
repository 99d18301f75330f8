/* expect: a part of a number is read from a file [EZ0304]
 *
 * A read ends within a float. The rest of it comes with the next one. */
#define _GNU_SOURCE
#include "../check.h"
#include <sys/mman.h>
#include <unistd.h>

static float f(float x) {
  float y[3] = {x * x, x, 1}, z[3] = {0, 0, 0};
  int file = memfd_create("numbers", 0);
  if (write(file, y, sizeof y) < 0 || pread(file, z, 6, 0) < 0 || pread(file, (char *)z + 6, 6, 6) < 0)
    return 0;
  close(file);
  return z[0] * z[1];
}

float __enzyme_autodiff_f(void *, float);
int main(void) { return __enzyme_autodiff_f((void *)f, 1.5f) > 0; }
