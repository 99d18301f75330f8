/* The derivative of gsl_sf_erf. */
#include "check.h"

#include <gsl/gsl_sf_erf.h>

static double f(double *x) {
    return gsl_sf_erf(*x);
}

int main(void) {
    static double points[] = {-2, -0.8, 0.1, 0.95, 1.2, 2.3, 3};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
        CHECK_AT(f, &points[k], 1, 0.025);
    return failures;
}
