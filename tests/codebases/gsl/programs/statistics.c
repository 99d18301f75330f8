/* Statistics of a sample: moments, correlation, sorted quantiles, robust scales. */
#include "check.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

enum { N = 12 };
static double moments(const double *v) {
    return gsl_stats_mean(v, 1, N) + gsl_stats_variance(v, 1, N) + gsl_stats_skew(v, 1, N) + gsl_stats_kurtosis(v, 1, N) +
           gsl_stats_absdev(v, 1, N) + gsl_stats_lag1_autocorrelation(v, 1, N) + gsl_stats_max(v, 1, N);
}

static double pairs(const double *v) {
    return gsl_stats_covariance(v, 2, v + 1, 2, N / 2) + gsl_stats_correlation(v, 2, v + 1, 2, N / 2) +
           gsl_stats_wmean(v, 2, v + 1, 2, N / 2) + gsl_stats_wvariance(v, 2, v + 1, 2, N / 2) +
           gsl_stats_ttest(v, 2, N / 2, v + 1, 2, N / 2);
}

static double sorted(const double *v) {
    double copy[N], work[3 * N];
    int integers[5 * N];
    memcpy(copy, v, sizeof copy);
    gsl_sort(copy, 1, N);
    double sum = gsl_stats_median_from_sorted_data(copy, 1, N) + gsl_stats_quantile_from_sorted_data(copy, 1, N, 0.3) +
                 gsl_stats_trmean_from_sorted_data(0.2, copy, 1, N) + gsl_stats_gastwirth_from_sorted_data(copy, 1, N);
    sum += gsl_stats_Sn_from_sorted_data(copy, 1, N, work) + gsl_stats_Qn_from_sorted_data(copy, 1, N, work, integers);
    return sum + gsl_stats_mad(v, 1, N, work);
}

int main(void) {
    double v[N];
    for (int i = 0; i < N; i++)
        v[i] = 1.5 + sin(2.3 * i) + 0.1 * i;
    CHECK_AT(moments, v, N, 0.01);
    CHECK_AT(pairs, v, N, 0.01);
    CHECK_AT(sorted, v, N, 0.001);
    return failures;
}
