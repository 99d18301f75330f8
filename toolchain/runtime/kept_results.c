/* Keys of results that the program keeps: `if (h->last_x == x) return h->last_y;`. A key is old until the request writes
 * it: what was kept before has no derivative that is known. Such memory has no shadow, or one that the request has
 * cleared. Each thread has a table of the words that it has written. enzyme_cc/autodiff/globals/kept_results.py explains
 * it, and emit/questions_about_keys.py emits the calls.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SHIFT = 3, MOST_KEPT_KEYS = 1 << 16 };

/* The number of the word, and the request that has written it last. A row without a key is free. */
struct written_key {
    uintptr_t key;
    uint64_t request;
};

/* Memory of before the request, with a shadow that the request has cleared. */
struct cleared_memory {
    uintptr_t start;
    uint64_t bytes;
};

static _Thread_local struct {
    struct address_table rows; /* of struct written_key */
    uint64_t request;
    struct cleared_memory *cleared;
    uint64_t count, room; /* of these */
} written;

static void refuse(const char *message); /* tape.c */
static void watch_thread(void);          /* tape.c */

static void release_keys(void) {
    release_table(&written.rows);
    free(written.cleared);
    written.cleared = NULL;
    written.count = written.room = 0;
}

/* A request begins. */
void __ez_keys_begin(uint64_t is_outermost) {
    written.request += is_outermost;
    if (is_outermost && written.rows.count > MOST_KEPT_KEYS)
        release_keys();
    if (is_outermost)
        written.count = 0;
}

/* Keys in this memory are old, too. */
void __ez_keys_cleared(const void *start, uint64_t bytes) {
    if (!start || !bytes)
        return;
    if (written.count == written.room) {
        watch_thread();
        uint64_t room = written.room ? 2 * written.room : 16;
        struct cleared_memory *larger = realloc(written.cleared, room * sizeof *larger);
        if (!larger)
            refuse("memory for the keys of kept results ran out");
        written.cleared = larger;
        written.room = room;
    }
    written.cleared[written.count++] = (struct cleared_memory){(uintptr_t)start, bytes};
}

static int may_be_old(uint64_t is_constant, const void *place) {
    for (uint64_t k = 0; !is_constant && k < written.count; k++)
        is_constant = (uintptr_t)place - written.cleared[k].start < written.cleared[k].bytes;
    return is_constant != 0;
}

static struct written_key *row_of_key(uintptr_t word) {
    return table_row(&written.rows, sizeof(struct written_key), word);
}

/* Whether the key has not been written since the request began. `is_constant`: it lies in memory without a shadow.
 * `has_result` is for the compiler only. */
uint64_t __ez_key_is_old(uint64_t is_constant, const void *place, uint64_t has_result) {
    (void)has_result;
    if (!may_be_old(is_constant, place))
        return 0;
    const struct written_key *row = written.rows.count ? row_of_key((uintptr_t)place >> KEY_SHIFT) : NULL;
    return !row || !row->key || row->request != written.request;
}

void __ez_key_written(uint64_t is_constant, const void *place, uint64_t bytes) {
    if (!may_be_old(is_constant, place))
        return;
    for (uintptr_t word = (uintptr_t)place >> KEY_SHIFT; word << KEY_SHIFT < (uintptr_t)place + bytes; word++) {
        if (!written.rows.room)
            watch_thread();
        if (!make_room(&written.rows, sizeof(struct written_key)))
            refuse("memory for the keys of kept results ran out");
        struct written_key *row = row_of_key(word);
        written.rows.count += !row->key;
        *row = (struct written_key){word, written.request};
    }
}
