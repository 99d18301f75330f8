/* Derivatives of gsl_spline_eval with respect to the point, and to the data that the spline is made of. */
#include "check.h"

#include <gsl/gsl_spline.h>

enum { N = 8 };
static const double knots[N] = {0, 0.5, 1.1, 1.5, 2.4, 3, 3.7, 4.5};
/* v holds the data at the knots, then the point. */
static double eval(const gsl_interp_type *type, const double *v) {
    gsl_spline *spline = gsl_spline_alloc(type, N);
    gsl_interp_accel *accel = gsl_interp_accel_alloc();
    gsl_spline_init(spline, knots, v, N);
    double y = gsl_spline_eval(spline, v[N], accel);
    gsl_interp_accel_free(accel);
    gsl_spline_free(spline);
    return y;
}

static double cubic(const double *v) {
    return eval(gsl_interp_cspline, v);
}

static double akima(const double *v) {
    return eval(gsl_interp_akima, v);
}

/* The point alone, with a spline made outside of what is differentiated. */
static const gsl_spline *fixed;

static double at_fixed(const double *x) {
    return gsl_spline_eval(fixed, *x, NULL);
}

int main(void) {
    static double points[] = {0.2, 0.9, 1.3, 2.05, 2.9, 4.2};
    gsl_spline *spline = gsl_spline_alloc(gsl_interp_cspline, N);
    double data[N];
    for (int i = 0; i < N; i++)
        data[i] = sin(2 * knots[i]) + 0.1 * i;
    gsl_spline_init(spline, knots, data, N);
    fixed = spline;
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++) {
        double v[N + 1];
        for (int i = 0; i < N; i++)
            v[i] = data[i];
        v[N] = points[k];
        CHECK_AT(cubic, v, N + 1, 0.004);
        CHECK_AT(akima, v, N + 1, 0.004);
        CHECK_AT(at_fixed, &points[k], 1, 0.005);
    }
    gsl_spline_free(spline);
    return failures;
}
