"""Threads that differentiated code makes and joins, and that never wait for each other: they run on a team.

A thread that is made is *gathered*: it runs when its maker next joins one. All that are gathered then run at the same
time, as a parallel region of which each iteration is a thread. The stand-ins of the functions below
(toolchain/stand_ins/threads_gathered.c) do that.
"""

from __future__ import annotations

from .fibers import MAKERS

#: what a name begins with in the place of the library's, where threads are gathered
GATHERED = "__gathered"
#: have stand-ins where threads are gathered
ON_GATHERED = MAKERS | frozenset(
    """
    pthread_join pthread_detach thrd_join thrd_detach _ZNSt6thread4joinEv _ZNSt6thread6detachEv
    """.split()
)
#: other functions of threads that a maker may call: they neither run a thread, nor tell whether one has run
PLAIN = frozenset(
    """
    pthread_attr_init pthread_attr_destroy pthread_attr_setstacksize pthread_attr_getstacksize
    pthread_attr_setdetachstate
    pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_unlock
    pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype
    pthread_self pthread_equal thrd_current thrd_equal mtx_init mtx_destroy mtx_lock mtx_unlock
    _ZNSt6thread20hardware_concurrencyEv _ZNSt6thread6_StateD2Ev
    """.split()
)
#: tell a thread from others
NAMES = frozenset("pthread_self thrd_current".split())
#: Runs the threads that are gathered. It is called before a requested function returns, too.
RUN = "__team_run_gathered"
#: what stand-ins call to get the number of a thread's function: the result of that
FUNCTIONS = {"__ez_gathered_posix": "ptr", "__ez_gathered_c11": "i32", "__ez_gathered_state": "void"}
#: what stand-ins call to run such a function, to delete what it was given, and to read its result
CALL, END, RESULT = "__ez_gathered_call", "__ez_gathered_end", "__ez_gathered_result"
#: what they call to note that there is a thread, to run all, and to run one of those of several functions
ADD, RUN_ALL, NTH = "__ez_gathered_add", "__ez_gathered_run", "__ez_gathered_nth"
