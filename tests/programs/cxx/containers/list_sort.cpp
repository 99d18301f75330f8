/* std::list::sort, merge, unique and remove_if of active numbers. */
#include "../../check.h"
#include <list>

static double f(double *x) {
  std::list<double> l, m;
  for (int i = 0; i < 20; i++) {
    l.push_back(sin(i * 3.7 + 1) * x[i % 3]);
    m.push_front(cos(i * 1.3) * x[(i + 1) % 3]);
  }
  l.sort();
  m.sort([](double a, double b) { return a * a < b * b; });
  double s = 0, k = 1;
  for (double v : m)
    s += v * v * k++;
  m.sort();
  l.merge(m);
  l.remove_if([](double v) { return v < -1; });
  for (double v : l)
    s += v * k++;
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
