/* Array descriptors of flang's runtime library, and walks over the elements of arrays. Descriptors have the layout of
 * CFI_cdesc_t in ISO_Fortran_binding.h (Fortran 2018, 18.5.3).
 *
 * flang fills most descriptors with constants just before the call, and all code here depends on the rank and the type
 * of the elements. So each stand-in has two parts. The first is inlined at once: it reads the kind of each array from
 * its descriptor and passes it by value. The second, LATE, is inlined after optimisation has found which of these are
 * constants. A known rank then leaves no loop over dimensions, and a known type no choice of types.
 */
#ifndef EZ_FORTRAN_H
#define EZ_FORTRAN_H
#include "stand_in.h"

/* LLVM's alias information tells type analysis by this name that a member of a descriptor is stored. */
struct ez_dimension {
    int64_t lower, extent, stride; /* stride in bytes */
};

struct derived_type;

/* A descriptor may be followed by this. */
struct addendum {
    const struct derived_type *type;
    int64_t length[1];
};

/* LLVM's alias information has this type as an integer. A character type would be part of any type. */
#define byte _BitInt(8)

#define ARRAY_HEAD                      \
    void *base;                         \
    uint64_t bytes; /* of an element */ \
    int32_t version;                    \
    unsigned byte rank;                 \
    signed byte type;                   \
    unsigned byte attribute, extra;

struct array {
    ARRAY_HEAD
    struct ez_dimension dim[];
};

typedef const struct array *const_array;

enum { VERSION = 20240719 };
enum { POINTER = 1, ALLOCATABLE = 2 };
enum { HAS_ADDENDUM = 1 };
/* Codes of element types. The code of a complex type is that of its real type and COMPLEX. */
enum { OTHER = -1, REAL2 = 25, REAL4 = 27, REAL8 = 28, REAL10 = 29, REAL16 = 31, COMPLEX = 7, LOGICAL = 39 };
enum { CHARACTER = 40, C_POINTER = 41, DERIVED = 42, CHARACTER2 = 43, CHARACTER4 = 44 };

static ALWAYS_INLINE int is_number(int type) { return type > 0 && type != C_POINTER && type != DERIVED; }

static ALWAYS_INLINE int is_text(int type) { return type == CHARACTER || type == CHARACTER2 || type == CHARACTER4; }

/* True for elements that are no numbers with a derivative, but may hold the bytes of such numbers: integers, logical
 * values and characters. */
static ALWAYS_INLINE int is_storage(int type) { return is_number(type) && !(type >= REAL2 && type < LOGICAL); }

/* The bytes of one character. */
static ALWAYS_INLINE uint64_t width(int type) { return type == CHARACTER4 ? 4 : type == CHARACTER2 ? 2 : 1; }

/* DO(k) for each possible dimension, or for each but the first. */
#define FURTHER_DIMENSIONS(DO) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)
#define DIMENSIONS(DO) DO(0) FURTHER_DIMENSIONS(DO)

/* The second part of a stand-in. enzyme_cc/autodiff/optimise/preoptimise.py recognises it by its name. */
#define LATE(NAME) __attribute__((noinline)) __ez_late_##NAME

/* How well a kind is known when this is compiled. MAY_BE_DERIVED: the descriptor has room for the address of a derived
 * type, so it may be that of a polymorphic variable. */
enum { UNKNOWN, MAY_BE_DERIVED, TYPE_KNOWN, SIZE_KNOWN };

/* The kind of array that a descriptor is for. `odd`: not the expected kind, so the array is left to the library. */
struct kind {
    uint64_t bytes;
    int rank, type, attribute, extra, known, odd;
    const struct derived_type *derived;
};

static ALWAYS_INLINE const struct derived_type *derived_at(const_array a, int rank) {
    return ((const struct addendum *)&a->dim[rank])->type;
}

static ALWAYS_INLINE const struct derived_type *derived_of(const_array a) {
    return a->type == DERIVED && (a->extra & HAS_ADDENDUM) ? derived_at(a, a->rank) : 0;
}

static ALWAYS_INLINE struct kind rated(struct kind k) {
    if (__builtin_constant_p(k.rank) && __builtin_constant_p(k.type))
        k.known = __builtin_constant_p(k.bytes) ? SIZE_KNOWN : TYPE_KNOWN;
    return k;
}

static ALWAYS_INLINE struct kind kind_of(const_array a) {
    return rated((struct kind){a->bytes, a->rank, a->type, a->attribute, a->extra, UNKNOWN, 0, derived_of(a)});
}

/* The parameters of the second part for an array: the descriptor, and the members of its kind one by one. If they were
 * packed, LLVM would load several at once, and would not see the stored values any more. */
#define PASS_KIND(a, k) a, k.bytes, k.rank, k.type, k.attribute, k.extra, k.known, k.odd, k.derived
#define PASS(a) PASS_KIND(a, kind_of(a))
#define PASS_OPTIONAL(a) PASS_KIND(a, (a ? kind_of(a) : (struct kind){0}))
#define KIND(a)                                                                                                   \
    uint64_t a##_bytes, int a##_rank, int a##_type, int a##_attribute, int a##_extra, int a##_known, int a##_odd, \
        const struct derived_type *a##_derived
/* LLVM does not find out that a descriptor with so many uses is not kept. */
#define READ(a) const_array NO_ESCAPE a##_given, KIND(a)
#define CHANGED(a) struct array *NO_ESCAPE a##_given, KIND(a)

/* The second part works with a copy of the descriptor: so no store to an element can change it. */
struct view {
    ARRAY_HEAD
    struct ez_dimension dim[15];
    const struct derived_type *derived;
    int is_known, is_type_known, is_odd, is_compact, may_be_derived;
};

typedef const struct view *view;

static ALWAYS_INLINE struct view *look(struct view *v, const_array a, struct kind kind) {
    v->base = a->base;
    v->bytes = kind.bytes;
    v->version = a->version;
    v->rank = kind.rank;
    v->type = kind.type;
    v->attribute = kind.attribute;
    v->extra = kind.extra;
    v->derived = kind.derived;
    v->is_known = kind.known == SIZE_KNOWN;
    v->is_type_known = kind.known >= TYPE_KNOWN;
    v->may_be_derived = kind.known >= MAY_BE_DERIVED;
    v->is_odd = kind.odd;
    v->is_compact = 0;
#define LOOK(k)      \
    if (k < v->rank) \
        v->dim[k] = a->dim[k];
    DIMENSIONS(LOOK)
#undef LOOK
    return v;
}

/* Declares the view of a parameter, with the parameter's name. The second form is for a parameter that may be null. */
#define KIND_OF_PARAMETER(a) \
    struct kind a##_kind = {a##_bytes, a##_rank, a##_type, a##_attribute, a##_extra, a##_known, a##_odd, a##_derived}
#define VIEW(a)                                                      \
    KIND_OF_PARAMETER(a);                                            \
    struct view a##_view, *a = look(&a##_view, a##_given, a##_kind); \
    (void)a
#define VIEW_OPTIONAL(a)                                                             \
    KIND_OF_PARAMETER(a);                                                            \
    struct view a##_view, *a = a##_given ? look(&a##_view, a##_given, a##_kind) : 0; \
    (void)a

/* The library gets a copy of a descriptor that it only reads: LLVM does not know that the library leaves it
 * unchanged. The runtime makes the copy. A copy of unknown length here would tell LLVM that the bytes behind the
 * descriptor belong to it. */
struct loan {
    ARRAY_HEAD
    struct ez_dimension dim[15];
    struct addendum addendum;
};

void __ez_lend(struct loan *NO_ESCAPE copy, const_array NO_ESCAPE, uint64_t bytes);

static ALWAYS_INLINE const_array lend(struct loan *copy, const_array a) {
    __ez_lend(copy, a, sizeof *a + a->rank * sizeof *a->dim + (a->extra & HAS_ADDENDUM) * sizeof copy->addendum);
    return (const_array)copy;
}

/* Only for a descriptor that may be absent: a comparison with null counts as a capture, and LLVM then forgets what the
 * descriptor holds. */
static ALWAYS_INLINE const_array lend_optional(struct loan *copy, const_array a) { return a ? lend(copy, a) : 0; }

/* A copy of whole dimensions would not tell what it stores. */
static ALWAYS_INLINE void give_back(struct array *a, view v) {
    a->base = v->base;
#define GIVE(k)                              \
    if (k < v->rank) {                       \
        a->dim[k].lower = v->dim[k].lower;   \
        a->dim[k].extent = v->dim[k].extent; \
        a->dim[k].stride = v->dim[k].stride; \
    }
    DIMENSIONS(GIVE)
#undef GIVE
}

#define GIVE_BACK(a) give_back(a##_given, a)

/* Restores LLVM's knowledge of a descriptor after the second part or the library may have changed it. */
static ALWAYS_INLINE void still(struct array *a, struct kind kind) {
    if (kind.odd)
        return;
    if (!is_text(kind.type))
        a->bytes = kind.bytes;
    a->rank = kind.rank;
    a->type = kind.type;
    a->attribute = kind.attribute;
    a->extra = kind.extra;
}

/* A call that changes an array, but for its kind. */
#define CHANGE_KIND(a, KIND_OF, CALL)   \
    do {                                \
        struct kind kind_ = KIND_OF(a); \
        CALL;                           \
        still(a, kind_);                \
    } while (0)
#define CHANGE(a, CALL) CHANGE_KIND(a, kind_of, CALL)

/* Makes a result an array with elements as in `like`: once before the second part, and once after it. */
#define MAKE(result, RANK, like, CALL) \
    do {                               \
        result->bytes = like->bytes;   \
        result->type = like->type;     \
        result->rank = RANK;           \
        CHANGE(result, CALL);          \
    } while (0)

/* An array is walked by columns, the elements along the first dimension. A scalar is one column of one element. */

static ALWAYS_INLINE int64_t rows(view a) { return a->rank ? a->dim[0].extent : 1; }
static ALWAYS_INLINE int64_t row_stride(view a) { return a->rank ? a->dim[0].stride : 0; }

static ALWAYS_INLINE int64_t columns(view a) {
    int64_t count = 1;
#define TIMES(k)     \
    if (k < a->rank) \
        count *= a->dim[k].extent;
    FURTHER_DIMENSIONS(TIMES)
#undef TIMES
    return count;
}

/* The distance between two elements. The engine then knows that the elements have one type. It could not infer it
 * from a stride that is read at run time: one component of an element could overlap another component of the next. */
__attribute__((const)) int64_t __ez_alike(int64_t distance);

/* Element i of column j. */
static ALWAYS_INLINE char *place(view a, int64_t i, int64_t j) {
    if (a->is_compact)
        return (char *)a->base + (i + j * rows(a)) * a->bytes;
    int64_t offset = i * row_stride(a);
#define STEP(k)                                                        \
    if (k < a->rank) {                                                 \
        int64_t extent = a->dim[k].extent, is_last = k + 1 == a->rank; \
        offset += (is_last ? j : j % extent) * a->dim[k].stride;       \
        j = is_last ? 0 : j / extent;                                  \
    }
    FURTHER_DIMENSIONS(STEP)
#undef STEP
    return (char *)a->base + (a->may_be_derived && a->type == DERIVED ? __ez_alike(offset) : offset);
}

static ALWAYS_INLINE int64_t elements(view a) { return rows(a) * columns(a); }

/* Element number n, in array element order. */
static ALWAYS_INLINE char *element(view a, int64_t n) {
    if (a->rank < 2)
        return place(a, n, 0);
    return place(a, n % rows(a), n / rows(a));
}

/* In a walk along one dimension, `along`, and over all others: returns the start of line number j. */
static ALWAYS_INLINE char *line(view a, int along, int64_t j) {
    int64_t offset = 0;
#define STEP(k)                                            \
    if (k < a->rank && k != along) {                       \
        offset += j % a->dim[k].extent * a->dim[k].stride; \
        j /= a->dim[k].extent;                             \
    }
    DIMENSIONS(STEP)
#undef STEP
    return (char *)a->base + offset;
}

static ALWAYS_INLINE int64_t lines(view a, int along) {
    int64_t count = 1;
#define TIMES(k)                   \
    if (k < a->rank && k != along) \
        count *= a->dim[k].extent;
    DIMENSIONS(TIMES)
#undef TIMES
    return count;
}

static ALWAYS_INLINE int64_t integer_at(const char *p, uint64_t bytes) {
    switch (bytes) {
    case 1: return *(const int8_t *)p;
    case 2: return *(const int16_t *)p;
    case 4: return *(const int32_t *)p;
    default: return *(const int64_t *)p;
    }
}

/* True if a mask selects an element. The mask may be absent, or one value for all elements. */
static ALWAYS_INLINE int selects(view mask, int64_t i, int64_t j) {
    return !mask || !mask->base || integer_at(place(mask, i, j), mask->bytes);
}

static ALWAYS_INLINE void fill_with_blanks(char *to, uint64_t bytes, int type) {
    if (type == CHARACTER2)
        for (uint64_t n = 0; n < bytes / 2; n++)
            ((uint16_t *)to)[n] = ' ';
    else if (type == CHARACTER4)
        for (uint64_t n = 0; n < bytes / 4; n++)
            ((uint32_t *)to)[n] = ' ';
    else
        memset(to, ' ', bytes);
}

/* Copies a text, cut or filled up with blanks. It may hold the bytes of numbers. */
static ALWAYS_INLINE void copy_text(char *to, uint64_t bytes, const char *from, uint64_t given, int type) {
    uint64_t copied = given < bytes ? given : bytes;
    memmove(to, from, copied);
    fill_with_blanks(to + copied, bytes - copied, type);
}

/* True if the elements follow each other in memory without gaps, in array element order. */
static ALWAYS_INLINE int is_block(view a) {
    uint64_t bytes = a->bytes;
    int found = 1;
#define FOLLOWS(k)                                                               \
    if (k < a->rank) {                                                           \
        found &= a->dim[k].extent < 2 || a->dim[k].stride == (int64_t)bytes;     \
        bytes *= a->dim[k].extent;                                               \
    }
    DIMENSIONS(FOLLOWS)
#undef FOLLOWS
    return found;
}

/* Copies an element with the type and size of `kind`. If the type is not known, the engine infers the types of the
 * bytes from other uses of the memory. */
static ALWAYS_INLINE void copy_element(char *to, const char *from, view kind) {
    if (!kind->is_known) {
        memcpy(to, from, kind->bytes);
        return;
    }
#define COPY(T, n) ((T *)to)[n] = ((const T *)from)[n]
    switch (kind->type) {
    case REAL4: COPY(float, 0); break;
    case REAL8: COPY(double, 0); break;
    case REAL10: COPY(long double, 0); break;
    case REAL4 + COMPLEX: COPY(float, 0), COPY(float, 1); break;
    case REAL8 + COMPLEX: COPY(double, 0), COPY(double, 1); break;
    case REAL10 + COMPLEX: COPY(long double, 0), COPY(long double, 1); break;
    default: memcpy(to, from, kind->bytes);
    }
#undef COPY
}

/* Copies elements that lie at equal distances. A number may take several elements of storage: it is moved as a whole
 * where these follow each other. */
static ALWAYS_INLINE void copy_elements(char *to, int64_t to_stride, const char *from, int64_t from_stride, int64_t count,
                                        view kind) {
    if (kind->is_type_known && is_storage(kind->type) && to_stride == from_stride && (uint64_t)to_stride == kind->bytes) {
        memmove(to, from, count > 0 ? count * kind->bytes : 0);
        return;
    }
    for (int64_t n = 0; n < count; n++)
        copy_element(to + n * to_stride, from + n * from_stride, kind);
}

/* Sets the strides of an array whose extents are set, and returns its size in bytes. */
static ALWAYS_INLINE int64_t lay_out(struct view *a) {
    a->is_compact = 1;
    int64_t bytes = a->bytes;
#define STRIDE(k)                  \
    if (k < a->rank) {             \
        a->dim[k].stride = bytes;  \
        bytes *= a->dim[k].extent; \
    }
    DIMENSIONS(STRIDE)
#undef STRIDE
    return bytes;
}

static ALWAYS_INLINE void allocate(struct view *a) {
    int64_t bytes = lay_out(a);
    a->base = malloc(bytes ? bytes : 1);
}

static ALWAYS_INLINE void set_extent(struct view *a, int k, int64_t extent) {
    a->dim[k].lower = 1;
    a->dim[k].extent = extent < 0 ? 0 : extent;
}

#endif
