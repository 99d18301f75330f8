/* The gradient of a weighted sum of eigenvalues by gsl_eigen_symm with respect to B, for A = B + B' + diag(0, 1, …). */
#include "check.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sort_vector.h>

enum { N = 4 };
static double f(const double *v) {
    gsl_matrix *a = gsl_matrix_alloc(N, N);
    gsl_vector *values = gsl_vector_alloc(N);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(N);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            gsl_matrix_set(a, i, j, v[N * i + j] + v[N * j + i] + (i == j) * i);
    gsl_eigen_symm(a, values, work);
    gsl_sort_vector(values);
    for (int i = 0; i < N; i++)
        sum += (i + 1) * gsl_vector_get(values, i);
    gsl_eigen_symm_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(a);
    return sum;
}

int main(void) {
    for (int k = 0; k < 2; k++) {
        double v[N * N];
        for (int i = 0; i < N * N; i++)
            v[i] = 0.3 + 0.41 * sin(2.3 * i + k) + 0.05 * i;
        CHECK_AT(f, v, N * N, 0.003);
    }
    return failures;
}
