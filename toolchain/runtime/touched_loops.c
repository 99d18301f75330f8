/* Runs loops of checkpointed steps: enzyme_cc/autodiff/checkpoints makes the functions that this file calls.
 *
 * The state of the loop is the memory that steps have touched so far. Before its first touch, a byte had the same
 * contents in all states that were stored earlier.
 */
#include "ending.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- states */

static void push(struct checkpoints *c, long place) {
    struct state *s = &c->states[c->stored++];
    *s = (struct state){place, 0, NULL};
    for (size_t k = 0; k < c->count; k++)
        s->count += (size_t)c->lines[k].written;
    s->lines = memory_for(c, NULL, s->count * sizeof *s->lines);
    c->saved += s->count;
    c->most = c->most < c->saved ? c->saved : c->most;
    struct saved *next = s->lines;
    for (size_t k = 0; k < c->count; k++) {
        const struct line *line = &c->lines[k];
        if (line->written) {
            next->line = k;
            memcpy(next->mask, line->mask, sizeof next->mask);
            copy(next->bytes, line->at, line->mask);
            next++;
        }
    }
}

static void pop(struct checkpoints *c) {
    const struct state *s = &c->states[--c->stored];
    c->saved -= s->count;
    free(s->lines);
}

/* Restores the state that was stored last. Bytes that were touched later have their first contents in it. */
static void restore(const struct checkpoints *c) {
    const struct state *s = &c->states[c->stored - 1];
    const struct saved *next = s->lines, *end = s->lines + s->count;
    for (size_t k = 0; k < c->count; k++) {
        const struct line *line = &c->lines[k];
        uint64_t rest[WORDS];
        memcpy(rest, line->mask, sizeof rest);
        if (next < end && next->line == k) {
            put_back(line, next->bytes, next->mask);
            for (int w = 0; w < WORDS; w++)
                rest[w] &= ~next->mask[w];
            next++;
        }
        put_back(line, line->first, rest);
    }
}

/* --- the schedule: A. Griewank, A. Walther, Algorithm 799: revolve, 2000 */

/* Returns (stored + runs)! / stored! runs!: the number of steps that can be reversed with `stored` states if each step
 * runs `runs` times more. */
static double reach(long stored, long runs) {
    double found = 1;
    for (long i = 1; i <= runs && found < 1e15; i++)
        found = found * (double)(stored + i) / (double)i;
    return found + 0.5;
}

/* Returns the number of steps from the last stored state to the next one to store. `steps` steps follow the last stored
 * state, and `stored` states are left for them, with the last stored one. */
static long stride_of(long steps, long stored) {
    if (steps <= 1 || stored <= 1)
        return steps;
    long runs = 0;
    while (reach(stored, runs) < (double)steps)
        runs++;
    double most = runs ? reach(stored, runs - 1) : 1, left = runs ? reach(stored - 1, runs - 1) : 0;
    double rest = (double)steps - (double)(long)left;
    long stride = (long)(most < rest ? most : rest);
    return stride < 1 ? 1 : stride >= steps ? steps - 1 : stride;
}

static void run(struct checkpoints *c, step_function *step, long from, long count) {
    for (long t = from; t < from + count; t++) {
        step(c->closure, t);
        if (c->own)
            fail(c, "allocates memory that it does not free");
    }
}

/* Runs from the last stored state to the beginning of step `end` - 1, or to its end if `through`. Stores states on the
 * way. */
static void advance(struct checkpoints *c, step_function *step, long end, int through) {
    long at = c->states[c->stored - 1].place;
    while (end - at > 1) {
        long stride = stride_of(end - at, c->capacity - c->stored + 1);
        stride = stride > end - at - 1 ? end - at - 1 : stride;
        run(c, step, at, stride);
        at += stride;
        if (c->stored < c->capacity)
            push(c, at);
    }
    if (through)
        run(c, step, at, end - at);
}

/* The primal sweep, with steps that report the memory they touch. Returns the tape. Not inlined: the memory of the
 * steps begins where its frame begins. */
__attribute__((noinline)) void *__ez_checkpoint_forward(step_function *watched, const char *name, const char *closure,
                                                        const char *shadow, size_t bytes, size_t numbers, long steps,
                                                        long capacity) {
    struct checkpoints *c = calloc(1, sizeof *c), *outer = recording;
    if (!c)
        end_program();
    c->name = name;
    c->stack = __builtin_frame_address(0);
    c->capacity = capacity;
    c->steps = steps;
    c->bytes = bytes;
    c->numbers = numbers;
    c->closure = memcpy(memory_for(c, NULL, bytes), closure, bytes);
    c->shadow = memcpy(memory_for(c, NULL, bytes), shadow, bytes);
    c->states = memory_for(c, NULL, (size_t)capacity * sizeof *c->states);
    recording = c;
    push(c, 0);
    advance(c, watched, steps, 1);
    recording = outer;
    return c;
}

/* The reverse sweep. Returns the shadow of the closure with the adjoints of its numbers. Leaves memory unchanged. */
void *__ez_checkpoint_backward(struct checkpoints *c, step_function *step, gradient_function *gradient) {
    char *kept = memory_for(c, NULL, c->count * LINE);
    copy_lines(c, kept);
    check_pointers(c, kept);
    memset(c->shadow, 0, c->numbers);
    for (long end = c->steps; end > 0; end--) {
        while (c->states[c->stored - 1].place >= end)
            pop(c);
        restore(c);
        advance(c, step, end, 0);
        gradient(c->closure, c->shadow, end - 1);
    }
    put_back_lines(c, kept);
    free(kept);
    return c->shadow;
}

static void *copy_of(const struct checkpoints *c, const void *from, size_t size) {
    return memcpy(memory_for(c, NULL, size), from, size);
}

/* Returns the tape of another direction: it has the same states and a shadow of its own. */
void *__ez_checkpoint_copy(const struct checkpoints *from, const char *shadow) {
    struct checkpoints *c = copy_of(from, from, sizeof *from);
    c->lines = copy_of(from, from->lines, from->count * sizeof *from->lines);
    c->states = copy_of(from, from->states, (size_t)from->capacity * sizeof *from->states);
    for (long k = 0; k < c->stored; k++)
        c->states[k].lines =
            copy_of(from, from->states[k].lines, from->states[k].count * sizeof *from->states[k].lines);
    c->table = NULL; /* for looking up lines, which is done */
    c->closure = copy_of(from, from->closure, from->bytes);
    c->shadow = copy_of(from, shadow, from->bytes);
    return c;
}

void enzyme_tape_released(size_t bytes);

void __ez_checkpoint_end(struct checkpoints *c) {
    enzyme_tape_released(c->most * sizeof(struct saved) + c->room * sizeof(struct line));
    while (c->stored)
        pop(c);
    free(c->states);
    free(c->closure);
    free(c->shadow);
    free(c->lines);
    free(c->table);
    free(c);
}
