/* A hash table by address, for shadows of pointers (no_shadow.c) and numbers (no_shadow_numbers.c) in memory without a shadow,
 * for shadows that are left there (owned_shadows.c), and for marks of adjoints (marks.c). Rows begin with their key; a
 * row whose key is zero is free.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 64 };

struct address_table {
    void *rows;
    size_t count, room; /* the room is a power of two */
};

/* Where the search for a key begins. */
static inline size_t home_of(const struct address_table *table, uintptr_t key) {
    return (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & (table->room - 1);
}

/* The row of the key, or the free row where it would be. */
static inline void *table_row(const struct address_table *table, size_t row_bytes, uintptr_t key) {
    size_t k = home_of(table, key);
    for (;; k = (k + 1) & (table->room - 1)) {
        uintptr_t *row = (uintptr_t *)((char *)table->rows + k * row_bytes);
        if (!*row || *row == key)
            return row;
    }
}

/* Makes room for one more row. Returns 0 if there is no memory. */
static int make_room(struct address_table *table, size_t row_bytes) {
    if (2 * table->count < table->room)
        return 1;
    struct address_table larger = {NULL, table->count, table->room ? 2 * table->room : FIRST_ROWS};
    larger.rows = calloc(larger.room, row_bytes);
    if (!larger.rows)
        return 0;
    for (size_t k = 0; k < table->room; k++) {
        const uintptr_t *row = (const uintptr_t *)((char *)table->rows + k * row_bytes);
        if (*row)
            memcpy(table_row(&larger, row_bytes, *row), row, row_bytes);
    }
    free(table->rows);
    *table = larger;
    return 1;
}

/* Removes a row. Rows behind it move up, so that the search for them does not end at the free row. */
static void remove_row(struct address_table *table, size_t row_bytes, void *removed) {
    char *rows = table->rows;
    size_t last = table->room - 1, gap = (size_t)((char *)removed - rows) / row_bytes;
    for (size_t k = (gap + 1) & last;; k = (k + 1) & last) {
        uintptr_t key = *(uintptr_t *)(rows + k * row_bytes);
        if (!key)
            break;
        if (((k - home_of(table, key)) & last) < ((k - gap) & last))
            continue; /* its search begins behind the gap */
        memcpy(rows + gap * row_bytes, rows + k * row_bytes, row_bytes);
        gap = k;
    }
    memset(rows + gap * row_bytes, 0, row_bytes);
    table->count--;
}

static void release_table(struct address_table *table) {
    free(table->rows);
    *table = (struct address_table){0};
}
