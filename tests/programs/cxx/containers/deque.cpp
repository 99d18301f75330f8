/* std::deque that grows and shrinks at both ends. */
#include "../../check.h"
#include <deque>

static double deques(double *x) {
  std::deque<double> d;
  for (int i = 0; i < 200; i++) {
    d.push_back(x[i % 3]);
    if (i % 2)
      d.push_front(x[(i + 1) % 3] * d.back());
  }
  for (int i = 0; i < 50; i++)
    d.pop_front();
  double s = 0;
  for (double a : d)
    s += a * a;
  return s * d[100];
}

int main() {
  CHECK(deques, 0.5, 1.6, 0.7);
  return failures;
}
