/* The derivative of gsl_sf_gamma. */
#include "check.h"

#include <gsl/gsl_sf_gamma.h>

static double f(double *x) {
    return gsl_sf_gamma(*x);
}

int main(void) {
    static double points[] = {-2.6, -0.4, 0.2, 0.7, 1.3, 2.5, 7.1, 12.6, 40.2, 120.7};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
        CHECK_AT(f, &points[k], 1, 0.01);
    return failures;
}
