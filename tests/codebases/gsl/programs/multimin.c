/* A minimum of a function of two variables by BFGS and by conjugate gradients, with respect to its parameters. */
#define TOLERANCE 1e-3
#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>

enum { MOST_STEPS = 60 };
static double value(const gsl_vector *x, void *p) {
    const double *a = p;
    double u = gsl_vector_get(x, 0) - a[0], w = gsl_vector_get(x, 1) - a[1] * a[0];
    return cosh(u) + a[2] * w * w + 0.3 * u * w;
}

static void slope(const gsl_vector *x, void *p, gsl_vector *g) {
    const double *a = p;
    double u = gsl_vector_get(x, 0) - a[0], w = gsl_vector_get(x, 1) - a[1] * a[0];
    gsl_vector_set(g, 0, sinh(u) + 0.3 * w);
    gsl_vector_set(g, 1, 2 * a[2] * w + 0.3 * u);
}

static void both(const gsl_vector *x, void *p, double *f, gsl_vector *g) {
    *f = value(x, p);
    slope(x, p, g);
}

static double minimum(const gsl_multimin_fdfminimizer_type *type, const double *v) {
    double a[] = {v[0], v[1], v[2]};
    gsl_multimin_function_fdf function = {value, slope, both, 2, a};
    gsl_multimin_fdfminimizer *m = gsl_multimin_fdfminimizer_alloc(type, 2);
    gsl_vector *x = gsl_vector_calloc(2);
    gsl_multimin_fdfminimizer_set(m, &function, x, 0.1, 1e-3);
    for (int i = 0; i < MOST_STEPS; i++) {
        if (gsl_multimin_fdfminimizer_iterate(m) != GSL_SUCCESS)
            break;
        if (gsl_multimin_test_gradient(m->gradient, 1e-9) == GSL_SUCCESS)
            break;
    }
    double sum = gsl_vector_get(m->x, 0) + 2 * gsl_vector_get(m->x, 1);
    gsl_vector_free(x);
    gsl_multimin_fdfminimizer_free(m);
    return sum;
}

static double bfgs(const double *v) {
    return minimum(gsl_multimin_fdfminimizer_vector_bfgs2, v);
}

static double conjugate(const double *v) {
    return minimum(gsl_multimin_fdfminimizer_conjugate_fr, v);
}

int main(void) {
    double v[] = {0.7, 1.4, 0.9};
    CHECK_AT(bfgs, v, 3, 0.02);
    CHECK_AT(conjugate, v, 3, 0.02);
    return failures;
}
