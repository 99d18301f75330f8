/* Hessians: the Jacobian of a gradient, symmetric or not, of an arrow, a chain and a mesh. */
#include "sparse.h"

enum { N = 30, SIDE = 7 };
static double x[64];

/* The first number is coupled with all others. */
static double arrow(const double *x, int n) {
  double sum = 0;
  for (int i = 1; i < n; i++)
    sum += x[0] * x[i] * x[i] + cos(x[i]);
  return sum;
}
static void arrow_gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)arrow, enzyme_dup, x, dx, enzyme_const, n);
}
static double of_arrow(long i, long j) {
  if (i == j)
    return i ? 2 * x[0] - cos(x[i]) : 0;
  return i == 0 ? 2 * x[j] : j == 0 ? 2 * x[i] : 0;
}

static double chain(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++)
    sum += pow(x[i + 1] - x[i], 4);
  return sum;
}
static void chain_gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)chain, enzyme_dup, x, dx, enzyme_const, n);
}
static double of_chain(long i, long j) {
  if (labs(i - j) > 1)
    return 0;
  double left = i ? 12 * pow(x[i] - x[i - 1], 2) : 0, right = i + 1 < N ? 12 * pow(x[i + 1] - x[i], 2) : 0;
  return i == j ? left + right : j < i ? -left : -right;
}

/* The energy of a mesh of squares: each edge is a spring of length 1, and each point moves in one dimension. */
static double mesh(const double *x, int side) {
  double energy = 0;
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++) {
      double here = x[i * side + j];
      if (i + 1 < side)
        energy += sqrt(1 + (x[(i + 1) * side + j] - here) * (x[(i + 1) * side + j] - here));
      if (j + 1 < side)
        energy += sqrt(1 + (x[i * side + j + 1] - here) * (x[i * side + j + 1] - here));
    }
  return energy;
}
static void mesh_gradient(const double *x, double *dx, int side) {
  __enzyme_autodiff((void *)mesh, enzyme_dup, x, dx, enzyme_const, side);
}
static double of_mesh(long i, long j) {
  static const int steps[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    long row = i / SIDE + steps[k][0], column = i % SIDE + steps[k][1], other = row * SIDE + column;
    if (row < 0 || row >= SIDE || column < 0 || column >= SIDE)
      continue;
    double stiffness = pow(1 + (x[i] - x[other]) * (x[i] - x[other]), -1.5);
    sum += i == j ? stiffness : j == other ? -stiffness : 0;
  }
  return sum;
}

/* Its second derivatives are constants, and some numbers have none. */
static double linear(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += i * x[i] + (i < 3 ? x[i] * x[i] : 0);
  return sum;
}
static void linear_gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)linear, enzyme_dup, x, dx, enzyme_const, n);
}
static double of_linear(long i, long j) { return i == j && i < 3 ? 2 : 0; }

int main(void) {
  struct enzyme_triplets t;
  double dx[64] = {0};
  for (int i = 0; i < 64; i++)
    x[i] = sin(3.0 * i);
  __enzyme_fwddiff((void *)arrow_gradient, enzyme_sparse, &t, enzyme_symmetric, x, N, dx, N, enzyme_const, N);
  same_matrix("arrow, symmetric", &t, of_arrow, N, N, 3 * N - 3, 2);
  __enzyme_fwddiff((void *)arrow_gradient, enzyme_sparse, &t, x, N, dx, N, enzyme_const, N);
  same_matrix("arrow", &t, of_arrow, N, N, 3 * N - 3, N);
  __enzyme_fwddiff((void *)chain_gradient, enzyme_sparse, &t, enzyme_symmetric, x, N, dx, N, enzyme_const, N);
  same_matrix("chain, symmetric", &t, of_chain, N, N, 3 * N - 2, 3);
  __enzyme_autodiff((void *)chain_gradient, enzyme_sparse, &t, x, N, dx, N, enzyme_const, N);
  same_matrix("chain, reverse", &t, of_chain, N, N, 3 * N - 2, 3);
  enum { POINTS = SIDE * SIDE, ENTRIES = POINTS + 4 * SIDE * (SIDE - 1) };
  __enzyme_fwddiff((void *)mesh_gradient, enzyme_sparse, &t, enzyme_symmetric, x, POINTS, dx, POINTS, enzyme_const, SIDE);
  same("few groups", 0, t.groups <= 6, 1, 0);
  same_matrix("mesh, symmetric", &t, of_mesh, POINTS, POINTS, ENTRIES, t.groups);
  __enzyme_fwddiff((void *)mesh_gradient, enzyme_sparse, &t, x, POINTS, dx, POINTS, enzyme_const, SIDE);
  same("few groups", 1, t.groups <= 8, 1, 0);
  same_matrix("mesh", &t, of_mesh, POINTS, POINTS, ENTRIES, t.groups);
  __enzyme_fwddiff((void *)linear_gradient, enzyme_sparse, &t, enzyme_symmetric, x, N, dx, N, enzyme_const, N);
  same_matrix("linear", &t, of_linear, N, N, 3, 1);
  return failures;
}
