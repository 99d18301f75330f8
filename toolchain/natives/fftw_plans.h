/* Plans: the transform and the memory of each plan that the program's planners made, by the plan's address. */
#include <stdio.h>

/* What a plan's memory is to differentiated code. Kept for ever: there are as many as different sets of arrays. */
struct arrays {
    void *at[4]; /* real and imaginary parts of the input, then of the output */
    struct arrays *next;
};

struct plan {
    void *address;
    struct transform *transform;
    struct arrays *arrays;
    struct plan *next;
};

enum { BUCKETS = 1024 };
static struct plan *plans[BUCKETS];
static struct arrays *sets[BUCKETS];

static uintptr_t bucket(const void *address) { return ((uintptr_t)address >> 5) % BUCKETS; }

static struct arrays *set_of(void *ri, void *ii, void *ro, void *io) {
    void *at[] = {ri, ii, ro, io};
    struct arrays **place = &sets[bucket((char *)ri + 7 * ((uintptr_t)ro >> 4))], *found = *place;
    while (found && memcmp(found->at, at, sizeof at))
        found = found->next;
    if (!found && (found = malloc(sizeof *found))) {
        memcpy(found->at, at, sizeof at);
        found->next = *place;
        *place = found;
    }
    return found;
}

static __attribute__((noreturn, cold)) void refuse(const char *message) {
    flockfile(stderr);
    fprintf(stderr, "enzyme-cc: error: %s\n", message);
    abort();
}

static __attribute__((noreturn, cold)) void refuse_unknown(void) {
    refuse("differentiated code executes a plan of FFTW of which nothing is known [EZ0305]\n"
           "  reason: a plan tells nothing of its transform and its arrays; the link notes them where the program's objects "
           "call planners, and this plan was made elsewhere\n"
           "  remedy: make the plan in the program's objects, or link the library that makes it with them");
}

static __attribute__((noreturn, cold)) void refuse_constant(void) {
    refuse("fftw_execute is given a plan without a shadow, for arrays that the derivative does not know by name [EZ0306]\n"
           "  reason: the arrays may carry derivatives, and nothing leads to their shadows\n"
           "  remedy: call fftw_execute_dft or the like, which is passed the arrays; or make a plan for the shadows of the "
           "arrays, and pass the plan or what holds it with this shadow");
}

void *__ez_named_shadow(void *pointer, uint64_t direction);
uint64_t __ez_naming_depth(void);

/* Returns the shadows of arrays of a plan that is constant: those that the request knows by a name. The imaginary parts may
 * lie behind the real ones. Other arrays are their own shadows, if the runtime keeps the shadows of numbers there. */
static struct arrays *named_shadows(const struct arrays *of, uint64_t size, uint64_t direction, int keeps) {
    char *found[4];
    for (int k = 0; k < 4; k += 2) {
        char *r = of->at[k], *i = of->at[k + 1];
        found[k] = __ez_named_shadow(r, direction);
        int is_beside = i == r || i == r + size;
        found[k + 1] = is_beside ? found[k] + (i - r) : __ez_named_shadow(i, direction);
    }
    if (!keeps && (found[0] == of->at[0] || found[2] == of->at[2]))
        refuse_constant();
    lock();
    struct arrays *set = set_of(found[0], found[1], found[2], found[3]);
    unlock();
    return set;
}

static struct plan **place_of(const void *address) {
    struct plan **place = &plans[bucket(address)];
    while (*place && (*place)->address != address)
        place = &(*place)->next;
    return place;
}

/* Returns a copy of what is known of a plan, all null if nothing is. */
static struct plan about(const void *address) {
    lock();
    struct plan **place = place_of(address), found = *place ? **place : (struct plan){0};
    unlock();
    return found;
}

static void entered(void *address, int64_t transform, void *ri, void *ii, void *ro, void *io) {
    if (!address)
        return;
    lock();
    struct plan **place = place_of(address), *found = *place;
    if (!found && (found = calloc(1, sizeof *found)))
        *place = found;
    if (found)
        *found = (struct plan){address, (void *)transform, set_of(ri, ii, ro, io), found->next};
    unlock();
}

/* Forgets a plan. Returns whether it was known. */
static int removed(const void *address) {
    lock();
    struct plan **place = place_of(address), *found = *place;
    if (found)
        *place = found->next;
    unlock();
    free(found);
    return found != NULL;
}
