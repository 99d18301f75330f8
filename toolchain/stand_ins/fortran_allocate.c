/* Memory of allocatable and pointer arrays, and array constructors of unknown length.
 *
 * The library handles errors (with a message, or the status that the program asks for) and all besides memory.
 */
#include "fortran_derived.h"

int _FortranAAllocatableAllocate(struct array *NO_ESCAPE, int64_t *, _Bool, const_array, const char *, int, void *);
int _FortranAAllocatableAllocateSource(struct array *NO_ESCAPE, const_array NO_ESCAPE, _Bool, const_array, const char *,
                                       int);
int _FortranAPointerAllocate(struct array *NO_ESCAPE, _Bool, const_array, const char *, int, void *);
int _FortranAPointerAllocateSource(struct array *NO_ESCAPE, const_array NO_ESCAPE, _Bool, const_array, const char *, int);
int _FortranAPointerDeallocate(struct array *NO_ESCAPE, _Bool, const_array, const char *, int);
int _FortranAPointerDeallocatePolymorphic(struct array *NO_ESCAPE, const struct derived_type *, _Bool, const_array,
                                          const char *, int);
int32_t _FortranAMoveAlloc(struct array *NO_ESCAPE, struct array *NO_ESCAPE, const struct derived_type *, _Bool,
                           const_array, const char *, int);

static ALWAYS_INLINE void set_bounds(struct array *a, int k, int64_t lower, int64_t upper) {
    a->dim[k].lower = lower;
    a->dim[k].extent = upper < lower ? 0 : upper - lower + 1;
}

INLINED void STAND_IN(_FortranAAllocatableSetBounds)(struct array *a, int k, int64_t lower, int64_t upper) {
    set_bounds(a, k, lower, upper);
}

INLINED void STAND_IN(_FortranAPointerSetBounds)(struct array *a, int k, int64_t lower, int64_t upper) {
    set_bounds(a, k, lower, upper);
}

/* Gives the array to allocate the type of another, of `source=`, if it is polymorphic, and its bounds. */
static ALWAYS_INLINE void apply_mold(struct array *a, const_array mold, int rank, int attribute) {
    a->bytes = mold->bytes;
    a->rank = rank;
    a->type = mold->type;
    a->attribute = attribute;
    a->extra = mold->extra;
#define SHAPE(k)                                                                                                      \
    if (k < rank && k < mold->rank)                                                                                   \
        a->dim[k] = mold->dim[k];
    DIMENSIONS(SHAPE)
#undef SHAPE
    if (mold->extra & HAS_ADDENDUM)
        ((struct addendum *)&a->dim[rank])->type = derived_at(mold, mold->rank);
}

/* An allocated array stays as it is: allocating it again is an error, which is said then. */
INLINED void STAND_IN(_FortranAAllocatableApplyMold)(struct array *a, const_array mold, int rank) {
    if (!a->base)
        apply_mold(a, mold, rank, ALLOCATABLE);
}

INLINED void STAND_IN(_FortranAPointerApplyMold)(struct array *a, const_array mold, int rank) {
    apply_mold(a, mold, rank, POINTER);
}

/* The array gets the dynamic type that `allocate (type :: a)` names, or the declared one. */
static ALWAYS_INLINE void give_type(struct array *a, const struct derived_type *type, int rank, int attribute) {
    a->base = 0;
    a->bytes = type->bytes;
    a->version = VERSION;
    a->rank = rank;
    a->type = DERIVED;
    a->attribute = attribute;
    a->extra = HAS_ADDENDUM;
    ((struct addendum *)&a->dim[rank])->type = type;
}

INLINED void STAND_IN(_FortranAAllocatableInitDerivedForAllocate)(struct array *a, const struct derived_type *type,
                                                                  int rank, int corank) {
    (void)corank;
    if (!a->base)
        give_type(a, type, rank, ALLOCATABLE);
}

INLINED void STAND_IN(_FortranAPointerNullifyDerived)(struct array *a, const struct derived_type *type, int rank,
                                                      int corank) {
    (void)corank;
    give_type(a, type, rank, POINTER);
}

/* what stat= gets: CFI_ERROR_BASE_ADDR_NULL and CFI_ERROR_BASE_ADDR_NOT_NULL of flang's ISO_Fortran_binding.h */
enum { NOT_ALLOCATED = 11, IS_ALLOCATED };

static int LATE(Allocate)(CHANGED(a), int64_t *async, _Bool has_status, const_array message, const char *file, int at,
                          void *allocator) {
    VIEW(a);
    if (a->base && has_status && !message)
        return IS_ALLOCATED;
    if (a->base || !can_start(a)) {
        __ez_primal_only("_FortranAAllocatableAllocate");
        return _FortranAAllocatableAllocate(a_given, async, has_status, message, file, at, allocator);
    }
    allocate(a);
    initialize(a);
    GIVE_BACK(a);
    return 0;
}

INLINED int STAND_IN(_FortranAAllocatableAllocate)(struct array *a, int64_t *async, _Bool has_status,
                                                   const_array message, const char *file, int at, void *allocator) {
    int status;
    CHANGE_EXPECTED(a, status = __ez_late_Allocate(PASS_EXPECTED(a), async, has_status, message, file, at, allocator));
    return status;
}

/* `allocate` with `source=`. REFUSES: the array cannot be allocated here. */
#define DEFINE_ALLOCATE_SOURCE(NAME, REFUSES, ALLOCATE)                                                               \
    static int LATE(NAME)(CHANGED(a), READ(source), _Bool has_status, const_array message, const char *file, int at) {\
        VIEW(a);                                                                                                      \
        VIEW(source);                                                                                                 \
        if ((REFUSES) || a->is_odd || !is_ours(source)) {                                                             \
            __ez_primal_only("_FortranA" #NAME);                                                                      \
            struct loan lent;                                                                                         \
            return _FortranA##NAME(a_given, lend(&lent, source_given), has_status, message, file, at);                \
        }                                                                                                             \
        ALLOCATE(a);                                                                                                  \
        copy_all(a, source, CLONE);                                                                                   \
        GIVE_BACK(a);                                                                                                 \
        return 0;                                                                                                     \
    }                                                                                                                 \
                                                                                                                      \
    INLINED int STAND_IN(_FortranA##NAME)(struct array * a, const_array source, _Bool has_status, const_array message,\
                                          const char *file, int at) {                                                 \
        int status;                                                                                                   \
        CHANGE_EXPECTED(a, status = __ez_late_##NAME(PASS_EXPECTED(a), PASS_EXPECTED(source), has_status, message, file,\
                                               at));                                                                  \
        return status;                                                                                                \
    }

DEFINE_ALLOCATE_SOURCE(AllocatableAllocateSource, a->base, allocate)

int _FortranAAllocatableDeallocatePolymorphic(struct array *NO_ESCAPE, const struct derived_type *, _Bool, const_array,
                                              const char *, int);

/* A polymorphic variable without a value has its declared type. */
static ALWAYS_INLINE void take_value(struct array *given, view a, const struct derived_type *declared) {
    if (declared)
        given->bytes = declared->bytes;
    given->type = declared ? DERIVED : OTHER;
    if (a->extra & HAS_ADDENDUM)
        ((struct addendum *)&given->dim[a->rank])->type = declared;
}

static ALWAYS_INLINE struct kind expected_polymorphic(const_array a, const struct derived_type *declared) {
    struct kind kind = expected(a);
    if (declared) {
        kind.type = DERIVED;
        kind.known = TYPE_KNOWN;
    }
    return kind;
}

/* The array and its components are finalized and freed. */
static ALWAYS_INLINE void deallocate(struct array *given, view a) {
    finalize(a);
    destroy(a);
    free(a->base);
    given->base = 0;
}

#define DEFINE_DEALLOCATE(NAME)                                                                                       \
    static int LATE(NAME)(CHANGED(a), _Bool has_status, const_array message, const char *file, int at) {              \
        VIEW(a);                                                                                                      \
        if (!a->base && has_status && !message)                                                                       \
            return NOT_ALLOCATED;                                                                                     \
        if (!a->base || !is_ours(a)) {                                                                                \
            __ez_primal_only("_FortranA" #NAME);                                                                      \
            return _FortranA##NAME(a_given, has_status, message, file, at);                                           \
        }                                                                                                             \
        deallocate(a_given, a);                                                                                       \
        return 0;                                                                                                     \
    }                                                                                                                 \
                                                                                                                      \
    INLINED int STAND_IN(_FortranA##NAME)(struct array * a, _Bool has_status, const_array message, const char *file,  \
                                          int at) {                                                                   \
        int status;                                                                                                   \
        CHANGE_EXPECTED(a, status = __ez_late_##NAME(PASS_EXPECTED(a), has_status, message, file, at));               \
        return status;                                                                                                \
    }

DEFINE_DEALLOCATE(AllocatableDeallocate)
DEFINE_DEALLOCATE(PointerDeallocate)

#define DEFINE_DEALLOCATE_POLYMORPHIC(NAME)                                                                           \
    static int LATE(NAME)(CHANGED(a), const struct derived_type *declared, _Bool has_status, const_array message,     \
                          const char *file, int at) {                                                                 \
        VIEW(a);                                                                                                      \
        if (!a->base && has_status && !message)                                                                       \
            return NOT_ALLOCATED;                                                                                     \
        if (!a->base || !is_ours(a)) {                                                                                \
            __ez_primal_only("_FortranA" #NAME);                                                                      \
            return _FortranA##NAME(a_given, declared, has_status, message, file, at);                                 \
        }                                                                                                             \
        deallocate(a_given, a);                                                                                       \
        take_value(a_given, a, declared);                                                                             \
        return 0;                                                                                                     \
    }                                                                                                                 \
                                                                                                                      \
    INLINED int STAND_IN(_FortranA##NAME)(struct array * a, const struct derived_type *declared, _Bool has_status,    \
                                          const_array message, const char *file, int at) {                            \
        struct kind kind = expected_polymorphic(a, declared);                                                         \
        return __ez_late_##NAME(PASS_KIND(a, kind), declared, has_status, message, file, at);                         \
    }

DEFINE_DEALLOCATE_POLYMORPHIC(AllocatableDeallocatePolymorphic)
DEFINE_DEALLOCATE_POLYMORPHIC(PointerDeallocatePolymorphic)

static int32_t LATE(MoveAlloc)(CHANGED(to), CHANGED(from), const struct derived_type *type, _Bool has_status,
                               const_array message, const char *file, int at) {
    VIEW(to);
    VIEW(from);
    if (to_given == from_given || to->is_odd || from->is_odd || (to->base && !is_ours(to))) {
        __ez_primal_only("_FortranAMoveAlloc");
        return _FortranAMoveAlloc(to_given, from_given, type, has_status, message, file, at);
    }
    if (to->base) {
        finalize(to);
        destroy(to);
    }
    free(to->base);
    give_back(to_given, from);
    from_given->base = 0;
    return 0;
}

INLINED int32_t STAND_IN(_FortranAMoveAlloc)(struct array *to, struct array *from, const struct derived_type *type,
                                             _Bool has_status, const_array message, const char *file, int at) {
    int32_t status;
    struct kind old = expected(to), given = expected(from), moved = old;
    moved.bytes = to->bytes = from->bytes;
    moved.type = given.type;
    moved.odd = old.odd || given.odd;
    CHANGE_EXPECTED(from, status = __ez_late_MoveAlloc(PASS_EXPECTED(to), PASS_EXPECTED(from), type, has_status, message,
                                                       file, at));
    still(to, moved);
    if (given.type == DERIVED && given.derived && old.rank == given.rank && (old.extra & HAS_ADDENDUM))
        ((struct addendum *)&to->dim[old.rank])->type = given.derived;
    return status;
}

/* The library keeps a word behind the memory of a pointer, and checks it when the memory is freed. */
void __ez_mark_pointer(void *memory, uint64_t bytes);

static ALWAYS_INLINE void allocate_pointer(struct view *a) {
    uint64_t bytes = (lay_out(a) + 7) / 8 * 8;
    a->base = malloc(bytes + 8);
    __ez_mark_pointer(a->base, bytes);
}

static int LATE(PointerAllocate)(CHANGED(a), _Bool has_status, const_array message, const char *file, int at,
                                 void *copy) {
    VIEW(a);
    if (!can_start(a)) {
        __ez_primal_only("_FortranAPointerAllocate");
        return _FortranAPointerAllocate(a_given, has_status, message, file, at, copy);
    }
    allocate_pointer(a);
    initialize(a);
    GIVE_BACK(a);
    return 0;
}

INLINED int STAND_IN(_FortranAPointerAllocate)(struct array *a, _Bool has_status, const_array message, const char *file,
                                               int at, void *copy) {
    int status;
    CHANGE_EXPECTED(a, status = __ez_late_PointerAllocate(PASS_EXPECTED(a), has_status, message, file, at, copy));
    return status;
}

DEFINE_ALLOCATE_SOURCE(PointerAllocateSource, 0, allocate_pointer)

static void LATE(Initialize)(READ(a), const char *file, int at) {
    VIEW(a);
    if (can_start(a))
        initialize(a);
    else {
        __ez_primal_only("_FortranAInitialize");
        struct loan lent;
        _FortranAInitialize(lend(&lent, a_given), file, at);
    }
}

INLINED void STAND_IN(_FortranAInitialize)(const_array a, const char *file, int at) {
    __ez_late_Initialize(PASS_EXPECTED(a), file, at);
}

#define DEFINE_DESTROY(NAME, WORK)                                                                                    \
    static void LATE(NAME)(READ(a)) {                                                                                 \
        VIEW(a);                                                                                                      \
        if (is_ours(a)) {                                                                                             \
            WORK;                                                                                                     \
        } else {                                                                                                      \
            __ez_primal_only("_FortranA" #NAME);                                                                      \
            struct loan lent;                                                                                         \
            _FortranA##NAME(lend(&lent, a_given));                                                                    \
        }                                                                                                             \
    }                                                                                                                 \
    INLINED void STAND_IN(_FortranA##NAME)(const_array a) { __ez_late_##NAME(PASS_EXPECTED(a)); }

DEFINE_DESTROY(Destroy, (finalize(a), destroy(a)))
DEFINE_DESTROY(DestroyWithoutFinalization, destroy(a))
DEFINE_DESTROY(Finalize, finalize(a))

/* Flang gives the library 40 bytes or more for this. */
struct vector {
    struct array *to;
    int64_t next, capacity;
};

INLINED void STAND_IN(_FortranAInitArrayConstructorVector)(struct vector *v, struct array *to, _Bool by_length,
                                                           const char *file, int at) {
    (void)by_length, (void)file, (void)at;
    v->to = to;
    v->next = 0;
    v->capacity = to->base ? to->dim[0].extent : 0;
}

/* Makes a new element: characters are cut or filled up with blanks. Elements whose type is not known own memory, too. */
static ALWAYS_INLINE void make_element(char *to, const char *from, view kind, uint64_t given) {
    if (is_text(kind->type))
        copy_text(to, kind->bytes, from, given, kind->type);
    else if (kind->type == DERIVED)
        __ez_of_each_copy(to, from, CLONE, kind->derived);
    else
        copy_element(to, from, kind);
}

/* Makes room for `count` more elements. An extent that is set beforehand is the final one. */
static ALWAYS_INLINE void reserve(struct vector *v, struct view *to, int64_t count) {
    int64_t needed = v->next + count;
    if (!to->base) {
        v->capacity = needed > to->dim[0].extent ? needed : to->dim[0].extent;
        to->dim[0].stride = to->bytes;
        to->base = malloc(v->capacity * to->bytes + !v->capacity);
    } else if (needed > v->capacity) {
        char *grown = malloc(2 * needed * to->bytes), *old = to->base;
        for (int64_t n = 0; n < v->next; n++)
            copy_to(grown + n * to->bytes, old + n * to->dim[0].stride, SHARE, to);
        free(old);
        v->capacity = 2 * needed;
        to->dim[0].stride = to->bytes;
        to->base = grown;
    }
    if (needed > to->dim[0].extent)
        to->dim[0].extent = needed;
}

static void LATE(PushScalar)(struct vector *v, CHANGED(to), void *value) {
    VIEW(to);
    reserve(v, to, 1);
    make_element(place(to, v->next, 0), value, to, to->bytes);
    v->next++;
    GIVE_BACK(to);
}

INLINED void STAND_IN(_FortranAPushArrayConstructorSimpleScalar)(struct vector *v, void *value) {
    struct array *to = v->to;
    CHANGE(to, __ez_late_PushScalar(v, PASS(to), value));
    v->to = to; /* as it was: LLVM knows the kind of the array again */
}

static void LATE(PushArray)(struct vector *v, CHANGED(to), READ(values)) {
    VIEW(to);
    VIEW(values);
    reserve(v, to, elements(values));
    for (int64_t n = 0; n < elements(values); n++)
        make_element(place(to, v->next + n, 0), element(values, n), to, values->bytes);
    v->next += elements(values);
    GIVE_BACK(to);
}

/* If the constructor has no type, the length of its characters is that of the first value. */
INLINED void STAND_IN(_FortranAPushArrayConstructorValue)(struct vector *v, const_array values) {
    struct array *to = v->to;
    if (is_text(to->type) && !to->base)
        to->bytes = values->bytes;
    CHANGE(to, __ez_late_PushArray(v, PASS(to), PASS(values)));
    v->to = to;
}
