/* Eigenvalues of a general matrix, of a Hermitian one, and of a symmetric pair, with respect to the entries. */
#include "check.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sort_vector.h>

enum { N = 3, SIZE = N * N };
static void fill(gsl_matrix *a, const double *v, int symmetric) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            gsl_matrix_set(a, i, j, v[N * i + j] + (symmetric ? v[N * j + i] : 0) + (i == j) * 2 * i);
}

static double general(const double *v) {
    gsl_matrix *a = gsl_matrix_alloc(N, N);
    gsl_vector_complex *values = gsl_vector_complex_alloc(N);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(N);
    double sum = 0;
    fill(a, v, 0);
    gsl_eigen_nonsymm(a, values, work);
    for (int i = 0; i < N; i++) {
        gsl_complex z = gsl_vector_complex_get(values, i);
        sum += GSL_REAL(z) * GSL_REAL(z) * GSL_REAL(z) + GSL_IMAG(z) * GSL_IMAG(z);
    }
    gsl_eigen_nonsymm_free(work);
    gsl_vector_complex_free(values);
    gsl_matrix_free(a);
    return sum;
}

static double hermitian(const double *v) {
    gsl_matrix_complex *a = gsl_matrix_complex_calloc(N, N);
    gsl_vector *values = gsl_vector_alloc(N);
    gsl_eigen_herm_workspace *work = gsl_eigen_herm_alloc(N);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double imaginary = i == j ? 0 : v[N * j + i];
            gsl_matrix_complex_set(a, i, j, gsl_complex_rect(v[N * i + j] + (i == j) * 2 * i, imaginary));
            gsl_matrix_complex_set(a, j, i, gsl_complex_rect(v[N * i + j] + (i == j) * 2 * i, -imaginary));
        }
    gsl_eigen_herm(a, values, work);
    gsl_sort_vector(values);
    for (int i = 0; i < N; i++)
        sum += (i + 1) * gsl_vector_get(values, i);
    gsl_eigen_herm_free(work);
    gsl_vector_free(values);
    gsl_matrix_complex_free(a);
    return sum;
}

static double pair(const double *v) {
    gsl_matrix *a = gsl_matrix_alloc(N, N), *b = gsl_matrix_alloc(N, N);
    gsl_vector *values = gsl_vector_alloc(N);
    gsl_eigen_gensymm_workspace *work = gsl_eigen_gensymm_alloc(N);
    double sum = 0;
    fill(a, v, 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            gsl_matrix_set(b, i, j, 0.2 * v[i] * v[j] + (i == j) * (2 + i));
    gsl_eigen_gensymm(a, b, values, work);
    gsl_sort_vector(values);
    for (int i = 0; i < N; i++)
        sum += (i + 1) * gsl_vector_get(values, i);
    gsl_eigen_gensymm_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(a);
    gsl_matrix_free(b);
    return sum;
}

int main(void) {
    double v[SIZE];
    for (int i = 0; i < SIZE; i++)
        v[i] = 0.3 + 0.41 * sin(2.3 * i) + 0.05 * i;
    CHECK_AT(general, v, SIZE, 0.003);
    CHECK_AT(hermitian, v, SIZE, 0.003);
    CHECK_AT(pair, v, SIZE, 0.003);
    return failures;
}
