/* One function makes blocks for a handle that is an argument, and blocks that a function frees itself: each shadow is
 * freed once. */
#include "../check.h"
#include <stdlib.h>

static volatile int count = 3;

struct block {
    double *data;
};

struct solver {
    struct block *state;
};

__attribute__((noinline)) static struct block *make_block(int n) {
    struct block *b = malloc(sizeof *b);
    b->data = calloc((size_t)n, sizeof *b->data);
    return b;
}

static void free_block(struct block *b) {
    free(b->data);
    free(b);
}

__attribute__((noinline)) static double sum_of_powers(double x, int n) {
    struct block *work = make_block(n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        work->data[i] = i ? work->data[i - 1] * x : x;
    for (int i = n - 1; i >= 0; i--)
        sum += work->data[i] * work->data[i];
    free_block(work);
    return sum;
}

static double f(struct solver *s, double x) {
    if (s->state)
        free_block(s->state);
    s->state = make_block(1);
    s->state->data[0] = x;
    return sum_of_powers(x, count) + s->state->data[0];
}

double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_out;

int main(void) {
    struct solver solver = {make_block(1)}, shadow = {make_block(1)};
    for (int k = 1; k < 4; k++) {
        double x = 0.5 * k;
        double got = __enzyme_autodiff((void *)f, enzyme_dup, &solver, &shadow, enzyme_out, x);
        same("f'", k, got, 2 * x + 4 * x * x * x + 6 * pow(x, 5) + 1, 1e-14);
    }
    free_block(solver.state);
    free_block(shadow.state);
    return failures;
}
