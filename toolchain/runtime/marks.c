/* What the words of a union's shadow hold in the reverse sweep: where a number is read, its adjoint is marked with its
 * type, and the mark goes with the adjoint where that is copied. Two adjoints of one word are of one type. So either mark
 * tells how they are added (mixed.c). A mark is valid as long as the word has the bits that it had when it was marked.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_MARKS = 64 };

/* The first byte of the word; its contents; what they are. A row without a word is free. */
struct mark {
    uintptr_t word;
    uint64_t bits, kind;
};

static __thread struct {
    struct mark *rows;
    size_t count, room; /* the room is a power of two */
} marks;

static void watch_thread(void);

static void release_marks(void) {
    free(marks.rows);
    memset(&marks, 0, sizeof marks);
}

/* The row of the word, or the free row where it would be. */
static struct mark *row_of(uintptr_t word) {
    size_t k = (size_t)((word >> 3) * 0x9E3779B97F4A7C15u >> 20) & (marks.room - 1);
    while (marks.rows[k].word && marks.rows[k].word != word)
        k = (k + 1) & (marks.room - 1);
    return &marks.rows[k];
}

/* Returns whether there is room for one more. */
static int has_room(void) {
    if (2 * marks.count < marks.room)
        return 1;
    struct mark *old = marks.rows, *rows;
    size_t before = marks.room, room = before ? 2 * before : FIRST_MARKS;
    rows = calloc(room, sizeof *rows);
    if (!rows)
        return 0;
    if (!before)
        watch_thread();
    marks.rows = rows, marks.room = room;
    for (size_t k = 0; k < before; k++)
        if (old[k].word)
            *row_of(old[k].word) = old[k];
    free(old);
    return 1;
}

static uintptr_t word_of(const void *place) { return (uintptr_t)place & ~(uintptr_t)7; }

static uint64_t bits_of(uintptr_t word) {
    uint64_t bits;
    memcpy(&bits, (const void *)word, sizeof bits);
    return bits;
}

/* Returns what the word around the place holds; zero if that is not known. */
static uint64_t marked(const void *place) {
    if (!marks.room)
        return 0;
    const struct mark *row = row_of(word_of(place));
    return row->bits && row->bits == bits_of(row->word) ? row->kind : 0;
}

static void mark(const void *place, uint64_t kind) {
    uintptr_t word = word_of(place);
    if (!kind || !has_room())
        return;
    struct mark *row = row_of(word);
    marks.count += !row->word;
    *row = (struct mark){word, bits_of(word), kind};
}

/* The reverse sweep calls this after it has added an adjoint that is not zero, `is_there`. */
void __ez_mark_adjoint(const char *place, uint64_t kind, uint64_t is_there) {
    if (place && is_there)
        mark(place, kind);
}
