/* A diffusion equation on a grid, solved by conjugate gradients with BoomerAMG, on several ranks: a misfit of the solution
 * by the parameters of the right-hand side and the coefficient of one half of the grid. The function makes the matrix, and sets
 * BoomerAMG up. The first rank has the parameters and the misfit. */
#include <mpi.h>
static double shared_now(void);
#define CODEBASES_NOW shared_now()
#include "check.h"
#include "HYPRE.h"
#include "HYPRE_krylov.h"
#include "HYPRE_parcsr_ls.h"

enum { SIDE = 16, UNKNOWNS = SIDE * SIDE };
static int rank, size, first, count; /* rows of this rank */

static double coefficient(int i, double of_half) { return i % SIDE < SIDE / 2 ? 1.0 : of_half; }

static HYPRE_IJMatrix matrix(double of_half) {
  HYPRE_IJMatrix made;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, first + count - 1, first, first + count - 1, &made);
  HYPRE_IJMatrixSetObjectType(made, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(made);
  for (int i = first; i < first + count; i++) {
    int columns[5], n = 0, row = i, beside[4] = {i - SIDE, i - 1, i + 1, i + SIDE};
    double values[5], own = coefficient(i, of_half), diagonal = 0;
    int is_inside[4] = {i >= SIDE, i % SIDE > 0, i % SIDE < SIDE - 1, i < UNKNOWNS - SIDE};
    for (int k = 0; k < 4; k++) {
      double between = is_inside[k] ? 0.5 * (own + coefficient(beside[k], of_half)) : own;
      diagonal += between;
      if (is_inside[k])
        columns[n] = beside[k], values[n++] = -between;
    }
    columns[n] = i, values[n++] = diagonal;
    HYPRE_IJMatrixSetValues(made, 1, &n, &row, columns, values);
  }
  HYPRE_IJMatrixAssemble(made);
  return made;
}

static HYPRE_IJVector vector(double constant, double slope) {
  HYPRE_IJVector made;
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, first + count - 1, &made);
  HYPRE_IJVectorSetObjectType(made, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(made);
  for (int i = first; i < first + count; i++) {
    double value = constant + slope * (i % SIDE) / SIDE;
    HYPRE_IJVectorSetValues(made, 1, &i, &value);
  }
  HYPRE_IJVectorAssemble(made);
  return made;
}

static void solve(HYPRE_IJMatrix ij, HYPRE_Solver cg, const double *x, double *misfit) {
  HYPRE_ParCSRMatrix a;
  HYPRE_ParVector b, u;
  HYPRE_IJVector right = vector(x[0], x[1]), left = vector(0, 0);
  HYPRE_IJMatrixGetObject(ij, (void **)&a);
  HYPRE_IJVectorGetObject(right, (void **)&b);
  HYPRE_IJVectorGetObject(left, (void **)&u);
  HYPRE_ParCSRPCGSetup(cg, a, b, u);
  HYPRE_ParCSRPCGSolve(cg, a, b, u);
  double own = 0;
  for (int i = first; i < first + count; i++) {
    double value;
    HYPRE_IJVectorGetValues(left, 1, &i, &value);
    own += (value - 1) * (value - 1) * (1 + i % 3);
  }
  MPI_Reduce(&own, misfit, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  HYPRE_IJVectorDestroy(right);
  HYPRE_IJVectorDestroy(left);
}

static void solvers(HYPRE_Solver *amg, HYPRE_Solver *cg) {
  HYPRE_BoomerAMGCreate(amg);
  HYPRE_BoomerAMGSetMaxIter(*amg, 1);
  HYPRE_BoomerAMGSetTol(*amg, 0);
  HYPRE_BoomerAMGSetRelaxType(*amg, 6); /* symmetric Gauss-Seidel */
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, cg);
  HYPRE_PCGSetMaxIter(*cg, 50);
  HYPRE_PCGSetTol(*cg, 1e-13);
  HYPRE_PCGSetTwoNorm(*cg, 1);
  HYPRE_PCGSetPrecond(*cg, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup, *amg);
}

NOINLINE static double boomeramg(double *x) {
  HYPRE_Solver amg, cg;
  double own[3] = {x[0], x[1], x[2]}, misfit = 0;
  MPI_Bcast(own, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  HYPRE_IJMatrix a = matrix(own[2]);
  solvers(&amg, &cg);
  solve(a, cg, own, &misfit);
  HYPRE_ParCSRPCGDestroy(cg);
  HYPRE_BoomerAMGDestroy(amg);
  HYPRE_IJMatrixDestroy(a);
  return misfit;
}

static double shared_now(void) { /* all ranks must make the same number of calls */
  double now = codebases_now();
  MPI_Bcast(&now, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return now;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  first = SIDE * (SIDE * rank / size), count = SIDE * (SIDE * (rank + 1) / size) - first;
  if (rank > 0 && !freopen("/dev/null", "w", stdout))
    return 1;
  HYPRE_Init();
  CHECK(boomeramg, 1.0, 0.5, 10.0);
  HYPRE_Finalize();
  MPI_Finalize();
  return failures;
}
