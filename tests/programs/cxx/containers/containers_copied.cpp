/* Hash tables copied, assigned and rehashed: of double, of float beside double, of vectors by string, nested. */
#include "../../check.h"
#include <string>
#include <unordered_map>
#include <vector>

static double of_double(double *x) {
  std::unordered_map<int, double> m, assigned;
  for (int k = 0; k < 3; k++)
    m[k * 7] = x[k] * x[k];
  auto copy = m;
  copy[7] *= x[0];
  assigned[1] = x[0];
  assigned = copy;
  assigned.rehash(100);
  double s = m[7];
  for (auto &[key, value] : assigned)
    s += value * (key + 1);
  return s;
}

static double of_float(double *x) {
  std::unordered_map<int, float> weights;
  std::unordered_map<int, double> values;
  for (int k = 0; k < 3; k++) {
    weights[k] = k + 0.5f;
    values[k] = x[k] * x[0];
  }
  auto w = weights;
  auto v = values;
  double s = v[2];
  for (auto &[key, weight] : w)
    s += weight * v[key];
  return s;
}

static double of_vectors(double *x) {
  std::unordered_map<std::string, std::vector<double>> m;
  m["a"] = {x[0], x[1]};
  m["b"] = {x[2]};
  auto copy = m;
  copy["a"].push_back(x[2] * x[2]);
  double s = m["b"][0];
  for (auto &[key, values] : copy)
    for (double value : values)
      s += value * value;
  return s;
}

int main() {
  CHECK(of_double, 0.5, 1.6, 0.7);
  CHECK(of_float, 0.5, 1.6, 0.7);
  CHECK(of_vectors, 0.5, 1.6, 0.7);
  return failures;
}
