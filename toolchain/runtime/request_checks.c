/* Checks of requests at run time, with --enzyme-check: enzyme_cc/autodiff/answer/checked_requests.py.
 *
 * `what` says where the request is and which argument it is about. A size of all ones is not known. A mistake that makes
 * derivatives wrong ends the program. A seed of zero is told once for each request: an iteration may end in it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void write_alone(void); /* tape.c */

static const uint64_t unknown = UINT64_MAX;

static __attribute__((noreturn, cold)) void mistaken(const char *what, const char *fault) {
    write_alone();
    fprintf(stderr, "enzyme-cc: %s %s [EZ0227]\n", what, fault);
    abort();
}

static __attribute__((noreturn, cold)) void too_small(const char *what, uint64_t room, uint64_t shadow_room) {
    write_alone();
    fprintf(stderr, "enzyme-cc: %s has %llu bytes, the argument has %llu [EZ0227]\n", what,
            (unsigned long long)shadow_room, (unsigned long long)room);
    abort();
}

/* `own`: with enzyme_runtime_activity, a shadow that is its primal says that the memory is constant. */
void __ez_check_shadow(const void *primal, uint64_t room, const void *shadow, uint64_t shadow_room, uint64_t own,
                       const char *what) {
    if (!primal)
        return;
    if (!shadow)
        mistaken(what, "is null");
    if (shadow == primal && !own)
        mistaken(what, "is the argument itself");
    if (shadow != primal && room != unknown && shadow_room != unknown && shadow_room < room)
        too_small(what, room, shadow_room);
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
    if (!__builtin_isfinite(derivative))
        mistaken(what, "is infinite or not a number");
}

/* Returns whether one of several numbers is infinite or not a number: all bits of its exponent are set. */
static int has_odd_number(const char *at, uint64_t bytes, uint64_t size) {
    static const uint64_t exponent = 0x7ff0000000000000u;
    static const uint32_t short_exponent = 0x7f800000u;
    int found = 0;
    if (size == sizeof(float))
        for (uint64_t k = 0; k < bytes / size; k++)
            found |= (((const uint32_t *)at)[k] & short_exponent) == short_exponent;
    else
        for (uint64_t k = 0; k < bytes / size; k++)
            found |= (((const uint64_t *)at)[k] & exponent) == exponent;
    return found;
}

static __attribute__((noreturn, cold)) void odd_number(const char *at, uint64_t from, uint64_t size, const char *what) {
    while (!has_odd_number(at + from, size, size))
        from += size;
    double number = size == sizeof(float) ? (double)*(const float *)(at + from) : *(const double *)(at + from);
    write_alone();
    fprintf(stderr, "enzyme-cc: %s holds %g, %llu bytes behind its start [EZ0227]\n", what, number,
            (unsigned long long)from);
    abort();
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
