/* The gradient by reverse mode; the Hessian by forward mode over that, in N directions at once. */
#include "derivatives.h"

#include <enzyme/enzyme.h>
#include <string.h>

extern void __enzyme_autodiff_misfit(double (*)(const double *), ...);
extern void __enzyme_fwddiff_gradient(void (*)(const double *, double *), ...);

void gradient(const double *p, double *g) {
  memset(g, 0, N * sizeof *g);
  __enzyme_autodiff_misfit(misfit, p, g);
}

void hessian(const double *p, double *g, double h[N][N]) {
  double directions[N][N] = {{0}};
  for (int i = 0; i < N; i++)
    directions[i][i] = 1;
  __enzyme_fwddiff_gradient(gradient, enzyme_width, N, enzyme_dupv, sizeof *directions, p, directions, enzyme_dupv,
                            sizeof *h, g, h);
}
