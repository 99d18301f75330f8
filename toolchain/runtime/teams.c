/* Regions of threads in derivatives. The primal sweep of a region runs on a team of threads. Each thread has a tape in
 * memory of its own, its *member* of the team. The reverse sweep of the region runs on a team of as many threads. Each
 * of them reverses what one thread did: a member is an item of work.
 *
 * What orders threads is reversed. A critical section has a number, its *ticket*, counted for each lock. In the reverse
 * sweep, the sections of a lock run in the opposite order of their tickets (enzyme_cc/rules/parallel/openmp.py).
 *
 * Regions without active code, and forward mode, have no members and no tickets. */
#include "ending.h"
#include <pthread.h>

/* a thread of a region begins here: its number, that in its team, and what the region is given */
typedef void starter(int32_t *thread, int32_t *bound, void *frame);

void __kmpc_fork_call(void *place, int32_t count, starter *start, ...);
void __kmpc_push_num_threads(void *place, int32_t thread, int32_t count);
void __kmpc_barrier(void *place, int32_t thread);
int32_t __kmpc_global_thread_num(void *place);
void __kmpc_critical(void *place, int32_t thread, void *lock);
void __kmpc_end_critical(void *place, int32_t thread, void *lock);
void __kmpc_ordered(void *place, int32_t thread);
void __kmpc_end_ordered(void *place, int32_t thread);
void omp_set_lock(void *lock);
void omp_unset_lock(void *lock);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_in_parallel(void);
int sched_yield(void);

/* A program may run many regions of little work: their tapes begin small. */
enum { HELD = 1, OWN_VARIABLES = 2 }; /* what __ez_team_open is told */
enum { CACHE_LINE = 64, CRITICAL = 0, ORDERED = 1, LOCK = 2, MUTEX = 3, UPDATE = 4, LOOKS = 100, FIRST_OF_MEMBER = 2 << 10 };

/* The sections of one lock: those that ran, and those that the reverse sweep has not reversed yet. */
struct sections {
    struct sections *next;
    const void *lock;
    uint64_t count, left;
};

struct reach;
struct member {
    struct arena arena;
    void *tape;
    struct member *next;
    struct team *outer; /* of the thread, before it joined */
    struct member *outer_member;
    struct step *made, *last_made; /* the tasks that it made (teams_tasks.c): the last one now, and at the end */
    struct reach *reaches;         /* what it has noted (teams_reaches.c) */
    size_t reach_count;
    const void *thread;            /* that ran it: an address that each thread has of its own */
    int32_t number;
} __attribute__((aligned(CACHE_LINE)));

struct team {
    struct member *members; /* in no order */
    struct member **in_order, *only;
    struct sections *sections;
    size_t count;
    uint32_t is_locked; /* while the list of sections changes */
    uint32_t is_ordered; /* threads wait for each other: each member needs a thread of its own */
    uint64_t is_held;   /* the reverse sweep may run again */
    uint64_t is_apart;          /* no two members reach the same shadows */
    uint64_t has_own_variables; /* threads have variables of their own: each reverses what it did itself */
};

/* The team of which this thread is a member. */
static _Thread_local struct team *own_team;
/* What this thread does: its part of a region, or a task. */
static _Thread_local struct member *own_member;

struct task;
static void take_up(struct member *m, struct team *team);
static void put_down(struct member *m);
static void reverse_made(struct member *m);
static void start_made(void);
static void mark_wait(void);
static void pass_mark(void);
static void find_zones(struct team *team);

static void *or_end(void *memory) {
    if (!memory) {
        fprintf(stderr, "enzyme-cc: error: no memory for the tape of a thread\n");
        end_program();
    }
    return memory;
}

static void release_team(void *memory) {
    struct team *team = memory;
    for (struct member *m = team->members, *next; m; m = next) {
        next = m->next;
        __ez_finish(&m->arena);
        free(m->reaches);
        free(m);
    }
    for (struct sections *s = team->sections, *next; s; s = next) {
        next = s->next;
        free(s);
    }
    if (team->in_order != &team->only)
        free(team->in_order);
}

/* The team of a region that is about to run. It is released with the arena. */
void *__ez_team_open(struct arena *a, uint64_t flags) {
    struct team *team = memset(__ez_alloc(a, sizeof *team), 0, sizeof *team);
    team->is_held = flags & HELD;
    team->has_own_variables = flags & OWN_VARIABLES;
    __ez_defer_free(a, team, release_team);
    return team;
}

/* A thread joins the team. Returns its member, which begins with an arena. */
void *__ez_team_join(struct team *team) {
    size_t size = (sizeof(struct member) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    struct member *m = or_end(aligned_alloc(CACHE_LINE, size));
    memset(m, 0, size);
    begin_chunk(&m->arena, FIRST_OF_MEMBER, 0);
    m->number = omp_get_thread_num();
    m->thread = &own_team;
    take_up(m, team);
    m->next = __atomic_load_n(&team->members, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&team->members, &m->next, m, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    return m;
}

void __ez_team_leave_member(struct member *m, void *tape) {
    m->tape = tape;
    m->last_made = m->made;
    put_down(m);
}

static void put_in_order(struct team *team) {
    for (struct member *m = team->members; m; m = m->next)
        team->count++;
    team->in_order = team->count < 2 ? &team->only : or_end(calloc(team->count, sizeof *team->in_order));
    for (struct member *m = team->members; m; m = m->next)
        team->in_order[m->number] = m;
    find_zones(team);
}

/* Runs the reverse sweep of the region, on as many threads. One thread needs no fork. */
void __ez_team_reverse(void *place, struct team *team, starter *start, void *frame) {
    if (!team->in_order)
        put_in_order(team);
    for (struct sections *s = team->sections; s; s = s->next)
        s->left = s->count;
    int32_t thread = 0, bound = 0;
    if (team->count == 1 && !omp_in_parallel()) {
        start(&thread, &bound, frame);
        return;
    }
    __kmpc_push_num_threads(place, __kmpc_global_thread_num(place), (int32_t)team->count);
    __kmpc_fork_call(place, 1, start, frame);
}

static __attribute__((noreturn, cold)) void refuse_smaller(const struct team *team) {
    write_alone();
    fprintf(stderr,
            "enzyme-cc: error: a parallel region ran on %zu threads, and its reverse sweep gets %d: threads that %s "
            "need as many; link with --enzyme-serial-regions, or do not limit the number of threads\n",
            team->count, omp_get_num_threads(),
            team->has_own_variables ? "have variables of their own" : "wait for each other");
    end_program();
}

static __attribute__((noreturn, cold)) void refuse_other_thread(void) {
    write_alone();
    fprintf(stderr, "enzyme-cc: error: the reverse sweep of a parallel region gets other threads, which have other values of "
                    "variables that each thread has of its own; link with --enzyme-serial-regions\n");
    end_program();
}

/* Returns the member that this thread reverses after `m`, or first if that is null; null if there is none. */
void *__ez_team_next(struct team *team, struct member *m) {
    size_t step = (size_t)omp_get_num_threads();
    size_t k = m ? (size_t)m->number + step : (size_t)omp_get_thread_num();
    if (step < team->count && (team->is_ordered || team->has_own_variables))
        refuse_smaller(team);
    if (m) {
        put_down(m);
        /* what the thread freed is freed with the team: other threads may still reverse what they did with it */
        if (!team->is_held && !m->arena.deferred) {
            __ez_finish(&m->arena);
            memset(&m->arena, 0, sizeof m->arena);
        }
    }
    if (k >= team->count)
        return NULL;
    m = team->in_order[k];
    if (team->has_own_variables && m->thread != &own_team)
        refuse_other_thread();
    take_up(m, team);
    reverse_made(m);
    return m;
}

void *__ez_team_tape(struct member *m) { return m->tape; }

/* Whether this thread runs by itself: its team, and the teams around it, are teams of one. */
uint64_t __ez_team_is_one(void) { return !omp_in_parallel(); }
/* The same, or what its threads add to is apart. */
uint64_t __ez_team_is_apart(const struct team *team) { return team->is_apart || !omp_in_parallel(); }

/* Ends the program in a team that is not of a derivative: its threads share shadows. */
void __ez_team_alone(const char *what) {
    if (omp_get_num_threads() != 1)
        __ez_beyond_stand_in(what);
}

/* -- sums to which other threads add at the same time */

static void pause_thread(unsigned *looks) {
    if (++*looks % LOOKS == 0)
        sched_yield();
}

static uint32_t is_unaligned_locked, is_list_locked;

static void take_lock(uint32_t *is_locked) {
    unsigned looks = 0;
    while (__atomic_exchange_n(is_locked, 1, __ATOMIC_ACQUIRE))
        pause_thread(&looks);
}

static void give_back_lock(uint32_t *is_locked) { __atomic_store_n(is_locked, 0, __ATOMIC_RELEASE); }

/* While a task puts its copy on a list of copies (toolchain/stand_ins/teams.c). The order has no dual. */
void __ez_team_hold_list(void) { take_lock(&is_list_locked); }
void __ez_team_release_list(void) { give_back_lock(&is_list_locked); }

/* Numbers of packed records may not be aligned: these have a lock of their own. */
#define ADD(NAME, T, BITS)                                                                                             \
    static __attribute__((noinline, cold)) void NAME##_unaligned(T *place, T part) {                                   \
        take_lock(&is_unaligned_locked);                                                                               \
        T number;                                                                                                      \
        memcpy(&number, place, sizeof number);                                                                         \
        number += part;                                                                                                \
        memcpy(place, &number, sizeof number);                                                                         \
        give_back_lock(&is_unaligned_locked);                                                                          \
    }                                                                                                                  \
    static void NAME(T *place, T part) {                                                                               \
        if (__builtin_expect((uintptr_t)place % sizeof(T) != 0, 0)) {                                                  \
            NAME##_unaligned(place, part);                                                                             \
            return;                                                                                                    \
        }                                                                                                              \
        BITS *words = (BITS *)place, old = __atomic_load_n(words, __ATOMIC_RELAXED), sum;                              \
        do {                                                                                                           \
            T number;                                                                                                  \
            memcpy(&number, &old, sizeof number);                                                                      \
            number += part;                                                                                            \
            memcpy(&sum, &number, sizeof sum);                                                                         \
        } while (!__atomic_compare_exchange_n(words, &old, sum, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));               \
    }
ADD(add_f64, ez_f64, uint64_t)
ADD(add_f32, ez_f32, uint32_t)

__attribute__((always_inline)) void __ez_team_add_f64(ez_f64 *place, double number, uint64_t is_alone) {
    if (is_alone)
        *place += number;
    else
        add_f64(place, number);
}
__attribute__((always_inline)) void __ez_team_add_f32(ez_f32 *place, float number, uint64_t is_alone) {
    if (is_alone)
        *place += number;
    else
        add_f32(place, number);
}

/* The adjoint of a copy of numbers, as in tape.c, where other threads add to the shadow of the source. */
#define COPY_ADJOINT_ON_TEAM(SUFFIX)                                                                                   \
    void __ez_team_copy_adjoint_##SUFFIX(char *to, char *from, size_t bytes, size_t period, size_t offset,             \
                                         size_t length) {                                                              \
        size_t periods = bytes ? (bytes + period - 1) / period : 0;                                                    \
        for (size_t n = 0; n < periods; n++) {                                                                         \
            size_t at = (to < from ? periods - 1 - n : n) * period + offset;                                           \
            ez_##SUFFIX *target = (ez_##SUFFIX *)(to + at), *source = (ez_##SUFFIX *)(from + at);                      \
            size_t count = clipped(bytes, at, length) / sizeof *target;                                                \
            for (size_t k = 0; k < count && to != from; k++) {                                                         \
                size_t i = to < from ? count - 1 - k : k; /* they may overlap */                                       \
                ez_##SUFFIX taken = target[i];                                                                         \
                target[i] = 0;                                                                                         \
                if (from && taken != 0)                                                                                \
                    add_##SUFFIX(&source[i], taken);                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }
COPY_ADJOINT_ON_TEAM(f64)
COPY_ADJOINT_ON_TEAM(f32)

/* -- what orders threads */

void __ez_team_barrier(void *place) {
    __kmpc_barrier(place, __kmpc_global_thread_num(place));
    mark_wait();
}

void __ez_team_barrier_taped(void *place) {
    if (own_team)
        __atomic_store_n(&own_team->is_ordered, 1, __ATOMIC_RELAXED);
    __ez_team_barrier(place);
}

void __ez_team_barrier_back(void *place) {
    __kmpc_barrier(place, __kmpc_global_thread_num(place));
    pass_mark();
}

static struct sections *sections_of(struct team *team, const void *lock) {
    take_lock(&team->is_locked);
    struct sections *s = team->sections;
    while (s && s->lock != lock)
        s = s->next;
    if (!s) {
        s = or_end(calloc(1, sizeof *s));
        s->lock = lock;
        s->next = team->sections;
        team->sections = s;
    }
    give_back_lock(&team->is_locked);
    return s;
}

/* Of atomic updates whose results are used: `lock` only tells their sections from others. */
static uint32_t is_updated;

uint64_t __ez_team_enter(void *place, void *lock, uint64_t kind) {
    if (kind == CRITICAL)
        __kmpc_critical(place, __kmpc_global_thread_num(place), lock);
    else if (kind == ORDERED)
        __kmpc_ordered(place, __kmpc_global_thread_num(place));
    else if (kind == LOCK)
        omp_set_lock(lock);
    else if (kind == MUTEX)
        pthread_mutex_lock(lock);
    else
        take_lock(&is_updated);
    return 0;
}

uint64_t __ez_team_leave(void *place, void *lock, uint64_t kind) {
    if (kind == CRITICAL)
        __kmpc_end_critical(place, __kmpc_global_thread_num(place), lock);
    else if (kind == ORDERED)
        __kmpc_end_ordered(place, __kmpc_global_thread_num(place));
    else if (kind == LOCK)
        omp_unset_lock(lock);
    else if (kind == MUTEX)
        pthread_mutex_unlock(lock);
    else
        give_back_lock(&is_updated);
    return 0;
}

/* The section only adds to what threads share: in the reverse sweep, it is nothing that orders threads. */
uint64_t __ez_team_enter_to_add(void *place, void *lock, uint64_t kind) { return __ez_team_enter(place, lock, kind); }

uint64_t __ez_team_leave_added(void *place, void *lock, uint64_t kind) { return __ez_team_leave(place, lock, kind); }

/* In the primal sweep: both return the ticket. */
uint64_t __ez_team_enter_taped(void *place, void *lock, uint64_t kind) {
    __ez_team_enter(place, lock, kind);
    if (!own_team)
        return 0;
    __atomic_store_n(&own_team->is_ordered, 1, __ATOMIC_RELAXED);
    return sections_of(own_team, lock)->count++;
}

uint64_t __ez_team_leave_taped(void *place, void *lock, uint64_t kind) {
    uint64_t ticket = own_team ? sections_of(own_team, lock)->count - 1 : 0;
    __ez_team_leave(place, lock, kind);
    return ticket;
}

/* In the reverse sweep, a section begins where it ended, and waits until the later ones are reversed. */
void __ez_team_enter_back(void *lock, uint64_t ticket) {
    if (!own_team)
        return;
    struct sections *s = sections_of(own_team, lock);
    unsigned looks = 0;
    while (__atomic_load_n(&s->left, __ATOMIC_ACQUIRE) != ticket + 1)
        pause_thread(&looks);
}

void __ez_team_leave_back(void *lock, uint64_t ticket) {
    if (own_team)
        __atomic_store_n(&sections_of(own_team, lock)->left, ticket, __ATOMIC_RELEASE);
}
