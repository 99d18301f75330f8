/* Assignment of whole arrays and sections, and contiguous copies of sections for procedures that require them. */
#include "fortran_derived.h"

/* The bytes from the first to the last that an array covers. */
struct range {
    intptr_t first, end;
};

static ALWAYS_INLINE struct range range(view a) {
    struct range r = {(intptr_t)a->base, (intptr_t)a->base + (intptr_t)a->bytes};
#define WIDEN(k)                                                   \
    if (k < a->rank) {                                             \
        int64_t reach = (a->dim[k].extent - 1) * a->dim[k].stride; \
        r.first += reach < 0 ? reach : 0;                          \
        r.end += reach > 0 ? reach : 0;                            \
    }
    DIMENSIONS(WIDEN)
#undef WIDEN
    return r;
}

/* True if stores to `to` may change elements of `from` before they are read. Scalars are apart, or the same. */
static ALWAYS_INLINE int overlap(view to, view from) {
    if (!to->rank)
        return 0;
    struct range a = range(to), b = range(from);
    int same = from->rank && to->base == from->base;
#define SAME(k)         \
    if (k < from->rank) \
        same &= to->dim[k].stride == from->dim[k].stride;
    DIMENSIONS(SAME)
#undef SAME
    return a.first < b.end && b.first < a.end && !same;
}

static ALWAYS_INLINE int same_shape(view a, view b) {
    int same = 1;
#define SAME(k)      \
    if (k < a->rank) \
        same &= a->dim[k].extent == b->dim[k].extent;
    DIMENSIONS(SAME)
#undef SAME
    return same;
}

/* A scalar leaves the shape of an array that has one: only the length of its characters may be another one. */
static ALWAYS_INLINE void take_shape(struct view *to, view from) {
    if (to->base && !from->rank)
        return;
#define SHAPE(k)                                                  \
    if (k < to->rank) {                                           \
        to->dim[k].lower = from->rank ? from->dim[k].lower : 1;   \
        to->dim[k].extent = from->rank ? from->dim[k].extent : 1; \
    }
    DIMENSIONS(SHAPE)
#undef SHAPE
}

/* What an assignment does besides: it finalises the old value; or there is none, in a temporary variable; or the variable
 * shares what components own; or characters keep their length. */
enum manner { FINALIZES, STARTS, SHARES, KEEPS_LENGTH };

static ALWAYS_INLINE enum how how_elements_are_copied(enum manner manner) {
    return manner == SHARES ? SHARE : manner == STARTS ? CLONE : ASSIGN;
}

/* Frees the memory of an allocatable array, if it has any, and gives it the memory of `made`. */
static ALWAYS_INLINE void replace(struct view *to, view made, enum manner manner) {
    if (to->base && manner != STARTS) {
        if (manner == FINALIZES)
            finalize(to);
        destroy(to);
    }
    free(to->base);
    *to = *made;
}

/* Gives an allocatable array memory in the shape of the value that is assigned to it. */
static ALWAYS_INLINE void assign_anew(struct view *to, view from, enum manner manner) {
    struct view made = *to;
    take_shape(&made, from);
    if (is_text(from->type) && manner != KEEPS_LENGTH)
        made.bytes = from->bytes;
    allocate(&made);
    copy_all(&made, from, manner == SHARES ? SHARE : CLONE);
    replace(to, &made, manner);
}

/* Assigns by way of a copy: no order of elements is known to be right. */
static ALWAYS_INLINE void assign_overlapping(struct view *to, view from, enum manner manner) {
    struct view copy = *from;
    allocate(&copy);
    copy_all(&copy, from, CLONE);
    if (manner == FINALIZES)
        finalize(to);
    copy_all(to, &copy, how_elements_are_copied(manner));
    destroy(&copy);
    free(copy.base);
}

/* True if an allocatable variable needs other memory for what is assigned to it. */
static ALWAYS_INLINE int needs_memory(view to, view from, enum manner manner) {
    if (to->attribute != ALLOCATABLE)
        return 0;
    return !to->base || (from->rank && !same_shape(to, from)) || (manner != KEEPS_LENGTH && has_other_length(to, from));
}

static void LATE(Assign)(CHANGED(to), READ(from), enum manner manner, const char *file, int at) {
    VIEW(to);
    VIEW(from);
    if (!(manner == FINALIZES ? is_assigned_simply(from) : is_ours(from))) {
        if (from->is_odd || !from->is_type_known || from->type == DERIVED)
            __ez_primal_only("_FortranAAssign");
        struct loan lent;
        _FortranAAssign(to_given, lend(&lent, from_given), file, at);
        return;
    }
    if (needs_memory(to, from, manner)) {
        assign_anew(to, from, manner);
        GIVE_BACK(to);
        if (is_text(from->type))
            to_given->bytes = to->bytes;
    } else if (overlap(to, from))
        assign_overlapping(to, from, manner);
    else {
        if (manner == FINALIZES)
            finalize(to);
        copy_all(to, from, how_elements_are_copied(manner));
    }
}

/* Both have the same type and, unless one is a scalar, the same rank. The kind is taken from the one that is known. */
static ALWAYS_INLINE void assign(struct array *to, const_array from, enum manner manner, const char *file,
                                 int at) {
    struct kind old = expected(to), target = old, source = expected(from);
    struct kind known = source.known >= old.known ? source : old;
    if (!is_text(known.type))
        target.bytes = source.bytes = known.bytes;
    target.type = source.type = known.type;
    target.known = source.known = known.known;
    target.derived = source.derived = known.derived;
    target.odd = source.odd = old.odd || source.odd;
    target.rank = source.rank ? source.rank : old.rank;
    __ez_late_Assign(PASS_KIND(to, target), PASS_KIND(from, source), manner, file, at);
    still(to, old);
}

INLINED void STAND_IN(_FortranAAssign)(struct array *to, const_array from, const char *file, int at) {
    assign(to, from, FINALIZES, file, at);
}

INLINED void STAND_IN(_FortranAAssignExplicitLengthCharacter)(struct array *to, const_array from, const char *file,
                                                             int at) {
    assign(to, from, KEEPS_LENGTH, file, at);
}

INLINED void STAND_IN(_FortranAAssignTemporary)(struct array *to, const_array from, const char *file, int at) {
    assign(to, from, STARTS, file, at);
}

void _FortranACopyInAssign(struct array *NO_ESCAPE, const_array NO_ESCAPE, const char *, int);

/* The copy's descriptor is given without any contents. */
INLINED void STAND_IN(_FortranACopyInAssign)(struct array *copy, const_array from, const char *file, int at) {
    struct kind kind = expected(from);
    if (kind.odd) {
        __ez_primal_only("_FortranACopyInAssign");
        struct loan lent;
        _FortranACopyInAssign(copy, lend(&lent, from), file, at);
        return;
    }
    copy->base = 0;
    copy->version = from->version;
    still(copy, kind);
    copy->attribute = ALLOCATABLE;
    if (kind.derived)
        ((struct addendum *)&copy->dim[kind.rank])->type = kind.derived;
    assign(copy, from, SHARES, file, at);
}

/* Copies back, unless the procedure could not write, and frees the copy. */
INLINED void STAND_IN(_FortranACopyOutAssign)(struct array *to, struct array *copy, const char *file, int at) {
    if (to)
        assign(to, copy, SHARES, file, at);
    free(copy->base);
    copy->base = 0;
}

void _FortranAAssignPolymorphic(struct array *NO_ESCAPE, const_array NO_ESCAPE, const char *, int);

/* The variable takes the type of what is assigned. */
static void LATE(AssignPolymorphic)(CHANGED(to), READ(from), const char *file, int at) {
    VIEW(to);
    VIEW(from);
    if (to->is_odd || to->attribute != ALLOCATABLE || !is_assigned_simply(from) || (to->base && !is_ours(to))) {
        __ez_primal_only("_FortranAAssignPolymorphic");
        struct loan lent;
        _FortranAAssignPolymorphic(to_given, lend(&lent, from_given), file, at);
        return;
    }
    struct view made = *from;
    take_shape(&made, from);
    allocate(&made);
    copy_all(&made, from, CLONE);
    replace(to, &made, FINALIZES);
    GIVE_BACK(to);
}

INLINED void STAND_IN(_FortranAAssignPolymorphic)(struct array *to, const_array from, const char *file, int at) {
    struct kind made = expected(to), given = expected(from);
    __ez_late_AssignPolymorphic(PASS_KIND(to, made), PASS_KIND(from, given), file, at);
    made.bytes = given.bytes;
    made.type = given.type;
    still(to, made);
    if (made.type == DERIVED && (made.extra & HAS_ADDENDUM))
        ((struct addendum *)&to->dim[made.rank])->type = given.derived;
}
