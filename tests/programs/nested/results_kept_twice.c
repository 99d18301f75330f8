/* A handle that counts as constant keeps the last result for the next call with the same argument: second derivatives. */
#include "../check.h"

struct handle {
  double last_t, last;
};

NOINLINE static double position(struct handle *h, double t) {
  if (t == h->last_t)
    return h->last;
  h->last_t = t;
  return h->last = sin(t) + t * t;
}
static double squared(struct handle *h, double t) { return position(h, t) * position(h, t); }
static double slope(struct handle *h, double t) {
  return __enzyme_autodiff((void *)squared, enzyme_const, h, enzyme_out, t);
}
static double tangent(struct handle *h, double t) {
  return __enzyme_fwddiff((void *)squared, enzyme_const, h, enzyme_dup, t, 1.0);
}

int main(void) {
  struct handle *h = calloc(1, sizeof *h);
  double t = 0.8, p = sin(t) + t * t, dp = cos(t) + 2 * t, second = 2 * dp * dp + 2 * p * (2 - sin(t));
  for (int k = 0; k < 2; k++) {
    squared(h, t);
    SAME(slope(h, t), 2 * p * dp);
    SAME(__enzyme_fwddiff((void *)slope, enzyme_const, h, enzyme_dup, t, 1.0), second);
    squared(h, t);
    SAME(__enzyme_autodiff((void *)slope, enzyme_const, h, enzyme_out, t), second);
    SAME(__enzyme_fwddiff((void *)tangent, enzyme_const, h, enzyme_dup, t, 1.0), second);
    SAME(__enzyme_autodiff((void *)tangent, enzyme_const, h, enzyme_out, t), second);
  }
  free(h);
  return failures;
}
