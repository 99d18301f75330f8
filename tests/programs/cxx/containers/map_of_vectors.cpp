/* std::map from strings to vectors of active numbers. */
#include "../../check.h"
#include <map>
#include <string>
#include <vector>

static double nested(double *x) {
  std::map<std::string, std::vector<double>> m;
  const char *names[] = {"alpha", "beta", "a name that does not fit in the object itself"};
  for (int i = 0; i < 9; i++)
    m[names[i % 3]].push_back(x[i % 3] * (i + 1));
  double s = 1;
  for (auto &[name, list] : m) {
    double sum = 0;
    for (double a : list)
      sum += a * name.size();
    s *= sum;
  }
  return s;
}

int main() {
  CHECK(nested, 0.5, 1.6, 0.7);
  return failures;
}
