/* log of a sum of exponentials, with the maximum taken out: a Gaussian mixture. */
#include "../check.h"

static double mixture(double *x) {
  static const double data[] = {0.1, 0.5, -0.3, 1.7, 2.2};
  double s = 0;
  for (int i = 0; i < 5; i++) {
    double q[3], most = -INFINITY, sum = 0;
    for (int k = 0; k < 3; k++) {
      double d = (data[i] - x[k]) * exp(x[3 + k]);
      q[k] = x[3 + k] - 0.5 * d * d;
      most = fmax(most, q[k]);
    }
    for (int k = 0; k < 3; k++)
      sum += exp(q[k] - most);
    s += most + log(sum);
  }
  return s;
}

int main(void) {
  CHECK(mixture, 0.0, 1.0, 2.0, 0.1, -0.2, 0.3);
  return failures;
}
