/* An exception leaves the first half of reverse mode, which the program holds as a function: to whom called that. */
#include "../../check.h"
#include <stdexcept>

extern void *__enzyme_virtualreverse(void *);

NOINLINE static double g(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  if (x > 5)
    throw x;
  return x * x;
}

static double f(double *x) {
  try {
    return g(x[0]);
  } catch (double d) {
    return d * 3;
  }
}

struct taped {
  void *tape;
  double value;
};

struct halves {
  taped (*augmented)(double *, double *);
  void (*reverse)(double *, double *, double, void *);
};

int main() {
  auto *of_f = (halves *)__enzyme_virtualreverse((void *)f);
  double x[1] = {-1}, dx[1] = {0};
  int caught = 0;
  try {
    of_f->augmented(x, dx);
  } catch (const std::domain_error &e) {
    caught = e.what()[0] == 'n';
  }
  SAME(caught, 1);
  for (x[0] = 3; x[0] < 9; x[0] += 4, dx[0] = 0) {
    taped t = of_f->augmented(x, dx);
    of_f->reverse(x, dx, 1, t.tape);
    SAME(dx[0], x[0] < 5 ? 6 : 3);
  }
  return failures;
}
