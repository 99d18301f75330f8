// k-means (GradBench): the sum of square distances of n points from their nearest of k centres, in d dimensions.
// Derivatives: the gradient, and the diagonal of the Hessian: the gradient differentiated once more, forward, along
// the vector of ones (rows of the Hessian have nothing beside the diagonal).
#include "adbench.hpp"

const std::vector<int> default_sizes = {50, 5, 3}; // n, k, d

static double objective(int n, int k, int d, const double *points, const double *centres) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    double nearest = INFINITY;
    for (int c = 0; c < k; c++) {
      double distance = 0;
      for (int j = 0; j < d; j++) {
        double delta = points[i * d + j] - centres[c * d + j];
        distance += delta * delta;
      }
      if (distance < nearest)
        nearest = distance;
    }
    total += nearest;
  }
  return total;
}

static void gradient(int n, int k, int d, const double *points, const double *centres, double *d_centres) {
  __enzyme_autodiff((void *)objective, enzyme_const, n, enzyme_const, k, enzyme_const, d, enzyme_const, points,
                    enzyme_dup, centres, d_centres);
}

struct kmeans final : problem {
  int n, k, d;
  numbers points, centres, ones;

  kmeans(int n, int k, int d) : n(n), k(k), d(d), ones(k * d, 1.) {
    generator random;
    points = random((std::size_t)n * d, 0, 1);
    centres = random(k * d, 0, 1);
    result.resize(2 * k * d);
  }
  double primal() override { return objective(n, k, d, points.data(), centres.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_fwddiff((void *)gradient, enzyme_const, n, enzyme_const, k, enzyme_const, d, enzyme_const, points.data(),
                     enzyme_dup, centres.data(), ones.data(), enzyme_dup, result.data(), result.data() + k * d);
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    for (int i = 0; i < n; i++) {
      double least = INFINITY;
      int nearest = 0;
      for (int c = 0; c < k; c++) {
        double distance = 0;
        for (int j = 0; j < d; j++) {
          double delta = points[i * d + j] - centres[c * d + j];
          distance += delta * delta;
        }
        if (distance < least)
          least = distance, nearest = c;
      }
      for (int j = 0; j < d; j++) {
        result[nearest * d + j] -= 2 * (points[i * d + j] - centres[nearest * d + j]);
        result[(k + nearest) * d + j] += 2;
      }
    }
  }
};

problem *make_problem(const std::vector<int> &s) { return new kmeans(s[0], s[1], s[2]); }
