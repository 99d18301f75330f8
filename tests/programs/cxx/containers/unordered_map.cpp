/* std::unordered_map and unordered_set: growth with rehashing, search, erasure, strings as keys. */
#include "../../check.h"
#include <string>
#include <unordered_map>
#include <unordered_set>

static double values(double *x) {
  std::unordered_map<int, double> m;
  for (int i = 0; i < 60; i++)
    m[(i * 7) % 31] += x[i % 3] * i;
  m.erase(3);
  m.emplace(100, x[0] * x[1]);
  double s = 0;
  for (const auto &[key, value] : m)
    s += value * value * (key + 1);
  auto found = m.find(5);
  if (found != m.end())
    s *= 1e-3 * found->second;
  m[5] = x[1];
  return s + m.at(5) * m[100] + m.count(3);
}

static double names(double *x) {
  std::unordered_map<std::string, double> m{{"one", x[0]}, {"two", x[1]}};
  m["a name that does not fit in the object itself"] = x[2];
  m["two"] *= m["one"];
  m.reserve(100);
  return m["two"] * m["a name that does not fit in the object itself"];
}

static double keys(double *x) {
  std::unordered_set<double> s{x[0], x[1], x[2], x[0]};
  double sum = 0;
  for (double a : s)
    sum += a * a;
  return sum * s.size();
}

int main() {
  CHECK(values, 0.5, 1.6, 0.7);
  CHECK(names, 0.5, 1.6, 0.7);
  CHECK(keys, 0.5, 1.6, 0.7);
  return failures;
}
