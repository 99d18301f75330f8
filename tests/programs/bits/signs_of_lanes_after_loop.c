/* A vector of numbers gets other signs in some lanes, as integers. LLVM stores the integers after the loop, in a block
 * that comes before the loop in the text. */
#include "../check.h"
typedef double vec __attribute__((ext_vector_type(4)));
typedef long bits __attribute__((ext_vector_type(4)));
static double f(double *x) {
  double a[4] = {0}, y = x[2];
  vec v = {x[1], x[2], -0.0088, x[0]}, w;
  for (int i = 0; i < 2; i++) {
    memcpy(&w, a, sizeof w);
    w = (vec)((bits)w ^ (bits){0, 1ul << 63, 1ul << 63, 1ul << 63});
    memcpy(x, &w, sizeof w);
    a[i + 1] = sin(v[2] * w[0] + y);
    v = w * w * 1.3 + v;
  }
  return y + v[1] + v[2] + a[2] + x[1];
}
int main(void) { CHECK(f, 0.7, 1.3, 0.4, 0.8); return failures; }
