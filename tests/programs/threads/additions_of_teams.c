/* Loops that read memory which other threads of the team read, too: the adjoints of these reads are plain additions
 * where iterations are apart, go to copies of each thread, or are atomic.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

enum { N = 6, SIZE = 22, ALL = 4096 };
typedef struct {
  double x, y, z;
} vec;

/* Each function gets n*n numbers and more behind `a`, and as many zeros behind `c`. */
static double matmul(int n, double *a, double *c) { double *b = a + n * n;
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i]; return s; }
static double matmul_dyn(int n, double *a, double *c) { double *b = a + n * n;
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j]; c[i * n + j] = s; }
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i]; return s; }
#define STENCIL(NAME, CLAUSE) static double NAME(int n, double *a, double *c) { double alpha = a[0]; \
  for (int t = 0; t < 3; t++) { double *u = t % 2 ? c : a, *v = t % 2 ? a : c; \
_Pragma(CLAUSE) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) \
    v[i * n + j] = sin(u[i * n + j]) + alpha * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]); } \
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
STENCIL(stencil, "omp parallel for") STENCIL(stencil_dyn, "omp parallel for schedule(dynamic,2)") STENCIL(stencil_chunk, "omp parallel for schedule(static,3)")
STENCIL(stencil_coll, "omp parallel for collapse(2)") STENCIL(stencil_guided, "omp parallel for schedule(guided)")
static double nbody(int n, double *a, double *c) { vec *p = (vec *)a, *v = (vec *)c;
#pragma omp parallel for
  for (int i = 0; i < n; i++) { vec s = {0, 0, 0}; for (int j = 0; j < n; j++) { double x = p[j].x - p[i].x, y = p[j].y - p[i].y, z = p[j].z - p[i].z, w = 1 / sqrt(x * x + y * y + z * z + .1); s.x += w * x; s.y += w * y; s.z += w * z; } v[i].x += s.x; v[i].y += s.y * s.x; v[i].z += s.z; }
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
static double spmv(int n, double *a, double *c) { int rp[65], col[64 * 5]; for (int i = 0; i <= n; i++) rp[i] = i * 5; for (int k = 0; k < 5 * n; k++) col[k] = (k * 7) % n;
  double *x = a + 5 * n, *v = a;
#pragma omp parallel for schedule(dynamic, 16)
  for (int i = 0; i < n; i++) { double s = 0; for (int k = rp[i]; k < rp[i + 1]; k++) s += v[k] * sin(x[col[k]]); c[i] = s; }
  double s = 0; for (int i = 0; i < n; i++) s += c[i] * c[i] * (i % 3 + 1); return s; }
static double coll(int n, double *a, double *c) { int m = n / 2;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) c[i * n + j] = a[i * n + j] * a[i * n + j] * a[j];
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
static double coll3(int n, double *a, double *c) {
#pragma omp parallel for collapse(3) schedule(dynamic, 7)
  for (int i = 0; i < 4; i++) for (int j = 0; j < n; j++) for (int k = 0; k < 8; k++) c[(i * n + j) * 8 + k] = a[(i * n + j) * 8 + k] * a[j * 8 + k];
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
static double tri(int n, double *a, double *c) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j <= i; j++) s += a[i * n + j] * a[j * n + i]; c[i] = s; }
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
static double down(int n, double *a, double *c) {
#pragma omp parallel for
  for (int i = n - 1; i >= 0; i--) for (int j = n - 1; j >= 0; j -= 2) c[i * n + j] = a[(n - 1 - i) * n + j] * a[i * n + n - 1 - j];
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
static double strided(int n, double *a, double *c) {
#pragma omp parallel for schedule(static,1)
  for (int i = 0; i < n; i += 2) { c[i] = a[2 * i] * a[2 * i + 1]; c[i + 1] = a[2 * i + 2] * a[i / 2] * a[i % 4]; }
  double s = 0; for (int i = 0; i < n; i++) s += c[i] * c[i] * (i % 3 + 1); return s; }
static double inplace(int n, double *a, double *c) {
  memcpy(c, a, n * n * 8);
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) c[i * n + j] = c[i * n + j - 1] * .3 + sin(c[i * n + j]);
#pragma omp parallel for
  for (int i = 0; i < n / 2; i++) for (int j = 0; j < n; j++) c[i * n + j] += c[(i + n / 2) * n + j] * c[(n - 1) * n + j];
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
static double nowaits(int n, double *a, double *c) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i * n + j] = a[i * n + j] * a[j];
#pragma omp for
    for (int i = 0; i < n; i++) c[n * n + i] = a[i * n + 3] * a[i] * a[n * n + i];
#pragma omp for
    for (int i = 1; i < n - 1; i++) a[n * n + i] = c[(i - 1) * n] * c[(i + 1) * n] + c[n * n + i];
#pragma omp for
    for (int i = 1; i < n - 1; i++) c[i] = a[n * n + i - 1] * a[n * n + i + 1];
  }
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
static double times(int n, double *a, double *c) {
#pragma omp parallel
  for (int t = 0; t < 4; t++) {
#pragma omp for
    for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++) c[i * n + j] = a[(i - 1) * n + j] + .5 * sin(a[(i + 1) * n + j]) * a[j];
#pragma omp for
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] = c[i * n + j] * .5 + .1 * c[j * n + i];
  }
  double s = 0; for (int i = 0; i < n * n; i++) s += a[i] * a[i] * (i % 3); return s; }
static double sums(int n, double *a, double *c) { double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic)
  for (int i = 0; i < n * n; i++) s += a[i] * a[i % n] * a[n];
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for
    for (int i = 0; i < n; i++) mine += a[n - 1 - i] * a[3];
#pragma omp critical
    s += mine * a[5];
  }
  return s; }
static double single(int n, double *a, double *c) {
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < n; i++) c[i] = a[i] * a[i];
#pragma omp for
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i * n + j + n] = c[j] * a[i];
#pragma omp master
    for (int i = 0; i < n; i++) c[i] += c[n * n + i] * a[i];
  }
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
static double overlap(int n, double *a, double *c) { double *u = a, *v = a + n / 2;
#pragma omp parallel for
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i * n + j] = u[i * n + j] * v[i * n + j];
  double s = 0; for (int i = 0; i < n * n; i++) s += c[i] * c[i] * (i % 3); return s; }
#define CASE(NAME)                                                                                                     \
  static double of_##NAME(double *x) {                                                                                 \
    double *a = malloc(ALL * sizeof *a), *c = calloc(ALL, sizeof *c);                                                  \
    for (int k = 0; k < ALL; k++)                                                                                      \
      a[k] = 0.5 + 0.3 * x[k % N] * (1 + k % 5);                                                                       \
    double result = NAME(SIZE, a, c) * 1e-2;                                                                           \
    free(a), free(c);                                                                                                  \
    return result;                                                                                                     \
  }
CASE(matmul)
CASE(matmul_dyn)
CASE(stencil)
CASE(stencil_dyn)
CASE(stencil_chunk)
CASE(stencil_coll)
CASE(stencil_guided)
CASE(nbody)
CASE(spmv)
CASE(coll)
CASE(coll3)
CASE(tri)
CASE(down)
CASE(strided)
CASE(inplace)
CASE(nowaits)
CASE(times)
CASE(sums)
CASE(single)
CASE(overlap)

int main(void) {
  CHECK(of_matmul, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_matmul_dyn, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_stencil, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_stencil_dyn, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_stencil_chunk, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_stencil_coll, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_stencil_guided, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_nbody, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_spmv, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_coll, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_coll3, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_tri, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_down, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_strided, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_inplace, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_nowaits, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_times, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_sums, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_single, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_overlap, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
