/* The order in which sorting puts elements, found by a merge sort of their indices: the elements do not move.
 * stand_ins/sort.c moves them. */
#include "ending.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* either kind of comparison */
struct ordering {
    const char *base;
    size_t size;
    int (*compare)(const void *, const void *);
    int (*compare_r)(const void *, const void *, void *);
    void *argument;
};

static int comes_after(const struct ordering *o, size_t a, size_t b) {
    const char *first = o->base + a * o->size, *second = o->base + b * o->size;
    return (o->compare ? o->compare(first, second) : o->compare_r(first, second, o->argument)) > 0;
}

static void merge_sort(const struct ordering *o, size_t *order, size_t n, size_t *scratch) {
    if (n < 2)
        return;
    size_t half = n / 2, a = 0, b = half;
    merge_sort(o, order, half, scratch);
    merge_sort(o, order + half, n - half, scratch);
    for (size_t k = 0; k < n; k++)
        scratch[k] = b == n || (a < half && !comes_after(o, order[a], order[b])) ? order[a++] : order[b++];
    memcpy(order, scratch, n * sizeof *order);
}

static void find_order(const struct ordering *o, size_t n, size_t *order) {
    size_t *scratch = malloc(n ? n * sizeof *scratch : 1);
    if (!scratch)
        end_program();
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    merge_sort(o, order, n, scratch);
    free(scratch);
}

void __ez_order(const void *base, size_t n, size_t size, int (*compare)(const void *, const void *), size_t *order) {
    struct ordering o = {base, size, compare, NULL, NULL};
    find_order(&o, n, order);
}

void __ez_order_r(const void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
                  void *argument, size_t *order) {
    struct ordering o = {base, size, NULL, compare, argument};
    find_order(&o, n, order);
}
