/* OpenMP's constructs that flang and clang lower to calls with memory or a function of their own: in a team of one. */
#include "stand_in.h"

int omp_get_num_threads(void);
void __kmpc_serialized_parallel(void *place, int32_t thread);
void __kmpc_end_serialized_parallel(void *place, int32_t thread);
int32_t __kmpc_global_thread_num(void *place);

/* flang's region with a clause `if`. */
typedef void region(int32_t *thread, int32_t *bound, void *given);
INLINED void STAND_IN(__kmpc_fork_call_if)(void *place, int32_t count, region *region, int32_t condition, void *given) {
    (void)count, (void)condition;
    int32_t thread = __kmpc_global_thread_num(place), bound = 0;
    __kmpc_serialized_parallel(place, thread);
    region(&thread, &bound, given);
    __kmpc_end_serialized_parallel(place, thread);
}

/* A loop that is distributed among teams, and then among the threads of each. */
#define DISTRIBUTED_LOOP(SUFFIX, T, SIGNED)                                                                            \
    void STAND_IN(__kmpc_dist_for_static_init_##SUFFIX)(void *place, int32_t thread, int32_t schedule,                 \
                                                        int32_t *is_last, T *lower, T *upper, T *upper_of_team,        \
                                                        SIGNED *stride, SIGNED step, SIGNED chunk) {                   \
        (void)place, (void)thread, (void)schedule, (void)step, (void)chunk;                                            \
        *is_last = 1;                                                                                                  \
        *upper_of_team = *upper;                                                                                       \
        *stride = (SIGNED)(*upper - *lower + 1);                                                                       \
    }
DISTRIBUTED_LOOP(4, int32_t, int32_t)
DISTRIBUTED_LOOP(4u, uint32_t, int32_t)
DISTRIBUTED_LOOP(8, int64_t, int64_t)
DISTRIBUTED_LOOP(8u, uint64_t, int64_t)
void STAND_IN(__kmpc_push_num_teams)(void *place, int32_t thread, int32_t teams, int32_t threads) {
    (void)place, (void)thread, (void)teams, (void)threads;
}
void STAND_IN(__kmpc_push_num_teams_51)(void *place, int32_t thread, int32_t least, int32_t most, int32_t threads) {
    (void)place, (void)thread, (void)least, (void)most, (void)threads;
}

/* flang's variables of threads: the first thread of the program has the variable itself. */
void *__kmpc_threadprivate_cached(void *place, int32_t thread, void *data, size_t size, void *cache);
void *STAND_IN(__kmpc_threadprivate_cached)(void *place, int32_t thread, void *data, size_t size, void *cache) {
    if (thread == 0)
        return data;
    __ez_primal_only("a variable of Fortran with !$omp threadprivate, in a thread that the program made,");
    return __kmpc_threadprivate_cached(place, thread, data, size, cache);
}

/* Memory of OpenMP's allocators: the memory itself tells which one it came from. */
void *omp_alloc(size_t size, uintptr_t allocator);
void __ez_native_omp_free(void *memory);
void STAND_IN(omp_free)(void *memory, uintptr_t allocator) {
    (void)allocator;
    __ez_native_omp_free(memory);
}
void *STAND_IN(__kmpc_alloc)(int32_t thread, size_t size, void *allocator) {
    (void)thread;
    return omp_alloc(size, (uintptr_t)allocator);
}
void *omp_aligned_alloc(size_t alignment, size_t size, uintptr_t allocator);
void *STAND_IN(__kmpc_aligned_alloc)(int32_t thread, size_t alignment, size_t size, void *allocator) {
    (void)thread;
    return omp_aligned_alloc(alignment, size, (uintptr_t)allocator);
}
void STAND_IN(__kmpc_free)(int32_t thread, void *memory, void *allocator) {
    (void)thread, (void)allocator;
    __ez_native_omp_free(memory);
}
