/* A task of a cancelled group, which oneTBB would leave out.
 * flags: -std=c++17 -ltbb
 * expect: a task of a cancelled group would be left out in differentiated code */
#include "../check.h"
#include <tbb/task_group.h>

static double f(double *x) {
  double sum = x[0] * x[1];
  tbb::task_group group;
  group.run([&] { sum *= x[0]; });
  group.cancel();
  group.run([&] { sum *= x[1]; });
  group.wait();
  return sum;
}

int main() {
  CHECK(f, 0.3, 1.7);
  return failures;
}
