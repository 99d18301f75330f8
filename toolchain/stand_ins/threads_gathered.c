/* Threads of differentiated code that never wait for each other: they are gathered until one is joined, and then run on a
 * team, as a parallel region. The names are those of the library, behind `__gathered` (enzyme_cc/rules/parallel/gathered.py).
 * A thread may begin late: nobody waits for what it does but by joining it. */
#include "stand_in.h"

#define GATHERED(NAME) STAND_IN(__gathered##NAME)

/* The link gives numbers to functions of threads (enzyme_cc/autodiff/optimise/gathered_functions.py). For each, there is a
 * list of the threads that have been made, and a region, which calls the function by its name. What these calls do for the
 * function with a number is made then, too. `__ez_gathered_state` also takes what deletes the state. */
__attribute__((const, nothrow)) uint64_t __ez_gathered_posix(thread_function *function);
__attribute__((const, nothrow)) uint64_t __ez_gathered_c11(plain_thread_function *function);
__attribute__((const, nothrow)) uint64_t __ez_gathered_state(method *run, method *delete);
__attribute__((nothrow)) void __ez_gathered_call(uint64_t function, void *argument, void *finished);
__attribute__((nothrow)) void __ez_gathered_end(uint64_t function, void *argument);
__attribute__((nothrow)) void *__ez_gathered_result(struct finished *finished);

/* `finished`: where the result goes, if somebody may ask for it */
struct gathered {
    struct gathered *before;
    void *argument, *finished;
};
struct gathered_list {
    struct gathered *last;
    uint64_t count;
};
/* those of one function that run now */
struct gathered_array {
    struct gathered **all;
    uint64_t count;
};

/* in the place of a function's number: threads of several functions run together */
static const uint64_t SEVERAL = UINT64_MAX;

/* Adds to the list of a function, by the last operand. */
typedef void gathered_adding(struct gathered_list *list, void *argument, void *finished);
__attribute__((nothrow)) void __ez_gathered_add(uint64_t function, void *argument, void *finished, gathered_adding *add);
/* Runs what is on all lists: by the first two operands, if all threads have one function. Otherwise, the others make arrays of
 * the lists, run all these as one region, and end them. */
typedef void gathered_running(struct gathered_list *list, uint64_t function, void *region);
typedef void gathered_part(int32_t *thread, void *threads, uint64_t count, uint64_t function);
typedef void gathered_taking(struct gathered_list *list, struct gathered_array *taken);
typedef void gathered_forking(void *threads, uint64_t count, void *region);
typedef void gathered_ending(struct gathered_array *taken, uint64_t function);
__attribute__((nothrow)) void __ez_gathered_run(gathered_running *run, gathered_part *part, gathered_taking *take,
                                                gathered_forking *fork, gathered_ending *end);
/* Runs a thread of several arrays: the last operand is given its array, its place there, and its function. */
typedef void gathered_one(struct gathered **all, uint64_t k, uint64_t function);
__attribute__((nothrow)) void __ez_gathered_nth(struct gathered_array *arrays, uint64_t k, gathered_one *run);

/* OpenMP's: where a construct is */
struct construct {
    int32_t reserved, flags, more[2];
    const char *source;
};
static struct construct here = {0, 2, {0, 0}, ";unknown;threads;0;0;;"};

int32_t __kmpc_global_thread_num(void *place);
void __kmpc_push_num_threads(void *place, int32_t thread, int32_t count);
void __kmpc_fork_call(void *place, int32_t count, void *region, ...);
void __kmpc_for_static_fini(void *place, int32_t thread);

enum { STATIC_CHUNKS = 33 };

static ALWAYS_INLINE void add_gathered(struct gathered_list *list, void *argument, void *finished) {
    struct gathered *made = malloc(sizeof *made);
    made->before = list->last;
    made->argument = argument;
    made->finished = finished;
    list->last = made;
    list->count++;
}

static ALWAYS_INLINE void run_one(struct gathered **all, uint64_t k, uint64_t function) {
    __ez_gathered_call(function, all[k]->argument, all[k]->finished);
}

/* What one thread of the team does. `threads`: an array of threads, or the arrays of several functions. */
static ALWAYS_INLINE void run_part(int32_t *thread, void *threads, uint64_t count, uint64_t function) {
    uint64_t lower = 0, last = count - 1, upper = last;
    int64_t stride = 1;
    int32_t is_last = 0;
    __kmpc_for_static_init_8u(&here, *thread, STATIC_CHUNKS, &is_last, &lower, &upper, &stride, 1, 1);
    for (; lower <= last; lower += (uint64_t)stride, upper += (uint64_t)stride) /* a thread alone has one chunk of all */
        for (uint64_t k = lower, end = upper < last ? upper : last; k <= end; k++)
            if (function == SEVERAL)
                __ez_gathered_nth(threads, k, run_one);
            else
                run_one(threads, k, function);
    __kmpc_for_static_fini(&here, *thread);
}

static ALWAYS_INLINE void take_list(struct gathered_list *list, struct gathered_array *taken) {
    uint64_t count = list->count;
    struct gathered **all = count ? malloc(count * sizeof *all) : NULL, *made = list->last;
    for (uint64_t k = count; k-- > 0; made = made->before)
        all[k] = made;
    list->last = NULL;
    list->count = 0;
    taken->all = all;
    taken->count = count;
}

static ALWAYS_INLINE void fork_team(void *threads, uint64_t count, void *region) {
    __kmpc_push_num_threads(&here, __kmpc_global_thread_num(&here), (int32_t)count);
    __kmpc_fork_call(&here, 2, region, threads, count);
}

static ALWAYS_INLINE void end_list(struct gathered_array *taken, uint64_t function) {
    struct gathered **all = taken->all;
    for (uint64_t k = 0; k < taken->count; k++) {
        __ez_gathered_end(function, all[k]->argument);
        free(all[k]);
    }
    free(all);
}

static ALWAYS_INLINE void run_list(struct gathered_list *list, uint64_t function, void *region) {
    if (!list->count)
        return;
    struct gathered_array taken;
    take_list(list, &taken);
    fork_team(taken.all, taken.count, region);
    end_list(&taken, function);
}

static ALWAYS_INLINE void gather(uint64_t function, void *argument, void *finished) {
    __ez_gathered_add(function, argument, finished, add_gathered);
}
static void run_gathered(void) { __ez_gathered_run(run_list, run_part, take_list, fork_team, end_list); }

/* before a function of a request returns (gathered_threads.py) */
void STAND_IN(__team_run_gathered)(void) { run_gathered(); }

int GATHERED(pthread_create)(thread_of_posix *thread, const void *attributes, thread_function *function, void *argument) {
    (void)attributes;
    struct finished *finished = malloc(sizeof *finished);
    finished->result = NULL;
    *thread = finished;
    gather(__ez_gathered_posix(function), argument, finished);
    return 0;
}
int GATHERED(pthread_join)(uintptr_t thread, void **result) {
    run_gathered();
    if (result)
        *result = __ez_gathered_result((struct finished *)thread);
    free((struct finished *)thread);
    return 0;
}
int GATHERED(pthread_detach)(uintptr_t thread) {
    run_gathered();
    return STAND_IN(pthread_detach)(thread);
}

int GATHERED(thrd_create)(thread_of_c11 *thread, plain_thread_function *function, void *argument) {
    struct plain_finished *finished = malloc(sizeof *finished);
    finished->result = 0;
    *thread = finished;
    gather(__ez_gathered_c11(function), argument, finished);
    return 0;
}
int GATHERED(thrd_join)(uintptr_t thread, int *result) {
    run_gathered();
    return STAND_IN(thrd_join)(thread, result);
}
int GATHERED(thrd_detach)(uintptr_t thread) {
    run_gathered();
    return STAND_IN(thrd_detach)(thread);
}

/* The state belongs to the thread. Its second function deletes it. */
void GATHERED(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)(
    uint64_t *thread, struct state **owned, void (*unused)(void)) {
    (void)unused;
    struct state *state = *owned;
    *owned = NULL;
    *thread = __ez_inactive_ended_thread();
    gather(__ez_gathered_state((method *)state->methods[2], (method *)state->methods[1]), state, NULL);
}
void _ZNSt6thread4joinEv(uint64_t *thread);
void GATHERED(_ZNSt6thread4joinEv)(uint64_t *thread) {
    run_gathered();
    _ZNSt6thread4joinEv(thread);
}
void _ZNSt6thread6detachEv(uint64_t *thread);
void GATHERED(_ZNSt6thread6detachEv)(uint64_t *thread) {
    run_gathered();
    _ZNSt6thread6detachEv(thread);
}
