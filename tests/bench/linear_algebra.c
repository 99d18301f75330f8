/* Three functions of matrices of order 500, see linear_algebra.py:
 *
 * - chain: the sum of X, where L X = B and L L^T = A A^T + n: dgemm, dpotrf, dtrsm;
 * - dgesv: the sum of x, where A x = b;
 * - dgesv of matrices: the same, where b has as many columns as A.
 *
 * Prints for each: its name, the shortest processor time of the primal, of the gradient, and of the gradient by adjoints
 * written by hand with the same library, in microseconds, and the largest difference of the gradients, relative to the
 * largest element. With an argument (primal, hand, ours), prints what the chain adds to the memory of the process, in
 * kilobytes. */
#include <enzyme/enzyme.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef const char *C;
typedef const int *I;
typedef const double *X;
void dgemm_(C, C, I, I, I, X, X, I, X, I, X, double *, I);
void dsymm_(C, C, I, I, X, X, I, X, I, X, double *, I);
void dtrmm_(C, C, C, C, I, I, X, X, I, double *, I);
void dtrsm_(C, C, C, C, I, I, X, X, I, double *, I);
void dpotrf_(C, I, double *, I, int *);
void dgesv_(I, I, double *, I, int *, double *, I, int *);
void dgetrs_(C, I, I, X, I, I, double *, I, int *);
extern double __enzyme_autodiff_sum(double (*)(int, const double *, const double *), ...);

static const double one = 1, none = 0, minus = -1;
enum { N = 500, ROUNDS = 30 };

static double sum(const double *x, long count) {
  double s = 0;
  for (long i = 0; i < count; i++)
    s += x[i];
  return s;
}

static double chain(int n, const double *a, const double *b) {
  double *k = malloc(n * n * sizeof *k), *x = malloc(n * n * sizeof *x), s;
  int info;
  dgemm_("N", "T", &n, &n, &n, &one, a, &n, a, &n, &none, k, &n);
  for (int i = 0; i < n; i++)
    k[i + i * n] += n;
  memcpy(x, b, n * n * sizeof *x);
  dpotrf_("L", &n, k, &n, &info);
  dtrsm_("L", "L", "N", "N", &n, &n, &one, k, &n, x, &n);
  s = sum(x, n * n);
  free(k), free(x);
  return s;
}

static int columns = 1; /* of b */

static double solution(int n, const double *a, const double *b) {
  double *k = malloc(n * n * sizeof *k), *x = malloc(n * columns * sizeof *x), s;
  int *pivots = malloc(n * sizeof *pivots), info;
  memcpy(k, a, n * n * sizeof *k), memcpy(x, b, n * columns * sizeof *x);
  dgesv_(&n, &columns, k, &n, pivots, x, &n, &info);
  s = sum(x, n * columns);
  free(k), free(x), free(pivots);
  return s;
}

/* -- by hand */

/* A' of L': P = the lower triangle of L^T L', with half of its diagonal; the symmetric part of L^-T P L^-1 */
static void reverse_cholesky(int n, const double *l, double *dl) {
  for (int j = 0; j < n; j++)
    memset(dl + j * n, 0, j * sizeof *dl);
  dtrmm_("L", "L", "T", "N", &n, &n, &one, l, &n, dl, &n);
  for (int j = 0; j < n; j++) {
    memset(dl + j * n, 0, j * sizeof *dl);
    dl[j + j * n] /= 2;
  }
  dtrsm_("L", "L", "T", "N", &n, &n, &one, l, &n, dl, &n);
  dtrsm_("R", "L", "N", "N", &n, &n, &one, l, &n, dl, &n);
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      dl[i + j * n] = dl[j + i * n] = (dl[i + j * n] + dl[j + i * n]) / 2;
}

static void chain_by_hand(int n, const double *a, const double *b, double *da, double *db) {
  size_t size = (size_t)n * n * sizeof(double);
  double *k = malloc(size), *x = malloc(size), *dk = malloc(size), *dx = malloc(size), two = 2;
  int info;
  dgemm_("N", "T", &n, &n, &n, &one, a, &n, a, &n, &none, k, &n);
  for (int i = 0; i < n; i++)
    k[i + i * n] += n;
  memcpy(x, b, size);
  dpotrf_("L", &n, k, &n, &info);
  dtrsm_("L", "L", "N", "N", &n, &n, &one, k, &n, x, &n);
  for (long i = 0; i < (long)n * n; i++)
    dx[i] = 1;
  dtrsm_("L", "L", "T", "N", &n, &n, &one, k, &n, dx, &n);
  for (long i = 0; i < (long)n * n; i++)
    db[i] += dx[i];
  dgemm_("N", "T", &n, &n, &n, &minus, dx, &n, x, &n, &none, dk, &n);
  reverse_cholesky(n, k, dk);
  dsymm_("L", "L", &n, &n, &two, dk, &n, a, &n, &one, da, &n);
  free(k), free(x), free(dk), free(dx);
}

static void solution_by_hand(int n, const double *a, const double *b, double *da, double *db) {
  size_t whole = (size_t)n * n * sizeof(double), size = (size_t)n * columns * sizeof(double);
  double *k = malloc(whole), *x = malloc(size), *dx = malloc(size);
  int *pivots = malloc(n * sizeof *pivots), info;
  memcpy(k, a, whole), memcpy(x, b, size);
  dgesv_(&n, &columns, k, &n, pivots, x, &n, &info);
  for (long i = 0; i < (long)n * columns; i++)
    dx[i] = 1;
  dgetrs_("T", &n, &columns, k, &n, pivots, dx, &n, &info);
  for (long i = 0; i < (long)n * columns; i++)
    db[i] += dx[i];
  dgemm_("N", "T", &n, &n, &columns, &minus, dx, &n, x, &n, &one, da, &n);
  free(k), free(x), free(dx), free(pivots);
}

/* -- measurements */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static long peak(void) { /* of the process, in kilobytes */
  char line[256];
  long found = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    sscanf(line, "VmHWM: %ld", &found);
  fclose(status);
  return found;
}

typedef double primal(int, const double *, const double *);
typedef void gradient(int, const double *, const double *, double *, double *);

static void chain_by_enzyme(int n, const double *a, const double *b, double *da, double *db) {
  __enzyme_autodiff_sum(chain, n, a, da, b, db);
}
static void solution_by_enzyme(int n, const double *a, const double *b, double *da, double *db) {
  __enzyme_autodiff_sum(solution, n, a, da, b, db);
}

static double a[N * N], b[N * N], da[2][N * N], db[2][N * N];

static void measure(const char *name, primal *f, gradient *ours, gradient *by_hand) {
  double best[3] = {INFINITY, INFINITY, INFINITY}, error = 0, size = 0, start;
  gradient *both[] = {ours, by_hand};
  for (int round = 0; round < ROUNDS; round++) {
    start = now(), f(N, a, b), best[0] = fmin(best[0], now() - start);
    for (int k = 0; k < 2; k++) {
      memset(da[k], 0, sizeof da[k]), memset(db[k], 0, sizeof db[k]);
      start = now(), both[k](N, a, b, da[k], db[k]), best[k + 1] = fmin(best[k + 1], now() - start);
    }
  }
  for (int i = 0; i < N * N; i++) {
    error = fmax(error, fmax(fabs(da[0][i] - da[1][i]), fabs(db[0][i] - db[1][i])));
    size = fmax(size, fmax(fabs(da[1][i]), fabs(db[1][i])));
  }
  printf("%s %.0f %.0f %.0f %.1e\n", name, best[0], best[1], best[2], error / size);
}

/* `memory ours|hand|primal`: what the chain's gradient adds to the peak, in kilobytes. */
static void memory(const char *which) {
  mallopt(M_MMAP_THRESHOLD, 4096);
  memset(da, 1, sizeof da), memset(db, 1, sizeof db);
  int small = 8;
  chain(small, a, b), chain_by_hand(small, a, b, da[0], db[0]), chain_by_enzyme(small, a, b, da[0], db[0]);
  long before = peak();
  if (which[0] == 'o')
    chain_by_enzyme(N, a, b, da[0], db[0]);
  else if (which[0] == 'h')
    chain_by_hand(N, a, b, da[0], db[0]);
  else
    chain(N, a, b);
  printf("%ld\n", peak() - before);
}

int main(int count, char **words) {
  for (int i = 0; i < N * N; i++) {
    a[i] = sin(i * 0.7 + i % 13) + (i % (N + 1) == 0 ? 2 : 0);
    b[i] = cos(i * 0.3 + i % 7);
  }
  if (count > 1)
    memory(words[1]);
  else {
    measure("chain", chain, chain_by_enzyme, chain_by_hand);
    measure("dgesv", solution, solution_by_enzyme, solution_by_hand);
    columns = N;
    measure("dgesv_of_matrices", solution, solution_by_enzyme, solution_by_hand);
  }
}
