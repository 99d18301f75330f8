"""OpenMP's library calls in regions that run on teams of threads: which ones there are, and their duals.

A region that reaches a call of the library which is in none of these tables runs in a team of one
(link/merged_module/threads/parallel_regions.py). Stand-ins for teams (toolchain/stand_ins/teams.c) call functions of
our runtime, which have rows in runtime_functions.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

#: divide work among the threads of a team, or choose one; the bounds of what a thread does are integers in its memory
WORK = {
    "__kmpc_for_static_init_4 __kmpc_for_static_init_4u": "r0 r4 r5 r6 i3 i4 i5 i6 local",
    "__kmpc_for_static_init_8 __kmpc_for_static_init_8u": "r0 r4 r5 r6 i3 i4 i5 i6 local",
    "__kmpc_dispatch_init_4 __kmpc_dispatch_init_4u __kmpc_dispatch_init_8 __kmpc_dispatch_init_8u": "r0 local",
    "__kmpc_dispatch_next_4 __kmpc_dispatch_next_4u": "r0 i2 i3 i4 i5 local",
    "__kmpc_dispatch_next_8 __kmpc_dispatch_next_8u": "r0 i2 i3 i4 i5 local",
    "__kmpc_single __kmpc_end_single __kmpc_push_num_threads": "r0 local",
    "omp_get_max_threads omp_get_num_procs omp_get_thread_limit": "",
    "omp_get_max_threads_ omp_get_num_procs_ omp_get_thread_limit_": "",
}

#: what the names of calls begin with that divide a loop once, and the schedule that they are passed third: chunks, or
#: chunks that fit vectors, with or without these bits (normalise/threads/schedules.py)
STATIC_LOOP = "__kmpc_for_static_init_"
STATIC_CHUNKS, BALANCED_CHUNKS, SCHEDULE_MODIFIERS = 33, 45, 3 << 29
#: the call that starts a region: its place, the number of captures, the region's function, the captures
FORK = "__kmpc_fork_call"
#: the call that makes a task of a function (toolchain/stand_ins/threads.c)
TASK = "__ez_team_task"
#: The end of a group of tasks with a reduction, or of a region with one, by what begins it. That is passed the thread,
#: the number of variables, and an array that tells of each (threads/task_reductions.py of the link).
TASK_REDUCTIONS = {
    "__kmpc_taskred_init": "__kmpc_end_taskgroup",
    "__kmpc_taskred_modifier_init": "__kmpc_task_reduction_modifier_fini",
}
#: returns the address of a task's copy of a variable
TASK_COPY = "__kmpc_task_reduction_get_th_data"
#: gives each thread's variables what they are in one thread (threads/broadcasts.py of the link)
COPYPRIVATE = "__kmpc_copyprivate"
#: returns the address of a thread's copy of a variable (threads/library_copies.py of the link)
THREAD_COPY = "__kmpc_threadprivate_cached"
#: what names of the program's own functions begin with, while derivatives are made of copies
NATIVE = "native."
#: what a name begins with in the place of OpenMP's, where differentiated code runs on a team and there is a stand-in
TEAM = "__team"

#: have stand-ins for teams
_ON_TEAMS = frozenset(
    """
    __kmpc_barrier __kmpc_critical __kmpc_critical_with_hint __kmpc_end_critical __kmpc_ordered __kmpc_end_ordered
    __kmpc_reduce __kmpc_reduce_nowait __kmpc_end_reduce __kmpc_end_reduce_nowait
    omp_set_lock omp_unset_lock omp_set_lock_ omp_unset_lock_
    pthread_mutex_lock pthread_mutex_unlock mtx_lock mtx_unlock
    """.split()
)
#: Members of headers that have stand-ins for teams, too: elsewhere, they have no derivative, whatever they call.
MEMBERS_ON_TEAMS = frozenset("_ZNSt5mutex4lockEv _ZNSt5mutex6unlockEv".split())
#: Sections of these take tickets. A task must not wait for a ticket of one that its thread runs later.
TICKETS = _ON_TEAMS - {"__kmpc_barrier"}
#: tasks, which have stand-ins for teams, too
TASKS = frozenset(
    """
    __kmpc_omp_task_alloc __kmpc_omp_task __kmpc_omp_taskwait __kmpc_end_taskgroup __kmpc_taskloop __kmpc_taskloop_5
    __kmpc_omp_task_with_deps __kmpc_omp_wait_deps __kmpc_omp_taskwait_deps_51
    __kmpc_omp_reg_task_with_affinity __kmpc_omp_taskyield
    """.split()
)
#: are called as they are
_PLAIN = frozenset(
    """
    __kmpc_global_thread_num __kmpc_serialized_parallel __kmpc_end_serialized_parallel __kmpc_push_proc_bind
    __kmpc_master __kmpc_end_master __kmpc_masked __kmpc_end_masked __kmpc_for_static_fini
    __kmpc_dispatch_fini_4 __kmpc_dispatch_fini_8 __kmpc_dispatch_fini_4u __kmpc_dispatch_fini_8u __kmpc_dispatch_deinit
    omp_init_lock omp_destroy_lock omp_init_lock_ omp_destroy_lock_
    __kmpc_taskgroup
    omp_get_num_threads omp_get_thread_num omp_in_parallel omp_get_wtime omp_get_wtick omp_get_level
    omp_get_team_size omp_get_ancestor_thread_num omp_get_active_level omp_get_max_active_levels omp_get_dynamic
    omp_get_nested omp_set_num_threads omp_set_dynamic omp_set_nested omp_set_max_active_levels
    omp_get_num_threads_ omp_get_thread_num_ omp_in_parallel_ omp_get_wtime_ omp_get_wtick_ omp_get_level_
    omp_get_dynamic_ omp_get_nested_ omp_set_num_threads_ omp_set_dynamic_ omp_set_nested_
    """.split()
)
#: tell a thread of a team from the others, or how many there are
TELL_THREADS = frozenset(
    "omp_get_thread_num omp_get_num_threads omp_get_team_size omp_get_ancestor_thread_num "
    "omp_get_thread_num_ omp_get_num_threads_".split()
)
_WORK = frozenset(name for names in WORK for name in names.split())
#: what takes and gives back the lock of sections that only add: these have no duals
SUMS = {"__ez_team_enter": "__ez_team_enter_to_add", "__ez_team_leave": "__ez_team_leave_added"}
#: the operand of such calls that says that the section runs in the order of a loop (toolchain/stand_ins/teams.c)
ORDERED_SECTION = "1"
#: A derivative that does not run on a team of its own must not make these calls in a team of the program.
DIVIDES = frozenset(
    name
    for name in (*_WORK, "__ez_team_barrier", *SUMS, *SUMS.values())
    if not name.startswith(("omp_", "__kmpc_push"))
)
_OF_THREADS = re.compile(
    r"__kmpc_\w+|omp_\w+|__tgt_\w+|__atomic_\w+|syscall|pthread_\w+|thrd_\w+|mtx_\w+|cnd_\w+|sem_\w+|call_once|tss_\w+|GOMP_\w+"
    r"|_ZN?K?St(?:6thread|18condition_variable|13__future_base|28__atomic_futex|10this_thread)\w*"
    r"|_ZNSt3__1\d+(?:thread|mutex|condition_variable)\w*"
)
#: no row: they only end the program, or tell nothing of threads
_HARMLESS = frozenset("pthread_self omp_get_wtime _ZNSt6thread6_StateD2Ev".split())


def on_team(name: str) -> str | None:
    """Returns what a function is called in a region that runs on a team; None if such a region must not call it."""
    if name in _ON_TEAMS or name in TASKS or name in MEMBERS_ON_TEAMS:
        return TEAM + name
    is_known = name in _PLAIN or name in _WORK or name in _HARMLESS or name == FORK
    return name if is_known or not _OF_THREADS.fullmatch(name) else None


def is_of_threads(name: str) -> bool:
    """True if a library's function belongs to threads."""
    return _OF_THREADS.fullmatch(name) is not None


def is_of_openmp(name: str) -> bool:
    """True for a function of OpenMP's library."""
    return name.startswith(("__kmpc_", "omp_"))


def library_name(name: str) -> str:
    """Returns OpenMP's name of a function that is called by its name on teams."""
    return name.removeprefix(TEAM)


def is_called_itself(name: str) -> bool:
    """True if a function has a stand-in for teams of one, and is called itself where regions run on teams."""
    return name in _WORK or name in _PLAIN


#: atomic updates of memory: in which order threads make them does not matter for derivatives
UNORDERED_UPDATES = frozenset("add sub and or xor nand max min umax umin fadd fsub".split())


class Dual(NamedTuple):
    """What orders threads: `taped` takes its place in the primal sweep, `reverse` in the reverse sweep.

    The reverse call is passed the operands with the numbers `operands`, then the result of the first if `has_ticket`.
    """

    taped: str
    reverse: str
    operands: tuple[int, ...]
    has_ticket: bool


#: functions of our runtime (toolchain/runtime/teams.c)
DUALS: Mapping[str, Dual] = {
    "__ez_team_barrier": Dual("__ez_team_barrier_taped", "__ez_team_barrier_back", (0,), has_ticket=False),
    "__ez_team_wait": Dual("__ez_team_wait_taped", "__ez_team_wait_back", (), has_ticket=False),
    "__ez_team_enter": Dual("__ez_team_enter_taped", "__ez_team_leave_back", (1,), has_ticket=True),
    "__ez_team_leave": Dual("__ez_team_leave_taped", "__ez_team_enter_back", (1,), has_ticket=True),
}
