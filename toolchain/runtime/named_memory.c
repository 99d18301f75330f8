/* Memory that a request knows by a name of its own: what its arguments with shadows point at, the globals with shadows,
 * and what the pointers in both point at. Memory that other code made may hold further pointers into it. A derivative asks
 * here for such a pointer when it loads one from memory without a shadow. Each thread knows the memory of its own requests.
 * enzyme_cc/autodiff/emit/shadow_access/compared_pointers.py emits the calls.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_ROWS = 64, MOST_REQUESTS = 16, LISTS = 256 };

/* `bytes`: zero when the memory was freed. `shadow`: null for work space, which is its own shadow. `next`: the row before it in the same list, counted from 1. */
struct named_memory {
    uintptr_t start;
    uint64_t bytes;
    char *shadow;
    uint32_t direction, next;
};

/* All memory of a request that lies near each other lies in one span; the other, as on the stack, in the second one. What
 * pointers in memory lead to is in neither: only its first byte is known, and there is a list for each hash of that. */
struct span {
    uintptr_t low;
    uint64_t bytes;
};
static const uint64_t FAR = (uint64_t)1 << 32;

/* A request that is under way: its frame, its place in that, the number of rows before its own, and before those that are
 * in lists. */
struct naming {
    uintptr_t frame;
    const void *site;
    struct span near, far;
    uint32_t before, listed;
};

/* `now` is the innermost request. `outer`: those around it. `more`: room for `room` rows, if the usual room is too small; it
 * is freed when the outermost request ends. */
static _Thread_local struct {
    struct naming now;
    uint32_t depth, rows;
    struct naming outer[MOST_REQUESTS];
    struct named_memory usual[USUAL_ROWS], *more;
    uint32_t room;
    uint32_t lists[LISTS]; /* the last row of each, counted from 1 */
} named_memory;

static inline struct named_memory *named_rows(void) { return named_memory.more ? named_memory.more : named_memory.usual; }

static void refuse(const char *message);          /* tape.c */
static uintptr_t on_one_stack(const char *frame); /* second_stack.c */

static inline uint32_t *list_of(uintptr_t start) { return &named_memory.lists[(start >> 4) % LISTS]; }

static void end_naming(void) {
    while (named_memory.rows > named_memory.now.listed) {
        const struct named_memory *last = &named_rows()[--named_memory.rows];
        *list_of(last->start) = last->next;
    }
    named_memory.rows = named_memory.now.before;
    named_memory.now = named_memory.outer[--named_memory.depth];
    if (!named_memory.depth && named_memory.more) {
        free(named_memory.more);
        named_memory.more = NULL;
    }
}

/* An exception has left requests whose frames are below that of a request that begins, and the same one. */
static int is_left(uintptr_t frame, const void *site) {
    const struct naming *now = &named_memory.now;
    return named_memory.depth && (now->frame < frame || (now->frame == frame && now->site == site));
}

/* A request begins. `site`: memory of the calling function that belongs to this request. */
__attribute__((noinline)) void __ez_naming_begin(const void *site) {
    uintptr_t frame = on_one_stack(__builtin_frame_address(0));
    while (is_left(frame, site))
        end_naming();
    if (named_memory.depth == MOST_REQUESTS) /* exceptions have left requests at different sites of one function */
        while (named_memory.depth)
            end_naming();
    named_memory.outer[named_memory.depth++] = named_memory.now;
    named_memory.now = (struct naming){frame, site, {0, 0}, {0, 0}, named_memory.rows, named_memory.rows};
}

__attribute__((noinline)) void __ez_naming_end(void) {
    if (named_memory.depth)
        end_naming();
}

static void widen(struct span *span, uintptr_t start, uint64_t bytes) {
    uintptr_t end = span->bytes && span->low + span->bytes > start + bytes ? span->low + span->bytes : start + bytes;
    span->low = span->bytes && span->low < start ? span->low : start;
    span->bytes = end - span->low;
}

static void make_room_for_name(void) {
    uint32_t room = named_memory.more ? named_memory.room : USUAL_ROWS;
    if (named_memory.rows < room)
        return;
    struct named_memory *larger = malloc(2 * room * sizeof *larger);
    if (!larger)
        refuse("memory for the names of arguments ran out");
    memcpy(larger, named_rows(), room * sizeof *larger);
    free(named_memory.more);
    named_memory.more = larger;
    named_memory.room = 2 * room;
}

static void enter_name(uintptr_t start, uint64_t bytes, char *shadow, uint64_t direction, uint32_t next) {
    make_room_for_name();
    named_rows()[named_memory.rows++] = (struct named_memory){start, bytes, shadow, (uint32_t)direction, next};
}

/* Memory that is its own shadow is constant. */
__attribute__((noinline)) void __ez_named_memory(char *start, uint64_t bytes, char *shadow, uint64_t direction) {
    if (!bytes || !start || start == shadow)
        return;
    struct span *near = &named_memory.now.near;
    uintptr_t first = (uintptr_t)start;
    int is_near = !near->bytes || first - near->low + FAR < 2 * FAR;
    widen(is_near ? near : &named_memory.now.far, first, bytes);
    enter_name(first, bytes, shadow, direction, 0);
    named_memory.now.listed = named_memory.rows;
}

/* The same for what the pointers in such memory point at: pointers lie at those of `count` offsets that are below `bytes`.
 * All memory that is known itself comes first. */
__attribute__((noinline)) void __ez_named_pointers(const char *start, uint64_t bytes, const char *shadow,
                                                   const uint64_t *offsets, uint64_t count, uint64_t direction) {
    if (!start || !shadow || start == shadow)
        return;
    for (uint64_t k = 0; k < count; k++) {
        char *pointer, *its_shadow;
        if (offsets[k] + sizeof pointer > bytes)
            continue;
        memcpy(&its_shadow, shadow + offsets[k], sizeof its_shadow);
        if (!its_shadow)
            continue;
        memcpy(&pointer, start + offsets[k], sizeof pointer);
        if (!pointer || pointer == its_shadow)
            continue;
        uint32_t *list = list_of((uintptr_t)pointer);
        enter_name((uintptr_t)pointer, 1, its_shadow, direction, *list);
        *list = named_memory.rows;
    }
}

/* Memory is freed: what is made at the same place afterwards is other memory. */
__attribute__((noinline)) void __ez_forget_name(const void *pointer) {
    for (uint32_t k = named_memory.now.before; pointer && k < named_memory.rows; k++)
        if (named_rows()[k].start == (uintptr_t)pointer)
            named_rows()[k].bytes = 0;
}

static const struct named_memory *named_memory_at(uintptr_t pointer, uint64_t direction) {
    const struct named_memory *rows = named_rows(), *row;
    for (row = rows + named_memory.now.before; row < rows + named_memory.now.listed; row++)
        if (pointer - row->start < row->bytes && row->direction == direction)
            return row;
    for (uint32_t k = *list_of(pointer); k > named_memory.now.listed; k = row->next) {
        row = &rows[k - 1];
        if (pointer - row->start < row->bytes && row->direction == direction)
            return row;
    }
    return NULL;
}

static inline int may_be_named(const void *pointer) {
    const struct span *near = &named_memory.now.near, *far = &named_memory.now.far;
    int is_near = (uintptr_t)pointer - near->low < near->bytes, is_far = (uintptr_t)pointer - far->low < far->bytes;
    return __builtin_expect(is_near | is_far | (*list_of((uintptr_t)pointer) != 0), 0);
}

static __attribute__((noinline, cold)) void *shadow_by_name(void *pointer, void *shadow, uint64_t direction) {
    const struct named_memory *row = named_memory_at((uintptr_t)pointer, direction);
    return row && row->shadow ? row->shadow + ((uintptr_t)pointer - row->start) : shadow;
}

static __attribute__((noinline, cold)) void refuse_if_named(const void *pointer, const char *message) {
    if (named_memory_at((uintptr_t)pointer, 0))
        refuse(message);
}

/* A derivative has loaded a pointer from memory without a shadow, and reads or writes numbers there. */
__attribute__((always_inline)) void __ez_refuse_other_name(const void *pointer, const char *message) {
    if (may_be_named(pointer))
        refuse_if_named(pointer, message);
}

/* A library's handle leads to this memory (toolchain/natives). Returns its shadow, and the memory if it has none. */
void *__ez_named_shadow(void *pointer, uint64_t direction) {
    return may_be_named(pointer) ? shadow_by_name(pointer, pointer, direction) : pointer;
}

/* Returns how many requests are under way. */
uint64_t __ez_naming_depth(void) { return named_memory.depth; }
