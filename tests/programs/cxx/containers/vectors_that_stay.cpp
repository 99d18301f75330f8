// Work space that f made when it ran as it is, in objects that stay: vectors, an array of a unique_ptr, a class, and a
// vector of each thread.
#include "../../check.h"
#include <memory>
#include <vector>
static std::vector<double> work, other;
static std::unique_ptr<double[]> owned;
static int owned_size;
struct Solver {
  std::vector<double> u, f;
  std::vector<int> order;
  double *scratch = nullptr;
  int n = 0;
  void reserve(int k) {
    if (k <= n) return;
    u.resize(k), f.assign(k, 0.5), order.resize(k);
    delete[] scratch;
    scratch = new double[k];
    for (int i = 0; i < k; i++) order[i] = (i * 5) % k;
    n = k;
  }
  double solve(const double *x, int k) {
    reserve(k);
    for (int i = 0; i < k; i++) u[i] = sin(x[0] * i), scratch[i] = x[1] + i;
    for (int i = 0; i < k; i++) f[order[i]] = u[i] * scratch[k - 1 - i];
    double s = 0;
    for (double v : f) s += v * v;
    return s;
  }
  ~Solver() { delete[] scratch; }
};
static Solver solver;
static thread_local std::vector<double> mine;

static double in_vector(double *x) {
  int n = x[0] > 1 ? 9 : 4;
  if ((int)work.size() < n) work.resize(n);
  for (int i = 0; i < n; i++) work[(i * 7) % n] = sin(x[i % 3] * i) + x[1];
  double s = 0;
  for (int i = 0; i < n; i++) s += work[i] * work[n - 1 - i] * x[2];
  return s;
}
static double pushed(double *x) {
  other.clear();
  for (int i = 0; i < 11; i++) other.push_back(x[i % 3] * i);
  double s = 0;
  for (double v : other) s += v * v;
  return s * other.back();
}
static double swapped(double *x) {
  work.resize(8), other.resize(8);
  for (int i = 0; i < 8; i++) work[i] = x[i % 3] * i;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < 8; i++) other[i] = work[i] + x[0] * work[(i + 1) % 8];
    std::swap(work, other);
  }
  double s = 0;
  for (double v : work) s += v * v;
  return s;
}
static double in_owned(double *x) {
  if (owned_size < 5) owned = std::make_unique<double[]>(owned_size = 5);
  for (int i = 0; i < 5; i++) owned[i] = x[i % 3] * x[0];
  return owned[1] * owned[2] + owned[3] * owned[4];
}
static double by_solver(double *x) { return solver.solve(x, x[2] > 1 ? 9 : 5); }
static double in_thread(double *x) {
  if (mine.size() < 6) mine.resize(6);
  for (int i = 0; i < 6; i++) mine[i] = x[i % 3] * x[0];
  return mine[1] * mine[2] + mine[5];
}

int main() {
  for (int round = 0; round < 4; round++) {
    double at[3] = {round * 0.6, 0.3, 1.2};
    in_vector(at), pushed(at), swapped(at), in_owned(at), by_solver(at), in_thread(at);
    CHECK(in_vector, round * 0.6, 0.3, 1.2);
    CHECK(pushed, .4, -.7, 1.2);
    CHECK(swapped, .4, -.7, 1.2);
    CHECK(in_owned, .4, -.7, 1.2);
    CHECK(by_solver, .4, -.7, round * .4);
    CHECK(in_thread, .4, -.7, 1.2);
    if (round == 1) std::vector<double>(3).swap(work), other.shrink_to_fit();
    if (round == 2) work.reserve(30), mine = std::vector<double>(7);
  }
  return failures;
}
