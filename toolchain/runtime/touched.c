/* Records the memory that functions touch: autodiff/normalise/watch.py makes copies of them that report each access.
 *
 * The contents of a byte before its first touch are kept. So the functions' changes can be undone, and the size of the
 * state that they work on need not be known. Memory is recorded in lines; masks say which bytes of a line count, and
 * other bytes are neither read nor written. touched_loops.c and touched_again.c belong to the same unit and build on
 * this.
 */
#include "ending.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, BITS = 64, WORDS = LINE / BITS, FIRST_SLOTS = 64 };

struct line {
    char *at;
    int written;
    uint64_t pointers;                 /* words with pointers that steps follow */
    uint64_t mask[WORDS], read[WORDS]; /* bytes that were touched; those of them that were read first */
    char first[LINE];                  /* what they held then */
};

struct saved {
    size_t line;
    uint64_t mask[WORDS];
    char bytes[LINE];
};

/* A state that is stored after `place` steps. The state after no step is in the lines themselves. */
struct state {
    long place;
    size_t count;
    struct saved *lines;
};

/* Memory that the step allocated itself: no part of the state. */
struct own {
    struct own *next;
    char *start;
    size_t size;
};

struct checkpoints {
    const char *name;
    struct line *lines;
    size_t count, room;
    size_t *table, slots; /* numbers of lines, from 1, by address */
    const char *stack;    /* deeper addresses belong to the steps */
    struct own *own;
    struct state *states;
    long stored, capacity, steps;
    size_t saved, most;     /* lines of all states, now and at most */
    char *closure, *shadow; /* the values that the loop does not change, and their shadows */
    size_t bytes, numbers;  /* of the closure; of the shadow, in which adjoints are summed up */
    int again;              /* no loop: a function that is called again */
    char *after;            /* what memory held later */
    struct checkpoints *outer;
};

typedef void step_function(void *closure, long step);
typedef void gradient_function(void *closure, void *shadow, long step);

static __thread struct checkpoints *recording;

static __attribute__((noreturn, cold)) void fail(const struct checkpoints *c, const char *what) {
    fprintf(stderr, "enzyme-cc: error: %s %s\n", c->name, what);
    end_program();
}

static void *memory_for(const struct checkpoints *c, void *old, size_t size) {
    void *p = realloc(old, size ? size : 1);
    if (!p)
        fail(c, "has a state for which there is no memory");
    return p;
}

/* --- bytes that a mask says */

static void copy_word(char *to, const char *from, uint64_t mask) {
    if (mask == ~(uint64_t)0) {
        memcpy(to, from, BITS);
        return;
    }
    for (; mask; mask &= mask - 1) {
        int k = __builtin_ctzll(mask);
        to[k] = from[k];
    }
}

static int is_same(const char *a, const char *b, uint64_t mask) {
    if (mask == ~(uint64_t)0)
        return !memcmp(a, b, BITS);
    for (; mask; mask &= mask - 1) {
        int k = __builtin_ctzll(mask);
        if (a[k] != b[k])
            return 0;
    }
    return 1;
}

static void copy(char *to, const char *from, const uint64_t *mask) {
    for (int w = 0; w < WORDS; w++)
        copy_word(to + w * BITS, from + w * BITS, mask[w]);
}

/* Does not write bytes that were only read and have not changed: they may be constant. */
static void put_back(const struct line *line, const char *from, const uint64_t *mask) {
    for (int w = 0; w < WORDS; w++)
        if (mask[w] && (line->written || !is_same(line->at + w * BITS, from + w * BITS, mask[w])))
            copy_word(line->at + w * BITS, from + w * BITS, mask[w]);
}

/* Copies the touched bytes of all lines, one line behind the other. */
static void copy_lines(const struct checkpoints *c, char *to) {
    for (size_t k = 0; k < c->count; k++)
        copy(to + k * LINE, c->lines[k].at, c->lines[k].mask);
}

static void put_back_lines(const struct checkpoints *c, const char *from) {
    for (size_t k = 0; k < c->count; k++)
        put_back(&c->lines[k], from + k * LINE, c->lines[k].mask);
}

/* --- what steps touch */

static size_t slot_of(const struct checkpoints *c, const char *at) {
    size_t slot = (size_t)(((uintptr_t)at / LINE * 0x9E3779B97F4A7C15u) >> 20) & (c->slots - 1);
    while (c->table[slot] && c->lines[c->table[slot] - 1].at != at)
        slot = (slot + 1) & (c->slots - 1);
    return slot;
}

static void enlarge(struct checkpoints *c) {
    c->slots = c->slots ? 2 * c->slots : FIRST_SLOTS;
    c->table = memory_for(c, c->table, c->slots * sizeof *c->table);
    memset(c->table, 0, c->slots * sizeof *c->table);
    for (size_t k = 0; k < c->count; k++)
        c->table[slot_of(c, c->lines[k].at)] = k + 1;
    c->room = c->slots / 2;
    c->lines = memory_for(c, c->lines, c->room * sizeof *c->lines);
}

static struct line *line_at(struct checkpoints *c, char *at) {
    if (c->count == c->room)
        enlarge(c);
    size_t slot = slot_of(c, at);
    if (!c->table[slot]) {
        struct line *line = &c->lines[c->count];
        line->at = at;
        line->written = 0;
        line->pointers = 0;
        memset(line->mask, 0, sizeof line->mask);
        memset(line->read, 0, sizeof line->read);
        c->table[slot] = ++c->count;
    }
    return &c->lines[c->table[slot] - 1];
}

static int is_own(const struct checkpoints *c, const char *p) {
    const char *here = __builtin_frame_address(0);
    if (p >= here && p < c->stack)
        return 1;
    for (const struct own *o = c->own; o; o = o->next)
        if (p >= o->start && p < o->start + o->size)
            return 1;
    return 0;
}

/* Not inlined: its frame is then deeper than those of the steps. */
static __attribute__((noinline)) void touch(struct checkpoints *c, char *p, size_t size, int writes) {
    if (is_own(c, p))
        return;
    while (size) {
        size_t from = (uintptr_t)p % LINE, n = LINE - from < size ? LINE - from : size;
        struct line *line = line_at(c, p - from);
        line->written |= writes;
        for (size_t k = from; k < from + n; k++)
            if (!(line->mask[k / BITS] >> k % BITS & 1)) {
                line->first[k] = line->at[k];
                line->mask[k / BITS] |= (uint64_t)1 << k % BITS;
                line->read[k / BITS] |= (uint64_t)!writes << k % BITS;
            }
        p += n;
        size -= n;
    }
}

/* Called before a step reads or writes `size` bytes. */
void __ez_checkpoint_touch(char *p, size_t size, int writes) {
    struct checkpoints *c = recording;
    size_t from = (uintptr_t)p % LINE, bit = from % BITS;
    if (c->count && size && bit + size <= BITS) {
        size_t slot = slot_of(c, p - from);
        uint64_t wanted = (~(uint64_t)0 >> (BITS - size)) << bit;
        if (c->table[slot]) {
            const struct line *line = &c->lines[c->table[slot] - 1];
            if ((line->mask[from / BITS] & wanted) == wanted && line->written >= writes)
                return;
        }
    }
    touch(c, p, size, writes);
}

static __attribute__((noreturn, cold)) void another_pointer(const struct checkpoints *c) {
    fail(c, "follows a pointer that is not what it was in the first step, or has changed before the reverse sweep: its "
            "shadow is not known any more; let pointers stay as they are, and copy what they point to");
}

/* Called before a step reads a pointer. The reverse sweep reads the pointer's shadow from shadow memory, as the last
 * step left it. So the pointer must be the same in all steps. */
void __ez_checkpoint_followed(char *p) {
    enum { POINTER = sizeof(void *) };
    __ez_checkpoint_touch(p, POINTER, 0);
    for (size_t k = 0; k < POINTER; k++) {
        size_t at = (uintptr_t)(p + k) % LINE, slot = recording->count ? slot_of(recording, p + k - at) : 0;
        size_t number = recording->count ? recording->table[slot] : 0;
        struct line *line = number ? &recording->lines[number - 1] : NULL;
        if (!line || !(line->mask[at / BITS] >> at % BITS & 1))
            return; /* its own memory */
        line->pointers |= (uint64_t)1 << at / POINTER;
        if (!recording->again && line->first[at] != p[k])
            another_pointer(recording);
    }
}

/* Checks that all pointers that steps follow have their first values again. */
static void check_pointers(const struct checkpoints *c, const char *now) {
    for (size_t k = 0; k < c->count; k++, now += LINE)
        for (uint64_t rest = c->lines[k].pointers; rest; rest &= rest - 1) {
            size_t at = sizeof(void *) * (size_t)__builtin_ctzll(rest);
            uint64_t mask = c->lines[k].mask[at / BITS] & ((uint64_t)0xff << at % BITS);
            if (!is_same(now + at / BITS * BITS, c->lines[k].first + at / BITS * BITS, mask))
                another_pointer(c);
        }
}

void __ez_checkpoint_allocated(char *p, size_t size) {
    struct own *o = memory_for(recording, NULL, sizeof *o);
    *o = (struct own){recording->own, p, size};
    recording->own = o;
}

void __ez_checkpoint_unknown(void) { fail(recording, "calls a function through a pointer that cannot be watched"); }

void __ez_checkpoint_freed(const char *p) {
    struct own **o = &recording->own;
    while (*o && (*o)->start != p)
        o = &(*o)->next;
    if (!*o && p)
        fail(recording, "frees memory that it has not allocated itself");
    if (*o) {
        struct own *gone = *o;
        *o = gone->next;
        free(gone);
    }
}
