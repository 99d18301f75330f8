/* Long time loops in little memory: the gradient of T equal steps with N stored states instead of T tapes.

       #include <enzyme/checkpoint.h>

       struct state { double u[100]; };
       static void step(struct state *s, const struct parameters *p, long t);      // s becomes the state after step t

       ENZYME_CHECKPOINTED(simulate, step, struct state, const struct parameters, 20)

   defines

       static void simulate(struct state *s, size_t bytes, const struct parameters *p, long steps);

   which runs step(s, p, t) for t = 0, 1, … steps - 1. Differentiated code may call it like any other function. `bytes`
   is the size of the state: sizeof *s, or more if the state is an array.

   The gradient stores 20 states at a time and the last one. The binomial schedule chooses them (A. Griewank,
   A. Walther, Algorithm 799: revolve, 2000). The gradient computes the steps between them again: with N states, each
   step runs at most r + 1 times more, where r is the least number with (N + r)! / (N! r!) >= steps. The results are
   identical with those of a plain loop.

   - The step may change the state only. The state's bytes are stored, so it must not point to memory that changes.
   - The parameters are one struct, which is read only and copied. The memory that it points to must not change until
     the gradient is complete.
   - N is a constant, at least 1.

   A loop over a function with __attribute__((enzyme("checkpoint", 20))) does not need this header. It determines the
   state at run time, and is slower for that.

   Define ENZYME_CHECKPOINT_COUNT as the name of a long to count the steps that gradients run. */
#ifndef ENZYME_CHECKPOINT_H
#define ENZYME_CHECKPOINT_H

#include <enzyme/enzyme.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ENZYME_CHECKPOINT_COUNT
#define ENZYME_COUNT_STEP() (ENZYME_CHECKPOINT_COUNT++)
#else
#define ENZYME_COUNT_STEP() ((void)0)
#endif

#ifdef __cplusplus
#define ENZYME_GRADIENT_OF_STEP __enzyme_autodiff<void>
#else
#define ENZYME_GRADIENT_OF_STEP __enzyme_autodiff
#endif

/* Returns (stored + runs)! / (stored! runs!): the number of steps that can be reversed with so many stored states and
   repeated runs of each step. Returns LONG_MAX for larger numbers. */
static inline long enzyme_reach(long stored, long runs) {
    double exact = 1;
    long found = 1;
    for (long i = 1; i <= runs; i++) {
        exact = exact * (double)(stored + i) / (double)i;
        if (exact > 1e15)
            return __LONG_MAX__;
        found = (long)(exact + 0.5);
    }
    return found;
}

/* Returns the number of steps from the last stored state to the next one, as revolve chooses it. `steps` follow the last
   stored state, and `stored` states, including the last one, are left for them. */
static inline long enzyme_stride(long steps, long stored) {
    if (stored <= 1)
        return steps - 1;
    long runs = 0;
    while (enzyme_reach(stored, runs) < steps)
        runs++;
    long most = runs ? enzyme_reach(stored, runs - 1) : 1,
         rest = steps - (runs ? enzyme_reach(stored - 1, runs - 1) : 0);
    long stride = most < rest ? most : rest;
    return stride < 1 ? 1 : stride >= steps ? steps - 1 : stride;
}

struct enzyme_checkpoints {
    long capacity, count;
    long *places; /* the number of steps before each stored state */
    char *states;
    char *last; /* the state before the last step; during the reverse sweep, the state to restore at its end */
    char *parameters;
};

static inline struct enzyme_checkpoints *enzyme_checkpoints_make(long capacity, size_t bytes, const void *parameters,
                                                                 size_t size) {
    struct enzyme_checkpoints *c = (struct enzyme_checkpoints *)malloc(sizeof *c);
    if (c) {
        c->capacity = capacity;
        c->count = 0;
        c->places = (long *)malloc((size_t)capacity * sizeof *c->places);
        c->states = (char *)malloc((size_t)(capacity + 1) * bytes);
        c->last = c->states ? c->states + (size_t)capacity * bytes : NULL;
        c->parameters = (char *)malloc(size);
    }
    if (!c || !c->places || !c->states || !c->parameters) {
        fprintf(stderr, "enzyme-cc: no memory for %ld checkpoints of %zu bytes\n", capacity, bytes);
        abort();
    }
    memcpy(c->parameters, parameters, size);
    return c;
}

static inline void enzyme_checkpoints_free(struct enzyme_checkpoints *c) {
    free(c->places);
    free(c->states);
    free(c->parameters);
    free(c);
}

static inline void enzyme_checkpoint_push(struct enzyme_checkpoints *c, const void *state, size_t bytes, long place) {
    memcpy(c->states + (size_t)c->count * bytes, state, bytes);
    c->places[c->count++] = place;
}

static inline void enzyme_checkpoint_top(const struct enzyme_checkpoints *c, void *state, size_t bytes) {
    memcpy(state, c->states + (size_t)(c->count - 1) * bytes, bytes);
}

static inline void enzyme_checkpoint_swap(void *state, char *other, size_t bytes) {
    char *here = (char *)state;
    for (size_t k = 0; k < bytes; k++) {
        char byte = here[k];
        here[k] = other[k];
        other[k] = byte;
    }
}

#define ENZYME_CHECKPOINTED(name, step, State, Parameters, N)                                                     \
    static __attribute__((unused)) void name(State *state, size_t bytes, Parameters *parameters, long steps) {    \
        (void)bytes;                                                                                              \
        for (long t = 0; t < steps; t++)                                                                          \
            step(state, parameters, t);                                                                           \
    }                                                                                                             \
    /* runs from the last stored state to the beginning of step `end` - 1, and stores states on the way */        \
    static void name##_enzyme_advance(struct enzyme_checkpoints *c, State *state, size_t bytes,                   \
                                      Parameters *parameters, long end) {                                         \
        long at = c->places[c->count - 1];                                                                        \
        while (end - at > 1) {                                                                                    \
            long stride = enzyme_stride(end - at, c->capacity - c->count + 1);                                    \
            for (long t = at; t < at + stride; t++) {                                                             \
                ENZYME_COUNT_STEP();                                                                              \
                step(state, parameters, t);                                                                       \
            }                                                                                                     \
            at += stride;                                                                                         \
            if (c->count < c->capacity)                                                                           \
                enzyme_checkpoint_push(c, state, bytes, at);                                                      \
        }                                                                                                         \
    }                                                                                                             \
    static void *name##_enzyme_augmented(State *state, State *dstate, size_t bytes, Parameters *parameters,       \
                                         Parameters *dparameters, long steps) {                                   \
        (void)dstate, (void)dparameters;                                                                          \
        if (steps <= 0)                                                                                           \
            return NULL;                                                                                          \
        struct enzyme_checkpoints *c = enzyme_checkpoints_make(N, bytes, parameters, sizeof *parameters);         \
        enzyme_checkpoint_push(c, state, bytes, 0);                                                               \
        name##_enzyme_advance(c, state, bytes, parameters, steps);                                                \
        memcpy(c->last, state, bytes);                                                                            \
        ENZYME_COUNT_STEP();                                                                                      \
        step(state, parameters, steps - 1);                                                                       \
        return c;                                                                                                 \
    }                                                                                                             \
    static void name##_enzyme_reverse(State *state, State *dstate, size_t bytes, Parameters *parameters,          \
                                      Parameters *dparameters, long steps, void *tape) {                          \
        if (steps <= 0)                                                                                           \
            return;                                                                                               \
        struct enzyme_checkpoints *c = (struct enzyme_checkpoints *)tape;                                         \
        parameters = (Parameters *)c->parameters;                                                                 \
        enzyme_checkpoint_swap(state, c->last, bytes);                                                            \
        for (long end = steps; end > 0; end--) {                                                                  \
            while (c->places[c->count - 1] >= end)                                                                \
                c->count--;                                                                                       \
            if (end < steps) {                                                                                    \
                enzyme_checkpoint_top(c, state, bytes);                                                           \
                name##_enzyme_advance(c, state, bytes, parameters, end);                                          \
            }                                                                                                     \
            ENZYME_COUNT_STEP();                                                                                  \
            ENZYME_GRADIENT_OF_STEP((void *)step, enzyme_dup, state, dstate, enzyme_dup, parameters, dparameters, \
                                    enzyme_const, end - 1);                                                       \
        }                                                                                                         \
        memcpy(state, c->last, bytes);                                                                            \
        enzyme_checkpoints_free(c);                                                                               \
    }                                                                                                             \
    __attribute__((used)) static void *__enzyme_register_gradient_##name[] = {                                    \
        (void *)name, (void *)name##_enzyme_augmented, (void *)name##_enzyme_reverse};

#endif
