/* What waits for other threads, or wakes them, if differentiated code makes none: the program has made them before, and
 * what they do has no derivative. What has happened already is not waited for: the tests before these calls see it. */
#include "stand_in.h"
#include <stdarg.h>

static int32_t wait_for_others(void) {
    __ez_refuse(1, "a thread waits for another one, and differentiated code has made none that could go on [EZ0302]; make "
                   "the other thread in the request, too, or keep the threads out of the differentiated code");
    return 0;
}

/* A fast thread may have done its work before anybody waits for it. */
static int wake_others(void) {
    __ez_refuse(1, "a thread wakes another one, and differentiated code has made none: what the other one does has no "
                   "derivative [EZ0302]; make the other thread in the request, too, or keep the threads out of the "
                   "differentiated code");
    return 0;
}
#define REFUSED_WAKE(RESULT, NAME)                                                                                     \
    RESULT STAND_IN(NAME)(void *condition) {                                                                           \
        (void)condition;                                                                                               \
        return (RESULT)wake_others();                                                                                  \
    }
REFUSED_WAKE(int, pthread_cond_signal)
REFUSED_WAKE(int, pthread_cond_broadcast)
REFUSED_WAKE(int, cnd_signal)
REFUSED_WAKE(int, cnd_broadcast)
REFUSED_WAKE(void, _ZNSt18condition_variable10notify_oneEv)
REFUSED_WAKE(void, _ZNSt18condition_variable10notify_allEv)

int STAND_IN(pthread_cond_wait)(void *condition, void *mutex) {
    (void)condition, (void)mutex;
    return wait_for_others();
}
int STAND_IN(pthread_cond_timedwait)(void *condition, void *mutex, const void *until) {
    (void)condition, (void)mutex, (void)until;
    return wait_for_others();
}
void STAND_IN(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE)(void *condition, void *lock) {
    (void)condition, (void)lock;
    wait_for_others();
}

/* What has been posted is taken. */
int sem_trywait(void *semaphore);
int STAND_IN(sem_wait)(void *semaphore) { return sem_trywait(semaphore) ? wait_for_others() : 0; }
int STAND_IN(sem_timedwait)(void *semaphore, const void *until) {
    (void)until;
    return sem_trywait(semaphore) ? wait_for_others() : 0;
}

/* A barrier of one thread only. */
int pthread_barrier_wait(void *barrier);
int STAND_IN(pthread_barrier_wait)(void *barrier) {
    (void)barrier;
    return wait_for_others();
}

int STAND_IN(cnd_wait)(void *condition, void *mutex) {
    (void)condition, (void)mutex;
    return wait_for_others();
}
int STAND_IN(cnd_timedwait)(void *condition, void *mutex, const void *until) {
    (void)condition, (void)mutex, (void)until;
    return wait_for_others();
}

_Bool STAND_IN(
    _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)(
    void *futex, uint32_t *place, uint32_t value, _Bool has_end, int64_t seconds, int64_t nanoseconds) {
    (void)futex, (void)place, (void)value, (void)has_end, (void)seconds, (void)nanoseconds;
    return wait_for_others();
}
void STAND_IN(_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj)(uint32_t *place) { (void)place; }

/* <atomic>, <latch>, <barrier> and <semaphore> of C++ 20 wait by the system call itself. */
#ifdef __x86_64__
enum { FUTEX = 202 };
#else
enum { FUTEX = 98 };
#endif
enum { WAIT = 0, WAIT_BITSET = 9, OPERATION = 127 };

long syscall(long number, ...);
long STAND_IN(syscall)(long number, ...) {
    va_list list;
    va_start(list, number);
    int32_t *place = va_arg(list, int32_t *);
    long operation = va_arg(list, long), value = va_arg(list, long);
    va_end(list);
    if (number != FUTEX) {
        __ez_primal_only("syscall");
        return syscall(number, place, operation, value);
    }
    int is_wait = (operation & OPERATION) == WAIT || (operation & OPERATION) == WAIT_BITSET;
    if (is_wait && *place == (int32_t)value)
        wait_for_others();
    return 0;
}
