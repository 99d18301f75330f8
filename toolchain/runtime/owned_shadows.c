/* Shadows of heap blocks whose address a derivative stores in memory without a shadow (no_shadow.c): the work space of a
 * handle. Such a block stays when the request ends, and a later request takes it for constant memory. Its shadow is freed
 * with the block if a derivative frees that; if other code does, as soon as a derivative has a new block at its address.
 * All threads share the table: one may free what another has made.
 * enzyme_cc/autodiff/emit/shadow_access/left_blocks.py emits the calls.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* The block with the direction above it, as for notes; its shadow. A row without a key is free. */
struct owned {
    uintptr_t key;
    void *shadow;
};

static struct address_table owned; /* of struct owned */
static atomic_size_t owned_count;  /* of the table, to be read without taking it */
static atomic_flag owned_taken = ATOMIC_FLAG_INIT;

static void take_owned(void) {
    while (atomic_flag_test_and_set_explicit(&owned_taken, memory_order_acquire)) {}
}

static void leave_owned(void) {
    atomic_store_explicit(&owned_count, owned.count, memory_order_relaxed);
    atomic_flag_clear_explicit(&owned_taken, memory_order_release);
}

/* A derivative stores the address of a block that it has just allocated in unshadowed memory if
 * `is_constant`. */
static __attribute__((noinline)) void own_shadow(void *block, void *shadow, void (*release)(void *), uint64_t direction) {
    uintptr_t key = key_of(block, direction);
    take_owned();
    if (!make_room(&owned, sizeof(struct owned)))
        refuse("memory for the shadows of pointers ran out");
    struct owned *row = table_row(&owned, sizeof *row, key);
    void *before = row->key && row->shadow != shadow ? row->shadow : NULL;
    owned.count += !row->key;
    *row = (struct owned){key, shadow};
    leave_owned();
    if (before)
        release(before);
}

__attribute__((always_inline)) void __ez_owned_made(uint64_t is_constant, void *block, void *shadow,
                                                    void (*release)(void *), uint64_t direction) {
    if (is_constant && block && block != shadow)
        own_shadow(block, shadow, release, direction);
}

static __attribute__((noinline)) void *take_shadow(void *block, uint64_t direction) {
    void *found = NULL;
    take_owned();
    struct owned *row = owned.count ? table_row(&owned, sizeof *row, key_of(block, direction)) : NULL;
    if (row && row->key) {
        found = row->shadow;
        remove_row(&owned, sizeof *row, row);
    }
    leave_owned();
    return found;
}

/* A derivative frees a block. `shadow`: the shadow that is freed with it, null for constant memory. Returns the same, or
 * the shadow that an earlier request has left. */
__attribute__((noinline)) void *__ez_owned_freed(void *block, void *shadow, uint64_t direction) {
    if (__builtin_expect(!block | !atomic_load_explicit(&owned_count, memory_order_relaxed), 1))
        return shadow;
    void *found = take_shadow(block, direction);
    return shadow ? shadow : found;
}
