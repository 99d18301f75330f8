/* Calls functions several times on the same initial memory: registered derivatives in several directions
 * (autodiff/custom/directions.py), and forward mode after the first half (autodiff/answer/evaluated_again.py).
 */
#include "ending.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not inlined: the function that is called next has its frame at the same place. */
__attribute__((noinline)) void *__ez_again_begin(const char *name) {
    struct checkpoints *c = calloc(1, sizeof *c);
    if (!c)
        end_program();
    c->name = name;
    c->again = 1;
    c->stack = __builtin_frame_address(0);
    c->outer = recording;
    recording = c;
    return c;
}

static void keep_after(struct checkpoints *c) {
    c->after = memory_for(c, c->after, c->count * LINE);
    copy_lines(c, c->after);
}

void __ez_again_done(struct checkpoints *c) {
    recording = c->outer;
    keep_after(c);
}

void __ez_again_rewind(const struct checkpoints *c) {
    for (size_t k = 0; k < c->count; k++)
        put_back(&c->lines[k], c->lines[k].first, c->lines[k].mask);
}

static void forget(struct checkpoints *c) {
    while (c->own) {
        struct own *next = c->own->next;
        free(c->own);
        c->own = next;
    }
    free(c->after);
    free(c->lines);
    free(c->table);
    free(c);
}

void __ez_again_end(struct checkpoints *c) {
    put_back_lines(c, c->after);
    forget(c);
}

/* --- forward mode after the first half, which evaluates a function again: answer/evaluated_again.py */

/* Reduces the line's mask to the bytes that were read, in groups of 16 bytes with a change. True if any is left. */
static int is_input(struct line *line) {
    enum { LARGEST = 16 };
    uint64_t any = 0;
    for (int w = 0; w < WORDS; w++) {
        uint64_t inputs = line->mask[w] & line->read[w], kept = 0;
        for (int k = 0; k < BITS; k += LARGEST) {
            uint64_t number = inputs & (uint64_t)0xffff << k;
            if (!is_same(line->first + w * BITS, line->at + w * BITS, number))
                kept |= number;
        }
        any |= line->mask[w] = kept;
    }
    return any != 0;
}

static void forget_inputs(void *c) { forget(c); }

/* Called after the function has run: undoes its effects, and lets the tape keep its inputs. */
void __ez_again_inputs(struct checkpoints *c, struct tape *tape) {
    recording = c->outer;
    size_t kept = 0;
    for (const struct own *o = c->own; o; o = o->next)
        free(o->start);
    for (size_t k = 0; k < c->count; k++) {
        struct line *line = &c->lines[k];
        uint64_t touched[WORDS];
        memcpy(touched, line->mask, sizeof touched);
        int stays = is_input(line);
        put_back(line, line->first, touched);
        if (stays)
            c->lines[kept++] = *line;
    }
    c->count = kept;
    __ez_defer_free(&tape->arena, c, forget_inputs);
}

static struct checkpoints *inputs_of(const struct tape *tape) {
    struct deferred *d = tape->arena.deferred;
    while (d && d->release != forget_inputs)
        d = d->next;
    if (!d) {
        fprintf(stderr, "enzyme-cc: error: __enzyme_fwdsplit was given a tape for %s that does not hold what it overwrites\n",
                tape->made_for);
        end_program();
    }
    return d->memory;
}

/* Restores the function's inputs in memory, and keeps the present contents. */
void __ez_again_enter(const struct tape *tape) {
    struct checkpoints *c = inputs_of(tape);
    keep_after(c);
    __ez_again_rewind(c);
}

void __ez_again_leave(const struct tape *tape) {
    const struct checkpoints *c = inputs_of(tape);
    put_back_lines(c, c->after);
}
