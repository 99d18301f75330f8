/* Pointers in the caller's shadow memory that differentiated code replaces: `v.swap(w)` where v is an argument, realloc
 * of a member, another head of a list. When a derivative ends, the shadow of an argument describes the argument as it
 * was passed. So the primal sweep keeps, in the arena, what such a pointer was before it was first replaced, and what
 * shadows it allocates and frees. When the arena is released,
 *
 * - each pointer comes back, and the caller's shadows are the caller's again: none of them is freed;
 * - the last pointer stays in a member of an argument itself that was null, if it points into a block that the derivative
 *   has made and that the primal has not freed: work space that is made at first use has a shadow for the next derivative;
 * - a block that the derivative has made is freed if the primal frees its own, or if nothing points to it any more;
 * - what a global keeps stays as it is at the end, also where other code may have passed the same memory.
 *
 * enzyme_cc/autodiff/reverse/replaced_pointers.py emits the calls.
 */
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arena;
struct deferred;
void *__ez_alloc(struct arena *a, size_t size);
uint64_t __ez_is_pointer(const void *word, const void *shadow);
static void refuse(const char *message);

/* A pointer in shadow memory. `primal`: the same place in the primal's memory, where a number may lie at other times;
 * null if not. `beside`: the same, also where no number lies. `old`: the shadow before it was replaced, null for a number.
 * `last`: the shadow at the end. `is_member`: of what an argument points at itself. `leads_to_numbers`: perhaps. */
struct replaced {
    struct replaced *before;
    void **place, **primal, **beside, *old, *last;
    int is_member, leads_to_numbers;
};

/* What a request was given. */
struct argument {
    char *memory, *shadow;
};
enum { ARGUMENTS = 16 };
static _Thread_local struct argument arguments[ARGUMENTS]; /* those of the last requests */
static _Thread_local size_t argument_count;

/* A member of an argument that points to a larger block than its shadow does: the program has to make the shadow fit. */
struct outgrown {
    struct argument of;
    void **place, **primal, *shadow, *block;
    size_t size;
};
enum { OUTGROWN = 64 };
static struct outgrown outgrown[OUTGROWN];
static _Atomic size_t outgrown_count;

enum left { NOT_LEFT, LEFT_TO_CALLER, LEFT_TO_GLOBAL };

/* The shadow of a heap block. `release` frees it; null if only the primal's call can do that. */
struct made {
    struct made *before;
    char *start;
    size_t size;
    void (*release)(void *);
    enum left left;
    char is_freed, is_replaced;
};

/* Shadows behind globals that requests have left. All threads share them. */
static struct made *behind_globals;
static atomic_flag behind_globals_taken = ATOMIC_FLAG_INIT;

/* The primal frees a block with this shadow: `release` is given `memory`. `is_ours`: a derivative has made it. */
struct freed {
    struct freed *before;
    int is_ours;
    char *shadow;
    void *memory;
    void (*release)(void *);
};

/* A pointer is stored where other code finds it later, but not behind an argument. */
struct kept_elsewhere {
    struct kept_elsewhere *before;
    char *shadow;
};

/* `take_back` is called when the arena is released. Its address is here, so that programs that record nothing are linked
 * without it: it is a third of what a small gradient has of the runtime. */
struct replaced_pointers {
    void (*take_back)(struct replaced_pointers *log, const struct deferred *deferred, int last);
    struct replaced *replaced;
    struct made *made;
    struct freed *freed;
    struct kept_elsewhere *elsewhere;
    int is_taken_back;
    struct address_table places; /* those of `replaced`, and nothing else: most pointers are replaced again and again */
};

static void take_back_pointers(struct replaced_pointers *log, const struct deferred *deferred, int last);
static struct replaced_pointers **replaced_pointers_of(struct arena *a); /* tape.c */
static const char *next_freed(const struct deferred **list);               /* tape.c */

static void have_room(struct address_table *table, size_t row_bytes) {
    if (!make_room(table, row_bytes))
        refuse("memory for pointers that are taken back ran out");
}

static struct replaced_pointers *log_of(struct arena *a) {
    struct replaced_pointers **log = replaced_pointers_of(a);
    if (!*log) {
        *log = memset(__ez_alloc(a, sizeof **log), 0, sizeof **log);
        (*log)->take_back = take_back_pointers;
        have_room(&(*log)->places, sizeof(uintptr_t));
    }
    return *log;
}

/* -- the primal sweep */

/* What overwrites a word: replaced_pointers.py. */
enum how { ONLY_POINTERS, TOLD_BY_WORDS, BY_NUMBER, OF_MEMBER = 4, TO_NUMBERS = 8 };

/* A member that says how many elements a container has: it is the same in the shadow. No adjoint looks like it. */
static int is_count(const void *word, const void *shadow) {
    enum { COUNTS = 1 << 23 }; /* as one float or two, the word has a denormal number */
    return word == shadow && word && (uintptr_t)word < COUNTS;
}

static void keep_replaced(struct arena *a, struct replaced_pointers *log, char *place, char *primal, uint64_t what) {
    uint64_t how = what & ~(uint64_t)(OF_MEMBER | TO_NUMBERS);
    uintptr_t *row = table_row(&log->places, sizeof *row, (uintptr_t)place);
    if (*row)
        return;
    void *old, *word = NULL;
    memcpy(&old, place, sizeof old);
    if (how != ONLY_POINTERS)
        memcpy(&word, primal, sizeof word);
    if (how != ONLY_POINTERS && is_count(word, old)) {
        how = ONLY_POINTERS;
    } else if (how != ONLY_POINTERS && !(word && __ez_is_pointer(word, old))) {
        if (how == BY_NUMBER)
            return; /* it stays a number */
        old = NULL;
    }
    *row = (uintptr_t)place;
    log->places.count++;
    have_room(&log->places, sizeof *row);
    struct replaced *r = __ez_alloc(a, sizeof *r);
    void **told = how == ONLY_POINTERS ? NULL : (void **)primal;
    int is_member = (what & OF_MEMBER) != 0, leads_to_numbers = (what & TO_NUMBERS) != 0;
    *r = (struct replaced){log->replaced, (void **)place, told, (void **)primal, old, NULL, is_member,
                           leads_to_numbers};
    log->replaced = r;
}

/* Pointers in `bytes` bytes of shadow memory are about to be overwritten: in each period, those in `length` bytes from
 * `offset` on. `primal`: the memory itself. */
__attribute__((noinline)) void __ez_pointers_replaced(char *shadow, uint64_t bytes, char *primal, struct arena *a,
                                                      uint64_t period, uint64_t offset, uint64_t length, uint64_t what) {
    uint64_t how = what & ~(uint64_t)(OF_MEMBER | TO_NUMBERS);
    struct replaced_pointers *log = log_of(a);
    for (uint64_t base = 0; shadow && base + offset < bytes; base += period) {
        uint64_t at = base + offset, end = at + length < bytes ? at + length : bytes;
        if (how != ONLY_POINTERS) /* a number may be a part of a word, and a copy may begin within one */
            at -= (uintptr_t)(shadow + at) % sizeof(void *), end += -(uintptr_t)(shadow + end) % sizeof(void *);
        for (; at + sizeof(void *) <= end || (how != ONLY_POINTERS && at != end); at += sizeof(void *))
            keep_replaced(a, log, shadow + at, primal + at, what);
    }
}

/* A shadow is allocated that may be stored behind an argument. */
void __ez_shadow_made(char *shadow, uint64_t size, struct arena *a, void (*release)(void *)) {
    if (!shadow || !size)
        return;
    struct replaced_pointers *log = log_of(a);
    struct made *m = __ez_alloc(a, sizeof *m);
    *m = (struct made){log->made, shadow, size, release, NOT_LEFT, 0, 0};
    log->made = m;
}

/* The primal frees a block. `whose` is zero if it has no shadow (replaced_pointers.py). `release` is given `memory`; the
 * shadow if that is null. */
void __ez_shadow_freed(char *shadow, uint64_t whose, struct arena *a, void *memory, void (*release)(void *)) {
    enum { NOBODY, ANY, OURS };
    if (!shadow || whose == NOBODY)
        return;
    struct replaced_pointers *log = log_of(a);
    struct freed *f = __ez_alloc(a, sizeof *f);
    *f = (struct freed){log->freed, whose == OURS, shadow, memory ? memory : shadow, release};
    log->freed = f;
}

/* A shadow is stored in memory that lives on, and that no argument leads to: in that of a global. */
void __ez_shadow_elsewhere(char *shadow, uint64_t has_shadow, struct arena *a) {
    if (!shadow || !has_shadow)
        return;
    struct replaced_pointers *log = log_of(a);
    struct kept_elsewhere *k = __ez_alloc(a, sizeof *k);
    *k = (struct kept_elsewhere){log->elsewhere, shadow};
    log->elsewhere = k;
}

/* -- the end */

static void *room_for(size_t bytes) {
    void *room = malloc(bytes ? bytes : 1);
    if (!room)
        refuse("memory for pointers that are taken back ran out");
    return room;
}

static void put_back_pointers(struct replaced_pointers *log) {
    for (struct replaced *r = log->replaced; r; r = r->before) {
        memcpy(&r->last, r->place, sizeof r->last);
        if (!r->last && !r->old)
            continue;
        if (r->primal && !r->old && !__ez_is_pointer(*r->primal, r->last))
            r->last = NULL; /* the adjoint of a number */
        else
            memcpy(r->place, &r->old, sizeof r->old);
    }
    log->is_taken_back = 1;
}

/* The blocks that derivatives have made. Most questions are about the start of a block. So what is sorted is sorted when it
 * is first asked for. */
struct blocks {
    const struct replaced_pointers *log;
    struct address_table starts; /* of struct start */
    struct made **by_start, **left; /* all, or null; those whose pointers are still to be seen */
    struct replaced **by_place;     /* all, or null */
    size_t count, left_count;
};

struct start {
    uintptr_t start;
    struct made *block;
};

static void add_blocks(struct blocks *b, struct made *blocks) {
    for (struct made *m = blocks; m; m = m->before) {
        have_room(&b->starts, sizeof(struct start));
        struct start *row = table_row(&b->starts, sizeof *row, (uintptr_t)m->start);
        b->starts.count += !row->start;
        *row = (struct start){(uintptr_t)m->start, m};
        b->count++;
    }
}

/* The block that begins at the place; null if the derivative has not made it. */
static struct made *block_from(const struct blocks *b, const void *start) {
    const struct start *row = start && b->count ? table_row(&b->starts, sizeof *row, (uintptr_t)start) : NULL;
    return row ? row->block : NULL;
}

static int by_start(const void *left, const void *right) {
    const struct made *a = *(struct made *const *)left, *b = *(struct made *const *)right;
    return a->start < b->start ? -1 : 1;
}

static int by_place(const void *left, const void *right) {
    const struct replaced *a = *(struct replaced *const *)left, *b = *(struct replaced *const *)right;
    return a->place < b->place ? -1 : 1;
}

static void sort_blocks(struct blocks *b) {
    size_t count = 0;
    b->by_start = room_for(b->starts.count * sizeof *b->by_start);
    for (size_t k = 0; k < b->starts.room; k++) {
        struct made *m = ((struct start *)b->starts.rows)[k].block;
        if (m)
            b->by_start[count++] = m;
    }
    qsort(b->by_start, count, sizeof *b->by_start, by_start);
}

static void sort_places(struct blocks *b) {
    size_t count = 0;
    b->by_place = room_for(b->log->places.count * sizeof *b->by_place);
    for (struct replaced *r = b->log->replaced; r; r = r->before)
        b->by_place[count++] = r;
    qsort(b->by_place, count, sizeof *b->by_place, by_place);
}

/* The block that the pointer leads into, or to the end of; null if the derivative has not made it. */
static struct made *block_around(struct blocks *b, const char *pointer) {
    struct made *at = block_from(b, pointer);
    if (at || !pointer || !b->count)
        return at;
    if (!b->by_start)
        sort_blocks(b);
    size_t low = 0, high = b->starts.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->by_start[middle]->start <= pointer)
            low = middle + 1;
        else
            high = middle;
    }
    struct made *found = low ? b->by_start[low - 1] : NULL;
    return found && pointer <= found->start + found->size ? found : NULL;
}

static void leave_block(struct blocks *b, struct made *m, enum left left) {
    if (!m || m->is_freed || m->left != NOT_LEFT)
        return;
    if (!b->left)
        b->left = room_for(b->count * sizeof *b->left);
    m->left = left;
    b->left[b->left_count++] = m;
}

/* The last pointer stays where there was none, and in a block that stays: `around`, null in the caller's memory. */
static void leave_pointer(struct blocks *b, struct replaced *r, const struct made *around) {
    struct made *to = block_around(b, r->last);
    if (!to ? !(around && r->old) : to->is_freed)
        return;
    memcpy(r->place, &r->last, sizeof r->last);
    leave_block(b, to, around ? around->left : LEFT_TO_CALLER);
}

/* Calls `visit` with each block that a word of the block may lead to. */
static void for_each_pointer_in(struct blocks *b, struct made *m,
                                void (*visit)(struct blocks *, struct made *from, struct made *to)) {
    char *end = m->start + m->size;
    char *word = m->start + -(uintptr_t)m->start % sizeof(void *);
    for (; end - word >= (ptrdiff_t)sizeof(void *); word += sizeof(void *)) {
        char *pointer;
        memcpy(&pointer, word, sizeof pointer);
        struct made *to = block_around(b, pointer);
        if (to)
            visit(b, m, to);
    }
}

static void leave_with(struct blocks *b, struct made *from, struct made *to) { leave_block(b, to, from->left); }

/* What the derivative has stored in a block of its own stays, too: only some of it is recorded. */
static void leave_pointers_in(struct blocks *b, struct made *m) {
    if (!b->by_place)
        sort_places(b);
    size_t low = 0, high = b->log->places.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((char *)b->by_place[middle]->place < m->start)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < b->log->places.count && (char *)b->by_place[low]->place < m->start + m->size; low++)
        leave_pointer(b, b->by_place[low], m);
    for_each_pointer_in(b, m, leave_with);
}

static void leave_pointers_in_all(struct blocks *b) {
    while (b->left_count)
        leave_pointers_in(b, b->left[--b->left_count]);
}

/* Code whose blocks no argument leads to frees them by `deferred`. The function that made them may serve other code, too. */
static void find_freed(const struct deferred *deferred, const struct blocks *b) {
    for (const char *memory; (memory = next_freed(&deferred));) {
        struct made *m = block_from(b, memory);
        if (m)
            m->is_freed = 1;
    }
    for (struct freed *f = b->log->freed; f; f = f->before) {
        struct made *m = block_from(b, f->shadow);
        if (m)
            m->is_freed = 1;
        else if (!f->is_ours)
            f->release = NULL; /* the caller's */
    }
}

static void leave_blocks(struct blocks *b) {
    for (struct made *m = behind_globals; m; m = m->before)
        leave_block(b, m, LEFT_TO_GLOBAL);
    for (struct kept_elsewhere *k = b->log->elsewhere; k; k = k->before)
        leave_block(b, block_around(b, k->shadow), LEFT_TO_GLOBAL);
    leave_pointers_in_all(b);
    for (struct replaced *r = b->log->replaced; r; r = r->before) {
        if (!r->is_member || r->old)
            continue;
        const struct made *around = block_around(b, (char *)r->place);
        if (!around || (char *)r->place == around->start + around->size)
            leave_pointer(b, r, NULL);
    }
    leave_pointers_in_all(b);
}

static int is_left_over(const struct made *m) { return m->release && m->left == NOT_LEFT && !m->is_freed; }

static void mark_replaced(struct blocks *b, struct made *from, struct made *to) {
    if (to->is_replaced || !is_left_over(to))
        return;
    if (!b->left)
        b->left = room_for(b->count * sizeof *b->left);
    to->is_replaced = 1;
    b->left[b->left_count++] = to;
}

/* Finds the blocks that nothing leads to any more: a pointer to them was taken back, or lay in such a block. */
static void find_replaced(struct blocks *b) {
    const struct made *m = b->log->made;
    while (m && !is_left_over(m))
        m = m->before;
    for (struct replaced *r = m ? b->log->replaced : NULL; r; r = r->before) {
        struct made *to = block_around(b, r->last);
        if (to)
            mark_replaced(b, NULL, to);
    }
    while (b->left_count)
        for_each_pointer_in(b, b->left[--b->left_count], mark_replaced);
}

/* -- shadows that the primal's memory has outgrown */

static int is_freed_by_caller(const struct replaced_pointers *log, const char *shadow) {
    for (const struct freed *f = log->freed; f; f = f->before)
        if (f->shadow == shadow && !f->release)
            return 1;
    return 0;
}

/* The argument that a member lies in begins closest before it; null if none does. Its size is not known. */
static const struct argument *argument_of(const struct replaced *r) {
    enum { LARGEST_HANDLE = 1 << 16 };
    const struct argument *found = NULL;
    size_t least = LARGEST_HANDLE;
    for (size_t k = 0; k < ARGUMENTS && k < argument_count; k++) {
        const struct argument *a = &arguments[k];
        size_t offset = (size_t)((char *)r->beside - a->memory);
        if (offset < least && (size_t)((char *)r->place - a->shadow) == offset) {
            found = a;
            least = offset;
        }
    }
    return found;
}

static void note_outgrown(const struct replaced *r, size_t size) {
    const struct argument *of = argument_of(r);
    size_t k = 0;
    while (k < outgrown_count && outgrown[k].place != r->place)
        k++;
    if (!of || k == OUTGROWN)
        return;
    outgrown[k] = (struct outgrown){*of, r->place, r->beside, r->old, *r->beside, size};
    if (k == outgrown_count)
        outgrown_count++;
}

/* The primal has freed the block of a member, and the member points to a new one. Its shadow is the caller's block again,
 * which was one of the heap, too. */
static void find_outgrown(const struct blocks *b) {
    for (struct replaced *r = b->log->replaced; r; r = r->before) {
        if (!r->is_member || !r->old || !r->leads_to_numbers)
            continue;
        const struct made *m = block_from(b, r->last);
        if (m && !m->is_freed && is_freed_by_caller(b->log, r->old) && malloc_usable_size(r->old) < m->size)
            note_outgrown(r, m->size);
    }
}

/* `memory` may be the argument as it was passed, or a part of it. Locals of functions lie beside each other: what begins
 * before the argument is another object. */
static int is_outgrown(const struct outgrown *o, char *memory, char *shadow) {
    if (memory < o->of.memory || memory > (char *)o->primal)
        return 0;
    if (memory - o->of.memory != shadow - o->of.shadow)
        return 0;
    if (*o->place != o->shadow || *o->primal != o->block || malloc_usable_size(o->shadow) >= o->size)
        return 0;
    return malloc_usable_size(o->block) >= o->size; /* else, another object has the addresses of one that is gone */
}

/* A request is given an argument with a shadow. Ends the program if a member of the shadow is too small for that of the
 * argument, as an earlier derivative has left it. */
__attribute__((noinline)) void __ez_shadow_fits(char *memory, char *shadow) {
    if (memory == shadow)
        return;
    arguments[argument_count++ % ARGUMENTS] = (struct argument){memory, shadow};
    if (!outgrown_count)
        return;
    while (atomic_flag_test_and_set_explicit(&behind_globals_taken, memory_order_acquire)) {}
    for (size_t k = 0; k < outgrown_count; k++)
        if (is_outgrown(&outgrown[k], memory, shadow))
            refuse("the shadow of an argument is too small [EZ0314]\n"
                   "  reason: an earlier derivative has given a member of the argument more memory, and that member of the "
                   "shadow has its old memory again\n"
                   "  remedy: make the shadow fit before each call: give it as much memory as the argument has");
    atomic_flag_clear_explicit(&behind_globals_taken, memory_order_release);
}

/* Takes those out that the primal has freed. */
static void forget_freed(void) {
    for (struct made **place = &behind_globals; *place;) {
        struct made *m = *place;
        if (m->is_freed) {
            *place = m->before;
            free(m);
        } else {
            m->left = NOT_LEFT;
            place = &m->before;
        }
    }
}

static void keep_behind_globals(const struct made *m) {
    struct made *kept = room_for(sizeof *kept);
    *kept = *m;
    kept->before = behind_globals;
    kept->left = NOT_LEFT;
    behind_globals = kept;
}

static void release_blocks(struct replaced_pointers *log) {
    for (struct freed *f = log->freed; f; f = f->before)
        if (f->release)
            f->release(f->memory);
    for (struct made *m = log->made; m; m = m->before) {
        if (m->left == LEFT_TO_GLOBAL)
            keep_behind_globals(m);
        else if (m->release && m->is_replaced && m->left == NOT_LEFT && !m->is_freed)
            m->release(m->start);
    }
}

static void settle_blocks(struct replaced_pointers *log, const struct deferred *deferred) {
    struct blocks b = {.log = log};
    add_blocks(&b, log->made);
    add_blocks(&b, behind_globals);
    find_freed(deferred, &b);
    leave_blocks(&b);
    find_replaced(&b);
    find_outgrown(&b);
    forget_freed();
    release_blocks(log);
    free(b.by_start);
    free(b.by_place);
    free(b.left);
    release_table(&b.starts);
    release_table(&log->places);
}

/* The reverse sweep is done. It may run again if this is not the `last` time. `deferred`: blocks that are freed after it. */
static void take_back_pointers(struct replaced_pointers *log, const struct deferred *deferred, int last) {
    if (!log->is_taken_back)
        put_back_pointers(log);
    if (last) {
        while (atomic_flag_test_and_set_explicit(&behind_globals_taken, memory_order_acquire)) {}
        settle_blocks(log, deferred);
        atomic_flag_clear_explicit(&behind_globals_taken, memory_order_release);
    }
}
