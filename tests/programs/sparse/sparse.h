/* What the programs here share: a sparse matrix against a dense function of row and column. */
#include "../check.h"
#include <enzyme/enzyme.h>

/* Checks all entries, that no other entry of the matrix is a number other than zero, and the number of groups. */
static inline void same_matrix(const char *name, struct enzyme_triplets *t, double (*want)(long, long), long rows,
                               long columns, unsigned long count, unsigned long groups) {
  double *dense = (double *)calloc(rows * columns, sizeof *dense);
  char *given = (char *)calloc(rows * columns, 1);
  for (unsigned long k = 0; k < t->count; k++) {
    int is_after = !k || t->rows[k] > t->rows[k - 1] || (t->rows[k] == t->rows[k - 1] && t->columns[k] > t->columns[k - 1]);
    if (!is_after || given[t->rows[k] * columns + t->columns[k]])
      same("the order of entries", k, 0, 1, 0);
    dense[t->rows[k] * columns + t->columns[k]] = t->values[k];
    given[t->rows[k] * columns + t->columns[k]] = 1;
  }
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++) {
      double w = want(i, j);
      if (!(fabs(dense[i * columns + j] - w) <= 1e-12 * (1 + fabs(w))))
        same(name, i * columns + j, dense[i * columns + j], w, 1e-12);
    }
  same("entries", 0, t->count, count, 0);
  same("groups", 0, t->groups, groups, 0);
  free(dense);
  free(given);
  free(t->rows);
  free(t->columns);
  free(t->values);
}
