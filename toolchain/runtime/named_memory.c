/* Memory that a request knows by a name of its own: what its arguments with shadows point at, and the globals with
 * shadows. Memory that other code made may hold further pointers into it. A derivative asks here for such a pointer when
 * it loads one from memory without a shadow. Each thread knows the memory of its own requests.
 * enzyme_cc/autodiff/emit/compared_pointers.py emits the calls.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_ROWS = 64, MOST_REQUESTS = 16 };

struct named_memory {
    uintptr_t start;
    uint64_t bytes;
    char *shadow;
    uint64_t direction;
};

/* All rows of a request that lie near each other lie in one span; the others, as on the stack, in the second one. */
struct span {
    uintptr_t low;
    uint64_t bytes;
};
static const uint64_t FAR = (uint64_t)1 << 32;

/* A request that is under way: its frame, its place in that, and the number of rows before its own. */
struct naming {
    uintptr_t frame;
    const void *site;
    struct span near, far;
    uint32_t before;
};

/* `now` is the innermost request. `outer`: those around it. `more`: room for `room` rows, if the usual room is too small; it
 * is freed when the outermost request ends. */
static _Thread_local struct {
    struct naming now;
    uint32_t depth, rows;
    struct naming outer[MOST_REQUESTS];
    struct named_memory usual[USUAL_ROWS], *more;
    uint32_t room;
} named_memory;

static inline struct named_memory *named_rows(void) { return named_memory.more ? named_memory.more : named_memory.usual; }

static void refuse(const char *message);          /* tape.c */
static uintptr_t on_one_stack(const char *frame); /* second_stack.c */

static void end_naming(void) {
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
        named_memory.depth = named_memory.rows = 0;
    named_memory.outer[named_memory.depth++] = named_memory.now;
    named_memory.now = (struct naming){frame, site, {0, 0}, {0, 0}, named_memory.rows};
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

/* Memory that is its own shadow is constant. */
__attribute__((noinline)) void __ez_named_memory(char *start, uint64_t bytes, char *shadow, uint64_t direction) {
    if (!bytes || !start || start == shadow)
        return;
    make_room_for_name();
    struct span *near = &named_memory.now.near;
    uintptr_t first = (uintptr_t)start;
    int is_near = !near->bytes || first - near->low + FAR < 2 * FAR;
    widen(is_near ? near : &named_memory.now.far, first, bytes);
    named_rows()[named_memory.rows++] = (struct named_memory){first, bytes, shadow, direction};
}

static const struct named_memory *named_memory_at(uintptr_t pointer, uint64_t direction) {
    for (uint32_t k = named_memory.now.before; k < named_memory.rows; k++) {
        const struct named_memory *row = &named_rows()[k];
        if (pointer - row->start < row->bytes && row->direction == direction)
            return row;
    }
    return NULL;
}

static inline int may_be_named(const void *pointer) {
    const struct span *near = &named_memory.now.near, *far = &named_memory.now.far;
    int is_near = (uintptr_t)pointer - near->low < near->bytes, is_far = (uintptr_t)pointer - far->low < far->bytes;
    return __builtin_expect(is_near | is_far, 0);
}

static __attribute__((noinline, cold)) void *shadow_by_name(void *pointer, void *shadow, uint64_t direction) {
    const struct named_memory *row = named_memory_at((uintptr_t)pointer, direction);
    return row ? row->shadow + ((uintptr_t)pointer - row->start) : shadow;
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
