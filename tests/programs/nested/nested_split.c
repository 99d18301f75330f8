/* A gradient in two halves, and one by a registered rule, differentiated again: forward, reverse, and in two halves. */
#include "../check.h"

struct taped {
  void *tape;
  double value;
};
extern void *__enzyme_augmentfwd(void *, ...);
extern struct taped __enzyme_augmentfwd_taped(void *, ...);
extern double __enzyme_reverse(void *, ...);

static double cube(double x) { return x * x * x; }
static struct taped augment_cube(double x) {
  double *kept = malloc(sizeof *kept);
  *kept = x;
  return (struct taped){kept, x * x * x};
}
static double reverse_cube(double x, double d, void *tape) {
  double kept = *(double *)tape;
  free(tape);
  return 3 * kept * x * d;
}
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augment_cube, (void *)reverse_cube};
static double twice_cube(double x) { return 2 * cube(x); }
static double slope_of_cube(double x) { return __enzyme_autodiff((void *)twice_cube, x); }

static double wave(const double *x, int n) {
  double s = 0;
  while (n-- > 0)
    s = sin(s + x[n]) * x[n];
  return s;
}
static double slope_of_wave(double *x) {
  double d[3] = {0};
  void *tape = __enzyme_augmentfwd((void *)wave, x, d, 3);
  __enzyme_reverse((void *)wave, x, d, 3, tape);
  return d[0] * 3 + d[1] + d[2] * d[2];
}

int main(void) {
  SAME(__enzyme_autodiff((void *)slope_of_cube, 2.0), 24);
  SAME(__enzyme_fwddiff((void *)slope_of_cube, 2.0, 0.5), 12);
  struct taped t = __enzyme_augmentfwd_taped((void *)slope_of_cube, 2.0);
  SAME(t.value, 24);
  SAME(__enzyme_reverse((void *)slope_of_cube, 2.0, t.tape), 24);
  CHECK(slope_of_wave, 0.4, -0.8, 1.1);
  return failures;
}
