/* The report of --enzyme-precision-report: the errors of truncated code, and estimates of errors, by source line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* One source line of truncated code; the engine makes them. They are chained when they first compute. */
struct ez_line {
    struct ez_line *next;
    const char *place;
    uint64_t operations;
    double largest; /* relative error */
    double sum;     /* of absolute errors */
};
static struct ez_line *ez_lines;

static void ez_print_lines(void) {
    for (;;) { /* those with the largest errors first; few lines, so no list is sorted */
        struct ez_line *worst = NULL;
        for (struct ez_line *line = __atomic_load_n(&ez_lines, __ATOMIC_ACQUIRE); line != NULL; line = line->next)
            if (line->operations && (worst == NULL || line->largest > worst->largest))
                worst = line;
        if (worst == NULL)
            return;
        fprintf(stderr, "enzyme-cc: %s: %llu operations, largest relative error %.2g, sum of errors %.2g\n",
                worst->place, (unsigned long long)worst->operations, worst->largest, worst->sum);
        worst->operations = 0;
    }
}

static void ez_chain(struct ez_line *line) {
    struct ez_line *first = __atomic_load_n(&ez_lines, __ATOMIC_ACQUIRE);
    do
        line->next = first;
    while (!__atomic_compare_exchange_n(&ez_lines, &first, line, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (first == NULL)
        atexit(ez_print_lines);
}

/* Counts an operation whose result is `got`, and in full precision `wanted`. Threads may lose some counts. */
void __ez_note_error(struct ez_line *line, double got, double wanted) {
    double error = __builtin_fabs(got - wanted), size = __builtin_fabs(wanted);
    if (__atomic_fetch_add(&line->operations, 1, __ATOMIC_RELAXED) == 0)
        ez_chain(line);
    if (!(error > 0)) /* exact, or both infinite or undefined */
        return;
    line->sum += error;
    if (size > 0 && error / size > line->largest)
        line->largest = error / size;
}

/* Prints the parts of an estimate, the largest first; they are cleared. */
void __ez_report_estimate(const char *function, const char *const *places, double *errors, int64_t count) {
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += errors[k];
    fprintf(stderr, "enzyme-cc: %s: estimated error %.3g\n", function, sum);
    for (;;) {
        int64_t worst = 0;
        for (int64_t k = 1; k < count; k++)
            if (errors[k] > errors[worst])
                worst = k;
        if (!(errors[worst] > 0))
            return;
        fprintf(stderr, "enzyme-cc:   %s: %.3g (%.1f %%)\n", places[worst], errors[worst], 100 * errors[worst] / sum);
        errors[worst] = 0;
    }
}
