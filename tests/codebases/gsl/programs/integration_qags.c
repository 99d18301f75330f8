/* Derivatives of integrals by gsl_integration_qags with respect to a parameter of the integrand and to a limit. */
#include "check.h"

#include <gsl/gsl_integration.h>

double __enzyme_autodiff(void *, double);

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
    gsl_integration_qags(&function, from, to, 0, 1e-11, 1000, w, &result, &error);
    gsl_integration_workspace_free(w);
    return result;
}

static double of_smooth(double a) {
    return integral(smooth, a, 0, 2);
}

static double of_singular(double a) {
    return integral(singular, a, 0, 1);
}

static double of_limit(double b) {
    return integral(smooth, 0.7, 0, b);
}

int main(void) {
    static const double points[] = {0.4, 1.1, 2.3, 5};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++) {
        double x = points[k];
        check_slope("smooth integrand", __enzyme_autodiff((void *)of_smooth, x), of_smooth, x, 0.05);
        check_slope("singular integrand", __enzyme_autodiff((void *)of_singular, x), of_singular, x, 0.05);
        check_slope("upper limit", __enzyme_autodiff((void *)of_limit, x), of_limit, x, 0.05);
    }
    return verdict();
}
