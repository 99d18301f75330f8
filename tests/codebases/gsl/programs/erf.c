/* The derivative of gsl_sf_erf. */
#include "check.h"

#include <gsl/gsl_sf_erf.h>

double __enzyme_autodiff(void *, double);

static double f(double x) {
    return gsl_sf_erf(x);
}

int main(void) {
    static const double points[] = {-2, -0.8, 0.1, 0.95, 1.2, 2.3, 3};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
        check_slope("erf", __enzyme_autodiff((void *)f, points[k]), f, points[k], 0.05);
    return verdict();
}
