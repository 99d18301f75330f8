/* The report of --enzyme-tape-report: the bytes that derivatives have stored on their tapes, by source line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* One source line; the engine makes them. They are chained when they first store. */
struct ez_tape_line {
    struct ez_tape_line *next;
    const char *place;
    uint64_t bytes, times;
};
static struct ez_tape_line *ez_tape_lines;

static int ez_compare_tape_lines(const void *a, const void *b) {
    const struct ez_tape_line *x = *(void *const *)a, *y = *(void *const *)b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes) : __builtin_strcmp(x->place, y->place);
}

static void ez_print_tape_lines(void) {
    uint64_t count = 0, sum = 0;
    for (struct ez_tape_line *line = ez_tape_lines; line != NULL; line = line->next, count++)
        sum += line->bytes;
    struct ez_tape_line **lines = malloc(count * sizeof *lines);
    if (lines == NULL)
        return;
    count = 0;
    for (struct ez_tape_line *line = ez_tape_lines; line != NULL; line = line->next)
        lines[count++] = line;
    qsort(lines, count, sizeof *lines, ez_compare_tape_lines);
    fprintf(stderr, "enzyme-cc: %llu bytes were stored on tapes\n", (unsigned long long)sum);
    for (uint64_t k = 0; k < count; k++)
        fprintf(stderr, "enzyme-cc: %s: %llu bytes, stored %llu times\n", lines[k]->place,
                (unsigned long long)lines[k]->bytes, (unsigned long long)lines[k]->times);
    free(lines);
}

/* Counts bytes that a line stores. */
void __ez_note_tape(struct ez_tape_line *line, uint64_t bytes) {
    __atomic_fetch_add(&line->bytes, bytes, __ATOMIC_RELAXED);
    if (__atomic_fetch_add(&line->times, 1, __ATOMIC_RELAXED))
        return;
    struct ez_tape_line *first = __atomic_load_n(&ez_tape_lines, __ATOMIC_ACQUIRE);
    do
        line->next = first;
    while (!__atomic_compare_exchange_n(&ez_tape_lines, &first, line, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (first == NULL)
        atexit(ez_print_tape_lines);
}
