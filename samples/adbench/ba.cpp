// Bundle adjustment (ADBench): errors of points that cameras see, each with a weight. A camera has 11 parameters: an
// axis times an angle, a centre, a focal length, a principal point, and two coefficients of radial distortion.
// Derivatives: the sparse Jacobian, both rows of an observation at once. Each error depends on one camera, one point and
// one weight: 15 numbers.
#include "adbench.hpp"

const std::vector<int> default_sizes = {3, 20, 60}; // cameras, points, observations
enum { rotation = 0, centre = 3, focal = 6, principal = 7, radial = 9, camera_size = 11, row_size = 15 };

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Rodrigues' formula
static void rotate(const double *r, const double *x, double *out) {
  double square = dot(r, r);
  if (square == 0) {
    cross(r, x, out);
    for (int i = 0; i < 3; i++)
      out[i] += x[i];
    return;
  }
  double angle = std::sqrt(square), c = std::cos(angle), s = std::sin(angle), axis[3], turned[3];
  for (int i = 0; i < 3; i++)
    axis[i] = r[i] / angle;
  cross(axis, x, turned);
  double along = dot(axis, x) * (1 - c);
  for (int i = 0; i < 3; i++)
    out[i] = x[i] * c + turned[i] * s + axis[i] * along;
}

static void project(const double *camera, const double *point, double *out) {
  double moved[3], seen[3];
  for (int i = 0; i < 3; i++)
    moved[i] = point[i] - camera[centre + i];
  rotate(camera + rotation, moved, seen);
  double x = seen[0] / seen[2], y = seen[1] / seen[2], square = x * x + y * y;
  double distortion = 1 + camera[radial] * square + camera[radial + 1] * square * square;
  out[0] = x * distortion * camera[focal] + camera[principal];
  out[1] = y * distortion * camera[focal] + camera[principal + 1];
}

static void errors(const double *camera, const double *point, const double *weight, const double *feature,
                   double *out) {
  project(camera, point, out);
  for (int i = 0; i < 2; i++)
    out[i] = *weight * (out[i] - feature[i]);
}

static double weight_error(double w) { return 1 - w * w; }

// rows of the Jacobian of both errors
static void rows_by_hand(const double *camera, const double *point, double weight, const double *feature,
                         double *rows) {
  double moved[3], seen[3];
  const double *r = camera + rotation;
  for (int i = 0; i < 3; i++)
    moved[i] = point[i] - camera[centre + i];
  rotate(r, moved, seen);
  double angle = std::sqrt(dot(r, r)), c = std::cos(angle), s = std::sin(angle), inverse = 1 / seen[2], axis[3];
  for (int i = 0; i < 3; i++)
    axis[i] = angle == 0 ? 0 : r[i] / angle;
  double p[2] = {seen[0] * inverse, seen[1] * inverse}, square = p[0] * p[0] + p[1] * p[1];
  double distortion = 1 + camera[radial] * square + camera[radial + 1] * square * square;
  double slope = 2 * (camera[radial] + 2 * camera[radial + 1] * square);
  for (int e = 0; e < 2; e++) {
    double *row = rows + e * row_size, scale = weight * camera[focal];
    // by the place on the image plane, then by what the camera sees
    double by_p[2] = {scale * p[e] * slope * p[0], scale * p[e] * slope * p[1]};
    by_p[e] += scale * distortion;
    double g[3] = {by_p[0] * inverse, by_p[1] * inverse, -(by_p[0] * p[0] + by_p[1] * p[1]) * inverse};
    // by the rotation's angle and axis
    double turned[3], across[3], by_x[3], by_axis[3];
    cross(axis, moved, turned);
    cross(moved, g, across);
    double along = dot(axis, moved), along_g = dot(axis, g);
    if (angle == 0) {
      for (int i = 0; i < 3; i++)
        row[rotation + i] = across[i];
    } else {
      double by_angle = -s * dot(moved, g) + c * dot(turned, g) + s * along * along_g;
      for (int i = 0; i < 3; i++)
        by_axis[i] = s * across[i] + (1 - c) * (along * g[i] + along_g * moved[i]);
      double stretch = by_angle - dot(by_axis, axis) / angle;
      for (int i = 0; i < 3; i++)
        row[rotation + i] = by_axis[i] / angle + axis[i] * stretch;
    }
    // by the point: the transposed rotation
    cross(axis, g, across);
    for (int i = 0; i < 3; i++) {
      by_x[i] = c * g[i] - s * across[i] + (1 - c) * along_g * axis[i];
      row[centre + i] = -by_x[i];
      row[camera_size + i] = by_x[i];
    }
    row[focal] = weight * p[e] * distortion;
    row[principal + e] = weight;
    row[principal + 1 - e] = 0;
    row[radial] = scale * p[e] * square;
    row[radial + 1] = scale * p[e] * square * square;
    row[row_size - 1] = p[e] * distortion * camera[focal] + camera[principal + e] - feature[e];
  }
}

struct ba final : problem {
  int observations;
  numbers cameras, points, weights, features;
  std::vector<int> camera_of, point_of;

  ba(int n_cameras, int n_points, int observations) : observations(observations) {
    generator random;
    for (int i = 0; i < n_cameras; i++)
      for (double x : {random(-0.3, 0.3), random(-0.3, 0.3), random(-0.3, 0.3), random(-1, 1), random(-1, 1),
                       random(-6, -4), random(400, 600), random(-5, 5), random(-5, 5), random(-0.1, 0.1),
                       random(-0.01, 0.01)})
        cameras.push_back(x);
    points = random(3 * n_points, -1, 1);
    weights = random(observations, 0.5, 1);
    features = random(2 * observations, -100, 100);
    for (int i = 0; i < observations; i++) {
      camera_of.push_back(random.next() % n_cameras);
      point_of.push_back(random.next() % n_points);
    }
    result.resize((2 * row_size + 1) * observations);
  }
  double *camera(int i) { return &cameras[camera_size * camera_of[i]]; }
  double *point(int i) { return &points[3 * point_of[i]]; }

  double primal() override {
    double sum = 0;
    for (int i = 0; i < observations; i++) {
      double out[2];
      errors(camera(i), point(i), &weights[i], &features[2 * i], out);
      sum += out[0] + out[1] + weight_error(weights[i]);
    }
    return sum;
  }
  void derivative() override {
    result.assign(result.size(), 0);
    for (int i = 0; i < observations; i++) {
      // both rows at once
      double out[2], first[2] = {1, 0}, second[2] = {0, 1}, *row = &result[2 * i * row_size], *next = row + row_size;
      __enzyme_autodiff((void *)errors, enzyme_width, 2, enzyme_dup, camera(i), row, next, enzyme_dup, point(i),
                        row + camera_size, next + camera_size, enzyme_dup, &weights[i], row + row_size - 1,
                        next + row_size - 1, enzyme_const, &features[2 * i], enzyme_dupnoneed, out, first, second);
      result[2 * row_size * observations + i] = __enzyme_autodiff((void *)weight_error, weights[i]);
    }
  }
  void by_hand() override {
    for (int i = 0; i < observations; i++) {
      rows_by_hand(camera(i), point(i), weights[i], &features[2 * i], &result[2 * i * row_size]);
      result[2 * row_size * observations + i] = -2 * weights[i];
    }
  }
};

problem *make_problem(const std::vector<int> &s) { return new ba(s[0], s[1], s[2]); }
