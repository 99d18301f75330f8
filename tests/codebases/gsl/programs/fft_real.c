/* The gradient through a mixed-radix FFT with a stride, gsl_fft_real_transform, and one of radix 2, in place. */
#include "check.h"

#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_fft_real.h>

enum { N = 12, STRIDE = 2, COMPLEX = 8 };
static double f(const double *v) {
    double data[N * STRIDE], z[2 * COMPLEX], sum = 0;
    gsl_fft_real_wavetable *table = gsl_fft_real_wavetable_alloc(N);
    gsl_fft_real_workspace *work = gsl_fft_real_workspace_alloc(N);
    for (int i = 0; i < N * STRIDE; i++)
        data[i] = v[i];
    gsl_fft_real_transform(data, STRIDE, N, table, work);
    for (int i = 0; i < 2 * COMPLEX; i++)
        z[i] = v[i] * data[i];
    gsl_fft_complex_radix2_forward(z, 1, COMPLEX);
    for (int i = 0; i < N * STRIDE; i++)
        sum += i * data[i] * data[i];
    for (int i = 0; i < 2 * COMPLEX; i++)
        sum += z[i] * z[i] / (1 + i);
    gsl_fft_real_workspace_free(work);
    gsl_fft_real_wavetable_free(table);
    return sum;
}

int main(void) {
    double v[N * STRIDE];
    for (int i = 0; i < N * STRIDE; i++)
        v[i] = 0.3 + 0.41 * sin(2.3 * i) + 0.05 * i;
    CHECK_AT(f, v, N * STRIDE, 0.02);
    return failures;
}
