"""Threads that differentiated code makes and that wait for each other: each is a fiber.

The stand-ins of the functions below (toolchain/stand_ins/threads_fibers.c) call our runtime
(toolchain/runtime/thread_fibers.c), whose functions have rows in runtime_functions.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from .openmp import Dual

#: what a name begins with in the place of the library's, where threads are fibers
FIBER = "__fiber"
#: the call that makes a thread: its routine, and what that is passed
CALL = "__ez_fiber_call"

_FUTEX = "_ZNSt28__atomic_futex_unsigned_base"
_UNTIL = "PjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"

#: make a thread
MAKERS = frozenset(
    [
        *"pthread_create thrd_create".split(),
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
    ]
)
#: let another thread run, for some time
YIELDS = frozenset("sched_yield thrd_yield nanosleep clock_nanosleep usleep sleep thrd_sleep".split())
#: wake threads that wait for a condition variable
WAKES = frozenset(
    """
    pthread_cond_signal pthread_cond_broadcast cnd_signal cnd_broadcast
    _ZNSt18condition_variable10notify_oneEv _ZNSt18condition_variable10notify_allEv
    """.split()
)
#: wait for what another thread does, or let it run; but for locks, and for the end of a thread
WAITS = YIELDS | frozenset(
    [
        *"pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait cnd_wait cnd_timedwait".split(),
        *"pthread_barrier_wait sem_wait sem_timedwait sem_clockwait syscall".split(),
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
        f"{_FUTEX}19_M_futex_wait_untilE{_UNTIL}",
        f"{_FUTEX}26_M_futex_wait_until_steadyE{_UNTIL}",
    ]
)
#: have stand-ins for fibers
ON_FIBERS = (
    MAKERS
    | WAITS
    | WAKES
    | frozenset(
        """
        sem_trywait pthread_self pthread_join pthread_detach pthread_once thrd_current thrd_join thrd_detach call_once
        _ZNSt6thread4joinEv
        pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_timedlock pthread_mutex_clocklock
        pthread_spin_lock pthread_spin_trylock pthread_spin_unlock
        pthread_rwlock_wrlock pthread_rwlock_trywrlock pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock
        pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock
        pthread_rwlock_unlock mtx_lock mtx_trylock mtx_timedlock mtx_unlock
        """.split()
    )
    | frozenset([f"{_FUTEX}19_M_futex_notify_allEPj"])
)

#: functions of our runtime where another fiber may run: they count as a write of any memory
DUALS: Mapping[str, Dual] = {
    "__ez_fiber_wait": Dual("__ez_fiber_wait_taped", "__ez_fiber_wait_back", (), has_ticket=True),
}
