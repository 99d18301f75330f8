/* Results that are kept for the next call with the same argument, where the key is not the number itself: its bits, its
 * value in another precision, one half of a condition. They lie in objects that other code made, in work space of a
 * global, and in static objects: a call before the gradient must not make it the gradient of a constant. */
#include "../check.h"
#include <stdint.h>

struct handle {
  uint64_t bits;
  double of_bits;
  float narrow;
  double of_narrow;
  float compared_wide;
  double of_wide;
  double wide;
  double of_float;
  long bytes[2];
  double of_bytes;
  int has_result;
  double last, of_last;
};
static struct handle *work, first, second;
static struct { struct handle *handle; } kept;

NOINLINE static double by_bits(struct handle *h, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (h->bits == bits)
    return h->of_bits;
  h->bits = bits;
  return h->of_bits = sin(x) * x;
}
NOINLINE static double by_narrow(struct handle *h, double x) {
  float narrow = (float)x;
  if (h->narrow != narrow) {
    h->narrow = narrow;
    h->of_narrow = cos(x) * x;
  }
  return h->of_narrow;
}
NOINLINE static double by_wide(struct handle *h, double x) {
  if (h->compared_wide == x)
    return h->of_wide;
  h->compared_wide = x;
  return h->of_wide = cos(x) * x * x;
}
NOINLINE static double by_float(struct handle *h, float x) {
  if (h->wide == x)
    return h->of_float;
  h->wide = x;
  return h->of_float = (double)x * x;
}
NOINLINE static double by_bytes(struct handle *h, double x) {
  if (!memcmp(h->bytes, &x, sizeof x))
    return h->of_bytes;
  memcpy(h->bytes, &x, sizeof x);
  return h->of_bytes = sqrt(x) * x;
}
NOINLINE static double by_flag(struct handle *h, double x) {
  if (h->has_result && h->last == x)
    return h->of_last;
  h->last = x;
  h->has_result = 1;
  return h->of_last = x * x * x;
}

static double all(struct handle *h, double *x) {
  double sum = by_bits(h, x[0]) * by_bits(h, x[1]) + by_bits(h, x[1]);
  sum += by_bytes(h, x[0]) + by_flag(h, x[0]) * by_flag(h, x[1]);
  return sum + by_bytes(h, x[1]) * by_bytes(h, x[1]);
}
static double rounded(struct handle *h, double *x) { return by_narrow(h, x[0]) + by_wide(h, x[0]) * by_float(h, x[1]); }

static double of_outside(double *x) { return all(kept.handle, x); }
static double of_work(double *x) { return all(work, x); }
static double of_static(double *x) { return all(&first, x) + by_bits(&second, x[1]) * by_bits(&first, x[0]); }
static double rounded_outside(double *x) { return rounded(kept.handle, x); }
static double rounded_work(double *x) { return rounded(work, x); }
static double rounded_static(double *x) { return rounded(&first, x) + by_narrow(&second, x[1]); }

#define CHECK_ROUNDED(f, more)                                                                                         \
  do {                                                                                                                 \
    double at[] = {0.75, 1.25}, dx[2] = {0}, along[2] = {1, 0};                                                        \
    f(at);                                                                                                             \
    __enzyme_autodiff((void *)f, at, dx);                                                                              \
    SAME(dx[0], cos(0.75) - 0.75 * sin(0.75) + 1.5625 * (1.5 * cos(0.75) - 0.5625 * sin(0.75)));                       \
    SAME(dx[1], 2.5 * 0.5625 * cos(0.75) + more);                                                                      \
    f(at);                                                                                                             \
    SAME(__enzyme_fwddiff((void *)f, at, along), dx[0]);                                                               \
  } while (0)

int main(int count, char **words) {
  struct handle *handles[] = {calloc(1, sizeof **handles), calloc(1, sizeof **handles)};
  kept.handle = handles[count > 5];
  work = calloc(1, sizeof *work);
  double x[] = {0.75, 1.25};
  for (int k = 0; k < 2; k++) {
    of_outside(x);
    CHECK(of_outside, 0.75, 1.25);
    of_work(x);
    CHECK(of_work, 0.75, 1.25);
    of_static(x);
    CHECK(of_static, 0.75, 1.25);
    CHECK_ROUNDED(rounded_outside, 0);
    CHECK_ROUNDED(rounded_work, 0);
    CHECK_ROUNDED(rounded_static, cos(1.25) - 1.25 * sin(1.25));
  }
  free(handles[count <= 5]);
  return failures;
}
