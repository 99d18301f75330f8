// Gaussian mixture model (ADBench): the log-likelihood of n points in d dimensions under K Gaussians, with a Wishart
// prior. An inverse covariance is QᵀQ, where Q is lower triangular: exp(q) on its diagonal, l below it, by columns.
// Derivatives: by weights, means, and factors (q and l).
#include "adbench.hpp"

const std::vector<int> default_sizes = {4, 5, 50}; // d, K, n
static const auto gamma_prior = 1.3;
static const int m_prior = 2;

static int factor_size(int d) { return d * (d + 1) / 2; }

// out = Q x
static void multiply(int d, const double *diagonal, const double *below, const double *x, double *out) {
  for (int i = 0; i < d; i++)
    out[i] = diagonal[i] * x[i];
  for (int i = 0; i < d; i++)
    for (int j = i + 1; j < d; j++)
      out[j] += *below++ * x[i];
}

static double square_norm(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

// what does not depend on the parameters
static double constant(int d, int K, int n) {
  int p = d + m_prior + 1;
  double log_gamma = 0.25 * d * (d - 1) * std::log(M_PI);
  for (int j = 1; j <= d; j++)
    log_gamma += std::lgamma(0.5 * (p + 1 - j));
  return -0.5 * n * d * std::log(2 * M_PI) - K * (p * d * (std::log(gamma_prior) - 0.5 * std::log(2)) - log_gamma);
}

static double objective(int d, int K, int n, const double *weights, const double *means, const double *factors,
                        const double *points) {
  numbers diagonals(K * d), sums(K), term(K), centred(d), product(d);
  for (int k = 0; k < K; k++) {
    sums[k] = 0;
    for (int i = 0; i < d; i++) {
      double q = factors[k * factor_size(d) + i];
      sums[k] += q;
      diagonals[k * d + i] = std::exp(q);
    }
  }
  double result = 0;
  for (int p = 0; p < n; p++) {
    for (int k = 0; k < K; k++) {
      for (int i = 0; i < d; i++)
        centred[i] = points[p * d + i] - means[k * d + i];
      multiply(d, &diagonals[k * d], &factors[k * factor_size(d) + d], centred.data(), product.data());
      term[k] = weights[k] + sums[k] - 0.5 * square_norm(d, product.data());
    }
    result += log_sum_exp(K, term.data());
  }
  result -= n * log_sum_exp(K, weights);
  for (int k = 0; k < K; k++) {
    double squares = square_norm(d, &diagonals[k * d]) +
                     square_norm(factor_size(d) - d, &factors[k * factor_size(d) + d]);
    result += 0.5 * gamma_prior * gamma_prior * squares - m_prior * sums[k];
  }
  return result;
}

static void gradient_by_hand(int d, int K, int n, const double *weights, double *d_weights, const double *means,
                             double *d_means, const double *factors, double *d_factors, const double *points) {
  const int size = factor_size(d);
  numbers diagonals(K * d), sums(K), term(K), centred(K * d), product(K * d), back(d);
  for (int k = 0; k < K; k++)
    for (int i = 0; i < d; i++) {
      sums[k] += factors[k * size + i];
      diagonals[k * d + i] = std::exp(factors[k * size + i]);
    }
  for (int p = 0; p < n; p++) {
    for (int k = 0; k < K; k++) {
      double *c = &centred[k * d], *q = &product[k * d];
      for (int i = 0; i < d; i++)
        c[i] = points[p * d + i] - means[k * d + i];
      multiply(d, &diagonals[k * d], &factors[k * size + d], c, q);
      term[k] = weights[k] + sums[k] - 0.5 * square_norm(d, q);
    }
    double all = log_sum_exp(K, term.data());
    for (int k = 0; k < K; k++) {
      double share = std::exp(term[k] - all);
      const double *c = &centred[k * d], *q = &product[k * d], *below = &factors[k * size + d];
      double *d_below = &d_factors[k * size + d];
      d_weights[k] += share;
      for (int i = 0; i < d; i++) {
        double sum = diagonals[k * d + i] * q[i];
        d_factors[k * size + i] += share * (1 - sum * c[i]);
        for (int j = i + 1; j < d; j++) {
          sum += *below++ * q[j];
          *d_below++ -= share * q[j] * c[i];
        }
        d_means[k * d + i] += share * sum;
      }
    }
  }
  double all = log_sum_exp(K, weights), square = gamma_prior * gamma_prior;
  for (int k = 0; k < K; k++) {
    d_weights[k] -= n * std::exp(weights[k] - all);
    for (int i = 0; i < d; i++)
      d_factors[k * size + i] += square * diagonals[k * d + i] * diagonals[k * d + i] - m_prior;
    for (int i = d; i < size; i++)
      d_factors[k * size + i] += square * factors[k * size + i];
  }
}

struct gmm final : problem {
  int d, K, n;
  numbers weights, means, factors, points;

  gmm(int d, int K, int n) : d(d), K(K), n(n) {
    generator random;
    weights = random(K, -1, 1);
    means = random(K * d, 0, 1);
    factors = random(K * factor_size(d), -0.5, 0.5);
    points = random((std::size_t)n * d, 0, 1);
    result.resize(K + K * d + K * factor_size(d));
  }
  double primal() override {
    return objective(d, K, n, weights.data(), means.data(), factors.data(), points.data()) + constant(d, K, n);
  }
  void derivative() override {
    result.assign(result.size(), 0);
    double *dw = result.data(), *dm = dw + K, *df = dm + K * d;
    __enzyme_autodiff((void *)objective, enzyme_const, d, enzyme_const, K, enzyme_const, n, enzyme_dup, weights.data(),
                      dw, enzyme_dup, means.data(), dm, enzyme_dup, factors.data(), df, enzyme_const, points.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    double *dw = result.data(), *dm = dw + K, *df = dm + K * d;
    gradient_by_hand(d, K, n, weights.data(), dw, means.data(), dm, factors.data(), df, points.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new gmm(s[0], s[1], s[2]); }
