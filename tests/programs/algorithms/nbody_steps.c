/* Bodies in structs, moved by leapfrog. */
#include "../check.h"

struct body {
  double r[3], v[3], mass;
};

static void kick(struct body *b, int n, double h) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == j)
        continue;
      double d[3], q = 0.01;
      for (int k = 0; k < 3; k++) {
        d[k] = b[j].r[k] - b[i].r[k];
        q += d[k] * d[k];
      }
      for (int k = 0; k < 3; k++)
        b[i].v[k] += h * b[j].mass * d[k] / (q * sqrt(q));
    }
}

static double run(double *x) {
  struct body b[3] = {{{0, 0, 0}, {0, 0.1, 0}, x[0]}, {{x[1], 1, 0}, {0.5, 0, x[2]}, 0.5}, {{-1, x[3], 0.2}, {0}, 0.3}};
  for (int t = 0; t < 5; t++) {
    kick(b, 3, 0.1);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        b[i].r[k] += 0.1 * b[i].v[k];
  }
  return b[0].r[0] + b[1].r[1] * b[2].r[2];
}

int main(void) {
  CHECK(run, 1.5, 1.2, 0.7, 0.4);
  return failures;
}
