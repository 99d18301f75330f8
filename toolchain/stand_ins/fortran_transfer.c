/* TRANSFER: the bytes of one array as elements of another type. And descriptors that are copied with other bounds. */
#include "fortran_derived.h"

/* Copies the first bytes of an element. Half of a complex number is its real part. */
static ALWAYS_INLINE void copy_beginning(char *to, const char *from, uint64_t bytes, view kind) {
    if (kind->is_known && kind->type >= REAL4 + COMPLEX && kind->type <= REAL10 + COMPLEX && 2 * bytes == kind->bytes) {
        struct view part = {.bytes = bytes, .type = kind->type - COMPLEX, .is_known = 1};
        copy_element(to, from, &part);
        return;
    }
    if (kind->is_known && kind->type >= REAL4 && kind->type <= REAL10 + COMPLEX)
        __ez_primal_only("_FortranATransfer");
    memcpy(to, from, bytes);
}

/* True if only other uses of the memory tell what the bytes of an element are. */
static ALWAYS_INLINE int has_bytes_only(view a) {
    return !a->is_type_known || is_storage(a->type) || (a->type == DERIVED && !is_simple(a->derived));
}

static ALWAYS_INLINE void transfer_element(char *to, const char *from, view source) {
    if (has_bytes_only(source))
        memcpy(to, from, source->bytes);
    else
        copy_to(to, from, SHARE, source);
}

static ALWAYS_INLINE void transfer(struct view *result, view source) {
    uint64_t wanted = lay_out(result), given = elements(source) * source->bytes;
    uint64_t most = wanted < given ? wanted : given;
    char *to = result->base = malloc(wanted + !wanted);
    if (has_bytes_only(source) && is_block(source)) {
        memcpy(to, source->base, most);
        memset(to + most, 0, wanted - most);
        return;
    }
    for (uint64_t n = 0; n < most / source->bytes; n++)
        transfer_element(to + n * source->bytes, element(source, n), source);
    if (most % source->bytes)
        copy_beginning(to + most / source->bytes * source->bytes, element(source, most / source->bytes),
                       most % source->bytes, source);
    memset(to + most, 0, wanted - most);
}

void _FortranATransferSize(struct array *NO_ESCAPE, const_array NO_ESCAPE, const_array NO_ESCAPE, const char *, int,
                           int64_t);

/* `count`: the number of elements of the result, which is a scalar if this is negative. */
static void LATE(TransferSize)(CHANGED(result), READ(source), const_array mold, int64_t count, const char *file,
                               int at) {
    VIEW(result);
    VIEW(source);
    if (source->is_odd) {
        __ez_primal_only("_FortranATransfer");
        struct loan lent, lent_mold;
        _FortranATransferSize(result_given, lend(&lent, source_given), lend(&lent_mold, mold), file, at, count);
        return;
    }
    if (result->rank)
        set_extent(result, 0, count);
    transfer(result, source);
    GIVE_BACK(result);
}

static ALWAYS_INLINE void transfer_to(struct array *result, const_array source, const_array mold, int rank,
                                      int64_t count, const char *file, int at) {
    struct kind kind = expected(mold);
    result->version = VERSION;
    result->bytes = kind.bytes;
    result->rank = kind.rank = rank;
    result->type = kind.type;
    result->attribute = kind.attribute = ALLOCATABLE;
    result->extra = kind.extra;
    if (kind.extra & HAS_ADDENDUM)
        ((struct addendum *)&result->dim[rank])->type = kind.derived;
    __ez_late_TransferSize(PASS_KIND(result, kind), PASS_EXPECTED(source), mold, count, file, at);
    still(result, kind);
}

INLINED void STAND_IN(_FortranATransferSize)(struct array *result, const_array source, const_array mold,
                                             const char *file, int at, int64_t count) {
    transfer_to(result, source, mold, 1, count, file, at);
}

static ALWAYS_INLINE int64_t count_elements(const_array a, int rank) {
    int64_t count = 1;
#define TIMES(k)  \
    if (k < rank) \
        count *= a->dim[k].extent;
    DIMENSIONS(TIMES)
#undef TIMES
    return count;
}

/* An array as a mold makes an array that has room for all bytes. */
INLINED void STAND_IN(_FortranATransfer)(struct array *result, const_array source, const_array mold, const char *file,
                                         int at) {
    int64_t given = count_elements(source, source->rank) * source->bytes;
    if (mold->rank)
        transfer_to(result, source, mold, 1, (given + mold->bytes - 1) / mold->bytes, file, at);
    else
        transfer_to(result, source, mold, 0, 1, file, at);
}

/* The bounds of the copy: as they are, from one, from zero. */
enum lower_bounds { PRESERVED, ONE, ZERO };

INLINED void STAND_IN(_FortranACopyAndUpdateDescriptor)(struct array *to, const_array from,
                                                        const struct derived_type *type, signed char attribute,
                                                        int bounds) {
    to->base = from->base;
    to->bytes = type ? (uint64_t)type->bytes : from->bytes;
    to->version = from->version;
    to->rank = from->rank;
    to->type = from->type;
    to->attribute = attribute;
    to->extra = from->extra;
#define DIMENSION(k)                             \
    if (k < from->rank) {                        \
        to->dim[k] = from->dim[k];               \
        if (bounds != PRESERVED)                 \
            to->dim[k].lower = bounds == ONE;    \
    }
    DIMENSIONS(DIMENSION)
#undef DIMENSION
    if (from->extra & HAS_ADDENDUM) {
        int rank = from->rank;
        if (!__builtin_constant_p(rank))
            __ez_primal_only("_FortranACopyAndUpdateDescriptor");
        ((struct addendum *)&to->dim[rank])->type = type ? type : derived_at(from, rank);
    }
}
