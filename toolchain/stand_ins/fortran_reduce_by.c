/* REDUCE: a procedure of the program combines the elements of an array, in array element order. REDUCE of integers,
 * logical values and texts is left to the library: no number with a derivative comes out.
 *
 * Without elements the result is the identity. If there is none, the library ends the program; here the result is 0.
 */
#include "fortran_derived.h"

/* The procedure takes its arguments by reference or by value. */
#define REFERENCE(T) T (*operation)(const T *, const T *)
#define VALUE(T) T (*operation)(T, T)
#define BY_REFERENCE(a, b) operation(&a, &b)
#define BY_VALUE(a, b) operation(a, b)

/* Combines the value at `element`, if it is selected. */
#define COMBINE(T, APPLY, SELECTED, element)               \
    if (SELECTED) {                                        \
        T left = result, right = *(const T *)(element);    \
        result = is_empty ? right : APPLY(left, right);    \
        is_empty = 0;                                      \
    }

#define REDUCE_WHOLE_BY(LIBRARY, NAME, T, OPERATION, APPLY, RESULT, GIVEN, RETURN)                                  \
    static T LATE(NAME)(READ(a), OPERATION(T), READ(mask), const T *identity) {                                     \
        VIEW(a);                                                                                                    \
        VIEW_OPTIONAL(mask);                                                                                        \
        T result = identity ? *identity : 0;                                                                        \
        int is_empty = 1;                                                                                           \
        for (int64_t j = 0; j < columns(a); j++)                                                                    \
            for (int64_t i = 0; i < rows(a); i++)                                                                   \
                COMBINE(T, APPLY, selects(mask, i, j), place(a, i, j))                                              \
        return result;                                                                                              \
    }                                                                                                               \
    INLINED RESULT STAND_IN(_FortranA##LIBRARY)(GIVEN const_array a, OPERATION(T), const char *file, int at,        \
                                                int dim, const_array mask, const T *identity, _Bool ordered) {      \
        (void)file, (void)at, (void)dim, (void)ordered;                                                             \
        RETURN __ez_late_##NAME(PASS(a), operation, PASS_OPTIONAL(mask), identity);                                 \
    }

/* True if a mask selects element i of line number j. */
static ALWAYS_INLINE int selects_in_line(view mask, int along, int64_t i, int64_t j) {
    if (!mask || !mask->base || !mask->rank)
        return selects(mask, 0, 0);
    return integer_at(line(mask, along, j) + i * mask->dim[along].stride, mask->bytes) != 0;
}

/* Makes the result of a reduction along a dimension: it has the other dimensions. */
static ALWAYS_INLINE void make_lines(struct view *made, view a, int along) {
#define EXTENT(k)                  \
    if (k < a->rank && k != along) \
        set_extent(made, k < along ? k : k - 1, a->dim[k].extent);
    DIMENSIONS(EXTENT)
#undef EXTENT
    allocate(made);
}

#define REDUCE_LINES_BY(LIBRARY, NAME, T, OPERATION, APPLY)                                                         \
    static void LATE(NAME)(CHANGED(made), READ(a), OPERATION(T), int along, READ(mask), const T *identity) {        \
        VIEW(made);                                                                                                 \
        VIEW(a);                                                                                                    \
        VIEW_OPTIONAL(mask);                                                                                        \
        make_lines(made, a, along);                                                                                 \
        for (int64_t j = 0; j < lines(a, along); j++) {                                                             \
            T result = identity ? *identity : 0;                                                                    \
            int is_empty = 1;                                                                                       \
            for (int64_t i = 0; i < a->dim[along].extent; i++)                                                      \
                COMBINE(T, APPLY, selects_in_line(mask, along, i, j),                                               \
                        line(a, along, j) + i * a->dim[along].stride)                                               \
            ((T *)made->base)[j] = result;                                                                          \
        }                                                                                                           \
        GIVE_BACK(made);                                                                                            \
    }                                                                                                               \
    INLINED void STAND_IN(_FortranA##LIBRARY)(struct array * made, const_array a, OPERATION(T), const char *file,   \
                                              int at, int dim, const_array mask, const T *identity,                 \
                                              _Bool ordered) {                                                      \
        (void)file, (void)at, (void)ordered;                                                                        \
        MAKE(made, a->rank - 1, a,                                                                                  \
             __ez_late_##NAME(PASS(made), PASS(a), operation, dim - 1, PASS_OPTIONAL(mask), identity));             \
    }

#define REDUCE_REAL_BY(KIND, T)                                                                                    \
    REDUCE_WHOLE_BY(ReduceReal##KIND##Ref, ReduceReal##KIND##Ref, T, REFERENCE, BY_REFERENCE, T, , return)      \
    REDUCE_WHOLE_BY(ReduceReal##KIND##Value, ReduceReal##KIND##Value, T, VALUE, BY_VALUE, T, , return)          \
    REDUCE_LINES_BY(ReduceReal##KIND##DimRef, ReduceReal##KIND##DimRef, T, REFERENCE, BY_REFERENCE)             \
    REDUCE_LINES_BY(ReduceReal##KIND##DimValue, ReduceReal##KIND##DimValue, T, VALUE, BY_VALUE)

#define INTO(T) T *into,
#define REDUCE_COMPLEX_BY(KIND, T)                                                                                       \
    REDUCE_WHOLE_BY(CppReduceComplex##KIND##Ref, ReduceComplex##KIND##Ref, T, REFERENCE, BY_REFERENCE, void, INTO(T), \
                    *into =)                                                                                          \
    REDUCE_WHOLE_BY(CppReduceComplex##KIND##Value, ReduceComplex##KIND##Value, T, VALUE, BY_VALUE, void, INTO(T),     \
                    *into =)                                                                                          \
    REDUCE_LINES_BY(CppReduceComplex##KIND##DimRef, ReduceComplex##KIND##DimRef, T, REFERENCE, BY_REFERENCE)          \
    REDUCE_LINES_BY(CppReduceComplex##KIND##DimValue, ReduceComplex##KIND##DimValue, T, VALUE, BY_VALUE)

REDUCE_REAL_BY(4, float)
REDUCE_REAL_BY(8, double)
REDUCE_REAL_BY(10, long double)
REDUCE_COMPLEX_BY(4, float _Complex)
REDUCE_COMPLEX_BY(8, double _Complex)
REDUCE_COMPLEX_BY(10, long double _Complex)

/* The procedure's result is its first argument. */
typedef void combining(char *, const char *, const char *);

void _FortranAReduceDerivedType(char *NO_ESCAPE, const_array NO_ESCAPE, combining *, const char *, int, int,
                                const_array NO_ESCAPE, const char *NO_ESCAPE, _Bool);

static void LATE(ReduceDerivedType)(char *result, READ(a), combining *operation, const char *file, int at, int dim,
                                    READ(mask), const char *identity, _Bool ordered) {
    VIEW(a);
    VIEW_OPTIONAL(mask);
    if (!is_ours(a) || !a->derived->no_destruction) {
        __ez_primal_only("_FortranAReduceDerivedType");
        struct loan lent, lent_mask;
        _FortranAReduceDerivedType(result, lend(&lent, a_given), operation, file, at, dim,
                                   lend_optional(&lent_mask, mask_given), identity, ordered);
        return;
    }
    char *combined = malloc(a->bytes);
    int is_empty = 1;
    for (int64_t j = 0; j < columns(a); j++)
        for (int64_t i = 0; i < rows(a); i++)
            if (selects(mask, i, j)) {
                if (is_empty)
                    copy_to(result, place(a, i, j), SHARE, a);
                else {
                    operation(combined, result, place(a, i, j));
                    copy_to(result, combined, SHARE, a);
                }
                is_empty = 0;
            }
    if (is_empty && identity)
        copy_to(result, identity, SHARE, a);
    free(combined);
}

INLINED void STAND_IN(_FortranAReduceDerivedType)(char *result, const_array a, combining *operation, const char *file,
                                                  int at, int dim, const_array mask, const char *identity,
                                                  _Bool ordered) {
    __ez_late_ReduceDerivedType(result, PASS_EXPECTED(a), operation, file, at, dim, PASS_OPTIONAL(mask), identity,
                                ordered);
}
