/* What the generated programs of GSL's special functions share (special_functions.py writes them). A wrapper takes its
 * numbers from x and its integers from k. Of many candidates, the points count at which the function is defined, and
 * at which extrapolated differences are sure of their own result. Prints for each function:
 *
 *     function NAME COMPARED WRONG ERROR     points compared, wrong ones, the worst relative error
 *     wrong NAME INTEGERS NUMBERS I GOT WANT ERROR
 */
#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_mode.h>

enum { MOST_NUMBERS = 16, MOST_INTEGERS = 6, CANDIDATES = 400, ENOUGH = 40 };
typedef double (*special)(const double *x, const int *k);
typedef void (*derivative)(const double *x, const int *k, int n, double *got);
static int refused;

static void note(const char *reason, const char *file, int line, int code) {
    (void)reason, (void)file, (void)line, (void)code;
    refused = 1;
}

static double value(special f, const double *x, const int *k, int n, int i, double h) {
    double moved[MOST_NUMBERS];
    memcpy(moved, x, n * sizeof *x);
    moved[i] += h;
    double y = f(moved, k);
    refused |= !isfinite(y) || fabs(y) > 1e200;
    return y;
}

/* Ridders' extrapolation with first step h, as in check.h */
static double difference(special f, const double *x, const int *k, int n, int i, double h, double *error) {
    enum { ROWS = 12 };
    const double shrink = 1.6;
    double table[ROWS][ROWS], best = 0;
    *error = INFINITY;
    for (int row = 0; row < ROWS; row++, h /= shrink) {
        double factor = shrink * shrink;
        table[row][0] = (value(f, x, k, n, i, h) - value(f, x, k, n, i, -h)) / (2 * h);
        for (int c = 1; c <= row; c++, factor *= shrink * shrink) {
            table[row][c] = (factor * table[row][c - 1] - table[row - 1][c - 1]) / (factor - 1);
            double change = fmax(fabs(table[row][c] - table[row][c - 1]), fabs(table[row][c] - table[row - 1][c - 1]));
            if (change < *error)
                *error = change, best = table[row][c];
        }
    }
    return best;
}

static unsigned long state;

static double choose(const double *from, int n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return from[(state >> 33) % n];
}

static int compare(const char *name, special f, derivative d, int n, int integers, double *worst) {
    static const double numbers[] = {0.31,  0.52, 0.83, 1.24, 1.71, 2.53,  4.32,  7.21,  12.64, 30.35,
                                     0.043, -0.4, -1.6, -3.7, -6.3, -20.4, -0.23, -0.77, 0.62,  0.15};
    static const double whole[] = {0, 1, 1, 2, 3, 4, 5, 8};
    int wrong = 0, compared = 0;
    state = 1;
    for (int c = 0; c < CANDIDATES && compared < ENOUGH; c++) {
        double x[MOST_NUMBERS] = {0}, got[MOST_NUMBERS] = {0};
        int k[MOST_INTEGERS];
        for (int i = 0; i < integers; i++)
            k[i] = (int)choose(whole, 8);
        for (int i = 0; i < n; i++)
            x[i] = choose(numbers, 20) + 0.00137 * (i + 1); /* no two are equal, no sum is whole: GSL tests for that */
        refused = 0;
        double y = value(f, x, k, n, 0, 0), want[MOST_NUMBERS], error[MOST_NUMBERS], scale = 1e-300;
        if (refused)
            continue;
        for (int i = 0; i < n && !refused; i++) {
            double second, h = 0.02 * fmin(1, fabs(x[i]));
            want[i] = difference(f, x, k, n, i, h, &error[i]);
            double again = difference(f, x, k, n, i, h / 7, &second);
            double rounding = 1e-14 * fmax(fabs(y), fabs(x[i])) / h;
            error[i] = fmax(fmax(error[i], fabs(again - want[i])), rounding);
            scale = fmax(scale, fabs(want[i]));
        }
        if (refused)
            continue;
        d(x, k, n, got);
        int sure = 0;
        for (int i = 0; i < n; i++) {
            double size = fmax(fabs(want[i]), 1e-3 * scale);
            if (!(error[i] <= 1e-6 * size))
                continue;
            sure = 1;
            double relative = fabs(got[i] - want[i]) / size;
            *worst = fmax(*worst, isnan(relative) ? INFINITY : relative);
            if (relative <= 1e-5)
                continue;
            wrong++;
            printf("wrong %s k", name);
            for (int j = 0; j < integers; j++)
                printf(" %d", k[j]);
            printf(" x");
            for (int j = 0; j < n; j++)
                printf(" %g", x[j]);
            printf(" by %d got %.12g want %.12g error %.2g\n", i, got[i], want[i], error[i]);
        }
        compared += sure;
    }
    printf("function %s %d %d %.2g\n", name, compared, wrong, *worst);
    fflush(stdout);
    return wrong;
}

#ifdef FORWARD
#define DERIVE(f)                                                                                                      \
    static void derivative_##f(const double *x, const int *k, int n, double *got) {                                   \
        for (int i = 0; i < n; i++) {                                                                                  \
            double dx[MOST_NUMBERS] = {0};                                                                             \
            dx[i] = 1;                                                                                                 \
            got[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_const, k);                                  \
        }                                                                                                              \
    }
#else
#define DERIVE(f)                                                                                                      \
    static void derivative_##f(const double *x, const int *k, int n, double *got) {                                   \
        (void)n;                                                                                                       \
        __enzyme_autodiff((void *)f, enzyme_dup, x, got, enzyme_const, k);                                             \
    }
#endif

#define SPECIAL(f, n, integers)                                                                                        \
    do {                                                                                                               \
        volatile special hidden_ = f;                                                                                  \
        double worst_ = 0;                                                                                             \
        failures += compare(#f, hidden_, derivative_##f, n, integers, &worst_);                                        \
    } while (0)
