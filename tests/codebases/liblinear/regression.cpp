// Linear regression by support vectors: evaluated by the point (trained before), or trained by the values, then evaluated.
#define TOLERANCE 1e-4 // the training stops near the optimum
#include "check.h"
#include <linear.h>
enum { M = 6 };

static model *before;
static void silent(const char *) {}

static model *make(const double *x) {
  feature_node nodes[M][3], *rows[M];
  double values[M];
  for (int i = 0; i < M; i++) {
    nodes[i][0] = {1, 0.4 * i}, nodes[i][1] = {2, 1}, nodes[i][2] = {-1, 0};
    rows[i] = nodes[i];
    values[i] = x[1] * i + x[2] * cos(i);
  }
  problem data = {M, 2, values, rows, -1};
  parameter how = {};
  how.solver_type = L2R_L2LOSS_SVR, how.C = 10, how.p = 0.01, how.eps = 1e-9;
  return train(&data, &how);
}

static double predicted(const model *made, double at) {
  feature_node point[3] = {{1, at}, {2, 1}, {-1, 0}};
  return predict(made, point);
}

static double outside(double *x) { return predicted(before, x[0]); }

static double inside(double *x) {
  model *made = make(x);
  double value = predicted(made, x[0]);
  free_and_destroy_model(&made);
  return value;
}

int main() {
  double x[] = {1.1, 0.5, 0.2};
  set_print_string_function(silent);
  before = make(x);
  CHECK_HANDLE(inside, outside, 1.1, 0.5, 0.2);
  return failures;
}
