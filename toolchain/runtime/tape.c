/* Runtime of derivative functions: tape memory, memory freed late, adjoints of copies.
 *
 * A tape is an arena: memory is allocated by moving a cursor, and freed as a whole. Chunks are kept for the next tape
 * of the same thread, since page faults of fresh memory cost more than everything else that a tape does.
 *
 * In enzyme_cc/autodiff, reverse/tape_allocation.py emits the calls of __ez_alloc, emit/frame.py has the layout of what
 * they return, and answer/held_tapes.py handles tapes that the program holds.
 */
#include "ending.h"
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

struct chunk {
    _Alignas(16) struct chunk *next;
    size_t size;          /* bytes behind this header */
    size_t there;         /* of these: whose pages were asked for */
    size_t used;          /* of the older chunks: set when the next chunk is begun */
    struct chunk **pools; /* of the thread that made it: it goes to no other pool */
};

struct deferred {
    struct deferred *next;
    void *memory;
    void (*release)(void *);
};

/* Bytes that the caller sees. The reverse sweep changes them, and they are restored at its end. */
struct kept {
    struct kept *next;
    char *start;
    size_t size, count; /* count pieces of size bytes */
    ptrdiff_t step;
};

/* Laid out as enzyme_cc/autodiff/emit/frame.py says; all zero at first, but for memory of a derivative's stack between
 * `cursor` and `end`. */
struct arena {
    char *cursor, *end;
    struct chunk *chunks;
    struct deferred *deferred;
    struct kept *kept;
    struct replaced_pointers *replaced; /* replaced_pointers.c */
    size_t dropped;                     /* bytes of all tapes that were dropped: __ez_keep_tape */
};

enum { FIRST_CHUNK = 64 << 10, LARGEST_STEP = 64 << 20 };
enum { HUGE_PAGE = 2 << 20, LEAST_AT_ONCE = 16 << 10, MOST_AT_ONCE = 16 << 20 };
#define POOL_LIMIT ((size_t)1 << 30)

/* Chunks that are free, by the power of two that their size is not below. A request takes none of more than so many
 * powers above its own. */
enum { POWERS = 48, POWERS_ABOVE = 2 };
static __thread struct chunk *pools[POWERS];
static __thread size_t pooled;

__attribute__((destructor)) static void drain_pool(void) {
    for (struct chunk **pool = pools; pool < pools + POWERS; pool++)
        while (*pool) {
            struct chunk *next = (*pool)->next;
            free(*pool);
            *pool = next;
        }
    pooled = 0;
}

static struct chunk **pool_of(size_t size) { return &pools[63 - __builtin_clzll(size)]; }

/* glibc's hook for the end of a thread; absent elsewhere, where a thread's pool is lost with it. */
extern int __cxa_thread_atexit_impl(void (*)(void *), void *, void *) __attribute__((weak));

static void release_fibers(void); /* thread_fibers.c */

static void end_of_thread(void *unused) {
    drain_pool();
    release_second_stack();
    release_fibers();
    release_marks();
    release_parts();
    release_notes();
    release_numbers();
    release_keys();
}

static __attribute__((noinline, cold)) void watch_thread(void) {
    static char in_this_library;
    static __thread char watched;
    if (!watched && __cxa_thread_atexit_impl)
        watched = !__cxa_thread_atexit_impl(end_of_thread, NULL, &in_this_library);
}

/* Gets pages of fresh memory at once: a fault for each page costs about twice as much. Kernels that cannot do this
 * leave them to faults. So are pages behind a bound: a program may write little of a large array. */
static void get_pages(char *start, size_t size) {
    uintptr_t last = getauxval(AT_PAGESZ) - 1, from = ((uintptr_t)start + last) & ~last;
    size = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
    uintptr_t end = ((uintptr_t)start + size + last) & ~last;
    if (end >= from + LEAST_AT_ONCE)
        madvise((void *)from, end - from, MADV_POPULATE_WRITE);
}

/* Large arrays lie in huge pages, where the system offers them. */
static struct chunk *make_chunk(size_t size, size_t wanted) {
    size_t bytes = sizeof(struct chunk) + size;
    int is_large = wanted >= 2 * HUGE_PAGE;
    struct chunk *made = is_large ? aligned_alloc(HUGE_PAGE, bytes) : malloc(bytes);
    if (!made) {
        fprintf(stderr, "enzyme-cc: error: no memory for %zu bytes of tape\n", size);
        end_program();
    }
    if (is_large)
        madvise(made, bytes, MADV_HUGEPAGE);
    made->size = size;
    made->there = 0;
    made->pools = pools;
    return made;
}

static struct chunk *take_chunk(size_t size, size_t wanted) {
    struct chunk **first = pool_of(size);
    for (struct chunk **pool = first; pool <= first + POWERS_ABOVE && pool < pools + POWERS; pool++)
        for (struct chunk **place = pool; *place; place = &(*place)->next)
            if ((*place)->size >= size) {
                struct chunk *found = *place;
                *place = found->next;
                pooled -= found->size;
                return found;
            }
    return make_chunk(size, wanted);
}

static int is_fresh(const struct arena *a) { return !a->chunks; }

static struct replaced_pointers **replaced_pointers_of(struct arena *a) { return &a->replaced; }

static char *start_of(struct chunk *c) { return (char *)(c + 1); }

static size_t used_of(const struct arena *a) { return (size_t)(a->cursor - start_of(a->chunks)); }

/* Makes the next `size` bytes of the last chunk usable. Pages are got by eighths of a chunk. */
static void *extend(struct arena *a, size_t size) {
    struct chunk *c = a->chunks;
    char *start = a->cursor;
    size_t needed = used_of(a) + size, next = c->there + c->size / 8;
    if (needed > c->there) {
        next = next < c->size ? next : c->size;
        next = next > needed ? next : needed;
        get_pages(start_of(c) + c->there, next - c->there);
        c->there = next;
    }
    a->end = start_of(c) + c->there;
    a->cursor = start + size;
    return start;
}

/* Begins a chunk of which `wanted` bytes are allocated next. */
static void begin_chunk(struct arena *a, size_t size, size_t wanted) {
    struct chunk *c = take_chunk(size, wanted);
    if (a->chunks)
        a->chunks->used = used_of(a);
    c->next = a->chunks;
    a->chunks = c;
    a->cursor = a->end = start_of(c);
}

static __attribute__((noinline, cold)) void *more(struct arena *a, size_t size) {
    size_t step = a->chunks ? a->chunks->size * 2 : FIRST_CHUNK;
    if (step > LARGEST_STEP)
        step = LARGEST_STEP;
    if (!a->chunks || size > a->chunks->size - used_of(a))
        begin_chunk(a, size > step ? size : step, size);
    return extend(a, size);
}

/* Allocates `size` bytes, also none, aligned to 16: for a call, or for all iterations of a loop. */
__attribute__((malloc, returns_nonnull, noinline)) void *__ez_alloc(struct arena *a, size_t size) {
    size = (size + 15) & ~(size_t)15;
    char *p = a->cursor;
    if (!p || size > (size_t)(a->end - p))
        return more(a, size);
    a->cursor = p + size;
    return p;
}

/* Allocates `size` bytes (a multiple of 8), aligned to 8: for one iteration of a loop. */
__attribute__((always_inline)) void *__ez_push(struct arena *a, size_t size) {
    char *p = a->cursor;
    size = (size + 15) & ~(size_t)15;
    if (__builtin_expect(size > (size_t)(a->end - p), 0))
        return more(a, size);
    a->cursor = p + size;
    return p;
}

/* Returns a part of a block. For LLVM it is memory of its own, which is not null: otherwise loops over several parts
 * would compare their addresses. So LLVM does not know that a part is freed with the block: the derivative calls
 * __ez_part_ends before. */
__attribute__((malloc, returns_nonnull, const, noinline)) char *__ez_part(char *block, size_t offset) {
    return block + offset;
}

/* No access to the part moves behind this. */
__attribute__((noinline)) void __ez_part_ends(__attribute__((noescape)) const char *part) {
    __asm__ volatile("" ::"r"(part) : "memory");
}

/* A program may define this to learn how large its tapes are (enzyme/enzyme.h). */
__attribute__((weak, noinline, visibility("hidden"))) void enzyme_tape_released(size_t bytes) { (void)bytes; }

static void tell_size(struct arena *a) {
    if (!a->chunks)
        return;
    size_t bytes = used_of(a);
    for (struct chunk *c = a->chunks->next; c; c = c->next)
        bytes += c->used;
    enzyme_tape_released(bytes);
}

/* A pointer that was stored where numbers lie at other times, and its shadow. */
struct stored_pointer {
    void **place, **shadow_place, *pointer, *shadow;
};

static void store_again(void *memory) {
    const struct stored_pointer *s = memory;
    if (*s->place == s->pointer && !*s->shadow_place)
        *s->shadow_place = s->shadow;
}

/* Turns a list round, of which the last entry is the first: the program's own freeing functions look into what they free. */
static struct deferred *in_program_order(struct deferred *last) {
    struct deferred *first = NULL;
    while (last) {
        struct deferred *before = last->next;
        last->next = first;
        first = last;
        last = before;
    }
    return first;
}

/* Returns the next block that the list frees, and goes on behind it; null at the end. */
static const char *next_freed(const struct deferred **list) {
    const struct deferred *d = *list;
    while (d && d->release == store_again)
        d = d->next;
    *list = d ? d->next : NULL;
    return d ? d->memory : NULL;
}

static void pool_chunk(struct chunk *c) {
    if (c->pools != pools || pooled + c->size > POOL_LIMIT) {
        free(c);
        return;
    }
    if (!pooled)
        watch_thread();
    struct chunk **pool = pool_of(c->size);
    c->next = *pool;
    *pool = c;
    pooled += c->size;
}

static __attribute__((noinline)) void release_all(struct arena *a) {
    tell_size(a);
    forget_pages();
    for (struct deferred *d = a->deferred; d; d = d->next)
        if (d->release == store_again)
            store_again(d->memory);
    if (a->replaced)
        a->replaced->take_back(a->replaced, a->deferred, 1);
    for (struct deferred *d = in_program_order(a->deferred); d; d = d->next)
        if (d->release != store_again)
            d->release(d->memory);
    while (a->chunks) {
        struct chunk *c = a->chunks;
        a->chunks = c->next;
        pool_chunk(c);
    }
}

__attribute__((always_inline)) void __ez_finish(struct arena *a) {
    check_parts();
    if (a->chunks || a->deferred || a->replaced)
        release_all(a);
}

/* -- tapes of recursive calls, which are dropped if they are long; the reverse sweep makes them again */

enum { SHORT_TAPE = 128 << 10, SHORT_TAPES = 4 << 20 };
static char dropped_tape;

/* What an arena held before a call. */
struct tape_mark {
    char *cursor;
    struct chunk *chunks;
    size_t dropped;
};

/* Returns the bytes that were allocated since the mark, or all of them if it is null. */
static size_t bytes_since(const struct arena *a, const struct tape_mark *mark) {
    const struct chunk *first = mark ? mark->chunks : NULL, *c = a->chunks;
    if (c == first)
        return (size_t)(a->cursor - mark->cursor);
    size_t bytes = used_of(a);
    for (c = c->next; c != first; c = c->next)
        bytes += c->used;
    return c ? bytes + c->used - (size_t)(mark->cursor - start_of(mark->chunks)) : bytes;
}

/* Says whether the memory was allocated since the mark. */
static int is_since(const struct arena *a, const struct tape_mark *mark, const void *memory) {
    uintptr_t address = (uintptr_t)memory;
    for (struct chunk *c = a->chunks;; c = c->next) {
        const char *start = c == mark->chunks ? mark->cursor : start_of(c);
        if (address >= (uintptr_t)start && address < (uintptr_t)start_of(c) + c->size)
            return 1;
        if (c == mark->chunks)
            return 0;
    }
}

/* A call with a dropped tape costs as much again in the reverse sweep. If it contains dropped tapes, these cost that
 * once more. So a tape is kept until it is seven times as long as they were: the cost grows with the logarithm of the
 * length, even if each call makes one further call. */
static __attribute__((noinline, cold)) void *keep_long_tape(struct arena *a, const struct tape_mark *mark, void *tape) {
    if (!mark->chunks || a->replaced || is_since(a, mark, a->deferred) || is_since(a, mark, a->kept))
        return tape;
    size_t bytes = bytes_since(a, mark);
    if (bytes <= SHORT_TAPE || bytes / 7 < a->dropped - mark->dropped || bytes_since(a, NULL) <= SHORT_TAPES)
        return tape;
    while (a->chunks != mark->chunks) {
        struct chunk *c = a->chunks;
        a->chunks = c->next;
        pool_chunk(c);
    }
    a->cursor = mark->cursor;
    a->end = start_of(a->chunks) + a->chunks->there;
    a->dropped += bytes;
    return &dropped_tape;
}

__attribute__((always_inline)) void __ez_mark(const struct arena *a, struct tape_mark *mark) {
    *mark = (struct tape_mark){a->cursor, a->chunks, a->dropped};
}

/* Returns the tape of the call since the mark; drops it if it is long, and returns what stands for it. */
__attribute__((always_inline)) void *__ez_keep_tape(struct arena *a, const struct tape_mark *mark, void *tape) {
    if (__builtin_expect(a->chunks == mark->chunks && a->cursor - mark->cursor <= SHORT_TAPE, 1))
        return tape;
    return keep_long_tape(a, mark, tape);
}

__attribute__((always_inline)) size_t __ez_is_dropped(const void *tape) { return tape == &dropped_tape; }

/* -- tapes that the program holds, from __enzyme_augmentfwd to __enzyme_reverse */

struct tape {
    struct arena arena;
    void *record;         /* what the augmented function returned */
    const char *made_for; /* which derivative */
    size_t owned;         /* the memory is not the program's */
};

/* enzyme_cc/autodiff/answer/held_tapes.py adds this to what the function itself records. */
_Static_assert(sizeof(struct tape) <= 80, "HEADER in held_tapes.py");
enum { HEADER = 80 };

__attribute__((noreturn, cold)) static void refuse_size(const char *made_for, size_t bytes, size_t needed) {
    fprintf(stderr, "enzyme-cc: error: the tape memory for %s has %zu bytes (enzyme_allocated), and %zu are needed\n",
            made_for, bytes, needed);
    end_program();
}

__attribute__((noreturn, cold)) static void refuse_tape(const struct tape *t, const char *made_for) {
    const char *other = !t ? "null" : t->made_for ? t->made_for : "used up: an earlier call freed it";
    fprintf(stderr, "enzyme-cc: error: __enzyme_reverse was given a wrong tape for %s: it is %s%s\n", made_for,
            t && t->made_for ? "for " : "", other);
    end_program();
}

/* Makes a tape in `bytes` bytes of memory, or in memory of its own if `memory` is null. Chunks take what does not
 * fit. */
void *__ez_tape_open(void *memory, size_t bytes, size_t needed, const char *made_for) {
    struct tape *t = memory;
    if (!memory) {
        bytes = needed;
        t = malloc(bytes);
        if (!t)
            refuse_size(made_for, 0, needed);
    } else if (bytes < needed) {
        refuse_size(made_for, bytes, needed);
    }
    memset(t, 0, sizeof *t);
    t->arena.cursor = (char *)(((uintptr_t)t + HEADER + 15) & ~(uintptr_t)15);
    t->arena.end = (char *)t + bytes;
    if (t->arena.cursor > t->arena.end)
        t->arena.cursor = t->arena.end = NULL;
    t->made_for = made_for;
    t->owned = !memory;
    return t;
}

void __ez_tape_keep(struct tape *t, void *record) { t->record = record; }

/* Returns the record. `bytes` is what the program says of its memory for the tape, if it provides it; `needed` is 0 if
 * not. */
void *__ez_tape_record(struct tape *t, size_t bytes, size_t needed, const char *made_for) {
    if (bytes < needed)
        refuse_size(made_for, bytes, needed);
    if (!t || t->made_for != made_for)
        refuse_tape(t, made_for);
    return t->record;
}

void __ez_tape_close(struct tape *t) {
    release_all(&t->arena);
    t->made_for = NULL;
    if (t->owned)
        free(t);
}

/* The reverse sweep has run, and the program keeps the tape (enzyme_nofree). */
void __ez_tape_reversed(struct tape *t) {
    if (t->arena.replaced)
        t->arena.replaced->take_back(t->arena.replaced, t->arena.deferred, 0);
}

__attribute__((noinline)) void __ez_defer_free(struct arena *a, void *memory, void (*release)(void *)) {
    if (!memory)
        return;
    struct deferred *d = __ez_alloc(a, sizeof *d);
    d->memory = memory;
    d->release = release;
    d->next = a->deferred;
    a->deferred = d;
}

/* The primal sweep: the reverse sweep clears the shadow of this pointer. It comes back when the arena is released if the
 * pointer is still there, unless the adjoint of an earlier number lies there then. */
void __ez_keep_pointer(struct arena *a, void **place, void **shadow_place, void *pointer, void *shadow) {
    if (!shadow_place || !shadow)
        return;
    struct stored_pointer *s = __ez_alloc(a, sizeof *s);
    *s = (struct stored_pointer){place, shadow_place, pointer, shadow};
    __ez_defer_free(a, s, store_again);
}

/* -- memory that the caller sees, and that the reverse sweep changes back to earlier states */

enum { LOOK_BACK = 8 };

static int is_kept(const struct kept *k, char *start, size_t size, ptrdiff_t step, size_t count) {
    for (int i = 0; k && i < LOOK_BACK; i++, k = k->next)
        if (k->start == start && k->size == size && k->step == step && k->count == count)
            return 1;
    return 0;
}

/* Called before the reverse sweep changes any of these bytes. Keeping them twice does no harm: the first is restored
 * last. */
void __ez_keep(struct arena *a, char *start, size_t size, ptrdiff_t step, size_t count) {
    if (!count || !size)
        return;
    if (step == -(ptrdiff_t)size)
        start += (ptrdiff_t)(count - 1) * step, step = (ptrdiff_t)size;
    if (step == (ptrdiff_t)size)
        size *= count, step = (ptrdiff_t)size, count = 1;
    if (is_kept(a->kept, start, size, step, count))
        return;
    struct kept *k = __ez_alloc(a, sizeof *k + size * count);
    *k = (struct kept){a->kept, start, size, count, step};
    a->kept = k;
    char *copy = (char *)(k + 1);
    for (size_t i = 0; i < count; i++)
        memcpy(copy + i * size, start + (ptrdiff_t)i * step, size);
}

void __ez_put_back(struct arena *a) {
    for (struct kept *k = a->kept; k; k = k->next) {
        const char *copy = (const char *)(k + 1);
        for (size_t i = 0; i < k->count; i++)
            memcpy(k->start + (ptrdiff_t)i * k->step, copy + i * k->size, k->size);
    }
}

/* -- memory */

void *__ez_zeroed(size_t size) { return calloc(1, size ? size : 1); }

/* Memory that is constant for the analyses: the block of a variable that a set-up call is given. */
void *__ez_set_up_memory(size_t size) { return malloc(size ? size : 1); }

/* The same: what an inactive function made. */
void *__ez_constant_memory(void *memory) { return memory; }

/* Returns the number of bytes that realloc(old, size) keeps. */
size_t __ez_smaller(void *old, size_t size) {
    size_t have = old ? malloc_usable_size(old) : 0;
    return have < size ? have : size;
}

void *__ez_reallocate(struct arena *a, void *old, size_t size) {
    void *made = malloc(size ? size : 1);
    if (made && old)
        memcpy(made, old, __ez_smaller(old, size));
    __ez_defer_free(a, old, free);
    return made;
}

/* Returns how many of the `length` bytes from `start` on are within `bytes` bytes: realloc may have moved only a part
 * of the new block. */
static inline size_t clipped(size_t bytes, size_t start, size_t length) {
    size_t left = start < bytes ? bytes - start : 0;
    return left < length ? left : length;
}

/* Copies a part of `bytes` bytes: in every period, the `length` bytes from `offset` on. Where the target overlaps the
 * source, as that of memmove may, nothing is overwritten before it is copied. */
__attribute__((always_inline)) static void strided_move(char *to, const char *from, size_t bytes, size_t period,
                                                        size_t offset, size_t length) {
    if (length == period) {
        memmove(to, from, bytes);
        return;
    }
    size_t last = (bytes - 1) / period * period;
    for (size_t done = 0; done <= last; done += period) {
        size_t at = (to > from ? last - done : done) + offset;
        memmove(to + at, from + at, clipped(bytes, at, length));
    }
}

void __ez_copy(char *to, const char *from, size_t bytes, size_t period, size_t offset, size_t length) {
    if (bytes && from)
        strided_move(to, from, bytes, period, offset, length);
}

void __ez_clear(char *to, size_t bytes, size_t period, size_t offset, size_t length) {
    if (!bytes)
        return;
    if (length == period) {
        memset(to, 0, bytes);
        return;
    }
    for (size_t base = 0; base + offset < bytes; base += period)
        memset(to + base + offset, 0, clipped(bytes, base + offset, length));
}

/* A number in shadow memory. The program may access this memory with another type: it may copy numbers as integers. */
typedef float __attribute__((may_alias)) ez_f32;
typedef double __attribute__((may_alias)) ez_f64;
typedef long double __attribute__((may_alias)) ez_f80;
typedef _Float16 __attribute__((may_alias)) ez_f16;
typedef __bf16 __attribute__((may_alias)) ez_bf16;
#if __LDBL_MANT_DIG__ == 113 /* long double is the only such type there */
typedef long double __attribute__((may_alias, aligned(1))) ez_f128;
#else
typedef __float128 __attribute__((may_alias, aligned(1))) ez_f128; /* structs may be packed */
#endif

/* The adjoint of a copy: adds the shadow of the target to the shadow of the source, and clears it. If the two overlap
 * (memmove), the shadow of the target is read first. SUM unites sets where the pattern is found
 * (dependence.c); MOST is the integer up to which the type has all. */
#define SUM(T, MOST, a, b) \
    (uniting ? (T)__ez_narrowed_set(__ez_union((double)(a), (double)(b)), MOST) : (T)((a) + (b)))
#define COPY_ADJOINT(NAME, T, MOST)                                                                   \
    static void NAME##_apart(T *restrict to, T *restrict from, size_t count) {                        \
        for (size_t i = 0; i < count; i++) {                                                          \
            from[i] += to[i];                                                                         \
            to[i] = 0;                                                                                \
        }                                                                                             \
    }                                                                                                 \
    static void NAME##_run(T *to, T *from, size_t count) {                                            \
        if (to == from || !count)                                                                     \
            return;                                                                                   \
        if (!uniting && (to + count <= from || from + count <= to)) {                                 \
            NAME##_apart(to, from, count);                                                            \
        } else if (to < from) { /* the copy ran upwards: undo from the end */                         \
            for (size_t i = count; i-- > 0;) {                                                        \
                T taken = to[i];                                                                      \
                to[i] = 0;                                                                            \
                from[i] = SUM(T, MOST, from[i], taken);                                               \
            }                                                                                         \
        } else {                                                                                      \
            for (size_t i = 0; i < count; i++) {                                                      \
                T taken = to[i];                                                                      \
                to[i] = 0;                                                                            \
                from[i] = SUM(T, MOST, from[i], taken);                                               \
            }                                                                                         \
        }                                                                                             \
    }                                                                                                 \
    void NAME(char *to, char *from, size_t bytes, size_t period, size_t offset, size_t length) {      \
        if (!bytes)                                                                                   \
            return;                                                                                   \
        if (!from) {                                                                                  \
            __ez_clear(to, bytes, period, offset, length);                                            \
        } else if (length == period) {                                                                \
            NAME##_run((T *)to, (T *)from, bytes / sizeof(T));                                        \
        } else if (to < from) {                                                                       \
            for (size_t k = (bytes + period - 1) / period; k-- > 0;) {                                \
                size_t at = k * period + offset;                                                      \
                NAME##_run((T *)(to + at), (T *)(from + at), clipped(bytes, at, length) / sizeof(T)); \
            }                                                                                         \
        } else {                                                                                      \
            for (size_t at = offset; at < bytes; at += period)                                        \
                NAME##_run((T *)(to + at), (T *)(from + at), clipped(bytes, at, length) / sizeof(T)); \
        }                                                                                             \
    }

COPY_ADJOINT(__ez_copy_adjoint_f64, ez_f64, 0x1p53)
COPY_ADJOINT(__ez_copy_adjoint_f32, ez_f32, 0x1p24)
COPY_ADJOINT(__ez_copy_adjoint_f80, ez_f80, 0x1p53)
/* These need functions of the compiler's library that it may lack: nothing else may call them. */
COPY_ADJOINT(__ez_copy_adjoint_f128, ez_f128, 0x1p53)
COPY_ADJOINT(__ez_copy_adjoint_f16, ez_f16, 0x1p11)
COPY_ADJOINT(__ez_copy_adjoint_bf16, ez_bf16, 0x1p8)

/* length bytes of numbers of one type, at an offset in each period */
struct segment {
    size_t offset, length;
    uint64_t type; /* 0: double, 1: float, 2: long double */
};

static void segment_adjoint(const struct segment *s, size_t length, char *to, char *from) {
    to += s->offset;
    from += s->offset;
    if (s->type == 0)
        __ez_copy_adjoint_f64_run((ez_f64 *)to, (ez_f64 *)from, length / sizeof(double));
    else if (s->type == 1)
        __ez_copy_adjoint_f32_run((ez_f32 *)to, (ez_f32 *)from, length / sizeof(float));
    else
        __ez_copy_adjoint_f80_run((ez_f80 *)to, (ez_f80 *)from, length / sizeof(long double));
}

/* The adjoint of a copy of structs with numbers of several types. The segments are in the order of their offsets. */
void __ez_copy_adjoint(char *to, char *from, size_t bytes, size_t period, const struct segment *s, size_t count) {
    if (!bytes)
        return;
    size_t periods = (bytes + period - 1) / period;
    for (size_t n = 0; n < periods; n++) {
        size_t base = (to < from ? periods - 1 - n : n) * period;
        for (size_t m = 0; m < count; m++) {
            const struct segment *one = &s[to < from ? count - 1 - m : m];
            size_t length = clipped(bytes, base + one->offset, one->length);
            if (from)
                segment_adjoint(one, length, to + base, from + base);
            else
                memset(to + base + one->offset, 0, length);
        }
    }
}

/* Whether a segment of the copied bytes has an adjoint in a number that the copy cuts. */
static int is_cut(const char *to, size_t bytes, size_t period, size_t offset, size_t length, size_t number) {
    int is_shifted = ((uintptr_t)to + offset) % number != 0;
    for (size_t at = offset; at < bytes; at += period) {
        size_t left = clipped(bytes, at, length), rest = is_shifted ? left : left % number;
        if (!is_zero(to + at + left - rest, rest))
            return 1;
    }
    return 0;
}

static __attribute__((noinline, cold)) void check_cut(const char *to, size_t bytes, size_t period, size_t offset,
                                                      size_t length, size_t number, const char *where) {
    if (is_cut(to, bytes, period, offset, length, number)) {
        moving = where;
        ambiguous();
    }
}

/* Ends the program if a copy begins or ends within a number that has an adjoint: it may have counted bytes. */
__attribute__((always_inline)) void __ez_check_cut(const char *to, size_t bytes, size_t period, size_t offset,
                                                   size_t length, size_t number, const char *where) {
    if (__builtin_expect((((uintptr_t)to | offset | bytes) & (number - 1)) != 0, 0) && to)
        check_cut(to, bytes, period, offset, length, number, where);
}

/* The adjoints of the two functions above, for derivatives of derivatives. They copy `from` to `to`. A null `from`
 * stands for zeros. */
void __ez_uncopy(char *to, const char *from, size_t bytes, size_t period, size_t offset, size_t length) {
    if (from)
        __ez_copy(to, from, bytes, period, offset, length);
    else
        __ez_clear(to, bytes, period, offset, length);
}

void __ez_uncopy_segments(char *to, const char *from, size_t bytes, size_t period, const struct segment *s,
                          size_t count) {
    for (size_t k = 0; k < count; k++)
        __ez_uncopy(to, from, bytes, period, s[k].offset, s[k].length);
}

/* The frame of the outermost active request, for each round of nested requests. The stack grows downwards. When a
 * request begins, an exception has left each frame below its own. If all is inlined, the two frames are the same. */
enum { ROUNDS = 8 };
static _Thread_local uintptr_t running[ROUNDS];

#define FRAME on_one_stack(__builtin_frame_address(0))

static int is_under_way(uint64_t round) { return running[round] >= FRAME; }

__attribute__((noinline)) uint64_t __ez_is_outermost(uint64_t round) { return round >= ROUNDS || !is_under_way(round); }

/* Returns the mark that `__ez_request_end` restores. */
__attribute__((noinline)) uint64_t __ez_request_begin(uint64_t round) {
    uint64_t before = round < ROUNDS ? running[round] : 0;
    if (round < ROUNDS && !is_under_way(round))
        running[round] = FRAME;
    return before;
}

__attribute__((noinline)) void __ez_request_end(uint64_t round, uint64_t before) {
    if (round < ROUNDS)
        running[round] = before;
}

/* Returns the size of the heap block at `pointer`; zero if that is null. */
uint64_t __ez_heap_bytes(void *pointer) { return malloc_usable_size(pointer); }

/* Returns the shadow of a pointer in a global, when a request begins. The pointer is null or the first byte of a heap
 * block.
 * - before, shadow: the pointer and its shadow when the last request ended;
 * - found: the shadow that the pointer has by another name, the pointer itself if it has none;
 * - made: the shadow that was made for this pointer alone, here or by the derivative;
 * - freed: not null if the derivative freed the shadow, and so the block, whose address the program kept;
 * - is_outermost: zero inside of another request, which needs the shadows unchanged: only missing ones are made;
 * - clears: the numbers that earlier calls left in the shadow are cleared, because they are constant. */
void *__ez_heap_shadow(void *pointer, void *before, void *found, void *shadow, void **made, void **freed,
                       uint64_t is_outermost, uint64_t clears, void *(*allocate)(size_t), void (*release)(void *)) {
    if (shadow && !is_outermost)
        return shadow;
    int is_own = *made && *made == shadow;
    if (pointer && pointer == before && found == pointer && *made) {
        if (is_own && clears)
            memset(shadow, 0, malloc_usable_size(shadow));
        return shadow;
    }
    if (is_own)
        release(shadow);
    *made = NULL;
    if (*freed && pointer == before)
        return found;
    *freed = NULL;
    if (found != pointer || !pointer)
        return found;
    uint64_t size = malloc_usable_size(pointer);
    *made = allocate(size);
    return *made ? memset(*made, 0, size) : NULL;
}

/* The derivative frees a shadow. Notes that if the shadow is the one at `place`, which stays there. */
__attribute__((always_inline)) void __ez_heap_freed(void *shadow, void *const *place, void **freed) {
    if (shadow && shadow == *place)
        *freed = shadow;
}

/* The derivative allocates a shadow, which may lie where a freed one lay. */
__attribute__((always_inline)) void __ez_heap_renewed(void *shadow, void **freed) {
    if (shadow == *freed)
        *freed = NULL;
}

void __ez_heap_clear(void *shadow, void *const *made, uint64_t clears) {
    if (clears && shadow && shadow == *made)
        memset(shadow, 0, malloc_usable_size(shadow));
}

/* Returns the size of the block that such a pointer points to: the size of the shadow that was made for it. */
uint64_t __ez_heap_size(void *shadow, void *const *made) {
    return shadow && shadow == *made ? malloc_usable_size(shadow) : 0;
}

/* Keeps other threads from writing until the program has ended: the threads of a team are refused at the same time. */
static void write_alone(void) { flockfile(stderr); }

/* For memory without a known shadow: enzyme_cc/autodiff/globals/foreign_memory.py. The remedy is behind the id. */
static __attribute__((noreturn, cold)) void refuse(const char *message) {
    const char *remedy = strstr(message, "]; ");
    write_alone();
    if (remedy)
        fprintf(stderr, "enzyme-cc: error: %.*s\n  remedy: %s\n", (int)(remedy + 1 - message), message, remedy + 3);
    else
        fprintf(stderr, "enzyme-cc: error: %s\n", message);
    end_program();
}

__attribute__((always_inline)) void __ez_refuse(uint64_t condition, const char *message) {
    if (__builtin_expect(condition != 0, 0))
        refuse(message);
}

/* Writes the word behind the memory of a pointer: flang's library checks it when it frees the memory. The stand-in does
 * not write it itself, because the word is no part of the array. */
void __ez_mark_pointer(void *memory, uint64_t bytes) { *(uintptr_t *)((char *)memory + bytes) = ~(uintptr_t)memory; }

/* Returns the distance. Tells type analysis that elements at this distance have one type
 * (type_analysis/constraints/local.py). */
__attribute__((const)) int64_t __ez_alike(int64_t distance) { return distance; }

/* Copies an array's descriptor for flang's library. Differentiated code does not read the copy. */
void __ez_lend(void *copy, const void *descriptor, uint64_t bytes) { memcpy(copy, descriptor, bytes); }

/* Stand-ins (stand_ins/stand_in.h) call this before they call the library itself. In derivatives, the next function
 * takes its place. */
void __ez_primal_only(const char *name) { (void)name; }

__attribute__((noreturn, cold)) void __ez_beyond_stand_in(const char *name) {
    write_alone();
    fprintf(stderr,
            "enzyme-cc: error: differentiated code called %s in a way that cannot be differentiated (for example: an element "
            "type that is only known at run time, components that are allocated, or work that several threads share); "
            "write that part otherwise\n",
            name);
    end_program();
}

/* Returns 0; ends the program if the types of elements differ (stand_ins/fortran_reduce.c). */
__attribute__((pure)) int64_t __ez_other_type(int64_t given, int64_t expected) {
    if (given != expected)
        __ez_beyond_stand_in("dot_product");
    return 0;
}
