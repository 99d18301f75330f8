/* The gradient of a function of singular values, by gsl_linalg_SV_decomp (iterative, in place), with respect to A. */
#include "check.h"

#include <gsl/gsl_linalg.h>

enum { ROWS = 4, COLUMNS = 3, SIZE = ROWS * COLUMNS };
static double f(const double *v) {
    gsl_matrix *u = gsl_matrix_alloc(ROWS, COLUMNS), *vt = gsl_matrix_alloc(COLUMNS, COLUMNS);
    gsl_vector *s = gsl_vector_alloc(COLUMNS), *work = gsl_vector_alloc(COLUMNS);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            gsl_matrix_set(u, i, j, v[i * COLUMNS + j]);
    gsl_linalg_SV_decomp(u, vt, s, work);
    double value = gsl_vector_get(s, 0) + 3 * gsl_vector_get(s, 1) + log(gsl_vector_get(s, 2));
    gsl_vector_free(work);
    gsl_vector_free(s);
    gsl_matrix_free(vt);
    gsl_matrix_free(u);
    return value;
}

int main(void) {
    for (int k = 0; k < 2; k++) {
        double v[SIZE];
        for (int i = 0; i < SIZE; i++)
            v[i] = 0.3 + 0.41 * sin(2.3 * i + k) + 0.05 * i;
        CHECK_AT(f, v, SIZE, 0.003);
    }
    return failures;
}
