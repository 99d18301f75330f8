/* The gradient of gsl_poly_eval with respect to the coefficients and the point. */
#include "check.h"

#include <gsl/gsl_poly.h>

enum { N = 7 };
static double f(const double *v) {
    return gsl_poly_eval(v, N, v[N]);
}

int main(void) {
    static const double points[] = {-1.7, -0.3, 0, 0.8, 2.5};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++) {
        double v[N + 1] = {0.5, -1.25, 2, 0.75, -0.5, 0.125, 1, points[k]};
        CHECK_AT(f, v, N + 1, 0.02);
    }
    return failures;
}
