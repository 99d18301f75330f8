/* What stand-ins for statements that write over numbers need (stand_ins/fortran_overwrite.c). */
#include "ending.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Array descriptors and namelists of flang's library, as in stand_ins/fortran.h and stand_ins/fortran_overwrite.c. */
struct lent_dimension {
    int64_t lower, extent, stride;
};
struct lent_array {
    void *base;
    uint64_t bytes;
    int32_t version;
    unsigned char rank, type, attribute, extra;
    struct lent_dimension dim[15];
    uint64_t addendum[2];
};
struct lent_item {
    const char *name;
    struct lent_array *array;
};
struct lent_group {
    const char *name;
    int64_t count;
    struct lent_item *item;
    const void *procedures;
};

/* Say what may be written there (rules/runtime_functions.py). */
void __ez_overwritten(void *place) { (void)place; }
void __ez_overwritten_storage(void *place, int64_t bytes) { (void)place, (void)bytes; }

/* Returns whether the number is still the NaN that it was. */
int __ez_is_unread_long(const long double *x) {
    long double start = __builtin_nansl("0x21c3e1d2");
    return !memcmp(x, &start, 8); /* the significand, or a part of it */
}

/* Copies a descriptor. The elements of the copy are in fresh memory, without gaps, if there is any. */
static void lend_array(struct lent_array *copy, const struct lent_array *given, void *fresh) {
    memcpy(copy, given, offsetof(struct lent_array, dim) + given->rank * sizeof *given->dim + (given->extra & 1) * 16);
    if (!fresh)
        return;
    copy->base = fresh;
    int64_t stride = (int64_t)copy->bytes;
    for (int k = 0; k < copy->rank; k++) {
        copy->dim[k].stride = stride;
        stride *= copy->dim[k].extent;
    }
}

/* Copies a namelist with its descriptors. `fresh` is the memory of its first items. */
struct lent_group *__ez_lend_group(const struct lent_group *given, void *const *fresh, int64_t count) {
    uint64_t items = (uint64_t)given->count;
    struct lent_group *copy = malloc(sizeof *copy + items * (sizeof *copy->item + sizeof *copy->item->array));
    if (!copy)
        end_program();
    *copy = *given;
    struct lent_array *arrays = (struct lent_array *)(copy + 1);
    copy->item = (struct lent_item *)(arrays + items);
    for (uint64_t k = 0; k < items; k++) {
        copy->item[k] = (struct lent_item){given->item[k].name, &arrays[k]};
        lend_array(&arrays[k], given->item[k].array, (int64_t)k < count ? fresh[k] : 0);
    }
    return copy;
}

void __ez_free_group(struct lent_group *copy) { free(copy); }

/* getrandom and getentropy, to memory where no number carries a derivative (stand_ins/overwrite.c). */
int64_t getrandom(void *, uint64_t, unsigned);
int getentropy(void *, uint64_t);
int64_t __ez_random_bytes(void *to, uint64_t size, unsigned flags) { return getrandom(to, size, flags); }
int __ez_entropy(void *to, uint64_t size) { return getentropy(to, size); }
