/* A two-dimensional stencil on static arrays, with boundary conditions. */
enum { N = 6 };
double grid_shadow[2][N][N];
#define BEFORE_REQUEST memset(grid_shadow, 0, sizeof grid_shadow)
#include "../check.h"

static double grid[2][N][N];

static double run(double *x) {
  memset(grid, 0, sizeof grid);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      grid[0][i][j] = x[(i + j) % 4] * i - j * x[1];
  for (int t = 0; t < 4; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        double(*u)[N] = grid[t & 1];
        grid[1 - (t & 1)][i][j] = u[i][j] + 0.1 * x[3] * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]) * u[i][j];
      }
  double s = 0;
  for (int i = 0; i < N; i++)
    s += grid[0][i][i] * grid[1][i][2];
  return s;
}

int main(void) {
  CHECK(run, 0.5, 0.2, 0.7, -0.4);
  return failures;
}
