/* A curve fitted by gsl_multifit_nlinear (trust region), with respect to the data; a line by gsl_fit_linear. */
#define TOLERANCE 1e-4
#include "check.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit_nlinear.h>

enum { N = 8, P = 2 };
static int residuals(const gsl_vector *x, void *data, gsl_vector *f) {
    const double *y = data;
    for (int i = 0; i < N; i++)
        gsl_vector_set(f, i, gsl_vector_get(x, 0) * exp(-gsl_vector_get(x, 1) * i * 0.3) - y[i]);
    return GSL_SUCCESS;
}

static int jacobian(const gsl_vector *x, void *data, gsl_matrix *j) {
    (void)data;
    for (int i = 0; i < N; i++) {
        double e = exp(-gsl_vector_get(x, 1) * i * 0.3);
        gsl_matrix_set(j, i, 0, e);
        gsl_matrix_set(j, i, 1, -gsl_vector_get(x, 0) * i * 0.3 * e);
    }
    return GSL_SUCCESS;
}

static double curve(const double *v) {
    double y[N];
    memcpy(y, v, sizeof y);
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, N, P);
    gsl_multifit_nlinear_fdf fdf = {.f = residuals, .df = jacobian, .n = N, .p = P, .params = y};
    gsl_vector *start = gsl_vector_alloc(P);
    gsl_vector_set_all(start, 1);
    gsl_multifit_nlinear_init(start, &fdf, w);
    for (int i = 0; i < 30; i++)
        if (gsl_multifit_nlinear_iterate(w) != GSL_SUCCESS)
            break;
    gsl_vector *x = gsl_multifit_nlinear_position(w);
    double value = gsl_vector_get(x, 0) + 3 * gsl_vector_get(x, 1);
    gsl_vector_free(start);
    gsl_multifit_nlinear_free(w);
    return value;
}

static double line(const double *v) {
    double x[N], c0, c1, cov00, cov01, cov11, squares;
    for (int i = 0; i < N; i++)
        x[i] = i * 0.5 + v[i] * v[i];
    gsl_fit_linear(x, 1, v, 1, N, &c0, &c1, &cov00, &cov01, &cov11, &squares);
    return c0 + 2 * c1 + squares;
}

int main(void) {
    double v[N];
    for (int i = 0; i < N; i++)
        v[i] = 1.7 * exp(-0.24 * i) + 0.05 * sin(3 * i);
    CHECK_AT(curve, v, N, 0.01);
    CHECK_AT(line, v, N, 0.02);
    return failures;
}
