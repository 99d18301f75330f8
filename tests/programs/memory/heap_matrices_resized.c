/* Rows of a matrix made, resized, swapped and freed again and again in loops. */
#include "../check.h"

struct matrix {
  int rows, columns;
  double **row;
};

NOINLINE static void resize(struct matrix *m, int rows, int columns) {
  for (int i = rows; i < m->rows; i++)
    free(m->row[i]);
  m->row = realloc(m->row, (size_t)rows * sizeof *m->row);
  for (int i = 0; i < rows; i++) {
    double *old = i < m->rows ? m->row[i] : NULL;
    m->row[i] = realloc(old, (size_t)columns * sizeof **m->row);
    for (int j = old ? m->columns : 0; j < columns; j++)
      m->row[i][j] = i + 0.1 * j;
  }
  m->rows = rows, m->columns = columns;
}

NOINLINE static void release(struct matrix *m) {
  for (int i = 0; i < m->rows; i++)
    free(m->row[i]);
  free(m->row);
}

static double run(double *x) {
  double s = 0;
  struct matrix a = {0, 0, NULL};
  for (int k = 1; k < 5; k++) {
    struct matrix b = {0, 0, NULL};
    resize(&a, k % 3 + 1, k);
    resize(&b, 2, k);
    for (int i = 0; i < a.rows; i++)
      for (int j = 0; j < a.columns; j++) {
        a.row[i][j] = a.row[i][j] * x[j % 3] + b.row[i & 1][j] * x[k % 3];
        s += a.row[i][j] * a.row[i][j];
      }
    double *t = a.row[0];
    a.row[0] = a.row[a.rows - 1], a.row[a.rows - 1] = t;
    release(&b);
  }
  release(&a);
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
