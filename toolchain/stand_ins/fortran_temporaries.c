/* Values that WHERE and FORALL compute before they assign the first, where flang does not know how many there are. */
#include "fortran_derived.h"

struct value {
    ARRAY_HEAD
    struct ez_dimension dim[15];
};

struct values {
    struct value *each;
    uint64_t count, room;
};

void *_FortranACreateValueStack(const char *, int);

INLINED void *STAND_IN(_FortranACreateValueStack)(const char *file, int at) {
    (void)file, (void)at;
    struct values *stack = malloc(sizeof *stack);
    stack->each = 0;
    stack->count = stack->room = 0;
    return stack;
}

static ALWAYS_INLINE void give_value(struct array *to, const struct value *from) {
    to->base = from->base;
    to->bytes = from->bytes;
    to->version = VERSION;
    to->rank = from->rank;
    to->type = from->type;
    to->attribute = from->attribute;
    to->extra = 0;
#define GIVE(k)         \
    if (k < from->rank) \
        to->dim[k] = from->dim[k];
    DIMENSIONS(GIVE)
#undef GIVE
}

static ALWAYS_INLINE struct value *next_value(struct values *stack) {
    if (stack->count == stack->room) {
        stack->room = 2 * stack->room + 4;
        struct value *grown = malloc(stack->room * sizeof *grown);
        for (uint64_t n = 0; n < stack->count; n++)
            give_value((struct array *)&grown[n], &stack->each[n]);
        free(stack->each);
        stack->each = grown;
    }
    return &stack->each[stack->count++];
}

void _FortranAPushValue(void *, const_array NO_ESCAPE);

static void LATE(PushValue)(struct values *stack, READ(a)) {
    VIEW(a);
    if (!is_ours(a) || a->type == DERIVED)
        __ez_primal_only("_FortranAPushValue");
    struct view copy = *a;
    allocate(&copy);
    copy_all(&copy, a, CLONE);
    struct value *value = next_value(stack);
    value->bytes = copy.bytes;
    value->rank = copy.rank;
    value->type = copy.type;
    value->attribute = ALLOCATABLE;
    give_back((struct array *)value, &copy);
}

INLINED void STAND_IN(_FortranAPushValue)(void *stack, const_array a) { __ez_late_PushValue(stack, PASS(a)); }

INLINED void STAND_IN(_FortranAValueAt)(void *stack, uint64_t n, struct array *to) {
    give_value(to, &((struct values *)stack)->each[n]);
}

INLINED void STAND_IN(_FortranADestroyValueStack)(void *stack) {
    struct values *values = stack;
    for (uint64_t n = 0; n < values->count; n++)
        free(values->each[n].base);
    free(values->each);
    free(values);
}
