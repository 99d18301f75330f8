/* A root of two equations by gsl_multiroot's hybrid method (QR factors updated as it goes), with respect to the
 * parameters of the equations. */
#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multiroots.h>

enum { N = 3, MOST_STEPS = 40 };
static int equations(const gsl_vector *x, void *parameters, gsl_vector *residual) {
    const double *p = parameters;
    double a = gsl_vector_get(x, 0), b = gsl_vector_get(x, 1);
    gsl_vector_set(residual, 0, a * a + p[0] * b - 1 - p[1]);
    gsl_vector_set(residual, 1, b * b * b - a * p[2] - 2);
    return GSL_SUCCESS;
}

static double f(const double *v) {
    double p[N] = {v[0], v[1], v[2]};
    gsl_multiroot_function function = {equations, 2, p};
    gsl_multiroot_fsolver *solver = gsl_multiroot_fsolver_alloc(gsl_multiroot_fsolver_hybrids, 2);
    gsl_vector *x = gsl_vector_alloc(2);
    gsl_vector_set_all(x, 1);
    gsl_multiroot_fsolver_set(solver, &function, x);
    for (int i = 0; i < MOST_STEPS; i++) {
        if (gsl_multiroot_fsolver_iterate(solver) != GSL_SUCCESS)
            break;
        if (gsl_multiroot_test_residual(solver->f, 1e-13) == GSL_SUCCESS)
            break;
    }
    double value = gsl_vector_get(solver->x, 0) + 3 * gsl_vector_get(solver->x, 1);
    gsl_vector_free(x);
    gsl_multiroot_fsolver_free(solver);
    return value;
}

int main(void) {
    for (int k = 0; k < 2; k++) {
        double v[N];
        for (int i = 0; i < N; i++)
            v[i] = 0.3 + 0.41 * sin(2.3 * i + k) + 0.05 * i;
        CHECK_AT(f, v, N, 0.01);
    }
    return failures;
}
