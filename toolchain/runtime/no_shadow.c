/* Shadows of pointers that a derivative stores in memory without a shadow. A global or a constant argument pointed to it
 * when the derivative was called: the handle of a library, in which the program keeps the address of its data. Such
 * memory is unshadowed, so the shadows of these pointers lie in a table, by place and direction. A row holds as long
 * as the place holds the pointer. Each thread has a table: a request that begins in one thread leaves those of others as
 * they are.
 * enzyme_cc/autodiff/emit/shadow_access/foreign_pointers.py emits the calls.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTION_SHIFT = 48 };

/* The first byte of the pointer with the direction above it; the pointer; its shadow. A row without a key is free. */
struct note {
    uintptr_t key;
    void *pointer, *shadow;
};

static _Thread_local struct address_table notes; /* of struct note */

/* Whether there may be a note for a place with this number, which is the same in all directions. */
enum { PLACES = 256 };
static _Thread_local char may_be_noted[PLACES];

static inline char *place_number(const void *place) {
    return &may_be_noted[(uintptr_t)place / sizeof(void *) % PLACES];
}

static void refuse(const char *message);                                      /* tape.c */
static void watch_thread(void);                                               /* tape.c */
static inline int may_be_named(const void *pointer);                          /* named_memory.c */
static void *shadow_by_name(void *pointer, void *shadow, uint64_t direction); /* named_memory.c */

static uintptr_t key_of(const void *place, uint64_t direction) {
    return (uintptr_t)place | (uintptr_t)direction << DIRECTION_SHIFT;
}

static struct note *note_of(uintptr_t key) { return table_row(&notes, sizeof(struct note), key); }

static __attribute__((noinline)) void enter_note(uintptr_t key, void *pointer, void *shadow) {
    if (!notes.room)
        watch_thread();
    if (!make_room(&notes, sizeof(struct note)))
        refuse("memory for the shadows of pointers ran out");
    struct note *row = note_of(key);
    notes.count += !row->key;
    *place_number((const void *)key) = 1;
    *row = (struct note){key, pointer, shadow};
}

static void release_notes(void) {
    release_table(&notes);
}

/* A request begins: what other code has left in such memory is constant. */
void __ez_foreign_begin(uint64_t is_outermost) {
    if (is_outermost && notes.count) {
        memset(notes.rows, 0, notes.room * sizeof(struct note));
        memset(may_be_noted, 0, sizeof may_be_noted);
        notes.count = 0;
    }
}

/* A pointer is stored in unshadowed memory if `is_constant`. */
__attribute__((always_inline)) void __ez_foreign_store(uint64_t is_constant, void *place, void *pointer, void *shadow,
                                                       uint64_t direction) {
    if (is_constant && pointer != shadow)
        enter_note(key_of(place, direction), pointer, shadow);
}

/* Pure: the shadow of a function's address is looked up too, and is not used. */
static __attribute__((noinline, pure)) void *noted(void *place, void *pointer, void *shadow, uint64_t direction) {
    const struct note *row = *place_number(place) ? note_of(key_of(place, direction)) : NULL;
    if (row && row->key && row->pointer == pointer)
        return row->shadow;
    return may_be_named(pointer) ? shadow_by_name(pointer, shadow, direction) : shadow;
}

/* The quick test of `noted`. Pure, as that is. */
static __attribute__((pure)) void *quickly_noted(void *place, void *pointer, void *shadow, uint64_t direction) {
    if (__builtin_expect(!(*place_number(place) | may_be_named(pointer)), 1))
        return shadow;
    return noted(place, pointer, shadow, direction);
}

/* Returns the shadow of a pointer that was loaded from the place. `shadow`: what was loaded from the place's shadow.
 * A pointer that other code stored there has a shadow if it points at memory that the request knows by another name. */
__attribute__((always_inline)) void *__ez_foreign_load(uint64_t is_constant, void *place, void *pointer, void *shadow,
                                                       uint64_t direction) {
    return is_constant ? quickly_noted(place, pointer, shadow, direction) : shadow;
}

/* Bytes are copied from such memory, `from`. `now`: where the same bytes lie now. Where the target has a shadow, `to`,
 * the shadows of pointers go there; where it has none, they are noted for their new places. */
static __attribute__((noinline)) void copy_notes(char *to, char *target, const char *from, const char *now,
                                                 uint64_t bytes, uint64_t direction) {
    struct note *found = malloc(notes.count * sizeof *found);
    if (!found)
        refuse("memory for the shadows of pointers ran out");
    const struct note *rows = notes.rows;
    size_t count = 0;
    for (size_t k = 0; k < notes.room; k++) {
        uint64_t at = rows[k].key - key_of(from, direction);
        void *pointer;
        if (!rows[k].key || at >= bytes || bytes - at < sizeof pointer)
            continue;
        memcpy(&pointer, now + at, sizeof pointer);
        if (pointer == rows[k].pointer)
            found[count++] = (struct note){at, pointer, rows[k].shadow};
    }
    for (size_t k = 0; k < count; k++)
        if (to == target)
            enter_note(key_of(target + found[k].key, direction), found[k].pointer, found[k].shadow);
        else
            memcpy(to + found[k].key, &found[k].shadow, sizeof found[k].shadow);
    free(found);
}

__attribute__((always_inline)) void __ez_foreign_copy(uint64_t is_constant, char *to, char *target, const char *from,
                                                      const char *now, uint64_t bytes, uint64_t direction) {
    if (is_constant && bytes && notes.count)
        copy_notes(to, target, from, now, bytes, direction);
}

/* The bytes at `now` are copied to such memory, `target`, from memory with a shadow. In each period, pointers lie at
 * `length` bytes from `offset` on. */
void __ez_foreign_enter(char *target, const char *now, const char *shadow, uint64_t bytes, uint64_t period,
                        uint64_t offset, uint64_t length, uint64_t direction) {
    for (uint64_t base = 0; base + offset < bytes; base += period)
        for (uint64_t at = base + offset; at < base + offset + length && at + sizeof(void *) <= bytes;
             at += sizeof(void *)) {
            void *pointer, *its_shadow;
            memcpy(&pointer, now + at, sizeof pointer);
            memcpy(&its_shadow, shadow + at, sizeof its_shadow);
            if (pointer != its_shadow)
                enter_note(key_of(target + at, direction), pointer, its_shadow);
        }
}
