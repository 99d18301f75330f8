/* double **: rows allocated one by one, swapped, resized and freed in loops. */
#include "../check.h"

static double rows(double *x) {
  double **m = malloc(3 * sizeof *m), s = 0;
  for (int i = 0; i < 3; i++) {
    m[i] = malloc((i + 2) * sizeof **m);
    for (int j = 0; j < i + 2; j++)
      m[i][j] = x[(i + j) % 3] * (j + 1);
  }
  double *first = m[0];
  m[0] = m[2];
  m[2] = first;
  for (int i = 0; i < 3; i++) {
    m[i] = realloc(m[i], 5 * sizeof **m);
    m[i][4] = m[i][0] * m[i][1];
  }
  for (int i = 0; i < 3; i++)
    s += m[i][4] * m[(i + 1) % 3][1];
  for (int i = 0; i < 3; i++)
    free(m[i]);
  free(m);
  return s;
}

int main(void) {
  CHECK(rows, 0.5, 1.2, 0.7);
  return failures;
}
