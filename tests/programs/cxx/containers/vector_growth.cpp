/* std::vector: growth by push_back, resize, insert, erase, assign, swap, copies, vector<bool>. */
#include "../../check.h"
#include <utility>
#include <vector>

static double growth(double *x) {
  std::vector<double> v;
  for (int i = 0; i < 20; i++)
    v.push_back(x[i % 3] * (i + 1));
  v.emplace_back(v[3] * v[4]);
  double s = 0;
  for (std::size_t i = 0; i < v.size(); i++)
    s += v[i] * v[v.size() - 1 - i];
  return s;
}

static double changes(double *x) {
  std::vector<double> v(4, x[0]);
  v.resize(7, x[1]);
  v.insert(v.begin() + 2, x[2]);
  v.insert(v.end(), x, x + 3);
  v.erase(v.begin());
  v.erase(v.begin() + 1, v.begin() + 3);
  std::vector<double> w = v, u;
  w[0] *= x[2];
  u.assign(v.begin(), v.end() - 2);
  std::swap(u, w);
  v = w;
  v.pop_back();
  v.shrink_to_fit();
  double s = v.front() * v.back();
  for (double a : u)
    s += a * a;
  for (auto it = w.rbegin(); it != w.rend(); ++it)
    s = s * 0.5 + *it;
  u.clear();
  return s + u.size();
}

static double flags(double *x) {
  std::vector<bool> keep(10);
  for (int i = 0; i < 10; i++)
    keep[i] = x[i % 3] > 0.6;
  double s = 1;
  for (int i = 0; i < 10; i++)
    if (keep[i])
      s *= x[i % 3] + i;
  return s;
}

int main() {
  CHECK(growth, 0.5, 1.6, 0.7);
  CHECK(changes, 0.5, 1.6, 0.7);
  CHECK(flags, 0.5, 1.6, 0.7);
  return failures;
}
