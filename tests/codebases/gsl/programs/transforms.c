/* Transforms: wavelets, discrete Hankel, Chebyshev series, and Levin's acceleration of a sum. */
#include "check.h"

#include <gsl/gsl_chebyshev.h>
#include <gsl/gsl_dht.h>
#include <gsl/gsl_sum.h>
#include <gsl/gsl_wavelet.h>

enum { N = 16 };
static double wavelet(const double *v) {
    double data[N], sum = 0;
    memcpy(data, v, sizeof data);
    gsl_wavelet *w = gsl_wavelet_alloc(gsl_wavelet_daubechies, 4);
    gsl_wavelet_workspace *work = gsl_wavelet_workspace_alloc(N);
    gsl_wavelet_transform_forward(w, data, 1, N, work);
    for (int i = 0; i < N; i++)
        sum += (i + 1) * data[i] * data[i];
    gsl_wavelet_free(w);
    gsl_wavelet_workspace_free(work);
    return sum;
}

static double hankel(const double *v) {
    double out[N], sum = 0;
    gsl_dht *t = gsl_dht_new(N, 1.0, 2.0);
    gsl_dht_apply(t, (double *)v, out);
    for (int i = 0; i < N; i++)
        sum += (i + 1) * out[i] * out[i];
    gsl_dht_free(t);
    return sum;
}

static double curve(double x, void *p) {
    const double *a = p;
    return exp(-a[0] * x) * cos(a[1] * x) + a[2];
}

static double chebyshev(const double *v) {
    double a[] = {v[0], v[1], v[2]};
    gsl_function f = {curve, a};
    gsl_cheb_series *series = gsl_cheb_alloc(20), *integral = gsl_cheb_alloc(20);
    gsl_cheb_init(series, &f, 0, 2);
    gsl_cheb_calc_integ(integral, series);
    double value = gsl_cheb_eval(series, v[3]) + gsl_cheb_eval(integral, 1.3);
    gsl_cheb_free(series);
    gsl_cheb_free(integral);
    return value;
}

static double accelerated(const double *v) {
    double terms[N], sum, error;
    for (int i = 0; i < N; i++)
        terms[i] = pow(v[0], i) / (i + v[1]);
    gsl_sum_levin_u_workspace *w = gsl_sum_levin_u_alloc(N);
    gsl_sum_levin_u_accel(terms, N, w, &sum, &error);
    gsl_sum_levin_u_free(w);
    return sum;
}

int main(void) {
    double v[N];
    for (int i = 0; i < N; i++)
        v[i] = 0.5 + 0.41 * sin(2.3 * i) + 0.02 * i;
    CHECK_AT(wavelet, v, N, 0.02);
    CHECK_AT(hankel, v, N, 0.02);
    CHECK_AT(chebyshev, v, 4, 0.02);
    CHECK_AT(accelerated, v, 2, 0.01);
    return failures;
}
