/* Copies to and from unshadowed memory (no_shadow.c, no_shadow_numbers.c), where words hold numbers at one time
 * and pointers at another (mixed.c): blocks of a pool that other code made. A word is a pointer if it is an address, as
 * its shadow is. enzyme_cc/autodiff/emit/shadow_access/foreign_numbers.py emits the calls.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MIXED_NUMBER = MIXED_DOUBLE | MIXED_FLOAT | MIXED_LONG_DOUBLE };

static int is_address_at(const char *memory, struct piece p) {
    return p.size == WORD && p.kinds && is_address(load_piece(memory, p), p.kinds);
}

/* A pointer is copied to such memory from memory with a shadow. */
static void note_word(char *target, const char *from, const char *source, struct piece p, uint64_t direction) {
    uint64_t pointer = load_piece(source, p), shadow = load_piece(from, p);
    if (pointer != shadow)
        enter_note(key_of(target + p.at, direction), (void *)(uintptr_t)pointer, (void *)(uintptr_t)shadow);
}

/* Forward mode. `to` is null if the target is unshadowed, `from` if the source is. Shadows of pointers are copied
 * elsewhere, but for those that go from memory with a shadow to memory without one. */
static __attribute__((noinline)) void copy_words(char *to, char *target, const char *from, const char *source,
                                                 uint64_t bytes, const uint64_t *kinds, uint64_t count,
                                                 uint64_t direction) {
    struct gathered copy = {0};
    settle();
    if (!from)
        take_numbers(&copy, source, bytes, direction);
    const char *numbers = from ? from : copy.numbers;
    if (!numbers) { /* all of it is constant */
        if (!to)
            clear_numbers(target, bytes, direction);
        free(copy.own);
        return;
    }
    forget_pages();
    struct piece p;
    for (uint64_t at = 0; at < bytes; at += p.size) {
        p = piece_at(source, at, bytes, kinds, count);
        int is_pointer = is_address_at(source, p) && (!from || !load_piece(from, p) || is_address_at(from, p));
        if (to && !is_pointer && numbers)
            memcpy(to + at, numbers + at, p.size);
        else if (!to && !is_pointer && numbers && p.kinds & MIXED_NUMBER)
            put_numbers(target + at, numbers + at, p.size, direction);
        else if (!to)
            clear_numbers(target + at, p.size, direction);
        if (!to && is_pointer && from)
            note_word(target, from, source, p, direction);
    }
    free(copy.own);
}

__attribute__((always_inline)) void __ez_foreign_copy_words(char *to, char *target, const char *from,
                                                            const char *source, uint64_t bytes, const uint64_t *kinds,
                                                            uint64_t count, uint64_t direction) {
    if ((!to || !from) && bytes && (from || outside.blocks.count))
        copy_words(to, target, from, source, bytes, kinds, count, direction);
}

/* In reverse mode, the primal sweep is about to copy to such memory. `from` is null if the source is such memory, too;
 * then the shadows of pointers are copied elsewhere. */
static __attribute__((noinline)) void expect_words(char *target, const char *from, const char *source, uint64_t bytes,
                                                   const uint64_t *kinds, uint64_t count, uint64_t direction) {
    settle();
    struct piece p;
    for (uint64_t at = 0; at < bytes; at += p.size) {
        p = piece_at(source, at, bytes, kinds, count);
        if (from && is_address_at(source, p) && is_address_at(from, p))
            note_word(target, from, source, p, direction);
        else if (p.kinds & MIXED_NUMBER && (from || shadow_there(source + at, direction)))
            make_blocks(target + at, p.size, direction);
    }
}

__attribute__((always_inline)) void __ez_foreign_expect_words(uint64_t is_constant, char *target, const char *from,
                                                              const char *source, uint64_t bytes, const uint64_t *kinds,
                                                              uint64_t count, uint64_t direction) {
    if (is_constant && (from || outside.blocks.count))
        expect_words(target, from, source, bytes, kinds, count, direction);
}
