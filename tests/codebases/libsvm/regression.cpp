// Regression by support vectors: evaluated by the point (trained before), or trained by the measured values, then evaluated.
#define TOLERANCE 1e-4 // the training stops near the optimum
#include "check.h"
#include <svm.h>
enum { M = 8 };

struct fit {
  svm_node nodes[M][2], *rows[M];
  double values[M];
  svm_problem problem;
  svm_model *model;
};
static fit before;

static void make(fit &fit, const double *x) {
  svm_parameter parameter = {};
  parameter.svm_type = EPSILON_SVR, parameter.kernel_type = RBF;
  parameter.gamma = 0.5, parameter.C = 10, parameter.p = 0.01, parameter.eps = 1e-9, parameter.cache_size = 1;
  for (int i = 0; i < M; i++) {
    fit.nodes[i][0] = {1, 0.4 * i};
    fit.nodes[i][1] = {-1, 0};
    fit.rows[i] = fit.nodes[i];
    fit.values[i] = sin(0.7 * i) + x[1] * i + x[2] * cos(i);
  }
  fit.problem = {M, fit.values, fit.rows};
  fit.model = svm_train(&fit.problem, &parameter);
}

static double predicted(const fit &fit, double at) {
  svm_node point[2] = {{1, at}, {-1, 0}};
  return svm_predict(fit.model, point);
}

static double outside(double *x) { return predicted(before, x[0]); }

static double inside(double *x) {
  fit fit;
  make(fit, x);
  double value = predicted(fit, x[0]);
  svm_free_and_destroy_model(&fit.model);
  return value;
}

int main() {
  double x[] = {1.1, 0.1, 0.2};
  svm_set_print_string_function([](const char *) {});
  make(before, x);
  CHECK_HANDLE(inside, outside, 1.1, 0.1, 0.2);
  return failures;
}
