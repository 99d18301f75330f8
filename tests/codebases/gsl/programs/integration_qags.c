/* Derivatives of integrals by gsl_integration_qags with respect to a parameter of the integrand and to a limit. */
#include "check.h"

#include <gsl/gsl_integration.h>

struct parameters {
    double a;
};

/* smooth: one application of the rule will do */
static double smooth(double x, void *p) {
    double a = ((struct parameters *)p)->a;
    return exp(-a * x) * sin(3 * x + a);
}

/* singular at 0: bisection and extrapolation by the epsilon algorithm */
static double singular(double x, void *p) {
    double a = ((struct parameters *)p)->a;
    return log(a * x) / sqrt(x);
}

static double integral(double (*f)(double, void *), double a, double from, double to) {
    struct parameters p = {a};
    gsl_function function = {f, &p};
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(1000);
    double result, error;
    gsl_integration_qags(&function, from, to, 0, 1e-10, 1000, w, &result, &error);
    gsl_integration_workspace_free(w);
    return result;
}

static double of_smooth(const double *a) {
    return integral(smooth, *a, 0, 2);
}

static double of_singular(const double *a) {
    return integral(singular, *a, 0, 1);
}

static double of_limit(const double *b) {
    return integral(smooth, 0.7, 0, *b);
}

int main(void) {
    static double points[] = {0.4, 1.1, 2.3, 5};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++) {
        CHECK_AT(of_smooth, &points[k], 1, 0.03);
        CHECK_AT(of_singular, &points[k], 1, 0.03);
        CHECK_AT(of_limit, &points[k], 1, 0.03);
    }
    return failures;
}
