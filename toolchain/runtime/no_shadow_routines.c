/* Routines of libraries that are given memory without a shadow, such as the work arrays of a solver that the program made
 * before. The shadows of numbers there lie in blocks (no_shadow_numbers.c), and a routine needs them in one piece: it is lent
 * a copy. enzyme_cc/autodiff/custom/lent_shadows.py emits the calls.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OF_ROUTINE = 24 }; /* as enzyme_cc/autodiff/custom/lent_shadows.py has it */

/* An argument of a routine: which bytes the routine reads and writes, and where the pointer points. `memory` is null where
 * nothing is lent. `shadow`: what the derivative is given for the pointer. `buffer`: the copy, of the argument that owns it. */
struct routine_argument {
    uintptr_t low, end;
    char *memory;
    uint64_t is_written;
    char *shadow, *buffer;
};

/* The routine reads or writes these bytes. */
__attribute__((always_inline)) void __ez_routine_touches(struct routine_argument *argument, uintptr_t place,
                                                         uint64_t bytes) {
    argument->low = place < argument->low ? place : argument->low;
    argument->end = place + bytes > argument->end ? place + bytes : argument->end;
}

static int any_numbers(const struct routine_argument *argument, uint64_t directions) {
    for (uint64_t d = 0; d < directions && outside.blocks.count; d++)
        for (uintptr_t at = argument->low, part; at < argument->end; at += part) {
            part = part_of((char *)at, argument->end - at);
            if (shadow_there((char *)at, d))
                return 1;
        }
    return 0;
}

/* Decides, in the primal sweep, which arguments are lent: those with numbers that have shadows, and those that the routine
 * writes, if another argument carries derivatives. */
void __ez_routine_lends(struct routine_argument *arguments, uint64_t count, uint64_t is_active, uint64_t directions) {
    int has[MOST_OF_ROUTINE] = {0};
    settle();
    for (uint64_t k = 0; k < count; k++) {
        has[k] = arguments[k].memory && any_numbers(&arguments[k], directions);
        is_active |= has[k];
    }
    for (uint64_t k = 0; k < count; k++) {
        struct routine_argument *a = &arguments[k];
        if (a->end <= a->low || !(has[k] || (is_active && a->is_written)))
            a->memory = NULL;
        for (uint64_t d = 0; a->memory && a->is_written && d < directions; d++)
            make_blocks((char *)a->low, a->end - a->low, d);
    }
}

/* Arguments that overlap share a copy: widens each range to that of all that overlap. */
static void join_ranges(uintptr_t *low, uintptr_t *end, const struct routine_argument *arguments, uint64_t count) {
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint64_t k = 0; k < count; k++)
            for (uint64_t j = 0; j < count; j++) {
                if (!arguments[k].memory || !arguments[j].memory || low[k] >= end[j] || low[j] >= end[k])
                    continue;
                changed |= low[j] < low[k] || end[j] > end[k];
                low[k] = low[j] < low[k] ? low[j] : low[k];
                end[k] = end[j] > end[k] ? end[j] : end[k];
            }
    }
}

static char *copy_of_numbers(char *place, size_t bytes, uint64_t direction) {
    char *buffer = calloc(1, bytes);
    if (!buffer)
        refuse("memory for the shadows of numbers ran out");
    if (!gather(buffer, place, bytes, direction))
        refuse("the second half of a derivative runs in another thread than the first, which stored a number that "
               "carries a derivative in memory that was made before [EZ0306]; run both in one thread");
    copy_marks(place, buffer, bytes, direction, 0);
    return buffer;
}

/* Lends the shadows of one direction. */
void __ez_routine_lend(struct routine_argument *arguments, uint64_t count, uint64_t direction) {
    uintptr_t low[MOST_OF_ROUTINE], end[MOST_OF_ROUTINE];
    settle();
    for (uint64_t k = 0; k < count; k++)
        low[k] = arguments[k].low, end[k] = arguments[k].end;
    join_ranges(low, end, arguments, count);
    for (uint64_t k = 0, j; k < count; k++) {
        struct routine_argument *a = &arguments[k];
        a->buffer = a->shadow = NULL;
        if (!a->memory)
            continue;
        for (j = 0; j < k && !(arguments[j].buffer && low[j] == low[k]); j++)
            ;
        if (j == k)
            a->buffer = copy_of_numbers((char *)low[k], end[k] - low[k], direction);
        a->shadow = arguments[j].buffer + ((uintptr_t)a->memory - low[k]);
        a->low = low[k], a->end = end[k];
    }
}

/* Takes back what was lent. */
void __ez_routine_returns(struct routine_argument *arguments, uint64_t count, uint64_t direction) {
    settle();
    for (uint64_t k = 0; k < count; k++) {
        struct routine_argument *a = &arguments[k];
        if (!a->memory || !a->buffer)
            continue;
        scatter((char *)a->low, a->buffer, a->end - a->low, direction, 0);
        copy_marks((char *)a->low, a->buffer, a->end - a->low, direction, 1);
        free(a->buffer);
        a->buffer = a->shadow = NULL;
    }
}
