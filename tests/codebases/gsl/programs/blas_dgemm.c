/* The gradient of a weighted sum of C := alpha op(A) op(B) + beta C by gsl_blas_dgemm, with respect to all five. */
#include "check.h"

#include <gsl/gsl_blas.h>

enum { M = 3, N = 4, K = 2, A = 2, B = A + M * K, C = B + K * N, SIZE = C + M * N };
static double product(CBLAS_TRANSPOSE_t transposed_a, CBLAS_TRANSPOSE_t transposed_b, const double *v) {
    double c[M * N], sum = 0;
    int ta = transposed_a == CblasTrans, tb = transposed_b == CblasTrans;
    gsl_matrix_const_view a = gsl_matrix_const_view_array(v + A, ta ? K : M, ta ? M : K);
    gsl_matrix_const_view b = gsl_matrix_const_view_array(v + B, tb ? N : K, tb ? K : N);
    gsl_matrix_view view = gsl_matrix_view_array(c, M, N);
    for (int i = 0; i < M * N; i++)
        c[i] = v[C + i];
    gsl_blas_dgemm(transposed_a, transposed_b, v[0], &a.matrix, &b.matrix, v[1], &view.matrix);
    for (int i = 0; i < M * N; i++)
        sum += (1 + 0.1 * i) * c[i] * c[i];
    return sum;
}

static double nn(const double *v) {
    return product(CblasNoTrans, CblasNoTrans, v);
}

static double tn(const double *v) {
    return product(CblasTrans, CblasNoTrans, v);
}

static double nt(const double *v) {
    return product(CblasNoTrans, CblasTrans, v);
}

static double tt(const double *v) {
    return product(CblasTrans, CblasTrans, v);
}

int main(void) {
    static double v[SIZE] = {1.5, -0.7};
    for (int i = A; i < SIZE; i++)
        v[i] = cos(0.3 + 1.9 * i);
    CHECK_AT(nn, v, SIZE, 0.05);
    CHECK_AT(tn, v, SIZE, 0.05);
    CHECK_AT(nt, v, SIZE, 0.05);
    CHECK_AT(tt, v, SIZE, 0.05);
    return failures;
}
