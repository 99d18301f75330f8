/* Threads of differentiated code that wait for each other: each is a fiber (toolchain/runtime/thread_fibers.c). The names
 * are those of the library, behind `__fiber` (enzyme_cc/rules/parallel/fibers.py). */
#include "stand_in.h"
#include "../runtime/fiber_waits.h"
#include <stdarg.h>

#define FIBER(NAME) STAND_IN(__fiber##NAME)
/* parameters of waits with a limit, which tell the time: a wait ends late where nobody can go on */
#define UNTIL __attribute__((unused)) const void *end
#define OF_CLOCK __attribute__((unused)) int clock

enum { BUSY = 16, TOO_LATE = 110 };      /* errno.h */
enum { C11_BUSY = 1, C11_TOO_LATE = 4 }; /* threads.h */

uint64_t __ez_fiber_wait(uint64_t kind, void *address, uint64_t value);
uint64_t __ez_fiber_is_late(void);
void __ez_fiber_call(void *routine, void *frame, void *function, void *argument);
void __ez_fiber_name(uint64_t name);
uint64_t __ez_fiber_self(void);
void __ez_fiber_hold(void *lock, uint64_t is_shared);
void __ez_fiber_release(void *lock);
uint64_t __ez_fiber_is_held(void *lock, uint64_t is_shared);
void __ez_fiber_wake(void *address, uint64_t all);
uint64_t __ez_fiber_arrive(void *barrier, uint64_t count);

/* -- threads: a routine runs the function of one, and keeps its result */

uintptr_t FIBER(pthread_self)(void) {
    uint64_t own = __ez_fiber_self();
    return own ? own : pthread_self();
}
uintptr_t FIBER(thrd_current)(void) { return FIBER(pthread_self)(); }

static void run_of_posix(struct finished *thread, thread_function *function, void *argument) {
    thread->result = __ez_run_thread(function, argument);
}
int FIBER(pthread_create)(thread_of_posix *thread, const void *attributes, thread_function *function, void *argument) {
    (void)attributes;
    struct finished *finished = malloc(sizeof *finished);
    finished->result = NULL;
    *thread = finished;
    __ez_fiber_name((uintptr_t)finished);
    __ez_fiber_call((void *)run_of_posix, finished, (void *)function, argument);
    return 0;
}
int FIBER(pthread_join)(uintptr_t thread, void **result) {
    __ez_fiber_wait(FOR_END, NULL, thread);
    return STAND_IN(pthread_join)(thread, result);
}
/* It may still run. */
int FIBER(pthread_detach)(uintptr_t thread) {
    (void)thread;
    return 0;
}

static void run_of_c11(struct plain_finished *thread, plain_thread_function *function, void *argument) {
    thread->result = __ez_run_plain_thread(function, argument);
}
int FIBER(thrd_create)(thread_of_c11 *thread, plain_thread_function *function, void *argument) {
    struct plain_finished *finished = malloc(sizeof *finished);
    finished->result = 0;
    *thread = finished;
    __ez_fiber_name((uintptr_t)finished);
    __ez_fiber_call((void *)run_of_c11, finished, (void *)function, argument);
    return 0;
}
int FIBER(thrd_join)(uintptr_t thread, int *result) {
    __ez_fiber_wait(FOR_END, NULL, thread);
    return STAND_IN(thrd_join)(thread, result);
}
int FIBER(thrd_detach)(uintptr_t thread) {
    (void)thread;
    return 0;
}

/* std::thread: the state belongs to the thread. Its second function deletes it. */
static void run_of_state(struct state *state, method *run, method *delete) {
    __ez_run_state(run, state);
    delete (state);
}
void FIBER(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)(
    uint64_t *thread, struct state **owned, void (*unused)(void)) {
    (void)unused;
    struct state *state = *owned;
    void *run = state->methods[2], *delete = state->methods[1]; /* now: LLVM knows which they are */
    *owned = NULL;
    uint64_t name = *thread = __ez_inactive_ended_thread();
    __ez_fiber_name(name);
    __ez_fiber_call((void *)run_of_state, state, run, delete);
}
void _ZNSt6thread4joinEv(uint64_t *thread);
void FIBER(_ZNSt6thread4joinEv)(uint64_t *thread) {
    __ez_fiber_wait(FOR_END, NULL, *thread);
    _ZNSt6thread4joinEv(thread);
}

/* One thread runs the function, and others wait until it is done. */
INLINED int FIBER(pthread_once)(int32_t *once, void (*function)(void)) {
    enum { BEGUN = 1, DONE = 2 };
    if (*once == DONE)
        return 0;
    if (*once == BEGUN) {
        __ez_fiber_wait(FOR_CHANGE, once, BEGUN);
        return 0;
    }
    *once = BEGUN;
    if (function == __once_proxy)
        _ZSt11__once_call();
    else
        function();
    *once = DONE;
    return 0;
}
INLINED void FIBER(call_once)(int32_t *once, void (*function)(void)) { FIBER(pthread_once)(once, function); }

/* -- turns */

void FIBER(thrd_yield)(void) { __ez_fiber_wait(FOR_TURN, NULL, 0); }
int FIBER(sched_yield)(void) {
    __ez_fiber_wait(FOR_TURN, NULL, 0);
    return 0;
}
#define SLEEPS(T, NAME, PARAMETERS, ...)                                                                               \
    T NAME PARAMETERS;                                                                                                 \
    T FIBER(NAME) PARAMETERS {                                                                                         \
        __ez_fiber_wait(FOR_TURN, NULL, 0);                                                                            \
        return NAME(__VA_ARGS__);                                                                                      \
    }
SLEEPS(int, nanosleep, (const void *time, void *left), time, left)
SLEEPS(int, thrd_sleep, (const void *time, void *left), time, left)
SLEEPS(int, clock_nanosleep, (int clock, int flags, const void *time, void *left), clock, flags, time, left)
SLEEPS(int, usleep, (unsigned time), time)
SLEEPS(unsigned, sleep, (unsigned time), time)

/* -- locks: who holds one is known, so the library's function never waits */

/* `result`: of the library's function that takes the lock, or tries it. */
static int noted(int result, void *lock, uint64_t is_shared) {
    if (!result)
        __ez_fiber_hold(lock, is_shared);
    return result;
}
#define LOCKS(NAME, KIND, IS_SHARED)                                                                                   \
    int NAME(void *lock);                                                                                              \
    int FIBER(NAME)(void *lock) {                                                                                      \
        __ez_fiber_wait(KIND, lock, 0);                                                                                \
        return noted(NAME(lock), lock, IS_SHARED);                                                                     \
    }
#define TRIES(NAME, IS_SHARED, IS_BUSY)                                                                                \
    int NAME(void *lock);                                                                                              \
    int FIBER(NAME)(void *lock) {                                                                                      \
        if (__ez_fiber_is_held(lock, IS_SHARED))                                                                       \
            __ez_fiber_wait(FOR_TURN, NULL, 0); /* it may be tried again and again */                                  \
        if (__ez_fiber_is_held(lock, IS_SHARED))                                                                       \
            return IS_BUSY;                                                                                            \
        return noted(NAME(lock), lock, IS_SHARED);                                                                     \
    }
/* With an end: the library's function that only tries takes the lock. */
#define LOCKS_UNTIL(NAME, PARAMETERS, TRY, KIND, IS_SHARED, IS_LATE)                                                   \
    int FIBER(NAME) PARAMETERS {                                                                                       \
        __ez_fiber_wait((uint64_t)KIND + FOR_TIMED, lock, 0);                                                          \
        if (__ez_fiber_is_late())                                                                                      \
            return IS_LATE;                                                                                            \
        return noted(TRY(lock), lock, IS_SHARED);                                                                      \
    }
#define UNLOCKS(NAME)                                                                                                  \
    int NAME(void *lock);                                                                                              \
    int FIBER(NAME)(void *lock) {                                                                                      \
        __ez_fiber_release(lock);                                                                                      \
        return NAME(lock);                                                                                             \
    }
LOCKS(pthread_mutex_lock, FOR_LOCK, 0)
TRIES(pthread_mutex_trylock, 0, BUSY)
UNLOCKS(pthread_mutex_unlock)
LOCKS_UNTIL(pthread_mutex_timedlock, (void *lock, UNTIL), pthread_mutex_trylock, FOR_LOCK, 0, TOO_LATE)
LOCKS_UNTIL(pthread_mutex_clocklock, (void *lock, OF_CLOCK, UNTIL), pthread_mutex_trylock, FOR_LOCK, 0, TOO_LATE)
LOCKS(pthread_spin_lock, FOR_LOCK, 0)
TRIES(pthread_spin_trylock, 0, BUSY)
UNLOCKS(pthread_spin_unlock)
LOCKS(pthread_rwlock_wrlock, FOR_LOCK, 0)
TRIES(pthread_rwlock_trywrlock, 0, BUSY)
LOCKS_UNTIL(pthread_rwlock_timedwrlock, (void *lock, UNTIL), pthread_rwlock_trywrlock, FOR_LOCK, 0, TOO_LATE)
LOCKS_UNTIL(pthread_rwlock_clockwrlock, (void *lock, OF_CLOCK, UNTIL), pthread_rwlock_trywrlock, FOR_LOCK, 0,
            TOO_LATE)
LOCKS(pthread_rwlock_rdlock, FOR_SHARED_LOCK, 1)
TRIES(pthread_rwlock_tryrdlock, 1, BUSY)
LOCKS_UNTIL(pthread_rwlock_timedrdlock, (void *lock, UNTIL), pthread_rwlock_tryrdlock, FOR_SHARED_LOCK, 1,
            TOO_LATE)
LOCKS_UNTIL(pthread_rwlock_clockrdlock, (void *lock, OF_CLOCK, UNTIL), pthread_rwlock_tryrdlock, FOR_SHARED_LOCK,
            1, TOO_LATE)
UNLOCKS(pthread_rwlock_unlock)
LOCKS(mtx_lock, FOR_LOCK, 0)
TRIES(mtx_trylock, 0, C11_BUSY)
LOCKS_UNTIL(mtx_timedlock, (void *lock, UNTIL), mtx_trylock, FOR_LOCK, 0, C11_TOO_LATE)
UNLOCKS(mtx_unlock)

/* -- conditions */

#define WAITS_FOR_CONDITION(NAME, PARAMETERS, KIND, UNLOCK, LOCK, IS_LATE)                                             \
    int FIBER(NAME) PARAMETERS {                                                                                       \
        FIBER(UNLOCK)(lock);                                                                                           \
        __ez_fiber_wait(KIND, condition, 0);                                                                           \
        uint64_t is_late = __ez_fiber_is_late();                                                                       \
        FIBER(LOCK)(lock);                                                                                             \
        return is_late ? IS_LATE : 0;                                                                                  \
    }
#define WAKES(NAME, ALL)                                                                                               \
    int FIBER(NAME)(void *condition) {                                                                                 \
        __ez_fiber_wake(condition, ALL);                                                                               \
        return 0;                                                                                                      \
    }
WAITS_FOR_CONDITION(pthread_cond_wait, (void *condition, void *lock), FOR_WAKING, pthread_mutex_unlock, pthread_mutex_lock, 0)
WAITS_FOR_CONDITION(pthread_cond_timedwait, (void *condition, void *lock, UNTIL), FOR_WAKING + FOR_TIMED,
                    pthread_mutex_unlock, pthread_mutex_lock, TOO_LATE)
WAITS_FOR_CONDITION(pthread_cond_clockwait, (void *condition, void *lock, OF_CLOCK, UNTIL), FOR_WAKING + FOR_TIMED,
                    pthread_mutex_unlock, pthread_mutex_lock, TOO_LATE)
WAKES(pthread_cond_signal, 0)
WAKES(pthread_cond_broadcast, 1)
WAITS_FOR_CONDITION(cnd_wait, (void *condition, void *lock), FOR_WAKING, mtx_unlock, mtx_lock, 0)
WAITS_FOR_CONDITION(cnd_timedwait, (void *condition, void *lock, UNTIL), FOR_WAKING + FOR_TIMED, mtx_unlock,
                    mtx_lock, C11_TOO_LATE)
WAKES(cnd_signal, 0)
WAKES(cnd_broadcast, 1)

/* of C++: a lock begins with the address of its mutex */
void FIBER(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE)(void *condition, void **lock) {
    FIBER(pthread_cond_wait)(condition, *lock);
}
void FIBER(_ZNSt18condition_variable10notify_oneEv)(void *condition) { __ez_fiber_wake(condition, 0); }
void FIBER(_ZNSt18condition_variable10notify_allEv)(void *condition) { __ez_fiber_wake(condition, 1); }

/* -- semaphores and barriers */

int FIBER(sem_wait)(void *semaphore) {
    __ez_fiber_wait(FOR_SEMAPHORE, semaphore, 0);
    return sem_trywait(semaphore);
}
int FIBER(sem_trywait)(void *semaphore) {
    if (!sem_trywait(semaphore))
        return 0;
    __ez_fiber_wait(FOR_TURN, NULL, 0);
    return sem_trywait(semaphore);
}
int *__errno_location(void);
static int sem_wait_until(void *semaphore) {
    __ez_fiber_wait(FOR_SEMAPHORE + FOR_TIMED, semaphore, 0);
    if (!__ez_fiber_is_late())
        return sem_trywait(semaphore);
    *__errno_location() = TOO_LATE;
    return -1;
}
int FIBER(sem_timedwait)(void *semaphore, UNTIL) {
    return sem_wait_until(semaphore);
}
int FIBER(sem_clockwait)(void *semaphore, OF_CLOCK, UNTIL) {
    return sem_wait_until(semaphore);
}

/* The number of threads is a word of the barrier in glibc, and one less in musl. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));
int FIBER(pthread_barrier_wait)(void *barrier) {
    enum { COUNT = 2, LAST = -1 };
    uint32_t count = ((uint32_t *)barrier)[COUNT] + (gnu_get_libc_version ? 0 : 1);
    if (__ez_fiber_arrive(barrier, count))
        return LAST;
    __ez_fiber_wait(FOR_WAKING, barrier, 0);
    return 0;
}

/* -- system calls by which C++ waits */

/* Returns whether the change came in time. */
static _Bool waits_for_change(void *place, uint32_t value, _Bool has_end) {
    __ez_fiber_wait(has_end ? FOR_CHANGE + FOR_TIMED : FOR_CHANGE, place, value);
    return !__ez_fiber_is_late();
}
#define WAITS_UNTIL(NAME)                                                                                              \
    _Bool FIBER(NAME)(void *futex, uint32_t *place, uint32_t value, _Bool has_end, int64_t seconds,                    \
                      int64_t nanoseconds) {                                                                           \
        (void)futex, (void)seconds, (void)nanoseconds;                                                                 \
        return waits_for_change(place, value, has_end);                                                                \
    }
WAITS_UNTIL(
    _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
WAITS_UNTIL(
    _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
void FIBER(_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj)(uint32_t *place) { __ez_fiber_wake(place, 1); }

long FIBER(syscall)(long number, ...) {
    va_list list;
    va_start(list, number);
    int32_t *place = va_arg(list, int32_t *);
    long operation = va_arg(list, long), value = va_arg(list, long);
    void *end = va_arg(list, void *);
    va_end(list);
    if (number != FUTEX) {
        __ez_primal_only("syscall");
        return syscall(number, place, operation, value, end);
    }
    operation &= OPERATION;
    if (operation != WAIT && operation != WAIT_BITSET) {
        __ez_fiber_wake(place, value != 1);
        return 0;
    }
    if (waits_for_change(place, (uint32_t)value, end != NULL))
        return 0;
    *__errno_location() = TOO_LATE;
    return -1;
}
