/* OpenMP in differentiated code whose regions run on teams of threads: what orders threads calls our runtime, which has
 * duals for the reverse sweep (enzyme_cc/rules/parallel/openmp.py). The names are OpenMP's, behind `__team`. */
#include "stand_in.h"

enum { CRITICAL, ORDERED, LOCK };

void __ez_team_barrier(void *place);
uint64_t __ez_team_enter(void *place, void *lock, uint64_t kind);
uint64_t __ez_team_leave(void *place, void *lock, uint64_t kind);
void __ez_team_wait(void *place, uint64_t kind);
void __ez_team_task(int32_t thread, void *task, void *routine);

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

#define LOCKED(NAME, HOW)                                                                                              \
    INLINED void STAND_IN(__team##NAME)(void *lock) { __ez_team_##HOW(NULL, lock, LOCK); }
LOCKED(omp_set_lock, enter)
LOCKED(omp_set_lock_, enter)
LOCKED(omp_unset_lock, leave)
LOCKED(omp_unset_lock_, leave)

/* Tasks: their memory is as in teams of one (threads.c). */
struct task;
typedef int32_t task_routine(int32_t, struct task *);
struct task *STAND_IN(__kmpc_omp_task_alloc)(void *place, int32_t thread, int32_t flags, size_t size, size_t shared,
                                             task_routine *routine);
INLINED struct task *STAND_IN(__team__kmpc_omp_task_alloc)(void *place, int32_t thread, int32_t flags, size_t size,
                                                           size_t shared, task_routine *routine) {
    return STAND_IN(__kmpc_omp_task_alloc)(place, thread, flags, size, shared, routine);
}
INLINED int32_t STAND_IN(__team__kmpc_omp_taskwait)(void *place, int32_t thread) {
    (void)thread;
    __ez_team_wait(place, 0);
    return 0;
}
INLINED void STAND_IN(__team__kmpc_end_taskgroup)(void *place, int32_t thread) {
    (void)thread;
    __ez_team_wait(place, 1);
}
