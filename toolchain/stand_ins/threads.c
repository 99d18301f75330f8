/* Threads and OpenMP: in differentiated code, one thread does all work, in the order of the program.
 *
 * A new thread's function runs at once, in the thread that creates it. A parallel region runs in a team of one
 * (stand_ins.py calls the region's function); in such a team, OpenMP's library does what it should. What divides work
 * among the threads of a team that the program made before it called the derivative is left to the library: the threads
 * would add to the same shadows. */
#include "stand_in.h"

typedef void *thread_function(void *);

struct finished {
    void *result;
};

int STAND_IN(pthread_create)(struct finished **thread, const void *attributes, thread_function *function,
                             void *argument) {
    (void)attributes;
    struct finished *finished = malloc(sizeof *finished);
    finished->result = function(argument);
    *thread = finished;
    return 0;
}

int STAND_IN(pthread_join)(uintptr_t thread, void **result) {
    struct finished *finished = (struct finished *)thread;
    if (result)
        *result = finished->result;
    free(finished);
    return 0;
}

int STAND_IN(pthread_detach)(uintptr_t thread) {
    free((struct finished *)thread);
    return 0;
}

/* std::thread: its state is an object whose third virtual function is the thread's. */
struct state {
    void *const *methods;
};

typedef void method(struct state *);

void STAND_IN(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)(
    uint64_t *thread, struct state **owned, void (*unused)(void)) {
    (void)unused;
    ((method *)(*owned)->methods[2])(*owned);
    *thread = 1;
}
void STAND_IN(_ZNSt6thread4joinEv)(uint64_t *thread) { *thread = 0; }
void STAND_IN(_ZNSt6thread6detachEv)(uint64_t *thread) { *thread = 0; }
void STAND_IN(_ZNSt6thread6_StateD2Ev)(struct state *state) { (void)state; }

int omp_get_num_threads(void);

#define STATIC_LOOP(SUFFIX, T, SIGNED)                                                                                 \
    void __kmpc_for_static_init_##SUFFIX(void *, int32_t, int32_t, int32_t *, T *, T *, SIGNED *, SIGNED, SIGNED);     \
    void STAND_IN(__kmpc_for_static_init_##SUFFIX)(void *place, int32_t thread, int32_t schedule, int32_t *is_last,    \
                                                   T *lower, T *upper, SIGNED *stride, SIGNED step, SIGNED chunk) {    \
        if (omp_get_num_threads() != 1) {                                                                              \
            __ez_primal_only("an OpenMP loop in a team of threads");                                                    \
            __kmpc_for_static_init_##SUFFIX(place, thread, schedule, is_last, lower, upper, stride, step, chunk);      \
        } else {                                                                                                       \
            *is_last = 1;                                                                                              \
            *stride = (SIGNED)(*upper - *lower + 1);                                                                   \
        }                                                                                                              \
    }

STATIC_LOOP(4, int32_t, int32_t)
STATIC_LOOP(4u, uint32_t, int32_t)
STATIC_LOOP(8, int64_t, int64_t)
STATIC_LOOP(8u, uint64_t, int64_t)

/* Loops with other schedules: the first call of `next` gives all iterations. A region in such a loop may have another. */
struct loop {
    struct loop *outer;
    int64_t lower, upper;
    int32_t is_given;
};

static _Thread_local struct loop *loops;

#define DYNAMIC_LOOP(SUFFIX, T, SIGNED)                                                                                \
    void __kmpc_dispatch_init_##SUFFIX(void *, int32_t, int32_t, T, T, SIGNED, SIGNED);                                \
    void STAND_IN(__kmpc_dispatch_init_##SUFFIX)(void *place, int32_t thread, int32_t schedule, T lower, T upper,      \
                                                 SIGNED step, SIGNED chunk) {                                          \
        if (omp_get_num_threads() != 1) {                                                                              \
            __ez_primal_only("an OpenMP loop in a team of threads");                                                   \
            __kmpc_dispatch_init_##SUFFIX(place, thread, schedule, lower, upper, step, chunk);                         \
            return;                                                                                                    \
        }                                                                                                              \
        struct loop *loop = malloc(sizeof *loop);                                                                      \
        loop->outer = loops;                                                                                           \
        loop->lower = (int64_t)lower;                                                                                  \
        loop->upper = (int64_t)upper;                                                                                  \
        loop->is_given = step > 0 ? lower > upper : lower < upper;                                                     \
        loops = loop;                                                                                                  \
    }                                                                                                                  \
    int32_t __kmpc_dispatch_next_##SUFFIX(void *, int32_t, int32_t *, T *, T *, SIGNED *);                             \
    int32_t STAND_IN(__kmpc_dispatch_next_##SUFFIX)(void *place, int32_t thread, int32_t *is_last, T *lower, T *upper, \
                                                    SIGNED *stride) {                                                  \
        if (omp_get_num_threads() != 1) {                                                                              \
            __ez_primal_only("an OpenMP loop in a team of threads");                                                   \
            return __kmpc_dispatch_next_##SUFFIX(place, thread, is_last, lower, upper, stride);                        \
        }                                                                                                              \
        struct loop *loop = loops;                                                                                     \
        if (loop->is_given) {                                                                                          \
            loops = loop->outer;                                                                                       \
            free(loop);                                                                                                \
            return 0;                                                                                                  \
        }                                                                                                              \
        *is_last = loop->is_given = 1;                                                                                 \
        *lower = (T)loop->lower;                                                                                       \
        *upper = (T)loop->upper;                                                                                       \
        *stride = 1;                                                                                                   \
        return 1;                                                                                                      \
    }
DYNAMIC_LOOP(4, int32_t, int32_t)
DYNAMIC_LOOP(4u, uint32_t, int32_t)
DYNAMIC_LOOP(8, int64_t, int64_t)
DYNAMIC_LOOP(8u, uint64_t, int64_t)

int32_t __kmpc_single(void *place, int32_t thread);
int32_t STAND_IN(__kmpc_single)(void *place, int32_t thread) {
    if (omp_get_num_threads() != 1) {
        __ez_primal_only("OpenMP's single in a team of threads");
        return __kmpc_single(place, thread);
    }
    return 1;
}

void __kmpc_end_single(void *place, int32_t thread);
void STAND_IN(__kmpc_end_single)(void *place, int32_t thread) {
    if (omp_get_num_threads() != 1) {
        __ez_primal_only("OpenMP's single in a team of threads");
        __kmpc_end_single(place, thread);
    }
}

/* The lock is taken all the same: several threads may call derivatives, each with a team of its own. */
void __kmpc_critical(void *place, int32_t thread, void *lock);
void __kmpc_critical_with_hint(void *place, int32_t thread, void *lock, uint32_t hint);
void STAND_IN(__kmpc_critical)(void *place, int32_t thread, void *lock) {
    if (omp_get_num_threads() != 1) {
        __ez_primal_only("OpenMP's critical in a team of threads");
        __kmpc_critical(place, thread, lock);
    } else {
        __kmpc_critical_with_hint(place, thread, lock, 0);
    }
}

typedef void reduction(void *, void *);

#define REDUCE(NAME)                                                                                                   \
    int32_t NAME(void *, int32_t, int32_t, size_t, void *, reduction *, void *);                                       \
    int32_t STAND_IN(NAME)(void *place, int32_t thread, int32_t count, size_t size, void *data, reduction *reduce,     \
                           void *lock) {                                                                               \
        if (omp_get_num_threads() != 1) {                                                                              \
            __ez_primal_only("an OpenMP reduction of the threads that call the derivative");                           \
            return NAME(place, thread, count, size, data, reduce, lock);                                               \
        }                                                                                                              \
        return 1; /* this thread adds its part, which is all */                                                        \
    }
REDUCE(__kmpc_reduce)
REDUCE(__kmpc_reduce_nowait)

#define REDUCED(NAME)                                                                                                  \
    void NAME(void *, int32_t, void *);                                                                                \
    void STAND_IN(NAME)(void *place, int32_t thread, void *lock) {                                                     \
        if (omp_get_num_threads() != 1) {                                                                              \
            __ez_primal_only("an OpenMP reduction in a team of threads");                                              \
            NAME(place, thread, lock);                                                                                 \
        }                                                                                                              \
    }
REDUCED(__kmpc_end_reduce)
REDUCED(__kmpc_end_reduce_nowait)

/* Tasks run where they are made. */
struct task {
    void *shared;
    int32_t (*routine)(int32_t, struct task *);
};

struct task *STAND_IN(__kmpc_omp_task_alloc)(void *place, int32_t thread, int32_t flags, size_t size, size_t shared,
                                             int32_t (*routine)(int32_t, struct task *)) {
    (void)place, (void)thread, (void)flags;
    size_t before = (size + 15) / 16 * 16;
    struct task *task = malloc(before + shared);
    task->shared = shared ? (char *)task + before : NULL;
    task->routine = routine;
    return task;
}

int32_t STAND_IN(__kmpc_omp_task)(void *place, int32_t thread, struct task *task) {
    (void)place;
    task->routine(thread, task);
    free(task);
    return 0;
}
