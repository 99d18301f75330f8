/* The derivative of gsl_sf_bessel_J0. */
#include "check.h"

#include <gsl/gsl_sf_bessel.h>

static double f(double *x) {
    return gsl_sf_bessel_J0(*x);
}

int main(void) {
    static double points[] = {-7.5, 0.3, 1, 2.5, 3.9, 4.3, 10, 40.25, 1000.5};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
        CHECK_AT(f, &points[k], 1, 0.025);
    return failures;
}
