/* std::stack, std::queue and std::priority_queue. */
#include "../../check.h"
#include <queue>
#include <stack>

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
  CHECK(adaptors, 0.5, 1.6, 0.7);
  return failures;
}
