/* Forward mode leaves tangents behind in the program's variables; reverse mode after it does not take them for seeds. Nor
 * does one gradient take for a seed what the last one left there. */
#include "../check.h"

static double buffer[8], last = 0.3, *room;

NOINLINE static void fill(const double *x) {
  if (!room)
    room = malloc(8 * sizeof *room);
  for (int i = 0; i < 8; i++)
    buffer[i] = sin(x[0] * i) + x[1], room[i] = x[i % 2] * i;
}

NOINLINE static double sum(void) {
  double s = 0;
  for (int i = 0; i < 8; i++)
    s += buffer[i] * buffer[7 - i] * room[i];
  return s;
}

static double f(double *x) {
  fill(x);
  return sum();
}

/* starts from what the last call found */
static double warm(double *x) {
  double r = last * x[0] + x[1] * x[1];
  last = r * x[0];
  return r;
}

/* the same, on the heap */
static double *guess;
static double warm_on_heap(double *x) {
  if (!guess)
    guess = malloc(3 * sizeof *guess), guess[1] = 0.3;
  double r = guess[1] * x[0] + x[1] * x[1];
  guess[1] = r * x[0];
  return r;
}

int main(void) {
  double x[] = {0.5, 0.7};
  for (int mode = 0; mode < 6; mode++) {
    double dx[2] = {0}, v[] = {1, 2};
    if (mode % 3) {
      __enzyme_autodiff((void *)f, x, dx);
      for (int i = 0; i < 2; i++)
        SAME(dx[i], check_difference(f, x, 2, i));
    } else
      SAME(__enzyme_fwddiff((void *)f, x, v), check_difference(f, x, 2, 0) + 2 * check_difference(f, x, 2, 1));
  }
  for (int mode = 0; mode < 6; mode++) {
    double dx[2] = {0}, v[] = {1, 2};
    last = 0.3;
    if (mode % 3) {
      __enzyme_autodiff((void *)warm, x, dx);
      SAME(dx[0], 0.3), SAME(dx[1], 1.4);
    } else
      SAME(__enzyme_fwddiff((void *)warm, x, v), 0.3 + 2 * 1.4);
  }
  for (int first = 0; first < 2; first++) {
    for (int mode = 0; mode < 6; mode++) {
      double dx[2] = {0}, v[] = {1, 2};
      if (guess)
        guess[1] = 0.3;
      if (mode % 3) {
        __enzyme_autodiff((void *)warm_on_heap, x, dx);
        SAME(dx[0], 0.3), SAME(dx[1], 1.4);
      } else
        SAME(__enzyme_fwddiff((void *)warm_on_heap, x, v), 0.3 + 2 * 1.4);
    }
    free(guess);
    guess = malloc(5 * sizeof *guess);
  }
  free(guess), free(room);
  return failures;
}
