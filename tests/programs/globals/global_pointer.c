/* A global that points to active memory: its shadow points to the shadow. */
double buffer_shadow[3];
#define BEFORE_REQUEST memset(buffer_shadow, 0, sizeof buffer_shadow)
#include "../check.h"

static double *where;
static double buffer[3];

NOINLINE static void store(int i, double v) { where[i] = v * where[i]; }

static double run(double *x) {
  where = buffer;
  for (int i = 0; i < 3; i++)
    where[i] = x[i];
  store(1, x[0]);
  where = x;
  store(0, buffer[1]);
  return x[0] * buffer[1] * where[2];
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
