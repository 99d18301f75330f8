/* Threads and OpenMP: in differentiated code, one thread does all work, in the order of the program.
 *
 * A new thread's function runs at once, in the thread that creates it. A parallel region runs in a team of one
 * (stand_ins.py calls the region's function); in such a team, OpenMP's library does what it should. What divides work
 * among the threads of a team that the program made before it called the derivative is left to the library: the threads
 * would add to the same shadows. */
#include "stand_in.h"

typedef void *thread_function(void *);

/* Runs the function of a thread, which has variables of its own (link/merged_module/threads/made_threads.py). */
void *__ez_run_thread(thread_function *function, void *argument);

/* A thread differs from others: what it is called, while its function runs. 0: the thread that all others run in. */
static _Thread_local uintptr_t made_thread;
uintptr_t pthread_self(void);
uintptr_t STAND_IN(pthread_self)(void) { return made_thread ? made_thread : pthread_self(); }
uintptr_t STAND_IN(thrd_current)(void) { return made_thread ? made_thread : pthread_self(); }

struct finished {
    void *result;
};

/* The program's own type of a thread is an integer, or another pointer. */
typedef struct finished *thread_of_posix __attribute__((may_alias));

int STAND_IN(pthread_create)(thread_of_posix *thread, const void *attributes, thread_function *function,
                             void *argument) {
    (void)attributes;
    struct finished *finished = malloc(sizeof *finished);
    uintptr_t maker = made_thread;
    made_thread = (uintptr_t)finished;
    finished->result = __ez_run_thread(function, argument);
    made_thread = maker;
    *thread = finished;
    return 0;
}

/* In a function that only threads run, it is a return (made_threads.py). */
static void refuse_exit(void) {
    __ez_refuse(1, "a thread ends itself in a function that others call, and one thread does all work in differentiated "
                   "code [EZ0302]; return from the function of the thread");
}
void STAND_IN(pthread_exit)(void *result) {
    (void)result;
    refuse_exit();
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

/* std::call_once passes a function of the library, which calls what a variable of the thread points to. */
extern _Thread_local void (*_ZSt11__once_call)(void) __attribute__((weak));
extern void __once_proxy(void) __attribute__((weak));

INLINED int STAND_IN(pthread_once)(int32_t *once, void (*function)(void)) {
    enum { DONE = 2 };
    if (*once == DONE)
        return 0;
    *once = DONE;
    if (function == __once_proxy)
        _ZSt11__once_call();
    else
        function();
    return 0;
}

/* <threads.h> of C11: the result of a thread is an int. */
typedef int plain_thread_function(void *);
int __ez_run_plain_thread(plain_thread_function *function, void *argument);

struct plain_finished {
    int result;
};

typedef struct plain_finished *thread_of_c11 __attribute__((may_alias));

int STAND_IN(thrd_create)(thread_of_c11 *thread, plain_thread_function *function, void *argument) {
    struct plain_finished *finished = malloc(sizeof *finished);
    uintptr_t maker = made_thread;
    made_thread = (uintptr_t)finished;
    finished->result = __ez_run_plain_thread(function, argument);
    made_thread = maker;
    *thread = finished;
    return 0;
}

void STAND_IN(thrd_exit)(int result) {
    (void)result;
    refuse_exit();
}

int STAND_IN(thrd_join)(uintptr_t thread, int *result) {
    struct plain_finished *finished = (struct plain_finished *)thread;
    if (result)
        *result = finished->result;
    free(finished);
    return 0;
}

int STAND_IN(thrd_detach)(uintptr_t thread) {
    free((struct plain_finished *)thread);
    return 0;
}

INLINED void STAND_IN(call_once)(int32_t *once, void (*function)(void)) {
    enum { DONE = 2 };
    if (*once == DONE)
        return;
    *once = DONE;
    function();
}

/* std::future and std::async */
struct future_result {
    void *const *methods;
    void *error;
};

void STAND_IN(_ZNSt13__future_base12_Result_baseC2Ev)(struct future_result *result) { result->error = NULL; }
void STAND_IN(_ZNSt13__future_base12_Result_baseD2Ev)(struct future_result *result) { (void)result; }

/* std::thread: its state is an object whose third virtual function is the thread's. */
struct state {
    void *const *methods;
};

typedef void method(struct state *);
void __ez_run_state(method *run, struct state *state);

/* The library may join a thread, in functions without bitcode: so there is one (natives/threads.c). */
uint64_t __ez_inactive_ended_thread(void);

void STAND_IN(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)(
    uint64_t *thread, struct state **owned, void (*unused)(void)) {
    (void)unused;
    uintptr_t maker = made_thread;
    *thread = made_thread = __ez_inactive_ended_thread();
    __ez_run_state((method *)(*owned)->methods[2], *owned);
    made_thread = maker;
}

/* Regions run in teams of one. So whatever asks how many threads a region will have, or limits them, says one: the
 * program may give a slot to each thread, and read them all after the region. Fortran calls the names with `_` without
 * omp_lib. */
#define ONE_THREAD(NAME)                                                                                               \
    int STAND_IN(NAME)(void) { return 1; }                                                                             \
    int STAND_IN(NAME##_)(void) { return 1; }
ONE_THREAD(omp_get_max_threads)
ONE_THREAD(omp_get_num_procs)
ONE_THREAD(omp_get_thread_limit)

void STAND_IN(__kmpc_push_num_threads)(void *place, int32_t thread, int32_t count) {
    (void)place, (void)thread, (void)count;
}

/* Some regions run once for each thread of their team, one after the other: in turns (teams_of_one.py of the link). */
static _Thread_local int32_t turn, turns;
void STAND_IN(__team_turn)(int32_t number, int32_t count) {
    turn = number;
    turns = count;
}
void STAND_IN(__team_alone)(int32_t count) {
    __ez_refuse(count > 1, "a parallel region for several threads divides its work by their numbers, and here it runs in one "
                           "thread in differentiated code [EZ0312]; divide the work by a loop of OpenMP, or ask for "
                           "omp_get_num_threads in the region");
}
int omp_get_max_threads(void);
int32_t STAND_IN(__team_size)(void) { return omp_get_max_threads(); }
int omp_get_thread_num(void);
int omp_get_num_threads(void);
#define IN_TURNS(NAME, VALUE)                                                                                          \
    int STAND_IN(NAME)(void) { return turns ? VALUE : NAME(); }                                                        \
    int STAND_IN(NAME##_)(void) { return STAND_IN(NAME)(); }
IN_TURNS(omp_get_thread_num, turn)
IN_TURNS(omp_get_num_threads, turns)

static int counts_threads(const char *name) { return !strcmp(name, "OMP_NUM_THREADS") || !strcmp(name, "OMP_THREAD_LIMIT"); }

char *STAND_IN(getenv)(const char *name) { return counts_threads(name) ? (char *)"1" : getenv(name); }

char *secure_getenv(const char *name);
char *STAND_IN(secure_getenv)(const char *name) { return counts_threads(name) ? (char *)"1" : secure_getenv(name); }

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

/* What the thread of `single` hands on has one receiver, the thread itself. */
typedef void handed_on(void *, void *);
void __kmpc_copyprivate(void *place, int32_t thread, size_t size, void *data, handed_on *copy, int32_t did);
void STAND_IN(__kmpc_copyprivate)(void *place, int32_t thread, size_t size, void *data, handed_on *copy, int32_t did) {
    if (omp_get_num_threads() != 1) {
        __ez_primal_only("OpenMP's copyprivate in a team of threads");
        __kmpc_copyprivate(place, thread, size, data, copy, did);
    }
}
void *__kmpc_copyprivate_light(void *place, int32_t thread, void *data);
void *STAND_IN(__kmpc_copyprivate_light)(void *place, int32_t thread, void *data) {
    if (omp_get_num_threads() != 1) {
        __ez_primal_only("OpenMP's copyprivate in a team of threads");
        return __kmpc_copyprivate_light(place, thread, data);
    }
    return data;
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

/* Tasks run where they are made, in a team of one. Their memory: teams.c. An untied task gives itself up at each point
 * where another thread may go on with it: `part` counts these. */

struct task *STAND_IN(__kmpc_omp_task_alloc)(void *place, int32_t thread, int32_t flags, size_t size, size_t shared,
                                             int32_t (*routine)(int32_t, struct task *)) {
    (void)place, (void)thread, (void)flags;
    size_t before = (size + 15) / 16 * 16;
    struct task *task = malloc(before + shared);
    task->shared = shared ? (char *)task + before : NULL;
    task->routine = routine;
    task->part = 0;
    return task;
}

int32_t STAND_IN(__kmpc_omp_task)(void *place, int32_t thread, struct task *task) {
    (void)place;
    int is_begin = task->part == 0;
    task->routine(thread, task);
    if (is_begin)
        free(task);
    return 0;
}

/* Tasks before this one have run, so there is nothing to depend on. */
struct dependence {
    void *address;
    size_t length;
    uint64_t flags;
};

int32_t STAND_IN(__kmpc_omp_task_with_deps)(void *place, int32_t thread, struct task *task, int32_t count,
                                            struct dependence *dependences, int32_t others, struct dependence *more) {
    (void)count, (void)dependences, (void)others, (void)more;
    return STAND_IN(__kmpc_omp_task)(place, thread, task);
}
/* A task whose condition is false: the program calls it itself, between these. */
void STAND_IN(__kmpc_omp_task_begin_if0)(void *place, int32_t thread, struct task *task) {
    (void)place, (void)thread, (void)task;
}
void STAND_IN(__kmpc_omp_task_complete_if0)(void *place, int32_t thread, struct task *task) {
    (void)place, (void)thread;
    free(task);
}
void STAND_IN(__kmpc_omp_wait_deps)(void *place, int32_t thread, int32_t count, struct dependence *dependences,
                                    int32_t others, struct dependence *more) {
    (void)place, (void)thread, (void)count, (void)dependences, (void)others, (void)more;
}
void STAND_IN(__kmpc_omp_taskwait_deps_51)(void *place, int32_t thread, int32_t count, struct dependence *dependences,
                                           int32_t others, struct dependence *more, int32_t has_no_wait) {
    (void)place, (void)thread, (void)count, (void)dependences, (void)others, (void)more, (void)has_no_wait;
}

/* A loop of tasks is one task. In clang's, the bounds, the step and the mark of the last task lie behind each other; a
 * loop that has a mark has a function that copies the task and sets it. flang's loops have no mark. */
struct bounds {
    uint64_t lower, upper;
    int64_t step;
    int32_t is_last;
};

static void run_loop(int32_t thread, struct task *task, uint64_t *lower, uint64_t *upper, int64_t step, void *copy) {
    int is_empty = step > 0 ? *upper + 1 == *lower : *lower + 1 == *upper;
    if (copy)
        ((struct bounds *)lower)->is_last = 1;
    if (!is_empty)
        task->routine(thread, task);
    free(task);
}
void STAND_IN(__kmpc_taskloop)(void *place, int32_t thread, struct task *task, int32_t condition, uint64_t *lower,
                               uint64_t *upper, int64_t step, int32_t has_no_group, int32_t schedule, uint64_t grain,
                               void *copy) {
    (void)place, (void)condition, (void)has_no_group, (void)schedule, (void)grain;
    run_loop(thread, task, lower, upper, step, copy);
}
void STAND_IN(__kmpc_taskloop_5)(void *place, int32_t thread, struct task *task, int32_t condition, uint64_t *lower,
                                 uint64_t *upper, int64_t step, int32_t has_no_group, int32_t schedule, uint64_t grain,
                                 int32_t modifier, void *copy) {
    (void)place, (void)condition, (void)has_no_group, (void)schedule, (void)grain, (void)modifier;
    run_loop(thread, task, lower, upper, step, copy);
}

/* Tasks add to what a reduction is about. */
void *STAND_IN(__kmpc_taskred_init)(int32_t thread, int32_t count, void *data) {
    (void)thread, (void)count;
    return data;
}
void *STAND_IN(__kmpc_taskred_modifier_init)(void *place, int32_t thread, int32_t is_loop, int32_t count, void *data) {
    (void)place, (void)thread, (void)is_loop, (void)count;
    return data;
}
void STAND_IN(__kmpc_task_reduction_modifier_fini)(void *place, int32_t thread, int32_t is_loop) {
    (void)place, (void)thread, (void)is_loop;
}
void *STAND_IN(__kmpc_task_reduction_get_th_data)(int32_t thread, void *group, void *item) {
    (void)thread, (void)group;
    return item;
}
