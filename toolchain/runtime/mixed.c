/* Copies of memory whose words hold numbers at one time and pointers at another. autodiff/emit/mixed_memory.py
 * explains how the two are told apart.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena;
void *__ez_alloc(struct arena *a, size_t size);

/* what a word may hold */
enum { MIXED_DOUBLE = 1, MIXED_FLOAT = 2, MIXED_LONG_DOUBLE = 4, MIXED_POINTER = 8 };
enum { WORD = 8 };

/* The primal sweep calls this before it copies. Returns a copy of the bytes at `from`, null if all of them are zero. */
void *__ez_mixed_keep(struct arena *a, const char *from, size_t bytes) {
    size_t k = 0;
    while (from && k < bytes && !from[k])
        k++;
    if (!from || k == bytes)
        return NULL;
    return memcpy(__ez_alloc(a, bytes), from, bytes);
}

/* The primal sweep: copies the bytes at `from` to `to`. A null `from` stands for zeros. */
void __ez_mixed_copy(char *to, const char *from, size_t bytes) {
    if (!bytes || !to)
        return;
    if (from)
        memmove(to, from, bytes);
    else
        memset(to, 0, bytes);
}

/* Numbers overwrite these bytes: clears each word of the shadow that has a part in them, as it may hold a pointer. */
__attribute__((always_inline)) void __ez_clear_words(char *to, size_t bytes) {
    uintptr_t start = (uintptr_t)to & ~(uintptr_t)(WORD - 1),
              end = ((uintptr_t)to + bytes + WORD - 1) & ~(uintptr_t)(WORD - 1);
    if (to && bytes)
        memset(to - ((uintptr_t)to - start), 0, end - start);
}

static __attribute__((noreturn, cold)) void ambiguous(void) {
    fputs("enzyme-cc: two adjoints meet where numbers of several types, or parts of numbers, share a place that was "
          "copied; give each a place of its own\n",
          stderr);
    abort();
}

static void add_double(char *to, const char *taken, size_t size) {
    double sum, more;
    if (size < sizeof sum) /* half of a number */
        ambiguous();
    memcpy(&sum, to, sizeof sum);
    memcpy(&more, taken, sizeof more);
    sum += more;
    memcpy(to, &sum, sizeof sum);
}

static void add_floats(char *to, const char *taken, size_t size) {
    for (; size >= sizeof(float); size -= sizeof(float), to += sizeof(float), taken += sizeof(float)) {
        float sum, more;
        memcpy(&sum, to, sizeof sum);
        memcpy(&more, taken, sizeof more);
        sum += more;
        memcpy(to, &sum, sizeof sum);
    }
}

static void add_long_double(char *to, const char *taken, size_t size) {
    long double sum = 0, more = 0;
    enum { BYTES = 10 };
    if (size < BYTES)
        ambiguous();
    memcpy(&sum, to, BYTES);
    memcpy(&more, taken, BYTES);
    sum += more;
    memcpy(to, &sum, BYTES);
}

static int is_zero(const char *p, size_t size) {
    for (size_t k = 0; k < size; k++)
        if (p[k])
            return 0;
    return 1;
}

/* Adds the adjoint in one word, or in the two words of a long double, to `from`, and clears it. */
static void move_adjoint(char *to, char *from, size_t size, unsigned kinds) {
    char taken[2 * WORD];
    if (is_zero(to, size))
        return;
    memcpy(taken, to, size);
    memset(to, 0, size);
    if (!from)
        return;
    if (is_zero(from, size))
        memcpy(from, taken, size);
    else if (kinds == MIXED_DOUBLE)
        add_double(from, taken, size);
    else if (kinds == MIXED_FLOAT)
        add_floats(from, taken, size);
    else if (kinds == MIXED_LONG_DOUBLE)
        add_long_double(from, taken, size);
    else
        ambiguous();
}

/* The reverse sweep. `kept` is the copy of the primal sweep. `kinds` has a row for each word, with a period of `count`
 * words. */
void __ez_mixed_adjoint(char *to, char *from, size_t bytes, const char *kept, const uint64_t *kinds, size_t count) {
    if (!to || to == from)
        return;
    size_t words = (bytes + WORD - 1) / WORD;
    int upwards = !(to < from);
    for (size_t n = 0; n < words;) {
        size_t w = upwards ? n : words - 1 - n, length = 1;
        if (kinds[w % count] == MIXED_LONG_DOUBLE && words > 1) { /* the kind of its second word is that of the first */
            length = 2;
            if (!upwards && w)
                w--;
        }
        size_t at = w * WORD, size = bytes - at < length * WORD ? bytes - at : length * WORD;
        if (kept && !is_zero(kept + at, size))
            memset(to + at, 0, size);
        else
            move_adjoint(to + at, from ? from + at : NULL, size, (unsigned)kinds[w % count]);
        n += length;
    }
}

/* Addresses in user space of x86-64 are below this. As doubles, they are below 1e-309. */
static const uint64_t ADDRESSES = (uint64_t)1 << 47, LOW = (uint64_t)1 << 32;

enum what { IS_NUMBER, IS_POINTER, IS_EITHER };

/* Two floats look like an address only if the upper one is zero (then the address is below LOW) or a denormal. */
static enum what told_by_bits(uint64_t word, uint64_t may_be) {
    if (word >= ADDRESSES)
        return IS_NUMBER;
    if (may_be & MIXED_LONG_DOUBLE || (may_be & MIXED_FLOAT && word < LOW))
        return IS_EITHER;
    return IS_POINTER;
}

/* Constants were copied to a shadow. Keeps pointers, which are their own shadows, and clears numbers. */
void __ez_mixed_constants(char *shadow, size_t bytes, const uint64_t *kinds, size_t count) {
    for (size_t at = 0; at < bytes; at += WORD) {
        size_t size = bytes - at < WORD ? bytes - at : WORD;
        uint64_t may_be = kinds[at / WORD % count], word = 0;
        if (may_be == MIXED_POINTER || is_zero(shadow + at, size))
            continue;
        memcpy(&word, shadow + at, size);
        enum what what = may_be & MIXED_POINTER ? told_by_bits(word, may_be) : IS_NUMBER;
        if (what == IS_EITHER) {
            fputs("enzyme-cc: constant memory is copied where numbers and pointers share a place, and nothing tells "
                  "which these "
                  "are; pass that memory with a shadow, or give numbers a place of their own\n",
                  stderr);
            abort();
        }
        if (what == IS_NUMBER)
            memset(shadow + at, 0, size);
    }
}
