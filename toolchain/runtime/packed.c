/* Adjoints of copies in packed records, where numbers begin at any byte: marks alone tell where they are (marks.c).
 *
 * A copy may begin or end within a number. The adjoint of such a part waits at the source until the other parts of the
 * number have come. Then it is a number, and is added.
 */
#include "ending.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of which only some bytes are there. A row without a place is free. */
struct part {
    uintptr_t place;
    uint64_t kind;
    uint32_t present, unused; /* a bit for each byte */
    char bytes[LARGEST_NUMBER];
};

static __thread struct address_table parts; /* of struct part */

static void release_parts(void) { release_table(&parts); }

static __attribute__((noreturn, cold)) void no_memory(void) {
    fputs("enzyme-cc: error: no memory for the adjoints of a copy\n", stderr);
    end_program();
}

static struct part *part_at(uintptr_t place) {
    struct part *row = parts.count ? table_row(&parts, sizeof *row, place) : NULL;
    return row && row->place ? row : NULL;
}

/* The row of a number that begins at the place, which is new if there is none. */
static struct part *part_row(uintptr_t place, uint64_t kind) {
    if (!parts.room)
        watch_thread();
    if (!make_room(&parts, sizeof(struct part)))
        no_memory();
    struct part *row = table_row(&parts, sizeof *row, place);
    if (row->place && row->kind != kind)
        ambiguous();
    parts.count += !row->place;
    row->place = place, row->kind = kind;
    return row;
}

/* No number of another type may have a byte in common with one of the type that begins at the place. */
static void check_around(const char *place, uint64_t kind) {
    for (size_t k = 1; k < number_size(kind); k++)
        if (marked(place + k))
            ambiguous();
    for (size_t k = 1; k < LARGEST_NUMBER; k++)
        if (number_size(marked(place - k)) > k)
            ambiguous();
    if (marked(place) && marked(place) != kind)
        ambiguous();
}

static void add_number(char *to, const char *bytes, uint64_t kind) {
    if (is_zero(bytes, number_size(kind)))
        return;
    check_around(to, kind);
    if (kind == MIXED_DOUBLE)
        add_double(to, bytes, sizeof(double));
    else if (kind == MIXED_FLOAT)
        add_floats(to, bytes, sizeof(float));
    else
        add_long_double(to, bytes, number_size(kind));
    mark(to, kind);
}

/* Adds bytes `begin` to `end` of a number that begins at the place. */
static void add_part(char *place, uint64_t kind, const char *bytes, uint32_t present) {
    struct part *row = part_row((uintptr_t)place, kind);
    if (row->present & present)
        ambiguous();
    for (size_t k = 0; k < number_size(kind); k++)
        if (present >> k & 1)
            row->bytes[k] = bytes[k];
    row->present |= present;
    if (row->present + 1 != (uint32_t)1 << number_size(kind))
        return;
    struct part whole = *row;
    remove_row(&parts, sizeof *row, row);
    add_number(place, whole.bytes, kind);
}

/* The bits of the bytes of a number at `at` that lie from 0 to `bytes`. */
static uint32_t bytes_inside(ptrdiff_t at, size_t size, size_t bytes) {
    uint32_t inside = 0;
    for (size_t k = 0; k < size; k++)
        inside |= (uint32_t)(at + (ptrdiff_t)k >= 0 && at + (ptrdiff_t)k < (ptrdiff_t)bytes) << k;
    return inside;
}

/* A number that a copy moves, or a part of it: `at` bytes from the begin. */
struct moved {
    ptrdiff_t at;
    uint64_t kind;
    uint32_t present;
    char bytes[LARGEST_NUMBER];
};

/* Takes the number at the place out of the shadow. What the copy does not move stays as a part. */
static struct moved take_number(char *place, ptrdiff_t at, uint64_t kind, size_t bytes) {
    size_t size = number_size(kind);
    uint32_t all = ((uint32_t)1 << size) - 1;
    struct moved m = {at, kind, bytes_inside(at, size, bytes), {0}};
    memcpy(m.bytes, place, size);
    memset(place, 0, size);
    if (m.present != all)
        add_part(place, kind, m.bytes, all & ~m.present);
    return m;
}

/* Takes the bytes that the copy moves out of a number of which only a part is there. */
static struct moved take_part(struct part *row, ptrdiff_t at, size_t bytes) {
    struct moved m = {at, row->kind, row->present & bytes_inside(at, number_size(row->kind), bytes), {0}};
    memcpy(m.bytes, row->bytes, sizeof m.bytes);
    row->present &= ~m.present;
    if (!row->present)
        remove_row(&parts, sizeof *row, row);
    return m;
}

/* Takes all numbers that begin `at` bytes from the begin. Returns how many. */
static size_t take_at(char *to, ptrdiff_t at, size_t bytes, struct moved *m) {
    size_t count = 0;
    struct part *row = part_at((uintptr_t)to + (uintptr_t)at);
    if (row && row->present & bytes_inside(at, number_size(row->kind), bytes))
        m[count++] = take_part(row, at, bytes);
    uint64_t kind = marked(to + at);
    if (number_size(kind) && bytes_inside(at, number_size(kind), bytes))
        m[count++] = take_number(to + at, at, kind, bytes);
    return count;
}

/* What no mark tells. Pointers, which `kept` has, are cleared if the memory is `own`, made by the derivative. Other bytes
 * are adjoints that the caller gave: they are copied to where nothing is. */
static void move_unmarked(char *to, char *from, size_t bytes, const char *kept, int own, int was_empty) {
    for (size_t k = 0; k < bytes; k++) {
        if (!to[k] || (kept && kept[k] == to[k] && !own))
            continue;
        if (from && !(kept && kept[k] == to[k])) {
            if (!was_empty)
                ambiguous();
            from[k] = to[k];
        }
        to[k] = 0;
    }
}

static void add_moved(char *from, const struct moved *m) {
    if (m->present + 1 == (uint32_t)1 << number_size(m->kind))
        add_number(from + m->at, m->bytes, m->kind);
    else
        add_part(from + m->at, m->kind, m->bytes, m->present);
}

/* The reverse sweep: adds the numbers in the shadow at `to` to those at `from`, and leaves zero. `kept` is the shadow as
 * the primal sweep copied it: it has the pointers. */
static __attribute__((noinline)) void packed_adjoint(char *to, char *from, size_t bytes, const char *kept, int own) {
    if (!bytes || !to || to == from)
        return;
    enum { FEW = 16 };
    struct moved few[FEW + LARGEST_NUMBER];
    int was_empty = !from || is_zero(from, bytes);
    struct moved *found = bytes > FEW ? malloc((bytes + LARGEST_NUMBER) * sizeof *found) : few;
    size_t count = 0;
    if (!found)
        no_memory();
    for (ptrdiff_t at = 1 - LARGEST_NUMBER; at < (ptrdiff_t)bytes; at++)
        if (parts.count || at < 0 || at + WORD > (ptrdiff_t)bytes || !is_zero(to + at, WORD))
            count += take_at(to, at, bytes, found + count);
    move_unmarked(to, from, bytes, kept, own, was_empty);
    for (size_t k = 0; from && k < count; k++)
        add_moved(from, found + k);
    if (found != few)
        free(found);
}

/* At the end of a gradient: parts of numbers whose other parts did not come are lost derivatives. */
static void check_parts(void) {
    if (parts.count)
        ambiguous();
}
