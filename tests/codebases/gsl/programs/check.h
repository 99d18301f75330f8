/* Derivatives beside difference quotients: what every program here prints, and what it exits with. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup, enzyme_out;

static const double tolerance = 1e-6;
static int failures;

/*
 * The derivative of g at x: central differences for steps h, h/1.4, h/1.4^2, ..., extrapolated to step 0 (Ridders 1982,
 * "Accurate computation of F'(x) and F'(x)F''(x)"). Of all entries of the tableau, that with the least estimated error,
 * which goes to *error.
 */
static double difference_quotient(double (*g)(double, void *), void *context, double x, double h, double *error) {
    enum { LEVELS = 12 };
    const double shrink = 1.4;
    double table[LEVELS][LEVELS], best = 0;
    *error = INFINITY;
    for (int i = 0; i < LEVELS; i++, h /= shrink) {
        double factor = shrink * shrink;
        table[0][i] = (g(x + h, context) - g(x - h, context)) / (2 * h);
        for (int k = 1; k <= i; k++, factor *= shrink * shrink) {
            table[k][i] = (table[k - 1][i] * factor - table[k - 1][i - 1]) / (factor - 1);
            double change = fmax(fabs(table[k][i] - table[k - 1][i]), fabs(table[k][i] - table[k - 1][i - 1]));
            if (change < *error) {
                *error = change;
                best = table[k][i];
            }
        }
    }
    return best;
}

/* Compares one derivative with the difference quotient of g. `scale`: the size of derivatives that count as zero. */
static void check(const char *what, double derivative, double (*g)(double, void *), void *context, double x, double h,
                  double scale) {
    double error, difference = difference_quotient(g, context, x, h, &error);
    double distance = fabs(derivative - difference) / fmax(fabs(difference), scale);
    const char *verdict = "";
    if (!(error <= tolerance * fmax(fabs(difference), scale)))
        verdict = "  THE DIFFERENCES ARE NO GOOD";
    else if (!(distance <= tolerance))
        verdict = "  WRONG";
    failures += *verdict != 0;
    printf("%-32s derivative %- .15e  differences %- .15e  relative %.1e%s\n", what, derivative, difference, distance,
           verdict);
}

/* A function of several numbers, as a function of one of them. */
struct along {
    double (*f)(const double *);
    double *x;
    int k;
};

static double value_along(double t, void *context) {
    struct along *a = context;
    double kept = a->x[a->k];
    a->x[a->k] = t;
    double value = a->f(a->x);
    a->x[a->k] = kept;
    return value;
}

/* Every component of a gradient; steps are relative to 1 + |x|. */
static inline void check_gradient(const char *what, const double *gradient, double (*f)(const double *), double *x, int n,
                           double h) {
    double scale = 0;
    for (int k = 0; k < n; k++)
        scale = fmax(scale, fabs(gradient[k]));
    for (int k = 0; k < n; k++) {
        struct along a = {f, x, k};
        char name[64];
        snprintf(name, sizeof name, "%s[%d]", what, k);
        check(name, gradient[k], value_along, &a, x[k], h * (1 + fabs(x[k])), 1e-3 * scale);
    }
}

static double value_at(double x, void *context) {
    return (*(double (**)(double))context)(x);
}

/* A function of one number. */
static inline void check_slope(const char *what, double slope, double (*f)(double), double x, double h) {
    char name[64];
    snprintf(name, sizeof name, "%s(%g)", what, x);
    check(name, slope, value_at, &f, x, h, 0);
}

static int verdict(void) {
    printf(failures ? "%d derivatives are wrong\n" : "all derivatives agree\n", failures);
    return failures != 0;
}

#endif
