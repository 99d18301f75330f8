/* Sets of inputs that a number depends on (enzyme_cc/autodiff/tangent/dependence.py).
 *
 * A set is the number of a node: 0 is the empty set, 1 to n are the inputs, and each further node is the union of two
 * others. A union takes no longer for large sets than for small ones. Members are collected at the end, for the outputs
 * only. Derivatives store the number as a floating-point value, whose sign has no meaning.
 */
#include "ending.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_UNIONS = 1 << 14 };
#define MOST_NODES ((size_t)UINT32_MAX)

struct node {
    uint32_t a, b;
};

/* an array that grows */
struct members {
    uint32_t *of;
    size_t count, room;
};

/* the state of one request; requests of other threads have their own */
static __thread struct {
    struct node *unions;
    uint32_t *marks; /* of each node: the collection that has visited it */
    size_t inputs, count, room, marked;
    uint32_t collection;
    uint32_t *stack;
    size_t stack_room;
} sets;
static __thread struct {
    uint32_t a, b, united;
} known[KNOWN_UNIONS]; /* the last union of each hash value */

_Noreturn static void dependence_fails(const char *why) {
    fprintf(stderr, "enzyme-cc: error: enzyme_sparse: %s\n", why);
    end_program();
}

/* Memory that is there: the program ends if there is no more. */
static void *taken(void *old, size_t count, size_t size) {
    void *memory = realloc(old, count ? count * size : 1);
    if (!memory)
        dependence_fails("no memory");
    return memory;
}

/* Forgets all sets. */
static void sets_end(void) {
    free(sets.unions);
    free(sets.marks);
    free(sets.stack);
    memset(&sets, 0, sizeof sets);
}

/* Begins with n inputs: the set of input k alone has the number k + 1. */
static void sets_begin(size_t n) {
    if (n >= MOST_NODES)
        dependence_fails("there are too many inputs");
    sets_end();
    sets.inputs = n;
    memset(known, 0, sizeof known);
}

static uint32_t number_of(double set) {
    double number = __builtin_fabs(set);
    if (!(number <= (double)(sets.inputs + sets.count)) || number != __builtin_floor(number))
        dependence_fails("a number that is no set was found: the function does what its pattern cannot be found of");
    return (uint32_t)number;
}

static uint32_t new_union(uint32_t a, uint32_t b) {
    if (sets.count == sets.room) {
        sets.room = sets.room ? 2 * sets.room : 1 << 12;
        sets.unions = taken(sets.unions, sets.room, sizeof *sets.unions);
    }
    if (sets.inputs + sets.count + 1 >= MOST_NODES)
        dependence_fails("the function makes too many unions of sets");
    sets.unions[sets.count++] = (struct node){a, b};
    return (uint32_t)(sets.inputs + sets.count);
}

static int is_part(uint32_t a, uint32_t b) {
    if (b <= sets.inputs)
        return 0;
    const struct node *node = &sets.unions[b - sets.inputs - 1];
    return node->a == a || node->b == a;
}

double __ez_union(double first, double second) {
    uint32_t a = number_of(first), b = number_of(second);
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    if (a > b) { /* the later node is the larger number */
        uint32_t other = a;
        a = b;
        b = other;
    }
    if (is_part(a, b))
        return b;
    size_t hash = (a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xC2B2AE3D27D4EB4F)) >> 50;
    if (known[hash].a != a || known[hash].b != b) {
        known[hash].a = a;
        known[hash].b = b;
        known[hash].united = new_union(a, b);
    }
    return known[hash].united;
}

/* Returns a set that becomes a value of a narrower type, which has all integers up to `most`. */
double __ez_narrowed_set(double set, double most) {
    if (__builtin_fabs(set) > most)
        dependence_fails("there are more sets than a number of this type can tell apart; use double in the function");
    return set;
}

/* The runtime's functions that add shadows (tape.c, mixed.c) unite sets while this is set. */
static __thread char uniting;

void __ez_unite(size_t whether) { uniting = whether != 0; }

static inline double sum_f64(double a, double b) { return uniting ? __ez_union(a, b) : a + b; }

static inline float sum_f32(float a, float b) {
    return uniting ? (float)__ez_narrowed_set(__ez_union(a, b), 0x1p24) : a + b;
}

static inline long double sum_f80(long double a, long double b) {
    return uniting ? __ez_union((double)a, (double)b) : a + b;
}

static void visit(size_t *depth, uint32_t node) {
    if (sets.marks[node] == sets.collection)
        return;
    sets.marks[node] = sets.collection;
    if (*depth == sets.stack_room) {
        sets.stack_room = sets.stack_room ? 2 * sets.stack_room : 1 << 8;
        sets.stack = taken(sets.stack, sets.stack_room, sizeof *sets.stack);
    }
    sets.stack[(*depth)++] = node;
}

/* Appends the members of a set. */
static void sets_members(double set, struct members *found) {
    size_t nodes = sets.inputs + sets.count + 1, depth = 0;
    if (sets.marked < nodes) {
        sets.marks = taken(sets.marks, nodes, sizeof *sets.marks);
        memset(sets.marks + sets.marked, 0, (nodes - sets.marked) * sizeof *sets.marks);
        sets.marked = nodes;
    }
    uint32_t root = number_of(set);
    sets.collection++;
    if (root)
        visit(&depth, root);
    while (depth) {
        uint32_t node = sets.stack[--depth];
        if (node > sets.inputs) {
            struct node parts = sets.unions[node - sets.inputs - 1];
            visit(&depth, parts.a);
            visit(&depth, parts.b);
            continue;
        }
        if (found->count == found->room) {
            found->room = found->room ? 2 * found->room : 1 << 12;
            found->of = taken(found->of, found->room, sizeof *found->of);
        }
        found->of[found->count++] = node - 1;
    }
}
