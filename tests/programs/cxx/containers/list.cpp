/* std::list and std::forward_list: insertion, splicing, reversing, removal. */
#include "../../check.h"
#include <forward_list>
#include <list>

static double lists(double *x) {
  std::list<double> l{x[0], x[1]};
  l.push_front(x[2]);
  l.push_back(x[0] * x[1]);
  l.insert(std::next(l.begin()), sin(x[0]));
  std::list<double> other{x[1], x[1] * x[2]};
  l.splice(l.end(), other);
  l.reverse();
  l.remove_if([](double a) { return a > 1.5; });
  double s = 0, weight = 1;
  for (double a : l)
    s += a * weight++;
  return s * l.size();
}

static double forward(double *x) {
  std::forward_list<double> l;
  for (int i = 0; i < 6; i++)
    l.push_front(x[i % 3] * (i + 1));
  l.pop_front();
  l.reverse();
  double s = 1;
  for (double a : l)
    s = s * 0.5 + a * a;
  return s;
}

int main() {
  CHECK(lists, 0.5, 1.6, 0.7);
  CHECK(forward, 0.5, 1.6, 0.7);
  return failures;
}
