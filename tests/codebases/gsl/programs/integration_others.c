/* Integrals by other rules: Clenshaw-Curtis (cquad), Gauss-Legendre, oscillating weights and infinite ranges. */
#include "check.h"

#include <gsl/gsl_integration.h>

static double integrand(double x, void *p) {
    const double *a = p;
    return exp(-a[0] * x * x) * (1 + a[1] * x);
}

static double result_of(const double *v, int which) {
    double a[] = {v[0], v[1]}, result = 0, error;
    gsl_function f = {integrand, a};
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(200);
    if (which == 0) {
        gsl_integration_cquad_workspace *c = gsl_integration_cquad_workspace_alloc(100);
        gsl_integration_cquad(&f, 0, v[2], 0, 1e-10, c, &result, &error, NULL);
        gsl_integration_cquad_workspace_free(c);
    } else if (which == 1) {
        gsl_integration_glfixed_table *t = gsl_integration_glfixed_table_alloc(20);
        result = gsl_integration_glfixed(&f, 0, v[2], t);
        gsl_integration_glfixed_table_free(t);
    } else if (which == 2) {
        gsl_integration_qawo_table *t = gsl_integration_qawo_table_alloc(3, v[2], GSL_INTEG_SINE, 20);
        gsl_integration_qawo(&f, 0, 0, 1e-10, 200, w, t, &result, &error);
        gsl_integration_qawo_table_free(t);
    } else if (which == 3) {
        gsl_integration_qagiu(&f, v[2], 0, 1e-10, 200, w, &result, &error);
    } else {
        size_t calls;
        gsl_integration_qng(&f, 0, v[2], 0, 1e-10, &result, &error, &calls);
    }
    gsl_integration_workspace_free(w);
    return result;
}

static double cquad(const double *v) { return result_of(v, 0); }

static double legendre(const double *v) { return result_of(v, 1); }

static double qawo(const double *v) { return result_of(v, 2); }

static double qagiu(const double *v) { return result_of(v, 3); }

static double qng(const double *v) { return result_of(v, 4); }

int main(void) {
    double v[] = {0.7, 0.4, 1.3};
    CHECK_AT(cquad, v, 3, 0.02);
    CHECK_AT(legendre, v, 3, 0.02);
    CHECK_AT(qawo, v, 3, 0.02);
    CHECK_AT(qagiu, v, 3, 0.02);
    CHECK_AT(qng, v, 3, 0.02);
    return failures;
}
