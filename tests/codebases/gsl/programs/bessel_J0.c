/* The derivative of gsl_sf_bessel_J0. */
#include "check.h"

#include <gsl/gsl_sf_bessel.h>

double __enzyme_autodiff(void *, double);

static double f(double x) {
    return gsl_sf_bessel_J0(x);
}

int main(void) {
    static const double points[] = {-7.5, 0.3, 1, 2.5, 3.9, 4.3, 10, 40.25, 1000.5};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
        check_slope("bessel_J0", __enzyme_autodiff((void *)f, points[k]), f, points[k], 0.05);
    return verdict();
}
