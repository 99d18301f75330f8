/* What numbers the shadow of unions and packed records holds in the reverse sweep: where a number is read, its adjoint is
 * marked with its type, and the mark goes with the adjoint where that is copied. Two adjoints of one number are of one
 * type. So either mark tells how they are added (mixed.c, packed.c). A mark is valid as long as the number has the bits
 * that it had when it was marked.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* what a word may hold, and of which type a number is */
enum { MIXED_DOUBLE = 1, MIXED_FLOAT = 2, MIXED_LONG_DOUBLE = 4, MIXED_POINTER = 8 };
enum { LARGEST_NUMBER = 16 };

/* The first byte of the number; its bits, of a long double the first 64; its type. A row without a place is free. */
struct mark {
    uintptr_t place;
    uint64_t bits, kind;
};

static __thread struct address_table marks; /* of struct mark */
/* A bit for each remainder by 16 of the places that were ever marked: most programs have numbers at few of them. */
static __thread uint32_t remainders;

static uint32_t remainder_bit(const void *place) { return (uint32_t)1 << ((uintptr_t)place % LARGEST_NUMBER); }

static void watch_thread(void);

static void release_marks(void) {
    release_table(&marks);
    remainders = 0;
}

/* The bytes of a number of one type. */
static size_t number_size(uint64_t kind) {
    enum { BYTES_OF_X86_FP80 = 10 };
    return kind == MIXED_DOUBLE        ? sizeof(double)
           : kind == MIXED_FLOAT       ? sizeof(float)
           : kind == MIXED_LONG_DOUBLE ? BYTES_OF_X86_FP80
                                       : 0;
}

static uint64_t bits_of(const void *place, uint64_t kind) {
    uint64_t bits = 0;
    memcpy(&bits, place, kind == MIXED_FLOAT ? sizeof(float) : sizeof bits);
    return bits;
}

/* Returns the type of the number that begins at the place; zero if that is not known. */
static uint64_t marked(const void *place) {
    if (!(remainders & remainder_bit(place)))
        return 0;
    const struct mark *row = table_row(&marks, sizeof *row, (uintptr_t)place);
    return row->bits && row->bits == bits_of(place, row->kind) ? row->kind : 0;
}

static void mark(const void *place, uint64_t kind) {
    if (!kind || (!marks.room && (watch_thread(), 0)) || !make_room(&marks, sizeof(struct mark)))
        return;
    struct mark *row = table_row(&marks, sizeof *row, (uintptr_t)place);
    marks.count += !row->place;
    remainders |= remainder_bit(place);
    *row = (struct mark){(uintptr_t)place, bits_of(place, kind), kind};
}

/* The reverse sweep calls this after it has added an adjoint that is not zero, `is_there`. */
void __ez_mark_adjoint(const char *place, uint64_t kind, uint64_t is_there) {
    if (place && is_there)
        mark(place, kind);
}
