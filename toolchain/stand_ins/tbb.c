/* oneTBB: in differentiated code, one thread does all work. Its algorithms are templates in headers, which call a small
 * library. A task that is spawned runs at once, so nothing is left to wait for. An exception of a task leaves the call
 * that spawns it. Memory has rows in enzyme_cc/rules/memory_functions.py, and calls that only make, set or ask something
 * have rows in rules/inactive.py. What the templates divide: link/merged_module/threads/undivided_work.py.
 *
 * Classes of the headers are structs here, with the members that are used. */
#include "stand_in.h"

static int32_t wait_for_others(void); /* thread_waits.c */

#define TBB(NAME) STAND_IN(_ZN3tbb6detail2r1##NAME)

/* task_group_context */
struct tbb_group {
    uint64_t settings;
    uint32_t is_cancelled;
};

/* execution_data */
struct tbb_execution {
    struct tbb_group *group;
    uint16_t made_in, meant_for;
};

/* Two destructors, execute and cancel. `execute` returns the task to go on with, if any. */
struct tbb_task;
typedef struct tbb_task *tbb_task_method(struct tbb_task *, struct tbb_execution *);
struct tbb_task {
    tbb_task_method *const *methods;
};
enum { TBB_EXECUTE = 2, TBB_NO_SLOT = 0xffff };

/* The first call is no part of the loop: LLVM knows what it calls. */
INLINED static void tbb_run(struct tbb_task *task, struct tbb_group *group) {
    __ez_refuse(group->is_cancelled, "a task of a cancelled group would be left out in differentiated code [EZ0302]; test "
                                     "in the task itself whether the group is cancelled");
    struct tbb_execution execution = {group, 0, TBB_NO_SLOT};
    for (struct tbb_task *next = task->methods[TBB_EXECUTE](task, &execution); next;)
        next = next->methods[TBB_EXECUTE](next, &execution);
}

INLINED void TBB(5spawnERNS0_2d14taskERNS2_18task_group_contextE)(struct tbb_task *task, struct tbb_group *group) {
    tbb_run(task, group);
}
INLINED void TBB(5spawnERNS0_2d14taskERNS2_18task_group_contextEt)(struct tbb_task *task, struct tbb_group *group,
                                                                 uint16_t slot) {
    (void)slot;
    tbb_run(task, group);
}
INLINED void TBB(16execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_)(
    struct tbb_task *task, struct tbb_group *of_task, void *wait, struct tbb_group *of_wait) {
    (void)wait, (void)of_wait;
    tbb_run(task, of_task);
}
INLINED void TBB(6submitERNS0_2d14taskERNS2_18task_group_contextEPNS1_5arenaEm)(
    struct tbb_task *task, struct tbb_group *group, void *arena, uint64_t is_critical) {
    (void)arena, (void)is_critical;
    tbb_run(task, group);
}
INLINED void TBB(7enqueueERNS0_2d14taskERNS2_18task_group_contextEPNS2_15task_arena_baseE)(
    struct tbb_task *task, struct tbb_group *group, void *arena) {
    (void)arena;
    tbb_run(task, group);
}
INLINED void TBB(7enqueueERNS0_2d14taskEPNS2_15task_arena_baseE)(struct tbb_task *task, void *arena) {
    (void)arena;
    uint64_t group[16] = {0};
    tbb_run(task, (struct tbb_group *)group);
}

void TBB(4waitERNS0_2d112wait_contextERNS2_18task_group_contextE)(void *wait, struct tbb_group *group) {
    (void)wait, (void)group;
}
void TBB(14notify_waitersEm)(uint64_t wait) { (void)wait; }
/* Newer headers count the tasks of each thread. */
void *TBB(27get_thread_reference_vertexEPNS0_2d126wait_tree_vertex_interfaceE)(void *top) { return top; }
/* A mutex of the headers is free. */
void TBB(15wait_on_addressEPvRNS0_2d113delegate_baseEm)(void *address, void *is_there, uint64_t context) {
    (void)address, (void)is_there, (void)context;
    wait_for_others();
}

_Bool TBB(28is_group_execution_cancelledERNS0_2d118task_group_contextE)(struct tbb_group *group) {
    return group->is_cancelled;
}
_Bool TBB(22cancel_group_executionERNS0_2d118task_group_contextE)(struct tbb_group *group) {
    _Bool was_cancelled = group->is_cancelled;
    group->is_cancelled = 1;
    return !was_cancelled;
}
void TBB(5resetERNS0_2d118task_group_contextE)(struct tbb_group *group) { group->is_cancelled = 0; }

/* How many threads there are, and which of them this is. */
uint16_t TBB(14execution_slotEPKNS0_2d114execution_dataE)(const struct tbb_execution *execution) {
    return execution ? execution->made_in : 0;
}
int TBB(15max_concurrencyEPKNS0_2d115task_arena_baseE)(const void *arena) {
    (void)arena;
    return 1;
}
int TBB(24numa_default_concurrencyEi)(int node) {
    (void)node;
    return 1;
}
int TBB(31constraints_default_concurrencyERKNS0_2d111constraintsEl)(const void *constraints, int64_t reserved) {
    (void)constraints, (void)reserved;
    return 1;
}

/* delegate_base */
struct tbb_function {
    _Bool (*const *methods)(const struct tbb_function *);
};
INLINED void TBB(20isolate_within_arenaERNS0_2d113delegate_baseEl)(struct tbb_function *function, int64_t isolation) {
    (void)isolation;
    function->methods[0](function);
}
INLINED void TBB(7executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE)(void *arena, struct tbb_function *function) {
    (void)arena;
    function->methods[0](function);
}
void TBB(20enter_parallel_phaseEPNS0_2d115task_arena_baseEm)(void *arena, uint64_t flags) { (void)arena, (void)flags; }
void TBB(19exit_parallel_phaseEPNS0_2d115task_arena_baseEm)(void *arena, uint64_t flags) { (void)arena, (void)flags; }

/* Small objects come from a pool of their thread, which they name. They begin a line of the cache. */
static char tbb_pool;
INLINED static void *tbb_allocate(char **pool, uint64_t size) {
    enum { LINE = 64 };
    *pool = &tbb_pool;
    return aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
}
INLINED void *TBB(8allocateERPNS0_2d117small_object_poolEm)(char **pool, uint64_t size) {
    return tbb_allocate(pool, size);
}
INLINED void *TBB(8allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE)(char **pool, uint64_t size,
                                                                                const struct tbb_execution *execution) {
    (void)execution;
    return tbb_allocate(pool, size);
}
INLINED void TBB(10deallocateERNS0_2d117small_object_poolEPvm)(char *pool, void *object, uint64_t size) {
    (void)pool, (void)size;
    free(object);
}
INLINED void TBB(10deallocateERNS0_2d117small_object_poolEPvmRKNS2_14execution_dataE)(
    char *pool, void *object, uint64_t size, const struct tbb_execution *execution) {
    (void)pool, (void)size, (void)execution;
    free(object);
}

/* A pipeline is a tree of nodes (filter_node), whose leaves make filters (base_filter). Items pass one by one. */
struct tbb_filter;
typedef void *tbb_filter_method(struct tbb_filter *, void *);
typedef void tbb_filter_destructor(struct tbb_filter *);
struct tbb_filter {
    tbb_filter_method *const *methods;
    struct tbb_filter *next;
    void *buffer;
    uint32_t mode;
    struct tbb_filter *pipeline; /* here: the filter itself, once it has told the end of the input */
};
enum { TBB_FILTER = 0, TBB_DESTROY = 1, TBB_MAY_EMIT_NULL = 4 };

struct tbb_node {
    struct tbb_filter *(*const *methods)(const struct tbb_node *);
    int64_t references;
    struct tbb_node *left, *right;
};

void _ZN3tbb6detail2r117deallocate_memoryEPv(void *);

/* Puts the filters of a node before another one, and returns the first. */
static struct tbb_filter *tbb_filters(const struct tbb_node *node, struct tbb_filter *next) {
    if (node->left && node->right)
        return tbb_filters(node->left, tbb_filters(node->right, next));
    struct tbb_filter *filter = node->methods[0](node);
    filter->next = next;
    return filter;
}

void TBB(16set_end_of_inputERNS0_2d111base_filterE)(struct tbb_filter *filter) { filter->pipeline = filter; }

void TBB(17parallel_pipelineERNS0_2d118task_group_contextEmRKNS2_11filter_nodeE)(
    struct tbb_group *group, uint64_t tokens, const struct tbb_node *node) {
    (void)tokens;
    struct tbb_filter *first = tbb_filters(node, NULL);
    while (!group->is_cancelled) {
        void *item = first->methods[TBB_FILTER](first, NULL);
        if (first->pipeline || (!item && !(first->mode & TBB_MAY_EMIT_NULL)))
            break;
        for (struct tbb_filter *filter = first->next; filter; filter = filter->next)
            item = filter->methods[TBB_FILTER](filter, item);
    }
    while (first) {
        struct tbb_filter *next = first->next;
        ((tbb_filter_destructor *)(void *)first->methods[TBB_DESTROY])(first);
        _ZN3tbb6detail2r117deallocate_memoryEPv(first);
        first = next;
    }
}

/* The headers pass small items between filters in the bits of a pointer. A number has no derivative there, so it gets
 * memory of its own. */
#define TBB_TOKEN(T, LETTER)                                                                                           \
    void *STAND_IN(_ZN3tbb6detail2d112token_helperI##LETTER##Lb0EE16cast_to_void_ptrE##LETTER)(T item) {               \
        T *place = malloc(sizeof *place);                                                                              \
        *place = item;                                                                                                 \
        return place;                                                                                                  \
    }                                                                                                                  \
    T STAND_IN(_ZN3tbb6detail2d112token_helperI##LETTER##Lb0EE18cast_from_void_ptrEPv)(void *place) {                  \
        T item = *(T *)place;                                                                                          \
        free(place);                                                                                                   \
        return item;                                                                                                   \
    }
TBB_TOKEN(double, d)
TBB_TOKEN(float, f)
