/* OpenMP in differentiated code whose regions run on teams of threads: what orders threads calls our runtime, which has
 * duals for the reverse sweep (enzyme_cc/rules/parallel/openmp.py). The names are OpenMP's, behind `__team`. */
#include "stand_in.h"

enum { CRITICAL, ORDERED, LOCK, MUTEX };
enum { TASKS_BEFORE, TASKS_OF_GROUP };

void __ez_team_barrier(void *place);
uint64_t __ez_team_enter(void *place, void *lock, uint64_t kind);
uint64_t __ez_team_leave(void *place, void *lock, uint64_t kind);
void __ez_team_wait(void *place, uint64_t kind);
void __ez_team_task(int32_t thread, void *task, void *routine);
void __ez_team_hold_list(void);
void __ez_team_release_list(void);
struct dependence;
void __ez_team_depends(int32_t count, struct dependence *first, int32_t others, struct dependence *more);
void __kmpc_taskgroup(void *place, int32_t thread);
int32_t __kmpc_bound_num_threads(void *place); /* omp_get_num_threads is what the program itself asks */

INLINED void STAND_IN(__team__kmpc_barrier)(void *place, int32_t thread) {
    (void)thread;
    __ez_team_barrier(place);
}

INLINED void STAND_IN(__team__kmpc_critical)(void *place, int32_t thread, void *lock) {
    (void)thread;
    __ez_team_enter(place, lock, CRITICAL);
}
INLINED void STAND_IN(__team__kmpc_critical_with_hint)(void *place, int32_t thread, void *lock, uint32_t hint) {
    (void)thread, (void)hint;
    __ez_team_enter(place, lock, CRITICAL);
}
INLINED void STAND_IN(__team__kmpc_end_critical)(void *place, int32_t thread, void *lock) {
    (void)thread;
    __ez_team_leave(place, lock, CRITICAL);
}

INLINED void STAND_IN(__team__kmpc_ordered)(void *place, int32_t thread) {
    (void)thread;
    __ez_team_enter(place, NULL, ORDERED);
}
INLINED void STAND_IN(__team__kmpc_end_ordered)(void *place, int32_t thread) {
    (void)thread;
    __ez_team_leave(place, NULL, ORDERED);
}

/* A reduction is a critical section, in which each thread adds its part. */
typedef void reduction(void *, void *);
#define TEAM_REDUCE(NAME)                                                                                              \
    INLINED int32_t STAND_IN(__team##NAME)(void *place, int32_t thread, int32_t count, size_t size, void *data,       \
                                           reduction *reduce, void *lock) {                                           \
        (void)thread, (void)count, (void)size, (void)data, (void)reduce;                                               \
        __ez_team_enter(place, lock, CRITICAL);                                                                        \
        return 1;                                                                                                      \
    }
TEAM_REDUCE(__kmpc_reduce)
TEAM_REDUCE(__kmpc_reduce_nowait)
INLINED void STAND_IN(__team__kmpc_end_reduce_nowait)(void *place, int32_t thread, void *lock) {
    (void)thread;
    __ez_team_leave(place, lock, CRITICAL);
}
INLINED void STAND_IN(__team__kmpc_end_reduce)(void *place, int32_t thread, void *lock) {
    (void)thread;
    __ez_team_leave(place, lock, CRITICAL);
    __ez_team_barrier(place);
}

/* One thread has stored where its variables are, in memory that the team shares; the others copy them. */
typedef void copying(void *, void *);
INLINED void STAND_IN(__team__kmpc_copyprivate)(void *place, int32_t thread, size_t size, void *variables, copying *copy,
                                                int32_t is_source, void **shared) {
    (void)thread, (void)size;
    if (is_source)
        *shared = variables;
    __ez_team_barrier(place);
    if (!is_source)
        copy(variables, *shared);
    __ez_team_barrier(place);
}

#define LOCKED(NAME, HOW, KIND)                                                                                        \
    INLINED void STAND_IN(__team##NAME)(void *lock) { __ez_team_##HOW(NULL, lock, KIND); }
LOCKED(omp_set_lock, enter, LOCK)
LOCKED(omp_set_lock_, enter, LOCK)
LOCKED(omp_unset_lock, leave, LOCK)
LOCKED(omp_unset_lock_, leave, LOCK)
#define LOCKED_MUTEX(NAME, HOW)                                                                                        \
    INLINED int STAND_IN(__team##NAME)(void *lock) {                                                                   \
        __ez_team_##HOW(NULL, lock, MUTEX);                                                                            \
        return 0;                                                                                                      \
    }
LOCKED(_ZNSt5mutex4lockEv, enter, MUTEX)
LOCKED(_ZNSt5mutex6unlockEv, leave, MUTEX)
LOCKED_MUTEX(pthread_mutex_lock, enter)
LOCKED_MUTEX(pthread_mutex_unlock, leave)
LOCKED_MUTEX(mtx_lock, enter)
LOCKED_MUTEX(mtx_unlock, leave)

/* Tasks: their memory is as in teams of one (threads.c). No task has parts: the member holds the size. */
struct task {
    void *shared;
    int32_t (*routine)(int32_t, struct task *);
    int32_t part;
};
typedef int32_t task_routine(int32_t, struct task *);
struct task *STAND_IN(__kmpc_omp_task_alloc)(void *place, int32_t thread, int32_t flags, size_t size, size_t shared,
                                             task_routine *routine);
INLINED struct task *STAND_IN(__team__kmpc_omp_task_alloc)(void *place, int32_t thread, int32_t flags, size_t size,
                                                           size_t shared, task_routine *routine) {
    struct task *task = STAND_IN(__kmpc_omp_task_alloc)(place, thread, flags, size, shared, routine);
    task->part = (int32_t)((size + 15) / 16 * 16 + shared);
    return task;
}
/* A call of the routine, by its name. */
INLINED int32_t STAND_IN(__team__kmpc_omp_task)(void *place, int32_t thread, struct task *task) {
    (void)place;
    __ez_team_task(thread, task, (void *)task->routine);
    free(task);
    return 0;
}
INLINED int32_t STAND_IN(__team__kmpc_omp_task_with_deps)(void *place, int32_t thread, struct task *task, int32_t count,
                                                          struct dependence *dependences, int32_t others,
                                                          struct dependence *more) {
    (void)place;
    void *routine = (void *)task->routine; /* now: LLVM knows which one it is */
    __ez_team_depends(count, dependences, others, more);
    __ez_team_task(thread, task, routine);
    __ez_team_depends(0, NULL, 0, NULL);
    free(task);
    return 0;
}
/* Hints: where a task best runs, and where it may wait for others. */
INLINED int32_t STAND_IN(__team__kmpc_omp_taskyield)(void *place, int32_t thread, int32_t end) {
    (void)place, (void)thread, (void)end;
    return 0;
}
INLINED int32_t STAND_IN(__team__kmpc_omp_reg_task_with_affinity)(void *place, int32_t thread, struct task *task,
                                                                  int32_t count, void *places) {
    (void)place, (void)thread, (void)task, (void)count, (void)places;
    return 0;
}
INLINED int32_t STAND_IN(__team__kmpc_omp_taskwait)(void *place, int32_t thread) {
    (void)thread;
    __ez_team_wait(place, TASKS_BEFORE);
    return 0;
}
/* Waiting for all tasks is waiting for some of them. */
INLINED void STAND_IN(__team__kmpc_omp_wait_deps)(void *place, int32_t thread, int32_t count,
                                                  struct dependence *dependences, int32_t others,
                                                  struct dependence *more) {
    (void)thread, (void)count, (void)dependences, (void)others, (void)more;
    __ez_team_wait(place, TASKS_BEFORE);
}
INLINED void STAND_IN(__team__kmpc_omp_taskwait_deps_51)(void *place, int32_t thread, int32_t count,
                                                         struct dependence *dependences, int32_t others,
                                                         struct dependence *more, int32_t has_no_wait) {
    (void)thread, (void)count, (void)dependences, (void)others, (void)more, (void)has_no_wait;
    __ez_team_wait(place, TASKS_BEFORE);
}
INLINED void STAND_IN(__team__kmpc_end_taskgroup)(void *place, int32_t thread) {
    (void)thread;
    __ez_team_wait(place, TASKS_OF_GROUP);
}

/* The tasks of a loop are copies of one, with bounds of their own. `copy` also marks that of the last iteration. */
typedef void task_copy(struct task *to, struct task *from, int32_t is_last);
enum { BY_SIZE = 1, BY_COUNT = 2, TASKS_OF_A_THREAD = 10 };

static ALWAYS_INLINE uint64_t iterations(uint64_t lower, uint64_t upper, int64_t step) {
    return step == 1 ? upper - lower + 1
           : step < 0 ? (lower - upper + (uint64_t)-step) / (uint64_t)-step
                      : (upper - lower + (uint64_t)step) / (uint64_t)step;
}

static ALWAYS_INLINE void make_loop(void *place, int32_t thread, struct task *task, int32_t condition, uint64_t *lower,
                                    uint64_t *upper, int64_t step, int32_t has_no_group, int32_t schedule,
                                    uint64_t grain, task_copy *copy) {
    uint64_t bytes = (uint64_t)task->part, at_lower = (uint64_t)((char *)lower - (char *)task),
             at_upper = (uint64_t)((char *)upper - (char *)task),
             at_shared = task->shared ? (uint64_t)((char *)task->shared - (char *)task) : 0, low = *lower, all = iterations(low, *upper, step);
    uint64_t wanted = schedule == BY_SIZE    ? all / grain
                      : schedule == BY_COUNT ? grain
                                             : TASKS_OF_A_THREAD * (uint64_t)__kmpc_bound_num_threads(place);
    uint64_t count = wanted > all ? all : wanted ? wanted : all != 0;
    void *routine = (void *)task->routine;
    if (!has_no_group)
        __kmpc_taskgroup(place, thread);
    for (uint64_t k = 0; k < count; k++) {
        uint64_t length = all / count + (k < all % count);
        struct task *own = malloc(bytes);
        memcpy(own, task, bytes);
        if (at_shared)
            own->shared = (char *)own + at_shared;
        *(uint64_t *)((char *)own + at_lower) = low;
        *(uint64_t *)((char *)own + at_upper) = low + (length - 1) * (uint64_t)step;
        low += length * (uint64_t)step;
        if (copy)
            copy(own, task, k == count - 1);
        if (!condition)
            __kmpc_taskgroup(place, thread);
        __ez_team_task(thread, own, routine);
        if (!condition)
            __ez_team_wait(place, TASKS_OF_GROUP);
        free(own);
    }
    free(task);
    if (!has_no_group)
        __ez_team_wait(place, TASKS_OF_GROUP);
}
INLINED void STAND_IN(__team__kmpc_taskloop)(void *place, int32_t thread, struct task *task, int32_t condition,
                                             uint64_t *lower, uint64_t *upper, int64_t step, int32_t has_no_group,
                                             int32_t schedule, uint64_t grain, task_copy *copy) {
    make_loop(place, thread, task, condition, lower, upper, step, has_no_group, schedule, grain, copy);
}
INLINED void STAND_IN(__team__kmpc_taskloop_5)(void *place, int32_t thread, struct task *task, int32_t condition,
                                               uint64_t *lower, uint64_t *upper, int64_t step, int32_t has_no_group,
                                               int32_t schedule, uint64_t grain, int32_t modifier, task_copy *copy) {
    (void)modifier;
    make_loop(place, thread, task, condition, lower, upper, step, has_no_group, schedule, grain, copy);
}

/* Reductions of a group of tasks. Each task has copies of its own of the variables that it adds to, as OpenMP's library
 * has one for each thread: tasks of one thread could be reversed by two, and each needs the numbers that it has seen.
 * The link tells where groups begin and end, and which copies are of one type: these are on one list
 * (enzyme_cc/link/merged_module/threads/task_reductions.py). */
typedef void initializer(void *copy, void *original), combiner(void *to, void *part);

/* OpenMP's */
struct reduced {
    void *shared, *original;
    size_t size;
    initializer *initialize;
    void *finalize;
    combiner *combine;
    uint32_t flags;
};
struct copied {
    void *shared, *original;
    uint64_t size;
    initializer *initialize;
};
/* A copy of one task. Its numbers lie elsewhere: a sum may be an array, at any place of which there are numbers. */
struct copy {
    struct copy *before;
    struct copied *of;
    void *numbers;
};
/* `last`: of each list */
struct reduction {
    uint64_t count;
    struct copied *of;
    struct copy *last[];
};
enum { LEAST_SIZE = 64 }; /* that the library reserves, too */

INLINED struct reduction *STAND_IN(__team_reduction_open)(uint64_t count, uint64_t lists) {
    struct reduction *made = calloc(1, sizeof *made + lists * sizeof *made->last);
    made->count = count;
    made->of = calloc(count, sizeof *made->of);
    return made;
}
INLINED void STAND_IN(__team_reduction_of)(struct reduction *reduction, uint64_t k, struct reduced *reduced) {
    reduction->of[k].shared = reduced[k].shared;
    reduction->of[k].original = reduced[k].original;
    reduction->of[k].size = (reduced[k].size + LEAST_SIZE - 1) / LEAST_SIZE * LEAST_SIZE;
    reduction->of[k].initialize = reduced[k].initialize;
}
/* The tasks of the group have ended. */
INLINED void STAND_IN(__team_reduction_end)(struct reduction *reduction, uint64_t k, uint64_t list,
                                            struct reduced *reduced) {
    for (struct copy *copy = reduction->last[list]; copy; copy = copy->before)
        if (copy->of == &reduction->of[k])
            reduced[k].combine(reduced[k].shared, copy->numbers);
}
INLINED void STAND_IN(__team_reduction_free)(struct reduction *reduction, uint64_t list) {
    for (struct copy *copy = reduction->last[list], *before; copy; copy = before) {
        before = copy->before;
        free(copy->numbers);
        free(copy);
    }
}
INLINED void STAND_IN(__team_reduction_close)(struct reduction *reduction) {
    free(reduction->of);
    free(reduction);
}

/* In a task of a task, the variable is the copy of the latter. */
INLINED struct copied *STAND_IN(__team_reduction_variable)(struct reduction *reduction, void *variable,
                                                           uint64_t list) {
    uint64_t k = 0;
    while (k < reduction->count && reduction->of[k].shared != variable)
        k++;
    if (k < reduction->count)
        return &reduction->of[k];
    __ez_team_hold_list();
    struct copy *copy = reduction->last[list];
    while (copy && copy->numbers != variable)
        copy = copy->before;
    __ez_team_release_list();
    return copy ? copy->of : reduction->of;
}
INLINED initializer *STAND_IN(__team_reduction_initializer)(struct copied *of) { return of->initialize; }
INLINED void *STAND_IN(__team_reduction_original)(struct copied *of) { return of->original; }
INLINED void *STAND_IN(__team_reduction_copy)(struct reduction *reduction, struct copied *of, uint64_t list,
                                              uint64_t least) {
    struct copy *made = malloc(sizeof *made);
    void *numbers = calloc(1, of->size < least ? least : of->size);
    made->of = of;
    made->numbers = numbers;
    __ez_team_hold_list();
    made->before = reduction->last[list];
    reduction->last[list] = made;
    __ez_team_release_list();
    return numbers;
}
void STAND_IN(__team_reduction_unknown)(void) {
    __ez_refuse(1, "a task takes part in a reduction of another type");
}
