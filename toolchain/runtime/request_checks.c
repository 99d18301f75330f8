/* Checks of requests at run time, with --enzyme-check: enzyme_cc/autodiff/answer/checked_requests.py.
 *
 * `what` says where the request is and which argument it is about. A size of all ones is not known. A mistake that makes
 * derivatives wrong ends the program. A seed of zero is told once for each request: an iteration may end in it.
 */
#include "ending.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void write_alone(void); /* tape.c */

static const uint64_t unknown = UINT64_MAX;
static const char of_argument[] = "pass memory of its own as the shadow, or pass the argument as enzyme_const";
static const char of_pointer[] = "let this pointer of the shadow lead to memory of its own, as large as the argument's";

/* Of the request under way: where the first number that is infinite or not a number arose, and where one was first used
 * that an operation had not made; null if there is none. */
static const char *first_made, *first_used;

void __ez_check_begin(void) {
    __atomic_store_n(&first_made, NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&first_used, NULL, __ATOMIC_RELAXED);
}

/* An operation made `number` of a and b. Called where one of several numbers is odd. */
__attribute__((noinline, cold)) void __ez_note_number(double number, double a, double b, const char *where) {
    if (__builtin_isfinite(number))
        return;
    const char *none = NULL, **first = __builtin_isfinite(a) && __builtin_isfinite(b) ? &first_made : &first_used;
    if (!__atomic_load_n(&first_made, __ATOMIC_RELAXED))
        __atomic_compare_exchange_n(first, &none, where, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* A NaN without its sign, which no program has set. */
static double shown(double number) { return __builtin_isnan(number) ? __builtin_nan("") : number; }

static void tell_first(void) {
    const char *made = __atomic_load_n(&first_made, __ATOMIC_RELAXED);
    const char *used = __atomic_load_n(&first_used, __ATOMIC_RELAXED);
    if (used)
        fprintf(stderr, "; an argument or a shadow held such a number before, which is used %s", used);
    else if (made)
        fprintf(stderr, "; the first such number arose %s", made);
    fprintf(stderr, " [EZ0227]\n  remedy: %s; docs/conventions.md says where derivatives are infinite\n",
            used ? "set that number before the request" : "keep away from arguments without a finite derivative");
}

static __attribute__((noreturn, cold)) void mistaken(const char *what, const char *fault, const char *remedy) {
    write_alone();
    fprintf(stderr, "enzyme-cc: error: %s %s [EZ0227]\n  remedy: %s\n", what, fault, remedy);
    end_program();
}

static __attribute__((noreturn, cold)) void too_small(const char *what, uint64_t room, uint64_t shadow_room) {
    write_alone();
    fprintf(stderr,
            "enzyme-cc: error: %s has %llu bytes, the argument has %llu [EZ0227]\n"
            "  remedy: give the shadow the size of the argument\n",
            what, (unsigned long long)shadow_room, (unsigned long long)room);
    end_program();
}

/* `own`: with enzyme_runtime_activity, a shadow that is its primal says that the memory is constant. */
void __ez_check_shadow(const void *primal, uint64_t room, const void *shadow, uint64_t shadow_room, uint64_t own,
                       const char *what) {
    if (!primal)
        return;
    if (!shadow)
        mistaken(what, "is null", of_argument);
    if (shadow == primal && !own)
        mistaken(what, "is the argument itself", of_argument);
    if (shadow != primal && room != unknown && shadow_room != unknown && shadow_room < room)
        too_small(what, room, shadow_room);
}

/* A pointer in the memory of an argument, and its shadow. `own`: memory may be its own shadow, as the derivative looks. */
__attribute__((always_inline)) void __ez_check_pointer(const void *pointer, const void *shadow, uint64_t own,
                                                       const char *what) {
    if (__builtin_expect(pointer && !shadow, 0))
        mistaken(what, "is null", of_pointer);
    if (__builtin_expect(pointer && shadow == pointer && !own, 0))
        mistaken(what, "leads to the argument's own memory", of_pointer);
}

/* Returns whether all bytes of a shadow are zero, as far as its size is known. */
int64_t __ez_check_is_zero(const void *shadow, uint64_t room) {
    if (!shadow || room == unknown)
        return 0;
    for (uint64_t k = 0; k < room; k++)
        if (((const char *)shadow)[k])
            return 0;
    return 1;
}

void __ez_check_seed(int64_t is_zero, char *is_told, const char *what) {
    if (!is_zero || *is_told)
        return;
    *is_told = 1;
    fprintf(stderr, "enzyme-cc: warning: %s [EZ0226]\n", what);
}

void __ez_check_number(double derivative, const char *what) {
    if (__builtin_isfinite(derivative))
        return;
    write_alone();
    fprintf(stderr, "enzyme-cc: error: %s is %g", what, shown(derivative));
    tell_first();
    end_program();
}

/* Some memory behind the arguments is not looked at: what arose may be there. Told once for each request. */
void __ez_check_made(char *is_told, const char *what) {
    const char *made = __atomic_load_n(&first_made, __ATOMIC_RELAXED);
    if (!made || *is_told)
        return;
    *is_told = 1;
    fprintf(stderr, "enzyme-cc: warning: %s made an infinite number or NaN, first %s [EZ0227]\n", what, made);
}

/* Returns whether one of several numbers is infinite or not a number: all bits of its exponent are set, so that one more
 * overflows into the sign. */
static int has_odd_number(const char *at, uint64_t bytes, uint64_t size) {
    static const uint64_t exponent = 0x7ff0000000000000u, one = 1ull << 52;
    static const uint32_t short_exponent = 0x7f800000u, short_one = 1u << 23;
    uint64_t found = 0;
    uint32_t short_found = 0;
    if (size == sizeof(float))
        for (uint64_t k = 0; k < bytes / size; k++)
            short_found |= (((const uint32_t *)at)[k] & short_exponent) + short_one;
    else
        for (uint64_t k = 0; k < bytes / size; k++)
            found |= (((const uint64_t *)at)[k] & exponent) + one;
    return found >> 63 || short_found >> 31;
}

static __attribute__((noreturn, cold)) void odd_number(const char *at, uint64_t from, uint64_t size, const char *what) {
    while (!has_odd_number(at + from, size, size))
        from += size;
    double number = size == sizeof(float) ? (double)*(const float *)(at + from) : *(const double *)(at + from);
    write_alone();
    fprintf(stderr, "enzyme-cc: error: %s holds %g, %llu bytes behind its start", what, shown(number),
            (unsigned long long)from);
    tell_first();
    end_program();
}

/* Of `bytes` bytes, `length` bytes of numbers of `size` bytes lie `offset` behind the start of each `period`. */
void __ez_check_numbers(const char *at, uint64_t bytes, uint64_t period, uint64_t offset, uint64_t length, uint64_t size,
                        const char *what) {
    if (!at || bytes == unknown)
        return;
    if (length == period)
        length = period = bytes;
    for (uint64_t start = offset; start + size <= bytes; start += period ? period : bytes) {
        uint64_t room = bytes - start < length ? bytes - start : length;
        if (has_odd_number(at + start, room, size))
            odd_number(at, start, size, what);
    }
}
