// The Kalman filter of a linear system with four states, two of them measured with noise: the logarithm of the
// likelihood of the measurements. Derivatives: by the transition matrix, the standard deviations of the noise of states
// and of measurements, and the measurements.
#include "adbench.hpp"

const std::vector<int> default_sizes = {20}; // steps

static constexpr int n = 4, m = 2, parameters = n * n + n + m;

template <int rows, int columns> using matrix = double[rows][columns];

// out = a b; the three others transpose, add or both
template <int r, int k, int c> static void product(matrix<r, c> &out, const matrix<r, k> &a, const matrix<k, c> &b) {
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++) {
      out[i][j] = 0;
      for (int l = 0; l < k; l++)
        out[i][j] += a[i][l] * b[l][j];
    }
}

template <int r, int k, int c> static void by_transposed(matrix<r, c> &out, const matrix<r, k> &a, const matrix<c, k> &b) {
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++) {
      out[i][j] = 0;
      for (int l = 0; l < k; l++)
        out[i][j] += a[i][l] * b[j][l];
    }
}

template <int r, int k, int c>
static void add_product(matrix<r, c> &out, const matrix<r, k> &a, const matrix<k, c> &b, double scale = 1) {
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++)
      for (int l = 0; l < k; l++)
        out[i][j] += scale * a[i][l] * b[l][j];
}

template <int r, int k, int c>
static void add_transposed(matrix<r, c> &out, const matrix<k, r> &a, const matrix<k, c> &b, double scale = 1) {
  for (int l = 0; l < k; l++)
    for (int i = 0; i < r; i++)
      for (int j = 0; j < c; j++)
        out[i][j] += scale * a[l][i] * b[l][j];
}

struct filter {
  double x[n], p[n][n]; // mean and covariance
};

// What a step computes on its way: the prediction, its covariance with measurements, and what is surprising in these.
struct inside {
  double x[n], p[n][n], fp[n][n], ph[n][m], hp[m][n], inverse[m][m], gain[n][m], error[m], weighted[m], determinant;
};

static void predict(const double *theta, const matrix<m, n> &h, const double *z, const filter &f, inside &s) {
  auto &transition = *(const matrix<n, n> *)theta;
  const double *noise = theta + n * n, *measured = noise + n;
  product(s.fp, transition, f.p);
  by_transposed(s.p, s.fp, transition);
  for (int i = 0; i < n; i++) {
    s.x[i] = 0;
    for (int j = 0; j < n; j++)
      s.x[i] += transition[i][j] * f.x[j];
    s.p[i][i] += noise[i] * noise[i];
  }
  by_transposed(s.ph, s.p, h);
  product(s.hp, h, s.p);
  double c[m][m];
  product(c, h, s.ph);
  for (int i = 0; i < m; i++) {
    c[i][i] += measured[i] * measured[i];
    s.error[i] = z[i];
    for (int j = 0; j < n; j++)
      s.error[i] -= h[i][j] * s.x[j];
  }
  s.determinant = c[0][0] * c[1][1] - c[0][1] * c[1][0];
  s.inverse[0][0] = c[1][1] / s.determinant, s.inverse[0][1] = -c[0][1] / s.determinant;
  s.inverse[1][0] = -c[1][0] / s.determinant, s.inverse[1][1] = c[0][0] / s.determinant;
  product(s.gain, s.ph, s.inverse);
  for (int i = 0; i < m; i++) {
    s.weighted[i] = 0;
    for (int j = 0; j < m; j++)
      s.weighted[i] += s.inverse[i][j] * s.error[j];
  }
}

// One step, and what it adds to the logarithm of the likelihood.
static double advance(const double *theta, const matrix<m, n> &h, const double *z, filter &f) {
  inside s;
  predict(theta, h, z, f, s);
  double square = 0;
  for (int i = 0; i < m; i++)
    square += s.error[i] * s.weighted[i];
  product(f.p, s.gain, s.hp);
  for (int i = 0; i < n; i++) {
    f.x[i] = s.x[i];
    for (int j = 0; j < m; j++)
      f.x[i] += s.gain[i][j] * s.error[j];
    for (int j = 0; j < n; j++)
      f.p[i][j] = s.p[i][j] - f.p[i][j];
  }
  return -(std::log(s.determinant) + square + m * std::log(2 * M_PI)) / 2;
}

static void start(filter &f) {
  for (int i = 0; i < n; i++) {
    f.x[i] = 0;
    for (int j = 0; j < n; j++)
      f.p[i][j] = i == j;
  }
}

static double objective(int steps, const double *theta, const double *h, const double *z) {
  filter f;
  start(f);
  double sum = 0;
  for (int t = 0; t < steps; t++)
    sum += advance(theta, *(const matrix<m, n> *)h, z + m * t, f);
  return sum;
}

// `d` has the adjoint of the state after a step, and gets that of the state before it.
static void advance_adjoint(const double *theta, double *d_theta, const matrix<m, n> &h, const double *z, double *d_z,
                            const filter &f, filter &d) {
#pragma clang fp reassociate(on)
  auto &transition = *(const matrix<n, n> *)theta;
  auto &d_transition = *(matrix<n, n> *)d_theta;
  const double *noise = theta + n * n, *measured = noise + n;
  double *d_noise = d_theta + n * n, *d_measured = d_noise + n;
  inside s;
  predict(theta, h, z, f, s);
  // covariance p - gain hp, mean x + gain error
  double d_gain[n][m], d_ph[n][m] = {}, d_hp[m][n] = {}, d_inverse[m][m] = {}, d_c[m][m], through[m][m] = {}, d_error[m];
  by_transposed(d_gain, d.p, s.hp);
  add_transposed(d_hp, s.gain, d.p, -1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d_gain[i][j] = d.x[i] * s.error[j] - d_gain[i][j];
  for (int j = 0; j < m; j++) {
    d_error[j] = -s.weighted[j];
    for (int i = 0; i < n; i++)
      d_error[j] += s.gain[i][j] * d.x[i];
  }
  // gain = ph inverse; the inverse's adjoint, and the likelihood's, to the covariance of measurements
  add_product(d_ph, d_gain, s.inverse);
  add_transposed(d_inverse, s.ph, d_gain);
  add_product(through, d_inverse, s.inverse);
  product(d_c, s.inverse, through);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++)
      d_c[i][j] = (s.weighted[i] * s.weighted[j] - s.inverse[i][j]) / 2 - d_c[i][j];
    d_measured[i] += 2 * measured[i] * d_c[i][i];
    d_z[i] = d_error[i];
  }
  add_transposed(d_ph, h, d_c);
  add_product(d.p, d_ph, h);
  add_transposed(d.p, h, d_hp);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d.x[i] -= h[j][i] * d_error[j];
  // p = transition p transitionᵀ + noise, x = transition x
  double both[n][n], by_transition[n][n], d_x[n] = {};
  for (int i = 0; i < n; i++) {
    d_noise[i] += 2 * noise[i] * d.p[i][i];
    for (int j = 0; j < n; j++) {
      both[i][j] = d.p[i][j] + d.p[j][i];
      d_transition[i][j] += d.x[i] * f.x[j];
      d_x[j] += transition[i][j] * d.x[i];
    }
  }
  add_product(d_transition, both, s.fp);
  product(by_transition, d.p, transition);
  d = {};
  for (int i = 0; i < n; i++)
    d.x[i] = d_x[i];
  add_transposed(d.p, transition, by_transition);
}

// The states of all steps are kept, what is inside a step is computed again.
static void gradient_by_hand(int steps, const double *theta, double *d_theta, const double *h, const double *z,
                             double *d_z) {
  auto &measure = *(const matrix<m, n> *)h;
  std::vector<filter> states(steps + 1);
  start(states[0]);
  for (int t = 0; t < steps; t++) {
    states[t + 1] = states[t];
    advance(theta, measure, z + m * t, states[t + 1]);
  }
  filter d = {};
  for (int t = steps - 1; t >= 0; t--)
    advance_adjoint(theta, d_theta, measure, z + m * t, d_z + m * t, states[t], d);
}

struct kalman final : problem {
  int steps;
  numbers theta, h, z;

  explicit kalman(int steps) : steps(steps) {
    generator random;
    theta = random(n * n, -0.05, 0.05); // two places, and their speeds
    for (int i = 0; i < n; i++)
      theta[i * n + i] += 0.9;
    theta[0 * n + 2] += 0.1, theta[1 * n + 3] += 0.1;
    numbers deviations = random(n + m, 0.3, 0.6);
    theta.insert(theta.end(), deviations.begin(), deviations.end());
    h = random(m * n, -0.1, 0.1);
    h[0 * n + 0] += 1, h[1 * n + 1] += 1;
    z = random((std::size_t)m * steps, -1, 1);
    result.resize(parameters + z.size());
  }
  double primal() override { return objective(steps, theta.data(), h.data(), z.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, steps, enzyme_dup, theta.data(), result.data(), enzyme_const,
                      h.data(), enzyme_dup, z.data(), result.data() + parameters);
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    gradient_by_hand(steps, theta.data(), result.data(), h.data(), z.data(), result.data() + parameters);
  }
};

problem *make_problem(const std::vector<int> &s) { return new kalman(s[0]); }
