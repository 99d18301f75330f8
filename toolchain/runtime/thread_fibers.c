/* Threads that differentiated code makes, if they wait for each other: each is a *fiber*, with a stack of its own, in the
 * thread that makes the request. One fiber runs at a time. It runs until it would wait, or ends. So there are no races,
 * each run is the same, and all tapes lie in one arena.
 *
 * The primal sweep of a request is a sequence of segments, each of one fiber. The reverse sweep runs them in the opposite
 * order: where a fiber began a segment, the fiber that ran before goes on with its own reverse sweep. Each place where a
 * segment begins has on its tape which fiber that is, the *ticket*. Null: the fiber itself, as there was no switch.
 *
 * The fiber that all others run in, the *root*, is the request itself. A group is a root with the fibers that it and
 * they make, until all have ended. */
#include "ending.h"
#include "fiber_waits.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* ucontext.h, which differs between architectures in what is behind these members; not in each C library. */
enum { CONTEXT_BYTES = 6 << 10 };
struct context {
    _Alignas(16) unsigned long flags;
    struct context *link;
    void *stack;
    int stack_flags;
    size_t stack_size;
    char machine[CONTEXT_BYTES];
};
extern int getcontext(struct context *) __attribute__((weak));
extern void makecontext(struct context *, void (*)(void), int, ...) __attribute__((weak));
extern int swapcontext(struct context *, const struct context *) __attribute__((weak));

/* What libstdc++ knows of exceptions that are under way. */
struct exceptions {
    void *caught;
    unsigned uncaught;
};
extern struct exceptions *__cxa_get_globals(void) __attribute__((weak));
extern int sem_getvalue(void *semaphore, int *value) __attribute__((weak));

enum { FIBER_GUARD = 64 << 10, USUAL_STACK = 8 << 20, STACK_TIMES = 4 };

struct fiber;
typedef void fiber_starter(struct fiber *fiber, void *frame);
enum progress { RUNS, ENDED, REVERSES };

struct fiber {
    void *tape;
    struct group *group;
    struct fiber *next; /* of those that have not ended, in a ring */
    struct fiber *maker, *after; /* that ran before it began, and before its maker went on */
    fiber_starter *start, *reverse;
    void *frame, *reverse_frame;
    uint64_t name;
    enum progress progress;
    uint64_t waits_for, value, since; /* what for; since: the number of the wait */
    const void *address;
    char is_woken, is_late;
    char *stack;
    struct context context;
};

struct group {
    struct fiber root;
    struct fiber *outer;
    struct arena *arena; /* null in forward mode */
    uint64_t made, left; /* fibers that have not ended, or that the reverse sweep has begun and not ended */
    char has_untaped;    /* a switch that the reverse sweep does not know */
};

/* Locks that fibers hold. `owner`: null for the root. */
struct held {
    struct held *next;
    const void *lock;
    const struct fiber *owner;
    uint64_t count;
    char is_shared;
};
/* Barriers at which some have arrived. */
struct arrivals {
    struct arrivals *next;
    const void *barrier;
    uint64_t count;
};

static _Thread_local struct {
    struct fiber *now, *before; /* that runs, and that ran before it; null outside of groups */
    struct fiber *ended;        /* in forward mode: they are freed once another one runs */
    struct held *held;
    struct arrivals *arrivals;
    char *spare; /* a stack that nobody uses; its first word behind the guard is the next */
    uint64_t waits, next_name;
    char is_late;
} fibers;

static void *fiber_memory(size_t size) {
    void *memory = aligned_alloc(CACHE_LINE, (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!memory)
        refuse("no memory for a thread in differentiated code");
    return memset(memory, 0, size);
}

/* -- stacks: a derivative needs more than the primal. Only the memory that is used counts. */

static size_t fiber_stack_size(void) {
    static size_t size;
    if (!size) {
        size_t own = own_stack_size();
        size = STACK_TIMES * ((own && own < (size_t)USUAL_STACK * 8 ? own : USUAL_STACK) & ~(size_t)(FIBER_GUARD - 1));
    }
    return size;
}

static char **next_spare(char *stack) { return (char **)(stack + FIBER_GUARD); }

static char *take_stack(void) {
    char *stack = fibers.spare;
    if (stack) {
        fibers.spare = *next_spare(stack);
        return stack;
    }
    size_t size = fiber_stack_size();
    stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
        refuse("no memory for the stack of a thread in differentiated code");
    madvise(stack, size, MADV_NOHUGEPAGE);
    mprotect(stack, FIBER_GUARD, PROT_NONE);
    watch_thread();
    return stack;
}

/* The fiber may still run on it: nobody takes it before the next switch. */
static void give_stack(struct fiber *f) {
    *next_spare(f->stack) = fibers.spare;
    fibers.spare = f->stack;
    f->stack = NULL;
}

static void release_fibers(void) {
    while (fibers.spare) {
        char *stack = fibers.spare;
        fibers.spare = *next_spare(stack);
        munmap(stack, fiber_stack_size());
    }
}

/* -- switches */

static void switch_to(struct fiber *f) {
    struct fiber *self = fibers.now;
    struct exceptions none = {NULL, 0}, own = __cxa_get_globals ? *__cxa_get_globals() : none;
    __typeof__(second) own_second = second;
    memset(&second, 0, sizeof second);
    if (__cxa_get_globals)
        *__cxa_get_globals() = none;
    fibers.before = self;
    fibers.now = f;
    swapcontext(&self->context, &f->context);
    if (__cxa_get_globals)
        *__cxa_get_globals() = own;
    second = own_second;
}

static void begin_on_own_stack(struct fiber *f, void (*function)(void)) {
    f->stack = take_stack();
    if (!getcontext || !makecontext || !swapcontext)
        refuse("threads of differentiated code wait for each other, which needs a C library with swapcontext [EZ0302]; link "
               "with that library, or keep the threads out of the differentiated code");
    getcontext(&f->context);
    f->context.stack = f->stack + FIBER_GUARD;
    f->context.stack_size = fiber_stack_size() - FIBER_GUARD;
    makecontext(&f->context, function, 0);
}

static struct held *holding(const void *lock) {
    struct held *h = fibers.held;
    while (h && h->lock != lock)
        h = h->next;
    return h;
}

static const struct fiber *as_owner(const struct fiber *f) { return f && f != &f->group->root ? f : NULL; }

static int has_ended(uint64_t name) {
    const struct fiber *first = fibers.now, *f = first;
    if (!f)
        return 1;
    do
        if (f->name == name && f->progress == RUNS && f != &f->group->root)
            return 0;
    while ((f = f->next) != first);
    return 1;
}

static int has_happened(const struct fiber *f, uint64_t what, const void *address, uint64_t value, int is_woken) {
    const struct held *h = what == FOR_LOCK || what == FOR_SHARED_LOCK ? holding(address) : NULL;
    int number = 0;
    switch (what) {
    case FOR_TURN:
        return 1;
    case FOR_LOCK:
        return !h || (!h->is_shared && h->owner == as_owner(f));
    case FOR_SHARED_LOCK:
        return !h || h->is_shared;
    case FOR_WAKING:
        return is_woken;
    case FOR_SEMAPHORE:
        return sem_getvalue && !sem_getvalue((void *)address, &number) && number > 0;
    case FOR_CHANGE:
        return is_woken || *(const volatile uint32_t *)address != (uint32_t)value;
    default:
        return has_ended(value);
    }
}

static int can_run(const struct fiber *f) {
    return has_happened(f, f->waits_for & ~(uint64_t)FOR_TIMED, f->address, f->value, f->is_woken);
}

/* Returns the next that can run, `f` itself at last. If there is none, time has passed for one that waits for a time. */
static struct fiber *next_fiber(struct fiber *f) {
    struct fiber *late = NULL, *other = f;
    int needs_others = f->progress == RUNS && f->waits_for == FOR_TURN && f->value;
    do {
        other = other->next;
        if (other->progress == RUNS && can_run(other) && (other != f || !needs_others))
            return other;
        if (other->progress == RUNS && other->waits_for & FOR_TIMED && (!late || other->since < late->since))
            late = other;
    } while (other != f);
    if (!late)
        refuse("each thread of differentiated code waits for another one [EZ0302]; what a thread waits for must happen in "
               "the request, or in a thread that it makes");
    late->is_late = 1;
    return late;
}

/* Runs others until something has happened. Returns who ran last; null if nobody did. */
static struct fiber *wait_for(uint64_t kind, const void *address, uint64_t value) {
    struct fiber *self = fibers.now;
    uint64_t what = kind & ~(uint64_t)FOR_TIMED;
    fibers.is_late = 0;
    int needs_others = what == FOR_TURN && value;
    if (what != FOR_TURN && has_happened(self, what, address, value, 0))
        return NULL;
    if (!self) {
        fibers.is_late = (kind & FOR_TIMED) != 0;
        if (needs_others || (what != FOR_TURN && !fibers.is_late))
            refuse("a thread waits for another one, and differentiated code has made none that could go on [EZ0302]; make "
                   "the other thread in the request, too, or keep the threads out of the differentiated code");
        return NULL;
    }
    self->waits_for = kind;
    self->address = address;
    self->value = value;
    self->since = ++fibers.waits;
    self->is_woken = self->is_late = 0;
    struct fiber *next = next_fiber(self);
    if (next != self)
        switch_to(next);
    self->waits_for = FOR_TURN;
    self->value = 0;
    fibers.is_late = self->is_late;
    return next == self ? NULL : fibers.before;
}

/* -- groups */

static void release_group(void *memory) { free(memory); }

static struct group *begin_group(struct arena *a) {
    struct group *g = fiber_memory(sizeof *g);
    g->root.group = g;
    g->root.next = &g->root;
    g->arena = a;
    g->outer = fibers.now;
    if (a)
        __ez_defer_free(a, g, release_group);
    fibers.now = &g->root;
    return g;
}

/* All of a group have ended, and the root runs. */
static void end_group(struct group *g) {
    fibers.now = g->outer;
    if (!g->arena)
        free(g);
}

/* A segment has begun. */
static void settle_group(void) {
    struct fiber *f = fibers.now;
    while (fibers.ended) {
        struct fiber *next = fibers.ended->next;
        free(fibers.ended);
        fibers.ended = next;
    }
    if (f && f == &f->group->root && !f->group->made)
        end_group(f->group);
}

/* An exception may have left a request whose fibers had not ended. */
static int is_left_behind(const struct fiber *f, const struct arena *a) {
    return f && f == &f->group->root && f->group->arena != a;
}

static void release_fiber(void *memory) {
    struct fiber *f = memory;
    if (f->stack)
        give_stack(f);
    free(f);
}

/* -- the primal sweep */

static void leave_ring(struct fiber *f) {
    struct fiber *before = f;
    while (before->next != f)
        before = before->next;
    before->next = f->next;
}

static void run_fiber(void) {
    struct fiber *f = fibers.now;
    f->start(f, f->frame);
    f->progress = ENDED;
    struct fiber *next = next_fiber(f);
    leave_ring(f);
    f->group->made--;
    if (!f->group->arena) {
        f->next = fibers.ended;
        fibers.ended = f;
    }
    release_second_stack();
    give_stack(f);
    switch_to(next);
}

/* Makes a thread, and runs it until it waits. `a`: the tape of its maker; null in forward mode. */
void *__ez_fiber_make(struct arena *a, fiber_starter *start, fiber_starter *reverse, void *frame, void *reverse_frame) {
    if (is_left_behind(fibers.now, a))
        fibers.now = NULL;
    struct group *g = fibers.now ? fibers.now->group : begin_group(a);
    struct fiber *maker = fibers.now, *f = fiber_memory(sizeof *f), *before = maker;
    if (a)
        __ez_defer_free(a, f, release_fiber);
    f->group = g;
    f->maker = maker;
    f->start = start;
    f->reverse = reverse;
    f->frame = frame;
    f->reverse_frame = reverse_frame;
    f->name = fibers.next_name;
    while (before->next != maker)
        before = before->next;
    before->next = f;
    f->next = maker;
    g->made++;
    maker->waits_for = FOR_TURN;
    begin_on_own_stack(f, run_fiber);
    switch_to(f);
    f->after = fibers.before;
    settle_group();
    return f;
}

void __ez_fiber_done(struct fiber *f, void *tape) { f->tape = tape; }

void *__ez_fiber_arena(struct fiber *f) { return f->group->arena; }

void *__ez_fiber_tape(struct fiber *f) { return f->tape; }

/* What the next thread is called. */
void __ez_fiber_name(uint64_t name) { fibers.next_name = name; }

uint64_t __ez_fiber_self(void) { return fibers.now ? fibers.now->name : 0; }

/* Code without a derivative runs a thread where it makes it. */
typedef void fiber_routine(void *frame, void *function, void *argument);
void __ez_fiber_call(void *routine, void *frame, void *function, void *argument) {
    ((fiber_routine *)routine)(frame, function, argument);
}

/* In forward mode, and in code without a derivative. */
uint64_t __ez_fiber_wait(uint64_t kind, void *address, uint64_t value) {
    if (wait_for(kind, address, value)) {
        fibers.now->group->has_untaped = 1;
        settle_group();
    }
    return 0;
}

uint64_t __ez_fiber_wait_taped(uint64_t kind, void *address, uint64_t value) {
    struct fiber *before = wait_for(kind, address, value);
    if (before)
        settle_group();
    return (uintptr_t)before;
}

/* Whether the last wait ended since time had passed. */
uint64_t __ez_fiber_is_late(void) { return (uint64_t)fibers.is_late; }

/* -- the reverse sweep */

static void refuse_rest(void) {
    refuse("a thread that differentiated code makes has not ended when the function of the request returns [EZ0302]; join it "
           "there");
}

/* The derivative of a request has ended. */
void __ez_fiber_all_ended(void) {
    struct fiber *f = fibers.now;
    if (f && f == &f->group->root && f->group->made)
        refuse_rest();
}

static void reverse_fiber(void) {
    struct fiber *f = fibers.now;
    f->reverse(f, f->reverse_frame);
    f->progress = ENDED; /* a tape that is held may be used again */
    f->group->left--;
    release_second_stack();
    give_stack(f);
    switch_to(f->maker);
}

/* The fiber that ran before this one goes on with its reverse sweep. */
static void go_back(struct fiber *f) {
    struct group *g = f->group;
    if (!fibers.now || fibers.now->group != g) {
        g->outer = fibers.now;
        fibers.now = &g->root;
    }
    if (fibers.now != f) {
        if (g->has_untaped)
            refuse("threads of differentiated code wait for each other in code that has no derivative [EZ0302]; let it have "
                   "one, or keep the threads out of the differentiated code");
        if (f != &g->root && f->progress == RUNS)
            refuse_rest();
        if (f != &g->root && f->progress == ENDED) {
            f->progress = REVERSES;
            g->left++;
            begin_on_own_stack(f, reverse_fiber);
        }
        switch_to(f);
    }
    if (fibers.now == &g->root && !g->left)
        fibers.now = g->outer;
}

void __ez_fiber_wait_back(uint64_t ticket) {
    if (ticket)
        go_back((struct fiber *)(uintptr_t)ticket);
}

/* Where the thread was made. */
void __ez_fiber_back(struct fiber *f) { go_back(f->after); }

/* -- what stand-ins tell */

/* This thread has taken a lock. */
void __ez_fiber_hold(void *lock, uint64_t is_shared) {
    struct held *h = holding(lock);
    if (!h) {
        h = fiber_memory(sizeof *h);
        *h = (struct held){fibers.held, lock, as_owner(fibers.now), 0, is_shared != 0};
        fibers.held = h;
    }
    h->count++;
}

void __ez_fiber_release(void *lock) {
    struct held **place = &fibers.held;
    while (*place && (*place)->lock != lock)
        place = &(*place)->next;
    struct held *h = *place;
    if (!h || --h->count)
        return;
    *place = h->next;
    free(h);
}

/* Whether another thread holds a lock such that this one cannot take it. */
uint64_t __ez_fiber_is_held(void *lock, uint64_t is_shared) {
    return !has_happened(fibers.now, is_shared ? FOR_SHARED_LOCK : FOR_LOCK, lock, 0, 0);
}

/* Wakes the one that has waited longest at an address, or all. */
void __ez_fiber_wake(void *address, uint64_t all) {
    struct fiber *self = fibers.now, *first = NULL;
    for (struct fiber *f = self ? self->next : NULL; f && f != self; f = f->next) {
        uint64_t what = f->waits_for & ~(uint64_t)FOR_TIMED;
        if ((what != FOR_WAKING && what != FOR_CHANGE) || f->address != address || f->is_woken)
            continue;
        if (all)
            f->is_woken = 1;
        else if (!first || f->since < first->since)
            first = f;
    }
    if (first)
        first->is_woken = 1;
}

/* Arrives at a barrier of so many threads. Returns whether this thread was the last one. */
uint64_t __ez_fiber_arrive(void *barrier, uint64_t count) {
    struct arrivals **place = &fibers.arrivals;
    while (*place && (*place)->barrier != barrier)
        place = &(*place)->next;
    struct arrivals *a = *place;
    if (!a) {
        a = *place = fiber_memory(sizeof *a);
        a->barrier = barrier;
    }
    if (++a->count < count)
        return 0;
    *place = a->next;
    free(a);
    __ez_fiber_wake(barrier, 1);
    return 1;
}
