/* std::function: functions, function objects, closures, copies, tables; pointers to members. */
#include "../../check.h"
#include "steps.h"

struct line {
  double slope, offset;
  double operator()(double x) const { return slope * x + offset; }
  double at(double x) const { return slope * x * x; }
};

/* What a step keeps in its two words are numbers, a function's address, or the address of the caller's memory. */
static double f(double *x) {
  std::vector<step> steps{line{x[0], x[1]}, cube, [x](double t) { return t * x[2]; }};
  step copy = steps[0];
  return fold(steps, x[0]) + copy(x[2]);
}

static double members(double *x) {
  line l{x[1], x[2]};
  double (line::*member)(double) const = &line::at;
  double line::*field = &line::slope;
  l.*field += x[0];
  step s = [&l](double t) { return l.at(t); };
  return s(x[0]) + (l.*member)(x[1]) * std::negate<>()(x[0]) + std::invoke(member, l, x[2]);
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  CHECK(members, 0.5, 1.6, 0.7);
  return failures;
}
