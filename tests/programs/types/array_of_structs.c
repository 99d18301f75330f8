/* An array of structs: fields that are overwritten lie between fields that are read again, also in arrays within. */
#include "../check.h"

enum { N = 3 };
struct body {
  double x[3], v[3], m;
};

static double run(double *x) {
  struct body *bodies = malloc(N * sizeof *bodies);
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++)
      bodies[i].x[k] = x[3 * i + k], bodies[i].v[k] = 0.1 * k, bodies[i].m = 1 + x[i];
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double r2 = 0.1, d[3];
        for (int k = 0; k < 3; k++)
          d[k] = bodies[j].x[k] - bodies[i].x[k], r2 += d[k] * d[k];
        for (int k = 0; k < 3; k++)
          bodies[i].v[k] += 0.01 * bodies[j].m * d[k] / (r2 * sqrt(r2));
      }
    for (struct body *b = bodies; b < bodies + N; b++)
      for (int k = 0; k < 3; k++)
        b->x[k] += 0.1 * b->v[k];
  }
  for (int i = 0; i < N; i++)
    sum += bodies[i].x[0] * bodies[i].v[1] + bodies[i].m * bodies[i].x[2];
  free(bodies);
  return sum;
}

/* an index that wraps around: no multiple of three any more */
static double wraps(double *x) {
  double y[16], sum = 0;
  for (unsigned i = 0; i < 16; i++)
    y[i] = x[i % 4] * i;
  for (unsigned i = 0; i < 8; i++) {
    unsigned char place = (unsigned char)(i * 100 * 3) % 16, next = (unsigned char)(place + 1) % 16;
    double before = y[next];
    y[place] = y[next] * y[place];
    sum += before * y[next] * y[place];
  }
  return sum;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7, -0.4, 0.3, 0.2, 0.9, -1.0, 0.1);
  CHECK(wraps, 0.5, 1.2, 0.7, -0.4);
  return failures;
}
