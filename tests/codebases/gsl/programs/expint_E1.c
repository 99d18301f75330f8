/* The derivative of gsl_sf_expint_E1. */
#include "check.h"

#include <gsl/gsl_sf_expint.h>

static double f(double *x) {
    return gsl_sf_expint_E1(*x);
}

int main(void) {
    static double points[] = {-12, -5.5, -2, -0.5, 0.3, 0.9, 2, 6.5, 20};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
        CHECK_AT(f, &points[k], 1, 0.01);
    return failures;
}
