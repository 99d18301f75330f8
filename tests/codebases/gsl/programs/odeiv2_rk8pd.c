/* The van der Pol oscillator by gsl_odeiv2 (rk8pd, adaptive): derivative with respect to its parameter and the start. */
#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static int right_hand_side(double t, const double y[], double dydt[], void *parameters) {
    double mu = *(double *)parameters;
    (void)t;
    dydt[0] = y[1];
    dydt[1] = -y[0] - mu * y[1] * (y[0] * y[0] - 1);
    return GSL_SUCCESS;
}

/* v holds mu, then the state at time 0. */
static double f(const double *v) {
    double mu = v[0], t = 0, y[2] = {v[1], v[2]};
    gsl_odeiv2_system system = {right_hand_side, NULL, 2, &mu};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-12, 1e-12);
    for (int i = 1; i <= 4; i++)
        gsl_odeiv2_driver_apply(driver, &t, 0.5 * i, y);
    gsl_odeiv2_driver_free(driver);
    return y[0] + 0.5 * y[1];
}

int main(void) {
    static double points[][3] = {{0.5, 1, 0}, {2, 0.4, -1.2}, {5, 2, 0.1}};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++) {
        double *v = points[k];
        CHECK_AT(f, v, 3, 0.01);
    }
    return failures;
}
