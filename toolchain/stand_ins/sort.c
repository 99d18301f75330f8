/* qsort and qsort_r (std::sort needs no stand-in: its template and its comparator are bitcode of the program).
 * runtime/sort_order.c finds the order, which carries no derivative; moving the elements carries theirs. */
#include "stand_in.h"

typedef int comparison(const void *, const void *);
typedef int comparison_r(const void *, const void *, void *);

void __ez_order(const void *base, size_t n, size_t size, comparison *compare, size_t *order);
void __ez_order_r(const void *base, size_t n, size_t size, comparison_r *compare, void *argument, size_t *order);

static ALWAYS_INLINE void arrange(char *base, size_t n, size_t size, const size_t *order) {
    char *before = malloc(n * size);
    memcpy(before, base, n * size);
    for (size_t i = 0; i < n; i++)
        memcpy(base + i * size, before + order[i] * size, size);
    free(before);
}

INLINED void STAND_IN(qsort)(void *base, size_t n, size_t size, comparison *compare) {
    size_t *order = malloc(n * sizeof *order);
    __ez_order(base, n, size, compare, order);
    arrange(base, n, size, order);
    free(order);
}

INLINED void STAND_IN(qsort_r)(void *base, size_t n, size_t size, comparison_r *compare, void *argument) {
    size_t *order = malloc(n * sizeof *order);
    __ez_order_r(base, n, size, compare, argument, order);
    arrange(base, n, size, order);
    free(order);
}
