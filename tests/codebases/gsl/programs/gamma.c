/* The derivative of gsl_sf_gamma. */
#include "check.h"

#include <gsl/gsl_sf_gamma.h>

double __enzyme_autodiff(void *, double);

static double f(double x) {
    return gsl_sf_gamma(x);
}

int main(void) {
    static const double points[] = {-2.6, -0.4, 0.2, 0.7, 1.3, 2.5, 7.1, 12.6, 40.2, 120.7};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
        check_slope("gamma", __enzyme_autodiff((void *)f, points[k]), f, points[k], 0.02);
    return verdict();
}
