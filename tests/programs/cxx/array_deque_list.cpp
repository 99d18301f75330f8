/* std::array, std::deque, std::list, std::forward_list, std::stack and std::queue of active numbers. */
#include "../check.h"
#include <array>
#include <deque>
#include <forward_list>
#include <list>
#include <queue>
#include <stack>

static double arrays(double *x) {
  std::array<double, 4> a{x[0], x[1], x[2], 1.5};
  std::array<std::array<double, 2>, 2> m{{{x[0], x[1]}, {x[1], x[2]}}};
  auto b = a;
  b[0] *= b[3];
  b.at(2) += a.front();
  a.fill(x[1]);
  return b[0] * b[1] + b[2] * a[3] + m[0][0] * m[1][1] - m[0][1] * m[1][0];
}

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

static double lists(double *x) {
  std::list<double> l{x[0], x[1]};
  l.push_front(x[2]);
  l.push_back(x[0] * x[1]);
  l.insert(std::next(l.begin()), sin(x[0]));
  std::list<double> other{x[1], x[1] * x[2]};
  l.splice(l.end(), other);
  l.reverse();
  l.sort();
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

static double adaptors(double *x) {
  std::stack<double> s;
  std::queue<double> q;
  std::priority_queue<double> p;
  for (int i = 0; i < 7; i++) {
    s.push(x[i % 3] + i);
    q.push(s.top() * x[0]);
    p.push(cos(s.top()));
  }
  double sum = 0;
  while (!q.empty()) {
    sum += s.top() * q.front() * p.top();
    s.pop();
    q.pop();
    p.pop();
  }
  return sum;
}

int main() {
  CHECK(arrays, 0.5, 1.6, 0.7);
  CHECK(deques, 0.5, 1.6, 0.7);
  CHECK(lists, 0.5, 1.6, 0.7);
  CHECK(forward, 0.5, 1.6, 0.7);
  CHECK(adaptors, 0.5, 1.6, 0.7);
  return failures;
}
