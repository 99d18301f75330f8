/* A returned pointer comes with its shadow, into which the program writes the adjoint. */
#include "../check.h"

struct both {
  void *tape;
  double *value, *shadow;
};
extern struct both __enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

static double *squares(const double *x, int n) {
  double *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
  return y;
}

int main(void) {
  double x[] = {1, 2, 3}, dx[3] = {0};
  struct both b = __enzyme_augmentfwd((void *)squares, x, dx, 3);
  for (int i = 0; i < 3; i++) {
    SAME(b.value[i], x[i] * x[i]);
    SAME(b.shadow[i], 0);
    b.shadow[i] = i + 1;
  }
  __enzyme_reverse((void *)squares, x, dx, 3, b.tape);
  for (int i = 0; i < 3; i++)
    SAME(dx[i], 2 * x[i] * (i + 1));
  free(b.value);
  free(b.shadow);
  return failures;
}
