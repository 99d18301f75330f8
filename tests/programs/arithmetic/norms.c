/* The one, two and maximum norm, and a scaled two norm that cannot overflow. */
#include "../check.h"

static double norms(double *x) {
  double one = 0, two = 0, most = 0, scale = 0, sum = 1;
  for (int i = 0; i < 5; i++) {
    double a = fabs(x[i]);
    one += a;
    two += a * a;
    most = a > most ? a : most;
    if (a > scale) {
      sum = 1 + sum * (scale / a) * (scale / a);
      scale = a;
    } else if (a > 0) {
      sum += (a / scale) * (a / scale);
    }
  }
  return one * sqrt(two) + most * scale * sqrt(sum);
}

int main(void) {
  CHECK(norms, 0.9, -1.2, 0.7, -2.4, 1.3);
  return failures;
}
