/* Copies of shadows, to which one thread of a team adds. They are added to the shadow, and zero then, before the thread
 * waits for others, and at the end of the derivative (enzyme_cc/autodiff/emit/shadow_access/team_additions.py).
 *
 * The memory of copies is a stack of each thread, which holds zeros. */

enum { MOST_COPIED = 1 << 24, FIRST_ROOM = 1 << 16, ONLY = 2, PART = 4096, LOCKS = 64 };

struct copy {
    char *shadow, *memory; /* of the first byte; no memory: the thread adds to the shadow itself */
    uint64_t bytes, size;  /* of all numbers, and of one */
    char *own;             /* what is freed with the copy */
    uint64_t used;         /* the bytes that may not be zero */
    uint64_t is_only;      /* threads add to the shadow by such copies, and by nothing else */
};

static _Thread_local struct {
    char *memory;
    size_t room, used, wanted;
} copies;

static void release_copies(void *unused) {
    (void)unused;
    free(copies.memory);
    memset(&copies, 0, sizeof copies);
}

/* Makes room for more when no copy is there. */
static void grow_copies(void) {
    size_t room = copies.room ? copies.room : FIRST_ROOM;
    while (room < copies.wanted)
        room *= 2;
    static char in_this_library;
    if (!copies.room && __cxa_thread_atexit_impl)
        __cxa_thread_atexit_impl(release_copies, NULL, &in_this_library);
    free(copies.memory);
    copies.memory = calloc(1, room);
    copies.room = copies.memory ? room : 0;
}

/* What a copy takes: it begins at the same place in a line as the shadow. */
static size_t room_of_copy(uint64_t bytes) { return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE + 2 * CACHE_LINE; }

static char *memory_of_copy(struct copy *c) {
    size_t whole = room_of_copy(c->bytes);
    if (!copies.used && copies.wanted > copies.room)
        grow_copies();
    copies.used += whole;
    if (copies.used > copies.wanted)
        copies.wanted = copies.used;
    if (copies.used > copies.room)
        c->own = or_end(calloc(1, whole));
    return c->own ? c->own : copies.memory + copies.used - whole;
}

/* Returns the base of the copy that stands for a shadow, of which bytes from `low` to `high` are reached; the shadow
 * itself if no copy is wanted, or it would be too large. */
char *__ez_team_copy(struct copy *c, char *shadow, int64_t low, int64_t high, uint64_t size, uint64_t is_wanted) {
    memset(c, 0, sizeof *c);
    if (!is_wanted || high <= low || high - low > MOST_COPIED)
        return shadow;
    c->bytes = (uint64_t)(high - low);
    c->size = size;
    c->used = c->bytes;
    c->is_only = is_wanted == ONLY;
    c->shadow = shadow + low;
    uintptr_t line = CACHE_LINE - 1, from = ((uintptr_t)memory_of_copy(c) + line) & ~line;
    c->memory = (char *)(from + ((uintptr_t)c->shadow & line));
    return c->memory - low;
}

typedef uint64_t any_word __attribute__((may_alias, aligned(4)));

/* Returns whether a line's worth of memory holds nothing but zeros. A thread adds to few places of most copies. */
static int is_zero_line(const void *memory) {
    const any_word *w = memory;
    _Static_assert(CACHE_LINE == 8 * sizeof *w, "a line has eight words");
    return !(w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]);
}

#define FLUSH(SUFFIX)                                                                                                  \
    static void flush_##SUFFIX(const struct copy *c, int is_plain) {                                                   \
        ez_##SUFFIX *parts = (ez_##SUFFIX *)c->memory, *sums = (ez_##SUFFIX *)c->shadow;                               \
        const size_t count = c->used / sizeof *parts, in_line = CACHE_LINE / sizeof *parts;                            \
        for (size_t begin = 0, end; begin < count; begin = end) {                                                      \
            end = count - begin < in_line ? count : begin + in_line;                                                   \
            if (end - begin == in_line && is_zero_line(&parts[begin]))                                         \
                continue;                                                                                              \
            for (size_t k = begin; k < end; k++)                                                                       \
                if (parts[k] != 0) {                                                                                   \
                    if (is_plain)                                                                                      \
                        sums[k] += parts[k];                                                                           \
                    else                                                                                               \
                        add_##SUFFIX(&sums[k], parts[k]);                                                              \
                    parts[k] = 0;                                                                                      \
                }                                                                                                      \
        }                                                                                                              \
    }
FLUSH(f64)
FLUSH(f32)

static struct {
    uint32_t is_taken;
} __attribute__((aligned(CACHE_LINE))) part_locks[LOCKS];

/* The number of the first element that begins at an address or behind it. */
static size_t first_from(const struct copy *c, uintptr_t address) {
    uintptr_t start = (uintptr_t)c->shadow;
    size_t number = address > start ? (address - start + c->size - 1) / c->size : 0;
    return number < c->used / c->size ? number : c->used / c->size;
}

/* Locks parts of the memory one after the other, and adds to them plainly. A part is the elements that begin in so many
 * bytes, wherever the copy of a thread begins. Each thread begins with another part. */
static void flush_parts(const struct copy *c) {
    if (c->used < c->size)
        return;
    uintptr_t start = (uintptr_t)c->shadow, lowest = start / PART;
    size_t parts = (start + c->used - 1) / PART - lowest + 1;
    size_t first = parts * (size_t)omp_get_thread_num() / (size_t)omp_get_num_threads();
    for (size_t k = 0; k < parts; k++) {
        uintptr_t number = lowest + (first + k) % parts;
        size_t from = first_from(c, number * PART), to = first_from(c, (number + 1) * PART);
        struct copy part = *c;
        part.memory += from * c->size;
        part.shadow += from * c->size;
        part.used = (to - from) * c->size;
        uint32_t *lock = &part_locks[number % LOCKS].is_taken;
        unsigned looks = 0;
        while (__atomic_load_n(lock, __ATOMIC_RELAXED) || __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
            pause_thread(&looks);
        if (c->size == sizeof(double))
            flush_f64(&part, 1);
        else
            flush_f32(&part, 1);
        __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    }
}

/* The thread has added to so many of the first bytes. */
void __ez_team_used(struct copy *c, uint64_t bytes) { c->used = bytes; }

/* Adds a copy to the shadow. What the thread has not added to is not touched: others may add to it plainly. */
void __ez_team_flush(struct copy *c) {
    if (!c->memory)
        return;
    if (c->is_only)
        flush_parts(c);
    else if (c->size == sizeof(double))
        flush_f64(c, 0);
    else
        flush_f32(c, 0);
}

/* The copies of a derivative are dropped in the opposite order. */
void __ez_team_drop(struct copy *c) {
    if (!c->memory)
        return;
    __ez_team_flush(c);
    free(c->own);
    copies.used -= room_of_copy(c->bytes);
}
