/* Loops of OpenMP, whose regions run on teams: schedules, order, private variables, sections, transformations.
 * flags: -fopenmp -fopenmp-version=60 */
#include "../check.h"
#include <omp.h>

enum { N = 6 };

static double static_int(double *x) {
  double y[40], s = 0;
#pragma omp parallel for
  for (int i = 0; i < 40; i++)
    y[i] = sin(x[i % N] * i);
  for (int i = 0; i < 40; i++)
    s += y[i] * y[39 - i] * x[i % N];
  return s;
}

static double static_chunk(double *x) {
  double y[41], s = 0;
#pragma omp parallel for schedule(static, 3)
  for (unsigned i = 0; i < 41; i++)
    y[i] = sin(x[i % N] * i);
  for (int i = 0; i < 41; i++)
    s += y[i] * y[40 - i] * x[i % N];
  return s;
}

static double dynamic_chunk(double *x) {
  double y[41], s = 0;
#pragma omp parallel for schedule(dynamic, 4)
  for (long i = 40; i >= 0; i -= 2) {
    y[i] = sin(x[i % N] * i);
    if (i)
      y[i - 1] = y[i] * y[i];
  }
  for (int i = 0; i < 41; i++)
    s += y[i] * y[40 - i] * x[i % N];
  return s;
}

static double guided_ulong(double *x) {
  double y[41], s = 0;
#pragma omp parallel for schedule(guided)
  for (unsigned long i = 3; i < 41; i += 3)
    y[i] = sin(x[i % N] * i);
  for (int i = 3; i < 41; i += 3)
    s += y[i] * y[42 - i] * x[i % N];
  return s;
}

static double runtime_auto(double *x) {
  double y[41], s = 0;
#pragma omp parallel
  {
#pragma omp for schedule(runtime)
    for (int i = 0; i < 21; i++)
      y[i] = sin(x[i % N] * i);
#pragma omp for schedule(auto)
    for (int i = 21; i < 41; i++)
      y[i] = y[i - 21] * x[i % N];
  }
  for (int i = 0; i < 41; i++)
    s += y[i] * y[40 - i] * x[i % N];
  return s;
}

static double nonmonotonic(double *x) {
  double y[41], s = 0;
#pragma omp parallel
  {
#pragma omp for schedule(nonmonotonic : dynamic, 2) nowait
    for (int i = 0; i < 20; i++)
      y[i] = sin(x[i % N] * i);
#pragma omp for schedule(monotonic : dynamic) nowait
    for (int i = 20; i < 30; i++)
      y[i] = x[i % N] * i;
#pragma omp for schedule(simd : static)
    for (int i = 30; i < 41; i++)
      y[i] = x[(i + 1) % N] * x[i % N];
  }
  for (int i = 0; i < 41; i++)
    s += y[i] * y[40 - i] * x[i % N];
  return s;
}

/* OpenMP's library gives some of these iterations to several threads, which store the same numbers */
static double chunks_for_simd(double *x) {
  double y[41], s = 0;
#pragma omp parallel for simd schedule(simd : static, 4)
  for (int i = 0; i < 41; i++)
    y[i] = x[(i + 1) % N] * x[i % N];
  for (int i = 0; i < 41; i++)
    s += y[i] * y[40 - i] * x[i % N];
  return s;
}

static double collapse_triangle(double *x) {
  double y[10][10] = {{0}}, s = 0;
#pragma omp parallel for collapse(2) schedule(dynamic, 3)
  for (int i = 0; i < 10; i++)
    for (int j = i; j < 10; j++)
      y[i][j] = x[i % N] * x[j % N] * (i + j);
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++)
      s += y[i][j] * sin(y[j][i] + i);
  return s;
}

static double collapse3(double *x) {
  double y[4][3][N], s = 0;
#pragma omp parallel for collapse(3)
  for (int i = 0; i < 4; i++)
    for (unsigned j = 0; j < 3; j++)
      for (long k = N - 1; k >= 0; k--)
        y[i][j][k] = x[k] * x[j] + i * x[k];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < N; k++)
        s += y[i][j][k] * y[3 - i][2 - j][k];
  return s;
}

static double ordered_loop(double *x) {
  double s = 0;
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 20; i++) {
    double t = sin(x[i % N] * i);
#pragma omp ordered
    s = s * x[1] + t;
  }
  return s;
}

static double ordered_static(double *x) {
  double s = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < 20; i++) {
    double t = sin(x[i % N] * i);
#pragma omp ordered threads
    s = s * x[1] + t;
  }
  return s;
}

static double ordered_simd(double *x) {
  double s = 0;
#pragma omp simd
  for (int i = 0; i < 20; i++) {
    double t = sin(x[i % N] * i);
#pragma omp ordered simd
    s = s * x[1] + t;
  }
  return s;
}

static double lastprivate(double *x) {
  double last = 0, l2 = 0;
  int li = 0;
#pragma omp parallel for lastprivate(last, li) schedule(monotonic : dynamic) // LLVM 22's library loses others at times
  for (int i = 0; i < 20; i++) {
    last = x[i % N] * i;
    li = i;
  }
#pragma omp parallel for lastprivate(l2) firstprivate(last)
  for (int i = 0; i < 20; i++)
    l2 = last * sin(x[i % N]);
  return last * l2 + li * x[0];
}

static double lastprivate_conditional(double *x) {
  double last = x[0];
#pragma omp parallel for lastprivate(conditional : last)
  for (int i = 0; i < 20; i++)
    if (i % 7 == 3)
      last = x[i % N] * i;
  return last * last;
}

static double lastprivate_sections(double *x) {
  double a = 0;
#pragma omp parallel sections lastprivate(a)
  {
#pragma omp section
    a = x[0];
#pragma omp section
    a = x[1] * x[1];
  }
  return a * x[2];
}

static double linear_clause(double *x) {
  double y[20], s = 0;
  int k = 2;
  double *p = x;
#pragma omp parallel for simd linear(k : 3)
  for (int i = 0; i < 20; i++) {
    y[i] = x[k % N] * i;
    k += 3;
  }
  for (int i = 0; i < 20; i++)
    s += y[i] * x[i % N];
  return s + k * x[0] + p[1];
}

static double sections(double *x) {
  double a, b, c;
#pragma omp parallel sections
  {
#pragma omp section
    a = sin(x[0]) * x[1];
#pragma omp section
    b = cos(x[2]) * x[1];
#pragma omp section
    c = x[3] * x[4] * x[5];
  }
  return a * b + c * a;
}

static double privates(double *x) {
  double t = x[0], u = x[1], a[3] = {x[2], x[3], x[4]}, y[20], s = 0;
#pragma omp parallel for private(t) firstprivate(u, a)
  for (int i = 0; i < 20; i++) {
    t = u * x[i % N];
    y[i] = t * t + a[i % 3];
  }
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s + t * u + a[0];
}

static double loop_construct(double *x) {
  double y[20], s = 0;
#pragma omp parallel
#pragma omp loop
  for (int i = 0; i < 20; i++)
    y[i] = sin(x[i % N] * i);
#pragma omp parallel loop reduction(+ : s) collapse(2)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      s += y[5 * i + j] * x[j];
#pragma omp loop bind(thread)
  for (int i = 0; i < 20; i++)
    y[i] *= y[i];
  for (int i = 0; i < 20; i++)
    s += y[i];
  return s;
}

static double tile_unroll(double *x) {
  double y[20], s = 0;
#pragma omp parallel for
#pragma omp tile sizes(4)
  for (int i = 0; i < 20; i++)
    y[i] = sin(x[i % N] * i);
#pragma omp parallel for
#pragma omp unroll partial(3)
  for (int i = 0; i < 20; i++)
    y[i] *= x[i % N];
#pragma omp reverse
  for (int i = 0; i < 20; i++)
    s = s * 0.5 + y[i];
  return s;
}

static double interchange(double *x) {
  double y[4][5], s = 0;
#pragma omp interchange
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      y[i][j] = x[i] * x[j];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      s += y[i][j] * y[3 - i][4 - j];
  return s;
}

#pragma omp declare simd notinbranch uniform(k) linear(i)
static NOINLINE double g_of_simd(double v, double k, int i) { return v * k + i * v; }
static double simd(double *x) {
  double y[20], s = 0;
#pragma omp simd safelen(8)
  for (int i = 0; i < 20; i++)
    y[i] = g_of_simd(x[i % N], x[1], i);
#pragma omp parallel for simd reduction(+ : s)
  for (int i = 0; i < 20; i++)
    s += y[i] * y[i];
  return s;
}

static NOINLINE void work_of_orphaned(double *y, const double *x, int n) {
#pragma omp for schedule(dynamic, 2)
  for (int i = 0; i < n; i++)
    y[i] = x[i % N] * x[i % N] * i;
}
static double orphaned(double *x) {
  double y[20], s = 0;
#pragma omp parallel
  {
    work_of_orphaned(y, x, 20);
    work_of_orphaned(y, x, 10);
  }
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  work_of_orphaned(y, x, 5);
  return s + y[4];
}

static double regions_in_loop(double *x) {
  double y[N], z[N];
  memcpy(y, x, sizeof y);
  for (int t = 0; t < 7; t++) {
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      z[i] = y[i] + 0.1 * (y[(i + 1) % N] - 2 * y[i] + y[(i + N - 1) % N]) * y[i];
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++)
      y[i] = z[i];
  }
  double s = 0;
  for (int i = 0; i < N; i++)
    s += y[i] * y[i];
  return s;
}

static double loop_in_region(double *x) {
  double y[N], z[N];
  memcpy(y, x, sizeof y);
#pragma omp parallel
  for (int t = 0; t < 7; t++) {
#pragma omp for
    for (int i = 0; i < N; i++)
      z[i] = y[i] + 0.1 * (y[(i + 1) % N] - 2 * y[i] + y[(i + N - 1) % N]) * y[i];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++)
      y[i] = z[i];
  }
  double s = 0;
  for (int i = 0; i < N; i++)
    s += y[i] * y[i];
  return s;
}

static double rec_of_region_in_recursion(const double *x, int d) {
  if (!d)
    return x[0] * x[1];
  double y[4], s = 0;
#pragma omp parallel for
  for (int i = 0; i < 4; i++)
    y[i] = x[i] * d;
  for (int i = 0; i < 4; i++)
    s += y[i] * y[3 - i];
  return s * sin(rec_of_region_in_recursion(x + d % 2, d - 1));
}
static double region_in_recursion(double *x) { return rec_of_region_in_recursion(x, 3); }

static double nested_regions(double *x) {
  double y[4][5], s = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 4; i++) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
    for (int j = 0; j < 5; j++)
      y[i][j] = sin(x[i] * x[j]) * (i + 1);
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      s += y[i][j] * y[3 - i][4 - j];
  return s;
}

static double num_threads_if(double *x) {
  double y[20], s = 0;
  int n = 2;
#pragma omp parallel for num_threads(n) if (n > 1)
  for (int i = 0; i < 20; i++)
    y[i] = sin(x[i % N] * i);
#pragma omp parallel for if (n > 5)
  for (int i = 0; i < 20; i++)
    y[i] *= x[i % N];
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

static double spmd(double *x) {
  double y[20], s = 0;
#pragma omp parallel
  {
    int t = omp_get_thread_num(), n = omp_get_num_threads();
    for (int i = 20 * t / n; i < 20 * (t + 1) / n; i++)
      y[i] = x[i % N] * x[(i + 1) % N];
  }
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

int main(void) {
  CHECK(static_int, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(static_chunk, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(dynamic_chunk, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(guided_ulong, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(runtime_auto, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(nonmonotonic, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
#ifndef FOR_RACES // the plain region has them
  CHECK(chunks_for_simd, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
#endif
  CHECK(collapse_triangle, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(collapse3, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(ordered_loop, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(ordered_static, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(ordered_simd, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(lastprivate, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(lastprivate_conditional, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(lastprivate_sections, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(linear_clause, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(sections, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(privates, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(loop_construct, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(tile_unroll, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(interchange, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(simd, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(orphaned, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(regions_in_loop, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(loop_in_region, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(region_in_recursion, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(nested_regions, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(num_threads_if, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(spmd, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
