/* The same oscillator by multistep methods: msadams, msbdf (with modified Newton steps), and rkf45. */
#define TOLERANCE 1e-4
#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static int right_hand_side(double t, const double y[], double dydt[], void *parameters) {
    const double *p = parameters;
    dydt[0] = y[1] * p[0];
    dydt[1] = -y[0] - p[1] * y[1] * y[1] * y[1] + 0.3 * sin(t);
    return GSL_SUCCESS;
}

static int jacobian(double t, const double y[], double *dfdy, double dfdt[], void *parameters) {
    const double *p = parameters;
    dfdy[0] = 0, dfdy[1] = p[0], dfdy[2] = -1, dfdy[3] = -3 * p[1] * y[1] * y[1];
    dfdt[0] = 0, dfdt[1] = 0.3 * cos(t);
    return GSL_SUCCESS;
}

static double at_one(const gsl_odeiv2_step_type *type, const double *v) {
    double p[] = {v[0], v[1]}, y[] = {v[2], v[3]}, t = 0;
    gsl_odeiv2_system system = {right_hand_side, jacobian, 2, p};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, type, 1e-2, 1e-11, 1e-11);
    gsl_odeiv2_driver_apply(driver, &t, 1, y);
    gsl_odeiv2_driver_free(driver);
    return y[0] + y[1] * y[1];
}

static double adams(const double *v) { return at_one(gsl_odeiv2_step_msadams, v); }

static double bdf(const double *v) { return at_one(gsl_odeiv2_step_msbdf, v); }

static double rkf45(const double *v) { return at_one(gsl_odeiv2_step_rkf45, v); }

int main(void) {
    double v[] = {1.2, 0.4, 0.9, -0.3};
    CHECK_AT(adams, v, 4, 0.01);
    CHECK_AT(bdf, v, 4, 0.01);
    CHECK_AT(rkf45, v, 4, 0.01);
    return failures;
}
