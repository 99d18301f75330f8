/* Copies of memory whose words hold numbers at one time and pointers at another. autodiff/emit/shadow_access/mixed_memory.py
 * explains how the two are told apart.
 */
#include "ending.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

struct arena;
void *__ez_alloc(struct arena *a, size_t size);
void __ez_keep_pointer(struct arena *a, void **place, void **shadow_place, void *pointer, void *shadow);
static int is_fresh(const struct arena *a);

enum { WORD = 8 };

/* The primal sweep calls this before it copies. Returns a copy of the bytes at `from`, null if all of them are zero. */
void *__ez_mixed_keep(struct arena *a, const char *from, size_t bytes) {
    size_t k = 0;
    while (from && k < bytes && !from[k])
        k++;
    if (!from || k == bytes)
        return NULL;
    return memcpy(__ez_alloc(a, bytes), from, bytes);
}

/* The primal sweep: copies the bytes at `from` to `to`. A null `from` stands for zeros. */
void __ez_mixed_copy(char *to, const char *from, size_t bytes) {
    if (!bytes || !to)
        return;
    if (from)
        memmove(to, from, bytes);
    else
        memset(to, 0, bytes);
}

/* Numbers overwrite these bytes: clears each word of the shadow that has a part in them, as it may hold a pointer. */
__attribute__((always_inline)) void __ez_clear_words(char *to, size_t bytes) {
    uintptr_t start = (uintptr_t)to & ~(uintptr_t)(WORD - 1),
              end = ((uintptr_t)to + bytes + WORD - 1) & ~(uintptr_t)(WORD - 1);
    if (to && bytes)
        memset(to - ((uintptr_t)to - start), 0, end - start);
}

/* Addresses in user space of x86-64 are below END. As doubles, they are below 1e-309. */
static const uint64_t END = (uint64_t)1 << 47, LOW = (uint64_t)1 << 32, TINY = (uint64_t)1 << 28;

/* No memory lies below the executable: neither the heap nor libraries. Of two floats in a word, the upper one is a
 * denormal if the word lies between the two. */
static uint64_t first_address(void) {
    enum { PAGE = 4096 };
    static _Atomic uint64_t first;
    if (!first)
        first = (uint64_t)getauxval(AT_PHDR) & ~(uint64_t)(PAGE - 1);
    return first;
}

/* Programs keep addresses in the fractions of NaNs, with a tag in the bits above. */
static uint64_t without_tag(uint64_t word) {
    const uint64_t exponent = (uint64_t)0x7ff << 52, fraction = ((uint64_t)1 << 48) - 1;
    return (word & exponent) == exponent ? word & fraction : word;
}

static int may_be_address(uint64_t word) {
    word = without_tag(word);
    return word < END && word && word >= first_address();
}

/* The pages that were found last: a system call for each word would be slow. The program may give pages back between two
 * gradients. */
enum { PAGES = 64, PAGE_BITS = 12 };
static _Thread_local uint64_t found_pages[PAGES];
static _Thread_local char has_found_pages;

static void forget_pages(void) {
    if (!has_found_pages)
        return;
    memset(found_pages, 0, sizeof found_pages);
    has_found_pages = 0;
}

static int is_mapped_page(uint64_t page) {
    uint64_t *last = &found_pages[(page >> PAGE_BITS) % PAGES];
    unsigned char resident;
    if (*last != page && mincore((void *)page, 1, &resident) != 0)
        return 0;
    *last = page;
    has_found_pages = 1;
    return 1;
}

/* Returns whether the process has memory there, or just before: a pointer may lead to the end of an array. */
static int is_mapped(uint64_t word) {
    uint64_t in_page = getauxval(AT_PAGESZ) - 1;
    return is_mapped_page(word & ~in_page) || (!(word & in_page) && is_mapped_page((word - 1) & ~in_page));
}

/* The copy whose adjoint is computed: its function and line. */
static __thread const char *moving;

static __attribute__((noreturn, cold)) void ambiguous(void) {
    fprintf(stderr,
            "enzyme-cc: error: %s: two adjoints meet where numbers of several types, or parts of numbers, share a place that was "
            "copied [EZ0304]\n  remedy: give each a place of its own\n",
            moving);
    end_program();
}

static void add_double(char *to, const char *taken, size_t size) {
    double sum, more;
    if (size < sizeof sum) /* half of a number */
        ambiguous();
    memcpy(&sum, to, sizeof sum);
    memcpy(&more, taken, sizeof more);
    sum = sum_f64(sum, more);
    memcpy(to, &sum, sizeof sum);
}

static void add_floats(char *to, const char *taken, size_t size) {
    for (; size >= sizeof(float); size -= sizeof(float), to += sizeof(float), taken += sizeof(float)) {
        float sum, more;
        memcpy(&sum, to, sizeof sum);
        memcpy(&more, taken, sizeof more);
        sum = sum_f32(sum, more);
        memcpy(to, &sum, sizeof sum);
    }
}

static void add_long_double(char *to, const char *taken, size_t size) {
    long double sum = 0, more = 0;
    enum { BYTES = 10 };
    if (size < BYTES)
        ambiguous();
    memcpy(&sum, to, BYTES);
    memcpy(&more, taken, BYTES);
    sum = sum_f80(sum, more);
    memcpy(to, &sum, BYTES);
}

static int is_zero(const char *p, size_t size) {
    for (size_t k = 0; k < size; k++)
        if (p[k])
            return 0;
    return 1;
}

/* Returns the types that the adjoints at both places may have: the one that they are marked with, if they are. */
static unsigned told_by_marks(const char *to, const char *from, size_t size, unsigned kinds) {
    uint64_t told = 0;
    for (size_t at = 0; at < size; at += sizeof(float))
        told |= marked(to + at) | marked(from + at);
    if (told & (told - 1))
        ambiguous();
    return told ? (unsigned)told : kinds;
}

/* Whether the bytes begin or end within a number. */
static int cuts_number(const char *place, size_t size, unsigned kinds) {
    size_t alignment = kinds & MIXED_DOUBLE ? sizeof(double) : kinds & MIXED_FLOAT ? sizeof(float) : 1;
    return (((uintptr_t)place | size) & (alignment - 1)) != 0;
}

/* Whether the words that have a part in the bytes are zero. */
static int is_zero_around(const char *place, size_t size) {
    size_t before = (uintptr_t)place % WORD;
    return is_zero(place - before, (before + size + WORD - 1) / WORD * WORD);
}

/* Adds the adjoint in one word, or in the two words of a long double, to `from`, and clears it. */
static void move_adjoint(char *to, char *from, size_t size, unsigned kinds) {
    char taken[2 * WORD];
    if (is_zero(to, size))
        return;
    int is_open = (kinds & (kinds - 1)) != 0; /* several types */
    if (is_open && from)
        kinds = told_by_marks(to, from, size, kinds);
    memcpy(taken, to, size);
    memset(to, 0, size);
    if (!from)
        return;
    if (cuts_number(to, size, kinds) && !is_zero_around(from, size)) /* parts of numbers cannot be added */
        ambiguous();
    if (is_zero(from, size))
        memcpy(from, taken, size);
    else if (kinds == MIXED_DOUBLE)
        add_double(from, taken, size);
    else if (kinds == MIXED_FLOAT)
        add_floats(from, taken, size);
    else if (kinds == MIXED_LONG_DOUBLE)
        add_long_double(from, taken, size);
    else
        ambiguous();
    size_t number = is_open ? number_size(kinds) : 0;
    for (size_t at = 0; number && at + number <= size; at += number)
        mark(from + at, kinds);
}

/* A part of a word, or a whole one: `at` bytes from the start of some memory, and what it may hold. */
struct piece {
    size_t at, size;
    uint64_t kinds;
};

/* The tables of kinds begin with the number of bytes before the first whole word. If there are any, they are the end of
 * the word that the first row is about. BY_ADDRESS: words begin at multiples of WORD, and a row is about 8 bytes from the
 * start of the memory on. The rows repeat after `count` words. PACKED is added where numbers may begin at any byte. */
enum { BY_ADDRESS = WORD, PACKED = 2 * WORD };

/* Returns how many bytes of the word at `start` lie before it. */
static size_t before_start(const char *start, const uint64_t *kinds) {
    return (kinds[0] & BY_ADDRESS ? (uintptr_t)start : -kinds[0]) % WORD;
}

static int is_packed(const uint64_t *kinds) { return (kinds[0] & PACKED) != 0; }

static int may_hold_pointers(const uint64_t *kinds, size_t count) {
    uint64_t all = 0;
    for (size_t k = 0; k < count; k++)
        all |= kinds[k + 1];
    return (all & MIXED_POINTER) != 0;
}

static void packed_adjoint(char *to, char *from, size_t bytes, const char *kept, int own);

static struct piece piece_of(size_t at, size_t size, const uint64_t *kinds, size_t count) {
    const uint64_t *rows = kinds + 1;
    if (kinds[0] & BY_ADDRESS)
        return (struct piece){at, size, rows[at / WORD % count] | rows[(at + size - 1) / WORD % count]};
    return (struct piece){at, size, rows[(at + before_start(NULL, kinds)) / WORD % count]};
}

/* The piece that begins `at` bytes from `start`, up to the end of its word. */
static struct piece piece_at(const char *start, size_t at, size_t bytes, const uint64_t *kinds, size_t count) {
    size_t to_word = WORD - (before_start(start, kinds) + at) % WORD, left = bytes - at;
    return piece_of(at, to_word < left ? to_word : left, kinds, count);
}

/* The piece that ends `end` bytes from `start`, from the begin of its word on. */
static struct piece piece_before(const char *start, size_t end, const uint64_t *kinds, size_t count) {
    size_t size = (before_start(start, kinds) + end - 1) % WORD + 1;
    return piece_of(size < end ? end - size : 0, size < end ? size : end, kinds, count);
}

/* The next piece, from the start on, or from the end if the target overlaps what follows the source. */
static struct piece piece_in_order(const char *to, const char *from, size_t done, size_t bytes, const uint64_t *kinds,
                                   size_t count) {
    return to <= from ? piece_at(to, done, bytes, kinds, count) : piece_before(to, bytes - done, kinds, count);
}

static uint64_t load_piece(const char *from, struct piece p) {
    uint64_t word = 0;
    memcpy(&word, from + p.at, p.size);
    return word;
}

/* A long double has two words, of which the second one's kind is that of the first. */
static struct piece with_other_word(struct piece p, size_t bytes, int upwards) {
    if (p.kinds != MIXED_LONG_DOUBLE)
        return p;
    if (!upwards)
        return p.at < WORD ? p : (struct piece){p.at - WORD, p.size + WORD, p.kinds};
    size_t left = bytes - p.at;
    return p.size < WORD ? p : (struct piece){p.at, left < 2 * WORD ? left : 2 * WORD, p.kinds};
}

/* The reverse sweep. `kept` is the copy of the primal sweep. */
void __ez_mixed_adjoint(char *to, char *from, size_t bytes, const char *kept, const uint64_t *kinds, size_t count,
                        const char *where) {
    struct piece p;
    moving = where;
    if (is_packed(kinds)) {
        packed_adjoint(to, from, bytes, kept, 1);
        return;
    }
    const char *source = from ? from : to;
    for (size_t done = 0; to && to != from && done < bytes; done += p.size) {
        p = piece_in_order(source, to, done, bytes, kinds, count);
        p = with_other_word(p, bytes, source <= to);
        if (kept && !is_zero(kept + p.at, p.size))
            memset(to + p.at, 0, p.size);
        else
            move_adjoint(to + p.at, from ? from + p.at : NULL, p.size, (unsigned)p.kinds);
    }
}

enum what { IS_NUMBER, IS_POINTER, IS_EITHER };

/* A float and what lies beside it may look like an address, but hardly like one where there is memory. If zero lies
 * beside it, it looks like an address below LOW. Only programs at fixed places have such addresses. A float that looks
 * like an address below TINY is below 3e-29. */
static enum what told_by_bits(uint64_t word, uint64_t may_be) {
    word = without_tag(word);
    if (!(may_be & MIXED_POINTER) || !may_be_address(word) || (may_be & MIXED_FLOAT && !is_mapped(word)))
        return IS_NUMBER;
    if (may_be & MIXED_LONG_DOUBLE || (may_be & MIXED_FLOAT && word < LOW && word >= TINY))
        return IS_EITHER;
    return IS_POINTER;
}

static __attribute__((noreturn, cold)) void untold(const char *what) {
    fprintf(stderr,
            "enzyme-cc: error: %s where numbers and pointers share a place, and nothing tells which these are [EZ0303]\n"
            "  remedy: pass that memory with a shadow, or give numbers a place of their own\n",
            what);
    end_program();
}

/* Clears packed memory, except words that are addresses of memory. Pointers lie at multiples of their size. */
static void keep_pointers(char *shadow, size_t bytes, int has_pointers) {
    for (size_t at = 0, size; at < bytes; at += size) {
        size_t rest = sizeof(uint64_t) - (uintptr_t)(shadow + at) % sizeof(uint64_t);
        uint64_t word = 0;
        size = rest < bytes - at ? rest : bytes - at;
        memcpy(&word, shadow + at, size);
        if (!has_pointers || size < sizeof word || !may_be_address(without_tag(word)) || !is_mapped(without_tag(word)))
            memset(shadow + at, 0, size);
    }
}

/* Constants were copied to a shadow. Keeps pointers, which are their own shadows, and clears numbers. */
void __ez_mixed_constants(char *shadow, size_t bytes, const uint64_t *kinds, size_t count) {
    forget_pages(); /* forward mode, too, calls this */
    struct piece p;
    if (is_packed(kinds)) {
        keep_pointers(shadow, bytes, may_hold_pointers(kinds, count));
        return;
    }
    for (size_t at = 0; at < bytes; at += p.size) {
        p = piece_at(shadow, at, bytes, kinds, count);
        if (p.kinds == MIXED_POINTER || is_zero(shadow + at, p.size))
            continue;
        enum what what = p.kinds & MIXED_POINTER ? told_by_bits(load_piece(shadow, p), p.kinds) : IS_NUMBER;
        if (what == IS_EITHER)
            untold("constant memory is copied");
        if (what == IS_NUMBER)
            memset(shadow + at, 0, p.size);
    }
}

/* Memory that code outside of the derivative can reach: its shadow may hold numbers before the reverse sweep begins. A
 * word is a pointer if both it and its shadow may be addresses. Numbers lie on both sides of that only if they are below
 * 1e-309, both the primal's and the adjoint, or if both have a float below 1e-40. */

/* Returns whether a word of a shadow is a pointer; ends the program if it may as well be a number. */
static int is_address(uint64_t shadow, uint64_t kinds) {
    enum what what = told_by_bits(shadow, kinds);
    if (what == IS_EITHER)
        untold("memory is used");
    return what == IS_POINTER;
}

static uint64_t load_word(const char *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

static __attribute__((noinline, cold)) void clear_pointer(char *word) {
    if (is_address(load_word(word), MIXED_FLOAT | MIXED_POINTER))
        memset(word, 0, WORD);
}

/* Numbers overwrite these bytes, which may be a part of a word: clears each word of the shadow that is a pointer and has
 * a part in them. A pointer's other half would be a number, too. */
__attribute__((always_inline)) void __ez_clear_pointers(char *to, size_t bytes) {
    char *end = to + bytes;
    for (char *word = to - (uintptr_t)to % WORD; to && word < end; word += WORD)
        if (__builtin_expect(without_tag(load_word(word)) - 1 < END - 1, 0))
            clear_pointer(word);
}

/* The primal sweep calls this before it copies the bytes at `primal`, whose shadow is `from`. Returns a copy of the
 * shadow in which all but pointers are zero, null if there are none. */
void *__ez_tagged_keep(struct arena *a, const char *from, size_t bytes, const char *primal, const uint64_t *kinds,
                     size_t count) {
    char *kept = NULL;
    struct piece p;
    if (is_fresh(a)) /* a new gradient */
        forget_pages();
    for (size_t at = 0; from && at < bytes; at += p.size) {
        p = piece_at(primal, at, bytes, kinds, count);
        if (p.size < WORD || !p.kinds || told_by_bits(load_piece(primal, p), p.kinds) == IS_NUMBER)
            continue;
        uint64_t shadow = load_piece(from, p);
        if (!is_address(shadow, p.kinds))
            continue;
        if (!kept)
            kept = memset(__ez_alloc(a, bytes), 0, bytes);
        memcpy(kept + at, &shadow, sizeof shadow);
    }
    return kept;
}

/* The primal sweep: copies the words that are kept. Shadows of other pointers that are overwritten become null; if the
 * target is `own`, made by the derivative, all other bytes become zero. */
void __ez_tagged_copy(char *to, const char *from, size_t bytes, const char *kept, uint64_t own, const uint64_t *kinds,
                    size_t count) {
    struct piece p;
    if (is_packed(kinds)) { /* without pointers */
        if (own)
            __ez_mixed_copy(to, NULL, bytes);
        return;
    }
    for (size_t done = 0; to && done < bytes; done += p.size) {
        p = piece_in_order(to, from, done, bytes, kinds, count);
        if (from && kept && p.size == WORD && load_piece(kept, p))
            memcpy(to + p.at, from + p.at, WORD);
        else if (own || (p.size == WORD && told_by_bits(load_piece(to, p), p.kinds | MIXED_POINTER) != IS_NUMBER))
            memset(to + p.at, 0, p.size);
        else if (p.size < WORD)
            __ez_clear_pointers(to + p.at, p.size);
    }
}

/* The reverse sweep: adds the numbers in the shadow at `to` to those at `from`, and leaves zero. */
void __ez_tagged_adjoint(char *to, char *from, size_t bytes, const char *kept, const uint64_t *kinds, size_t count,
                       const char *where) {
    struct piece p;
    moving = where;
    if (is_packed(kinds)) {
        packed_adjoint(to, from, bytes, kept, 0);
        return;
    }
    for (size_t done = 0; to && to != from && done < bytes; done += p.size) {
        p = piece_in_order(from ? from : to, to, done, bytes, kinds, count);
        uint64_t number = p.kinds & (MIXED_DOUBLE | MIXED_FLOAT);
        int is_kept = kept && !is_zero(kept + p.at, p.size);
        int is_boxed = is_kept && p.size == WORD && without_tag(load_piece(kept, p)) != load_piece(kept, p);
        if (is_kept && (number & MIXED_FLOAT || is_boxed)) /* adjoints that were there before begin as zero */
            memset(to + p.at, 0, p.size);
        else if (number && !is_kept && !is_address(load_piece(to, p), p.kinds))
            move_adjoint(to + p.at, from ? from + p.at : NULL, p.size, (unsigned)number);
    }
}

/* Returns whether a word that was loaded as a pointer is one, or null, and not a number. */
uint64_t __ez_is_pointer(const void *word, const void *shadow) {
    uint64_t w = (uintptr_t)word, s = (uintptr_t)shadow;
    enum { KINDS = MIXED_FLOAT | MIXED_POINTER };
    return (!w || is_address(w, KINDS)) && (!s || is_address(s, KINDS));
}

/* Shadows of pointers among the words that are about to be copied come back at the end (tape.c). */
void __ez_keep_pointers(struct arena *a, char *to, char *shadow_to, const char *from, const char *kept, size_t bytes,
                        const uint64_t *kinds, size_t count) {
    struct piece p;
    for (size_t at = 0; kept && at < bytes; at += p.size) {
        p = piece_at(from, at, bytes, kinds, count);
        if (p.size == WORD && load_word(kept + at))
            __ez_keep_pointer(a, (void **)(to + at), (void **)(shadow_to + at), (void *)(uintptr_t)load_word(from + at),
                              (void *)(uintptr_t)load_word(kept + at));
    }
}

/* Clears numbers and keeps pointers (`pointers` is zero), or the other way round, in a shadow. */
void __ez_tagged_clear(char *shadow, size_t bytes, uint64_t pointers, const uint64_t *kinds, size_t count) {
    struct piece p;
    if (is_packed(kinds)) { /* without pointers */
        if (!pointers)
            __ez_mixed_copy(shadow, NULL, bytes);
        return;
    }
    for (size_t at = 0; shadow && at < bytes; at += p.size) {
        if (at + WORD <= bytes && !load_word(shadow + at)) { /* most are, and a request clears all globals */
            p.size = WORD;
            continue;
        }
        p = piece_at(shadow, at, bytes, kinds, count);
        if ((p.size == WORD && is_address(load_piece(shadow, p), p.kinds)) == !!pointers)
            memset(shadow + at, 0, p.size);
    }
}
