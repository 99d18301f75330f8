/* The gradient of gsl_poly_eval with respect to the coefficients and the point. */
#include "check.h"

#include <gsl/gsl_poly.h>

enum { N = 7 };
double __enzyme_autodiff(void *, ...);

static double f(const double *v) {
    return gsl_poly_eval(v, N, v[N]);
}

int main(void) {
    static const double points[] = {-1.7, -0.3, 0, 0.8, 2.5};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++) {
        double v[N + 1] = {0.5, -1.25, 2, 0.75, -0.5, 0.125, 1, points[k]}, dv[N + 1] = {0};
        __enzyme_autodiff((void *)f, enzyme_dup, v, dv);
        char name[64];
        snprintf(name, sizeof name, "poly_eval at %g", points[k]);
        check_gradient(name, dv, f, v, N + 1, 0.02);
    }
    return verdict();
}
