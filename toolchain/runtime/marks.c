/* What the words of a union's shadow hold in the reverse sweep: where a number is read, its adjoint is marked with its
 * type, and the mark goes with the adjoint where that is copied. Two adjoints of one word are of one type. So either mark
 * tells how they are added (mixed.c). A mark is valid as long as the word has the bits that it had when it was marked.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The first byte of the word; its contents; what they are. A row without a word is free. */
struct mark {
    uintptr_t word;
    uint64_t bits, kind;
};

static __thread struct address_table marks; /* of struct mark */

static void watch_thread(void);

static void release_marks(void) { release_table(&marks); }

static struct mark *mark_of(uintptr_t word) { return table_row(&marks, sizeof(struct mark), word); }

/* Returns whether there is room for one more. */
static int has_room(void) {
    if (!marks.room)
        watch_thread();
    return make_room(&marks, sizeof(struct mark));
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
    const struct mark *row = mark_of(word_of(place));
    return row->bits && row->bits == bits_of(row->word) ? row->kind : 0;
}

static void mark(const void *place, uint64_t kind) {
    uintptr_t word = word_of(place);
    if (!kind || !has_room())
        return;
    struct mark *row = mark_of(word);
    marks.count += !row->word;
    *row = (struct mark){word, bits_of(word), kind};
}

/* The reverse sweep calls this after it has added an adjoint that is not zero, `is_there`. */
void __ez_mark_adjoint(const char *place, uint64_t kind, uint64_t is_there) {
    if (place && is_there)
        mark(place, kind);
}
