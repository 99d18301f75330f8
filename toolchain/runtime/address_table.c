/* A hash table by address, for shadows of pointers (outside.c) and numbers (outside_numbers.c) in memory without a shadow,
 * and for marks of adjoints (marks.c). Rows begin with their key; a row whose key is zero is free.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 64 };

struct address_table {
    void *rows;
    size_t count, room; /* the room is a power of two */
};

/* The row of the key, or the free row where it would be. */
static inline void *table_row(const struct address_table *table, size_t row_bytes, uintptr_t key) {
    size_t k = (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & (table->room - 1);
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
