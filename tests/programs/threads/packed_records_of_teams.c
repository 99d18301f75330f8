/* Packed records that a team reads: types of adjoints are marked, also where threads add to copies of their own. What a
 * region calls is inlined: then additions are those of the region.
 * flags: -fopenmp */
#include "on_teams.h"
#include <stdlib.h>

struct __attribute__((packed)) behind {
  double x, y;
  int type;
};
struct __attribute__((packed)) before {
  char type;
  double x, y;
};
enum { ATOMS = 12 };

#define SUM(RECORD)                                                                                                    \
  static double energy_##RECORD(int group, const struct RECORD *atoms, const double *x) {                              \
    double total = 0;                                                                                                  \
    for (int i = 0; i < ATOMS; i++) {                                                                                  \
      double a[4], s = 0;                                                                                              \
      for (int k = 0; k < 4; k++)                                                                                      \
        a[k] = atoms[i].x * x[(group + k) % N] - atoms[i].y * (k + 1);                                                 \
      for (int k = 0; k < 4; k++)                                                                                      \
        s += atoms[i].type % 2 ? sin(a[k]) : a[k] * a[(k + 1) % 4];                                                    \
      total += s * atoms[(i + group) % ATOMS].x;                                                                       \
    }                                                                                                                  \
    return total;                                                                                                      \
  }                                                                                                                    \
  static double sum_##RECORD(double *x) {                                                                              \
    struct RECORD *atoms = malloc(ATOMS * sizeof *atoms), *copies = malloc(ATOMS * sizeof *copies);                    \
    double sum = 0;                                                                                                    \
    for (int i = 0; i < ATOMS; i++)                                                                                    \
      atoms[i].x = x[i] * x[i + 1], atoms[i].y = x[2 * i], atoms[i].type = i;                                          \
    _Pragma("omp parallel for") for (int i = 0; i < ATOMS; i++) copies[i] = atoms[i];                                  \
    _Pragma("omp parallel for reduction(+ : sum)") for (int g = 0; g < 9; g++) sum += energy_##RECORD(g, copies, x);   \
    sum += energy_##RECORD(1, atoms, x);                                                                               \
    free(atoms);                                                                                                       \
    free(copies);                                                                                                      \
    return sum;                                                                                                        \
  }                                                                                                                    \
  GRADIENT(sum_##RECORD)
SUM(behind)
SUM(before)

int main(void) {
  ON_TEAMS(sum_behind);
  ON_TEAMS(sum_before);
  return failures;
}
