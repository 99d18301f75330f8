/* Exceptions of a class of our own that adds a number to a class of the library, and has no destructor of its own. */
#include "../../check.h"
#include <stdexcept>
struct Problem : std::runtime_error {
  double amount;
  explicit Problem(double amount) : std::runtime_error("a problem"), amount(amount) {}
};
static double once(double *x) {
  double s = x[0];
  try {
    if (s < x[1]) throw Problem(sin(x[2]));
    s *= x[1];
  } catch (const Problem &p) { s += p.amount * x[1]; }
  return s * s;
}
static double in_loop(double *x) {
  double s = x[0];
  for (int i = 0; i < 4; i++) {
    try {
      if (i % 2 == 0) throw Problem(tanh(x[i % 3] * s));
      s *= x[1];
    } catch (const Problem &p) { s += p.amount * x[1]; }
  }
  return s * s;
}
static double twice(double *x) {
  double s = x[0];
  double a[4] = {x[0], x[1], x[2], 1};
  for (int i = 0; i < 4; i++) {
    try {
      if (a[i] > 0.6) throw Problem(tanh(a[i] * s));
      a[(i + 1) & 3] *= x[1];
    } catch (const Problem &p) { s += p.amount * x[1]; a[i] = s; }
  }
  try { if (a[2] < 100) throw Problem(a[2] * s); } catch (const Problem &p) { s += sin(p.amount); }
  return s * s + a[0] + a[3];
}
int main() {
  CHECK(once, 0.5, 1.6, 0.7);
  CHECK(in_loop, 0.5, 1.6, 0.7);
  CHECK(twice, 0.5, 1.6, 0.7);
  return failures;
}
