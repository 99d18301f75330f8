/* ADJUSTL, ADJUSTR, TRIM and REPEAT. Characters are memory: they may hold the bytes of numbers. */
#include "fortran_derived.h"

/* The bytes of the blanks at the beginning or at the end of a text (runtime/characters.c). */
uint64_t __ez_blanks(const char *NO_ESCAPE text, uint64_t bytes, uint64_t width, uint64_t at_end);

static ALWAYS_INLINE void adjust(char *to, const char *from, view a, int to_the_right) {
    uint64_t blanks = __ez_blanks(from, a->bytes, width(a->type), to_the_right), rest = a->bytes - blanks;
    memcpy(to_the_right ? to + blanks : to, to_the_right ? from : from + blanks, rest);
    fill_with_blanks(to_the_right ? to : to + rest, blanks, a->type);
}

static void LATE(Adjust)(CHANGED(result), READ(a), int to_the_right) {
    VIEW(result);
    VIEW(a);
    result->bytes = a->bytes;
#define EXTENT(k)    \
    if (k < a->rank) \
        set_extent(result, k, a->dim[k].extent);
    DIMENSIONS(EXTENT)
#undef EXTENT
    allocate(result);
    for (int64_t n = 0; n < elements(a); n++)
        adjust((char *)result->base + n * a->bytes, element(a, n), a, to_the_right);
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranAAdjustl)(struct array *result, const_array a, const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, a->rank, a, __ez_late_Adjust(PASS(result), PASS(a), 0));
}

INLINED void STAND_IN(_FortranAAdjustr)(struct array *result, const_array a, const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, a->rank, a, __ez_late_Adjust(PASS(result), PASS(a), 1));
}

static void LATE(Trim)(CHANGED(result), READ(a)) {
    VIEW(result);
    VIEW(a);
    uint64_t bytes = a->bytes - __ez_blanks(a->base, a->bytes, width(a->type), 1);
    result_given->bytes = bytes;
    result_given->base = memcpy(malloc(bytes + !bytes), a->base, bytes);
}

INLINED void STAND_IN(_FortranATrim)(struct array *result, const_array a, const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, 0, a, __ez_late_Trim(PASS(result), PASS(a)));
}

static void LATE(Repeat)(CHANGED(result), READ(a), int64_t copies) {
    VIEW(result);
    VIEW(a);
    uint64_t bytes = a->bytes;
    char *to = malloc(copies * bytes + !(copies * bytes));
    for (int64_t n = 0; n < copies; n++)
        memcpy(to + n * bytes, a->base, bytes);
    result_given->bytes = copies * bytes;
    result_given->base = to;
}

INLINED void STAND_IN(_FortranARepeat)(struct array *result, const_array a, int64_t copies, const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, 0, a, __ez_late_Repeat(PASS(result), PASS(a), copies < 0 ? 0 : copies));
}
