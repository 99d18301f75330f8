/* Times a primal, its gradient, and a gradient written by hand, in turns; see tests/bench/gradients.py.
 *
 * A program defines run_primal, run_gradient and run_hand, each of which computes into `gradient` (COUNT numbers) where it
 * makes one, and tape_of_hand: bytes that the hand-written gradient keeps for its reverse sweep.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
double __enzyme_autodiff(void *, ...);

static size_t tape;
void enzyme_tape_released(size_t bytes) { tape = bytes; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static unsigned long long seed = 88172645463325252ull;
static double uniform(double low, double high) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return low + (high - low) * (seed >> 11) / 9007199254740992.0;
}

static double *numbers(size_t n, double low, double high) {
  double *p = malloc(n * sizeof *p);
  for (size_t i = 0; i < n; i++)
    p[i] = uniform(low, high);
  return p;
}

static double best(void (*run)(void), double so_far) {
  double start = now();
  run();
  double took = now() - start;
  return took < so_far ? took : so_far;
}

static int report(void (*primal)(void), void (*gradient)(void), void (*hand)(void), const double *ours,
                  const double *theirs, size_t n, size_t tape_of_hand) {
  double p = 1e9, g = 1e9, h = 1e9, worst = 0, scale = 0;
  for (int i = 0; i < 7; i++) {
    p = best(primal, p);
    g = best(gradient, g);
    h = best(hand, h);
  }
  for (size_t i = 0; i < n; i++) {
    scale = fmax(scale, fabs(theirs[i]));
    worst = fmax(worst, fabs(ours[i] - theirs[i]));
  }
  printf("%.9g %.9g %.9g %zu %zu %.3g\n", p, g, h, tape, tape_of_hand, worst / scale);
  return !(worst <= 1e-8 * scale);
}
