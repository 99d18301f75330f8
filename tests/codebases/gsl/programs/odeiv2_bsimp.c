/* A stiff oscillator by gsl_odeiv2's implicit Bulirsch-Stoer method: LU solves inside adaptive extrapolation, two
 * callbacks. Derivatives with respect to its parameters and the start. */
#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

enum { PARAMETERS = 3, SIZE = PARAMETERS + 2 };
static int right_hand_side(double t, const double y[], double dydt[], void *parameters) {
    const double *p = parameters;
    dydt[0] = y[1] * p[0];
    dydt[1] = -y[0] - p[1] * y[1] * y[1] * y[1] + p[2] * sin(t);
    return GSL_SUCCESS;
}

static int jacobian(double t, const double y[], double *dfdy, double dfdt[], void *parameters) {
    const double *p = parameters;
    dfdy[0] = 0;
    dfdy[1] = p[0];
    dfdy[2] = -1;
    dfdy[3] = -3 * p[1] * y[1] * y[1];
    dfdt[0] = 0;
    dfdt[1] = p[2] * cos(t);
    return GSL_SUCCESS;
}

/* v holds the parameters, then the state at time 0. */
static double f(const double *v) {
    double p[PARAMETERS] = {v[0] + 1, v[1], v[2]}, y[2] = {v[3], v[4]}, t = 0;
    gsl_odeiv2_system system = {right_hand_side, jacobian, 2, p};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_bsimp, 1e-2, 1e-10, 1e-10);
    gsl_odeiv2_driver_apply(driver, &t, 1, y);
    gsl_odeiv2_driver_free(driver);
    return y[0] + y[1] * y[1];
}

int main(void) {
    for (int k = 0; k < 2; k++) {
        double v[SIZE];
        for (int i = 0; i < SIZE; i++)
            v[i] = 0.3 + 0.41 * sin(2.3 * i + k) + 0.05 * i;
        CHECK_AT(f, v, SIZE, 0.03);
    }
    return failures;
}
