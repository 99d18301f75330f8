/* The gradient of a weighted sum of norm's outputs, beside central differences, and how its time grows with n. */
#include "norm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

/* The gradient of sum(weight * norm(in)): the weights are the seed of the output's shadow, which ends as zero. */
static void gradient(const double *in, const double *weight, double *result, int n) {
    double *out = malloc(n * sizeof *out), *seed = malloc(n * sizeof *seed);
    memcpy(seed, weight, n * sizeof *seed);
    memset(result, 0, n * sizeof *result);
    __enzyme_autodiff((void *)norm, enzyme_dup, out, seed, enzyme_dup, in, result, enzyme_const, n);
    free(out);
    free(seed);
}

static double weighted(const double *in, const double *weight, int n) {
    double *out = malloc(n * sizeof *out), sum = 0;
    norm(out, in, n);
    for (int i = 0; i < n; i++)
        sum += weight[i] * out[i];
    free(out);
    return sum;
}

static double difference(double *in, const double *weight, int i, int n) {
    double keep = in[i], h = 1e-5;
    in[i] = keep + h;
    double above = weighted(in, weight, n);
    in[i] = keep - h;
    double below = weighted(in, weight, n);
    in[i] = keep;
    return (above - below) / (2 * h);
}

static void fill(double *in, double *weight, int n) {
    for (int i = 0; i < n; i++) {
        in[i] = 1 + 0.5 * sin(i + 1.0);
        weight[i] = cos(3.0 * i);
    }
}

/* Prints gradient and difference of a small case; the number of components that disagree. */
static int compare(void) {
    enum { N = 5 };
    double in[N], weight[N], result[N];
    int wrong = 0;
    fill(in, weight, N);
    gradient(in, weight, result, N);
    printf("  i     gradient     central difference\n");
    for (int i = 0; i < N; i++) {
        double expected = difference(in, weight, i, N);
        wrong += !(fabs(result[i] - expected) <= 1e-8 * (1 + fabs(expected)));
        printf("%3d %+.10f   %+.10f\n", i, result[i], expected);
    }
    return wrong;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

/* Seconds of one gradient: the best of several, each long enough to be measured. */
static double seconds(int n) {
    double *in = malloc(n * sizeof *in), *weight = malloc(n * sizeof *weight), *result = malloc(n * sizeof *result);
    double best = 1e9;
    fill(in, weight, n);
    for (int trial = 0; trial < 5; trial++) {
        int runs = 0;
        double start = now(), took;
        do {
            gradient(in, weight, result, n);
            runs++;
            took = now() - start;
        } while (took < 0.01);
        best = took / runs < best ? took / runs : best;
    }
    free(in);
    free(weight);
    free(result);
    return best;
}

int main(int count, char **arguments) {
    int largest = count > 1 ? atoi(arguments[1]) : 32000;
    int wrong = compare();
    double before = 0;
    printf("\n      n   time of one gradient   over that of n/2\n");
    for (int n = 1000; n <= largest; n *= 2) {
        double took = seconds(n);
        printf("%7d %15.1f us", n, 1e6 * took);
        before > 0 ? printf("   %10.1f x\n", took / before) : printf("\n");
        before = took;
    }
    if (wrong)
        printf("\n%d components DISAGREE\n", wrong);
    return wrong != 0;
}
