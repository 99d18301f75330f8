/* The gradient of w.x, where A x = b is solved by gsl_linalg_LU_decomp and _solve, with respect to A and b. */
#include "check.h"

#include <gsl/gsl_linalg.h>

enum { N = 5 };
/* v holds A by rows, then b. */
static double f(const double *v) {
    gsl_matrix *lu = gsl_matrix_alloc(N, N);
    gsl_vector *b = gsl_vector_alloc(N), *x = gsl_vector_alloc(N);
    gsl_permutation *p = gsl_permutation_alloc(N);
    int sign;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        gsl_vector_set(b, i, v[N * N + i]);
        for (int j = 0; j < N; j++)
            gsl_matrix_set(lu, i, j, v[N * i + j]);
    }
    gsl_linalg_LU_decomp(lu, p, &sign);
    gsl_linalg_LU_solve(lu, p, b, x);
    for (int i = 0; i < N; i++)
        sum += (i + 1) * gsl_vector_get(x, i);
    gsl_permutation_free(p);
    gsl_vector_free(x);
    gsl_vector_free(b);
    gsl_matrix_free(lu);
    return sum;
}

int main(void) {
    for (int k = 0; k < 3; k++) {
        double v[N * N + N];
        for (int i = 0; i < N * N + N; i++)
            v[i] = sin(1.7 * i * i + k) + (i < N * N && i % (N + 1) == 0 ? 3 * (k - 1) : 0);
        CHECK_AT(f, v, N * N + N, 0.002);
    }
    return failures;
}
