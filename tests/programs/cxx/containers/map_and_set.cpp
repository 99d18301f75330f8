/* std::map, std::set, std::multimap: insertion, search, erasure, copies, active values and active keys. */
#include "../../check.h"
#include <map>
#include <set>

static double values(double *x) {
  std::map<int, double> m;
  for (int i = 0; i < 20; i++)
    m[(i * 7) % 11] += x[i % 3] * i;
  m.erase(3);
  m.erase(m.begin());
  m.insert({42, x[0] * x[1]});
  m.emplace(-1, x[2]);
  double s = 0;
  for (const auto &[key, value] : m)
    s += value * value * (key + 1);
  auto found = m.find(5);
  if (found != m.end())
    s *= found->second;
  auto copy = m;
  copy[5] = x[1];
  return s + copy.rbegin()->second * copy.at(5) + m.lower_bound(6)->second;
}

static double keys(double *x) {
  std::set<double> s;
  for (int i = 0; i < 9; i++)
    s.insert(x[i % 3] * (i / 3 + 1));
  double sum = 0, weight = 1;
  for (double a : s)
    sum += a * weight++;
  std::multimap<double, double> m;
  for (int i = 0; i < 5; i++)
    m.emplace(x[i % 3], x[0] * i);
  for (auto it = m.rbegin(); it != m.rend(); ++it)
    sum += it->first * it->second * weight++;
  return sum;
}

int main() {
  CHECK(values, 0.5, 1.6, 0.7);
  CHECK(keys, 0.5, 1.6, 0.7);
  return failures;
}
