/* A neural network of doubles: its answers for given inputs, with weights that main or the function sets. */
#include "check.h"
#include <doublefann.h>

static struct fann *before;

static struct fann *make(void) {
  struct fann *network = fann_create_standard(3, 2, 3, 1);
  fann_set_activation_function_hidden(network, FANN_SIGMOID_SYMMETRIC);
  fann_set_activation_function_output(network, FANN_LINEAR);
  for (unsigned i = 0; i < fann_get_total_connections(network); i++)
    network->weights[i] = 0.3 * sin(1.3 * i + 0.4);
  return network;
}

static double answered(struct fann *network, const double *x) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    double input[2] = {x[0] + 0.1 * k, x[1] * (k + 1)};
    sum += (k + 1) * fann_run(network, input)[0];
  }
  return sum;
}

static double outside(double *x) { return answered(before, x); }

static double inside(double *x) {
  struct fann *network = make();
  double value = answered(network, x);
  fann_destroy(network);
  return value;
}

int main(void) {
  before = make();
  CHECK_HANDLE(inside, outside, 0.37, -0.21);
  return failures;
}
