/* Shadows of numbers that a derivative stores in memory without a shadow, because other code made it: the work arrays of
 * a solver that the program made before. Such memory is unshadowed, so the shadows of these numbers lie in blocks, in
 * a table by place and direction. What has no block is a constant. When a request begins, all numbers in blocks are zero:
 * a block is cleared when the request first asks for it. Each thread has a table, as for pointers (no_shadow.c). Generated
 * code first looks among the recent blocks, where it finds nearly all of them.
 * enzyme_cc/autodiff/emit/shadow_access/foreign_numbers.py emits the calls.
 *
 * In reverse mode, the primal sweep makes the blocks, and the reverse sweep uses those that are there. So adjoints of
 * numbers that are only read are dropped.
 */
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SHIFT = 9, BLOCK_BYTES = 1 << BLOCK_SHIFT, BLOCK_DIRECTION_SHIFT = 40, ALIGN = 64, LENT_ALIGN = 16 };
/* how many blocks of an argument of a library are looked at: its extent is not known */
enum { ROUTINE_BLOCKS = 128 };
/* no memory is at addresses as near to zero, from both sides */
enum { FIRST_PAGE = 4096 };
enum { IF_THERE, MAKE, MUST_BE_THERE }; /* as enzyme_cc/autodiff/emit/shadow_access/number_places.py has them */

/* The number of the block of the program's memory with the direction above it; the request that used it last; the memory
 * that its shadow lies in, aligned; whether the request knows a part of the block by another name. A row without a key is
 * free. */
struct block {
    uintptr_t key;
    uint64_t request;
    char *memory;
    int is_named;
};

/* `parted`: a number that lies in two blocks, as the program sees it until the next call, which puts it back. */
static _Thread_local struct {
    struct address_table blocks; /* of struct block */
    uint64_t request;
    int is_inner;
    char *place;
    uint64_t bytes, direction;
    _Alignas(ALIGN) char parted[BLOCK_BYTES];
} outside;

/* A block that the request has asked for: its address, with the direction above, if numbers there may be read, and if they
 * may be written; the way from there to the shadow, or to zeros if there is none. Blocks with other names, and those of
 * inner requests, are not here. */
enum { RECENT = 64 };
struct recent {
    uintptr_t read, written, to_shadow, unused;
};
static _Thread_local struct {
    struct recent rows[RECENT];
    int used;
} recent;

/* Memory that the request knows by another name: globals that its functions use, and its arguments with shadows. */
struct named {
    const char *start;
    uint64_t bytes;
};
enum { MOST_ARGUMENTS = 64 };
static _Thread_local struct {
    const struct named *globals;
    uint64_t number_of_globals, number_of_arguments;
    struct named arguments[MOST_ARGUMENTS];
} names;

static void refuse(const char *message); /* tape.c */
static void watch_thread(void);          /* tape.c */

static int overlaps(const char *place, uint64_t bytes, const struct named *of) {
    return place < of->start + of->bytes && of->start < place + bytes;
}

static void refuse_name(const char *place, uint64_t bytes, const struct named *of) {
    if (overlaps(place, bytes, of))
        refuse("a number that carries a derivative is stored in memory by a pointer that was stored before the "
               "derivative was called, and that memory is also a global that differentiated code uses by its name, or "
               "an argument of the derivative [EZ0306]; use that memory by one name, or pass it with a shadow");
}

static void refuse_names(const char *place, uint64_t bytes) {
    if (names.number_of_arguments > MOST_ARGUMENTS)
        refuse("a derivative with more than 64 pointers as arguments stores a number that carries a derivative in "
               "memory that was made before");
    for (uint64_t k = 0; k < names.number_of_arguments; k++)
        refuse_name(place, bytes, &names.arguments[k]);
    for (uint64_t k = 0; k < names.number_of_globals; k++)
        refuse_name(place, bytes, &names.globals[k]);
}

static void forget_recent(void) {
    if (recent.used)
        memset(&recent, 0, sizeof recent);
}

static void release_numbers(void) {
    forget_recent();
    const struct block *rows = outside.blocks.rows;
    for (size_t k = 0; k < outside.blocks.room; k++)
        free(rows[k].memory);
    release_table(&outside.blocks);
}

static uintptr_t block_of(const char *place, uint64_t direction) {
    return (uintptr_t)place >> BLOCK_SHIFT | (uintptr_t)direction << BLOCK_DIRECTION_SHIFT;
}

static inline struct recent *recent_block(const char *place, uint64_t direction) {
    return &recent.rows[(((uintptr_t)place >> BLOCK_SHIFT) + direction) % RECENT];
}

/* What such a row has for the block of the place. */
static inline uintptr_t block_at(const char *place, uint64_t direction) {
    return ((uintptr_t)place & ~(uintptr_t)(BLOCK_BYTES - 1)) | (uintptr_t)direction << DIRECTION_SHIFT;
}

/* The same, or no block if not all these bytes lie in it. Numbers of up to eight bytes do if they are aligned: the bits of
 * the address that say so are kept. */
static inline uintptr_t block_of_all(const char *place, uint64_t bytes, uint64_t direction) {
    uintptr_t address = (uintptr_t)place;
    if (bytes <= sizeof(double) && !(bytes & (bytes - 1)))
        return (address & ~(uintptr_t)(BLOCK_BYTES - bytes)) | (uintptr_t)direction << DIRECTION_SHIFT;
    return block_at(place, direction) + (address % BLOCK_BYTES + bytes > BLOCK_BYTES);
}

static struct block *row_of_block(uintptr_t key) { return table_row(&outside.blocks, sizeof(struct block), key); }

static void make_room_for_blocks(void) {
    if (!outside.blocks.room)
        watch_thread();
    if (!make_room(&outside.blocks, sizeof(struct block)))
        refuse("memory for the shadows of numbers ran out");
}

static char *shadow_in(struct block *row, const char *place) {
    char *shadow = row->memory + (-(uintptr_t)row->memory & (ALIGN - 1));
    if (row->request != outside.request) {
        const char *block = place - ((uintptr_t)place & (BLOCK_BYTES - 1));
        memset(shadow, 0, BLOCK_BYTES);
        row->request = outside.request;
        row->is_named = names.number_of_arguments > MOST_ARGUMENTS;
        for (uint64_t k = 0; k < names.number_of_globals; k++)
            row->is_named |= overlaps(block, BLOCK_BYTES, &names.globals[k]);
        for (uint64_t k = 0; !row->is_named && k < names.number_of_arguments; k++)
            row->is_named |= overlaps(block, BLOCK_BYTES, &names.arguments[k]);
    }
    return shadow + ((uintptr_t)place & (BLOCK_BYTES - 1));
}

static const _Alignas(ALIGN) char constant_numbers[BLOCK_BYTES];

/* Enters a block, or that there is none, among the recent ones. `shadow`: of the place. */
static void remember_block(const char *place, char *shadow, int is_named, uint64_t direction) {
    if (outside.is_inner || is_named)
        return;
    uintptr_t block = block_at(place, direction);
    uintptr_t to = (uintptr_t)(shadow ? shadow : constant_numbers + (uintptr_t)place % BLOCK_BYTES);
    *recent_block(place, direction) = (struct recent){block, shadow ? block : 0, to - (uintptr_t)place, 0};
    recent.used = 1;
}

static __attribute__((noinline)) char *shadow_in_table(const char *place, uint64_t direction) {
    struct block *row = outside.blocks.count ? row_of_block(block_of(place, direction)) : NULL;
    char *shadow = row && row->key ? shadow_in(row, place) : NULL;
    remember_block(place, shadow, shadow && row->is_named, direction);
    return shadow;
}

/* Returns the shadow of the byte; null if it has no block. */
static char *shadow_there(const char *place, uint64_t direction) {
    const struct recent *row = recent_block(place, direction);
    if (row->read != block_at(place, direction))
        return shadow_in_table(place, direction);
    return row->written ? (char *)place + row->to_shadow : NULL;
}

/* The same, but a block is made. Sets `*is_named` to whether the request knows a part of it by another name. */
static char *made_shadow(const char *place, uint64_t direction, int *is_named) {
    char *shadow = shadow_there(place, direction);
    *is_named = 0;
    if (recent_block(place, direction)->written == block_at(place, direction))
        return shadow;
    make_room_for_blocks();
    struct block *row = row_of_block(block_of(place, direction));
    if (!row->key) {
        char *memory = malloc(BLOCK_BYTES + ALIGN);
        if (!memory)
            refuse("memory for the shadows of numbers ran out");
        *row = (struct block){block_of(place, direction), outside.request - 1, memory, 0};
        outside.blocks.count++;
        *recent_block(place, direction) = (struct recent){0};
    }
    shadow = shadow_in(row, place);
    *is_named = row->is_named;
    remember_block(place, shadow, row->is_named, direction);
    return shadow;
}

/* How many of the bytes from the place on lie in one block. */
static size_t part_of(const char *place, size_t bytes) {
    size_t left = BLOCK_BYTES - ((uintptr_t)place & (BLOCK_BYTES - 1));
    return left < bytes ? left : bytes;
}

/* Copies shadows to a buffer: zero where there is no block. Returns whether there is any. */
static int gather(char *to, const char *place, size_t bytes, uint64_t direction) {
    int found = 0;
    for (size_t at = 0, part; at < bytes; at += part) {
        part = part_of(place + at, bytes - at);
        const char *shadow = shadow_there(place + at, direction);
        if (shadow)
            memcpy(to + at, shadow, part);
        else
            memset(to + at, 0, part);
        found |= shadow != NULL;
    }
    return found;
}

/* Copies a buffer to the shadows. Where there is no block, one is made if `makes`. */
static void scatter(const char *place, const char *from, size_t bytes, uint64_t direction, int makes) {
    for (size_t at = 0, part; at < bytes; at += part) {
        part = part_of(place + at, bytes - at);
        int is_named;
        char *shadow = makes ? made_shadow(place + at, direction, &is_named) : shadow_there(place + at, direction);
        if (shadow)
            memcpy(shadow, from + at, part);
    }
}

static void clear_numbers(const char *place, size_t bytes, uint64_t direction) {
    for (size_t at = 0, part; at < bytes; at += part) {
        part = part_of(place + at, bytes - at);
        char *shadow = shadow_there(place + at, direction);
        if (shadow)
            memset(shadow, 0, part);
    }
}

/* Copies of numbers. Most copies are small. */
struct gathered {
    char *numbers, *own;
    char small[64];
};

/* Takes a copy of the shadows. Its `numbers` are null if there are none. */
static void take_numbers(struct gathered *copy, const char *place, size_t bytes, uint64_t direction) {
    copy->own = bytes <= sizeof copy->small ? NULL : malloc(bytes);
    if (bytes > sizeof copy->small && !copy->own)
        refuse("memory for the shadows of numbers ran out");
    char *buffer = copy->own ? copy->own : copy->small;
    copy->numbers = gather(buffer, place, bytes, direction) ? buffer : NULL;
}

/* Puts the number that lies in two blocks back. */
static void settle(void) {
    if (outside.bytes)
        scatter(outside.place, outside.parted, outside.bytes, outside.direction, 0);
    outside.bytes = 0;
}

static int all_there(const char *place, size_t bytes, uint64_t direction) {
    for (size_t at = 0; at < bytes; at += part_of(place + at, bytes - at))
        if (!shadow_there(place + at, direction))
            return 0;
    return 1;
}

static void make_blocks(const char *place, size_t bytes, uint64_t direction) {
    if (outside.is_inner)
        refuse("a derivative that was called in the reverse sweep of another one stores a number that carries a "
               "derivative in memory that was made before [EZ0306]; allocate it in the differentiated function, or "
               "pass it with a shadow");
    for (size_t at = 0; at < bytes; at += part_of(place + at, bytes - at)) {
        int is_named;
        made_shadow(place + at, direction, &is_named);
        if (is_named)
            refuse_names(place, bytes);
    }
}

/* Copies numbers to the shadows of unshadowed memory. Blocks are made unless all numbers are constants. */
static void put_numbers(const char *place, const char *from, size_t bytes, uint64_t direction) {
    if (is_zero(from, bytes)) {
        clear_numbers(place, bytes, direction);
        return;
    }
    make_blocks(place, bytes, direction);
    scatter(place, from, bytes, direction, 0);
}

/* A request or its second half begins. */
void __ez_foreign_numbers_begin(uint64_t is_outermost, const struct named *globals, uint64_t number) {
    settle();
    forget_recent();
    outside.request += is_outermost;
    outside.is_inner = !is_outermost;
    names.globals = globals;
    names.number_of_globals = number;
    names.number_of_arguments = 0;
}

/* No bytes: the argument is its own shadow, that is constant memory as well. */
void __ez_foreign_argument(const char *start, uint64_t bytes) {
    if (!bytes)
        return;
    if (names.number_of_arguments < MOST_ARGUMENTS)
        names.arguments[names.number_of_arguments] = (struct named){start, bytes};
    names.number_of_arguments++;
}

/* The primal sweep stores numbers in unshadowed memory if `is_constant`. */
static __attribute__((noinline)) void expect_numbers(const char *place, uint64_t bytes, uint64_t direction) {
    settle();
    make_blocks(place, bytes, direction);
}

/* The same in unshadowed memory. Mostly, the place's block is the recent one, and is there already. The link
 * says whether this is inlined (look_ups.py). */
static void recently_expected(const char *place, uint64_t bytes, uint64_t direction) {
    if (__builtin_expect(recent_block(place, direction)->written != block_of_all(place, bytes, direction), 0))
        expect_numbers(place, bytes, direction);
}

__attribute__((always_inline)) void __ez_foreign_expect(uint64_t is_constant, const char *place, uint64_t bytes,
                                                        uint64_t direction) {
    if (__builtin_expect(!is_constant, 1))
        return;
    recently_expected(place, bytes, direction);
}

static __attribute__((noinline)) char *outside_number_at(char *place, char *other, uint64_t bytes, uint64_t how,
                                                 uint64_t direction) {
    settle();
    if (how == MAKE)
        make_blocks(place, bytes, direction);
    else if (how == MUST_BE_THERE && !all_there(place, bytes, direction))
        refuse("the second half of a derivative runs in another thread than the first, which stored a number that "
               "carries a derivative in memory that was made before [EZ0306]; run both in one thread");
    if (part_of(place, bytes) == bytes) {
        char *shadow = shadow_there(place, direction);
        return shadow ? shadow : other;
    }
    if (bytes > sizeof outside.parted)
        refuse("a vector of more than 512 bytes is stored in memory that was made before");
    if (!gather(outside.parted, place, bytes, direction))
        return other;
    outside.place = place;
    outside.bytes = bytes;
    outside.direction = direction;
    forget_recent(); /* so that the next call comes here */
    return outside.parted;
}

/* Returns the same as __ez_foreign_number of unshadowed memory. The link says whether it is inlined
 * (look_ups.py). */
static char *recent_number(char *place, char *other, uint64_t bytes, uint64_t how, uint64_t direction) {
    const struct recent *row = recent_block(place, direction);
    uintptr_t block = block_of_all(place, bytes, direction);
    if (__builtin_expect((how == IF_THERE ? row->read : row->written) == block, 1))
        return how != IF_THERE || !other || row->written == block ? place + row->to_shadow : other;
    if (!other)
        other = (char *)constant_numbers;
    return how != IF_THERE || outside.blocks.count ? outside_number_at(place, other, bytes, how, direction) : other;
}

/* Returns where the shadow of a number lies, until the next call. `shadow`: the shadow of its place, which is the place
 * itself if `is_constant`. `other`: what serves where there is no shadow in such memory; null stands for zeros to read. */
__attribute__((always_inline)) char *__ez_foreign_number(uint64_t is_constant, char *shadow, char *other, uint64_t bytes,
                                                         uint64_t how, uint64_t direction) {
    return __builtin_expect(!is_constant, 1) ? shadow : recent_number(shadow, other, bytes, how, direction);
}

/* Constant bytes are written to such memory. */
static __attribute__((noinline)) void forget_numbers(char *place, uint64_t bytes, uint64_t direction) {
    settle();
    clear_numbers(place, bytes, direction);
}

__attribute__((always_inline)) void __ez_foreign_clear(uint64_t is_constant, char *place, uint64_t bytes,
                                                       uint64_t direction) {
    if (is_constant && outside.blocks.count)
        forget_numbers(place, bytes, direction);
}

/* Such memory is freed. */
__attribute__((always_inline)) void __ez_foreign_free(uint64_t is_constant, char *memory, uint64_t direction) {
    if (is_constant && memory && outside.blocks.count)
        forget_numbers(memory, malloc_usable_size(memory), direction);
}

/* Such memory was moved by realloc. */
static __attribute__((noinline)) void move_numbers(char *to, char *from, uint64_t bytes, uint64_t direction) {
    struct gathered copy;
    settle();
    take_numbers(&copy, from, bytes, direction);
    if (copy.numbers) {
        clear_numbers(from, bytes, direction);
        scatter(to, copy.numbers, bytes, direction, 1);
    }
    free(copy.own);
}

__attribute__((always_inline)) void __ez_foreign_move(uint64_t is_constant, char *to, char *from, uint64_t bytes,
                                                      uint64_t direction) {
    if (is_constant && to != from && outside.blocks.count)
        move_numbers(to, from, bytes, direction);
}

static inline size_t clipped(size_t bytes, size_t start, size_t length); /* tape.c */

/* In forward mode, numbers are copied: in every period, the `length` bytes from `offset` on. `target` is unshadowed
 * if `to` is null, `source` if `from` is null. */
static __attribute__((noinline)) void copy_numbers(char *to, char *target, const char *from, const char *source,
                                                   uint64_t bytes, uint64_t period, uint64_t offset, uint64_t length,
                                                   uint64_t direction) {
    struct gathered copy = {0};
    settle();
    if (!from)
        take_numbers(&copy, source, bytes, direction);
    const char *numbers_from = from ? from : copy.numbers;
    for (size_t at = offset; at < bytes; at += period) {
        size_t part = clipped(bytes, at, length);
        if (!to && numbers_from)
            put_numbers(target + at, numbers_from + at, part, direction);
        else if (!to)
            clear_numbers(target + at, part, direction);
        else if (numbers_from)
            memcpy(to + at, numbers_from + at, part);
    }
    free(copy.own);
}

__attribute__((always_inline)) void __ez_foreign_copy_numbers(char *to, char *target, const char *from,
                                                              const char *source, uint64_t bytes, uint64_t period,
                                                              uint64_t offset, uint64_t length, uint64_t direction) {
    if ((!to || !from) && bytes && (from || outside.blocks.count))
        copy_numbers(to, target, from, source, bytes, period, offset, length, direction);
}

/* Copies the marks of adjoints (marks.c) to a lent copy, or back from one. */
static void copy_marks(const char *place, const char *lent, uint64_t bytes, uint64_t direction, int is_back) {
    for (uint64_t at = 0; marks.room && at < bytes; at += sizeof(float)) {
        const char *shadow = shadow_there(place + at, direction);
        if (shadow && is_back)
            mark(shadow, marked(lent + at));
        else if (shadow)
            mark(lent + at, marked(shadow));
    }
}

/* Returns the shadow of memory whose numbers are moved in the reverse sweep; of unshadowed memory, a copy, or
 * null if it has none. `is_taken`: the numbers there are zero afterwards. Words lie in a copy as they lie in the memory,
 * between zeros (mixed.c). */
static __attribute__((noinline)) char *lent_numbers(char *place, uint64_t bytes, uint64_t is_taken,
                                                    uint64_t direction) {
    settle();
    if (!bytes)
        return NULL;
    char *buffer = calloc(1, bytes + 2 * LENT_ALIGN), *lent = buffer + ((uintptr_t)place & (LENT_ALIGN - 1));
    if (!buffer)
        refuse("memory for the shadows of numbers ran out");
    if (!gather(lent, place, bytes, direction)) {
        free(buffer);
        return NULL;
    }
    copy_marks(place, lent, bytes, direction, 0);
    if (is_taken)
        clear_numbers(place, bytes, direction);
    return lent;
}

__attribute__((always_inline)) char *__ez_foreign_lend(uint64_t is_constant, char *place, char *shadow, uint64_t bytes,
                                                       uint64_t is_taken, uint64_t direction) {
    if (__builtin_expect(!is_constant, 1))
        return shadow;
    return outside.blocks.count ? lent_numbers(place, bytes, is_taken, direction) : NULL;
}

/* Gives such a copy back. */
static __attribute__((noinline)) void restore_numbers(char *place, char *lent, uint64_t bytes, uint64_t direction) {
    settle();
    if (place) {
        scatter(place, lent, bytes, direction, 0);
        copy_marks(place, lent, bytes, direction, 1);
    }
    free(lent - ((uintptr_t)lent & (LENT_ALIGN - 1)));
}

__attribute__((always_inline)) void __ez_foreign_restore(uint64_t is_constant, char *place, char *lent, uint64_t bytes,
                                                         uint64_t direction) {
    if (is_constant && lent)
        restore_numbers(place, lent, bytes, direction);
}

/* Ends the program if numbers in unshadowed memory have shadows. */
static __attribute__((noinline)) void refuse_numbers(char *place, uint64_t bytes, const char *message,
                                                     uint64_t direction) {
    struct gathered copy;
    settle();
    take_numbers(&copy, place, bytes, direction);
    if (copy.numbers)
        refuse(message);
    free(copy.own);
}

/* A routine of a library is given unshadowed memory: its derivative takes such memory for constant. Ends the
 * program if it would lose something: `is_lost`, or numbers in the next bytes have shadows. */
void __ez_foreign_refuse_routine(uint64_t is_constant, const char *place, uint64_t is_lost, const char *message) {
    int is_memory = (uintptr_t)place + FIRST_PAGE >= 2 * FIRST_PAGE; /* others mark a choice, as MPI_IN_PLACE does */
    if (!is_constant || !is_memory)
        return;
    if (is_lost)
        refuse(message);
    settle();
    for (uint64_t k = 0; outside.blocks.count && k < ROUTINE_BLOCKS; k++) {
        struct block *row = row_of_block(block_of(place + k * BLOCK_BYTES, 0));
        if (row && row->key)
            refuse(message);
    }
}

__attribute__((always_inline)) void __ez_foreign_refuse(uint64_t is_constant, char *place, uint64_t bytes,
                                                        const char *message, uint64_t direction) {
    if (is_constant && outside.blocks.count)
        refuse_numbers(place, bytes, message, direction);
}
