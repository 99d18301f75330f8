/* Roots of an equation by Brent's, Newton's and Steffenson's methods, with respect to the equation's parameters. */
#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>

enum { MOST_STEPS = 60 };
static double equation(double x, void *p) {
    const double *a = p;
    return x * x * x - a[0] * x - exp(-a[1] * x);
}

static double slope(double x, void *p) {
    const double *a = p;
    return 3 * x * x - a[0] + a[1] * exp(-a[1] * x);
}

static void both(double x, void *p, double *value, double *derivative) {
    *value = equation(x, p);
    *derivative = slope(x, p);
}

static double bracketed(const double *v) {
    double a[] = {v[0], v[1]};
    gsl_function function = {equation, a};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_root_fsolver_set(solver, &function, 0.5, 5);
    for (int i = 0; i < MOST_STEPS; i++) {
        gsl_root_fsolver_iterate(solver);
        if (fabs(equation(gsl_root_fsolver_root(solver), a)) < 1e-14)
            break;
    }
    double root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return root;
}

static double polished(const gsl_root_fdfsolver_type *type, const double *v) {
    double a[] = {v[0], v[1]};
    gsl_function_fdf function = {equation, slope, both, a};
    gsl_root_fdfsolver *solver = gsl_root_fdfsolver_alloc(type);
    gsl_root_fdfsolver_set(solver, &function, 2);
    for (int i = 0; i < 9; i++)
        gsl_root_fdfsolver_iterate(solver);
    double root = gsl_root_fdfsolver_root(solver);
    gsl_root_fdfsolver_free(solver);
    return root;
}

static double newton(const double *v) {
    return polished(gsl_root_fdfsolver_newton, v);
}

static double steffenson(const double *v) {
    return polished(gsl_root_fdfsolver_steffenson, v);
}

int main(void) {
    double v[] = {1.3, 0.4};
    CHECK_AT(bracketed, v, 2, 0.02);
    CHECK_AT(newton, v, 2, 0.02);
    CHECK_AT(steffenson, v, 2, 0.02);
    return failures;
}
