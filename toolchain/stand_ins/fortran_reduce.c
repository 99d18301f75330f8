/* Reductions of arrays, whole or along a dimension: SUM, PRODUCT, MAXVAL, MINVAL, NORM2, DOT_PRODUCT.
 *
 * flang's library sums with compensation, so its values may differ in the last bits.
 */
#include "fortran.h"

#define TAKE_SUM result += value
#define TAKE_PRODUCT result *= value
#define TAKE_MAXIMUM result = value > result ? value : result
#define TAKE_MINIMUM result = value < result ? value : result

#define REDUCE_WHOLE(NAME, T, START, TAKE)                                                                    \
    static T LATE(NAME)(READ(a), READ(mask)) {                                                                \
        VIEW(a);                                                                                              \
        VIEW_OPTIONAL(mask);                                                                                  \
        T result = START;                                                                                     \
        for (int64_t j = 0; j < columns(a); j++)                                                              \
            for (int64_t i = 0; i < rows(a); i++)                                                             \
                if (selects(mask, i, j)) {                                                                    \
                    T value = *(const T *)place(a, i, j);                                                     \
                    TAKE;                                                                                     \
                }                                                                                             \
        return result;                                                                                        \
    }                                                                                                         \
    INLINED T STAND_IN(_FortranA##NAME)(const_array a, const char *file, int at, int dim, const_array mask) { \
        (void)file, (void)at, (void)dim;                                                                      \
        return __ez_late_##NAME(PASS(a), PASS_OPTIONAL(mask));                                                \
    }

/* Makes the result of a reduction along a dimension: it has the other dimensions. */
static ALWAYS_INLINE void make_reduced(struct view *result, view a, int along) {
#define EXTENT(k)                  \
    if (k < a->rank && k != along) \
        set_extent(result, k < along ? k : k - 1, a->dim[k].extent);
    DIMENSIONS(EXTENT)
#undef EXTENT
    allocate(result);
}

#define REDUCE_LINES(NAME, T, START, TAKE)                                                            \
    static ALWAYS_INLINE void NAME(struct view *made, view a, int along, view mask) {                 \
        int each = mask && mask->base && mask->rank;                                                  \
        make_reduced(made, a, along);                                                                 \
        for (int64_t j = 0; j < lines(a, along); j++) {                                               \
            T result = START;                                                                         \
            for (int64_t i = 0; i < a->dim[along].extent; i++) {                                      \
                const char *selector = each ? line(mask, along, j) + i * mask->dim[along].stride : 0; \
                if (each ? integer_at(selector, mask->bytes) != 0 : selects(mask, 0, 0)) {            \
                    T value = *(const T *)(line(a, along, j) + i * a->dim[along].stride);             \
                    TAKE;                                                                             \
                }                                                                                     \
            }                                                                                         \
            ((T *)made->base)[j] = result;                                                            \
        }                                                                                             \
    }

#define REDUCTION(NAME, TAKE, START4, START8, START10)                                                                 \
    REDUCE_WHOLE(NAME##Real4, float, START4, TAKE)                                                                     \
    REDUCE_WHOLE(NAME##Real8, double, START8, TAKE)                                                                    \
    REDUCE_WHOLE(NAME##Real10, long double, START10, TAKE)                                                             \
    REDUCE_LINES(NAME##Lines4, float, START4, TAKE)                                                                    \
    REDUCE_LINES(NAME##Lines8, double, START8, TAKE)                                                                   \
    REDUCE_LINES(NAME##Lines10, long double, START10, TAKE)                                                            \
    void _FortranA##NAME##Dim(struct array *NO_ESCAPE, const_array NO_ESCAPE, int, const char *, int,                  \
                              const_array NO_ESCAPE);                                                                  \
    static void LATE(NAME##Dim)(CHANGED(made), READ(a), int dim, const char *file, int at, READ(mask)) {               \
        VIEW(made);                                                                                                    \
        VIEW(a);                                                                                                       \
        VIEW_OPTIONAL(mask);                                                                                           \
        struct loan lent_a, lent_mask;                                                                                 \
        switch (a->type) {                                                                                             \
        case REAL4: NAME##Lines4(made, a, dim - 1, mask); break;                                                       \
        case REAL8: NAME##Lines8(made, a, dim - 1, mask); break;                                                       \
        case REAL10: NAME##Lines10(made, a, dim - 1, mask); break;                                                     \
        default:                                                                                                       \
            if (!a->is_known)                                                                                          \
                __ez_primal_only("_FortranA" #NAME "Dim");                                                             \
            _FortranA##NAME##Dim(made_given, lend(&lent_a, a_given), dim, file, at, lend_optional(&lent_mask, mask_given));     \
            return;                                                                                                    \
        }                                                                                                              \
        GIVE_BACK(made);                                                                                               \
    }                                                                                                                  \
    INLINED void STAND_IN(_FortranA##NAME##Dim)(struct array * made, const_array a, int dim, const char *file, int at, \
                                                const_array mask) {                                                    \
        MAKE(made, a->rank - 1, a, __ez_late_##NAME##Dim(PASS(made), PASS(a), dim, file, at, PASS_OPTIONAL(mask)));    \
    }

REDUCTION(Sum, TAKE_SUM, 0, 0, 0)
REDUCTION(Product, TAKE_PRODUCT, 1, 1, 1)
REDUCTION(Maxval, TAKE_MAXIMUM, -__FLT_MAX__, -__DBL_MAX__, -__LDBL_MAX__)
REDUCTION(Minval, TAKE_MINIMUM, __FLT_MAX__, __DBL_MAX__, __LDBL_MAX__)

/* The Euclidean norm. A power of two scales the numbers, so that no square overflows or vanishes. Its derivative is
 * zero. FN: the suffix of math functions. */
#define NORM(KIND, T, FN)                                                                                    \
    static ALWAYS_INLINE int greatest_exponent##FN(const char *p, int64_t count, int64_t stride, int most) { \
        for (int64_t i = 0; i < count; i++) {                                                                \
            T value = *(const T *)(p + i * stride);                                                          \
            int exponent = 0;                                                                                \
            __builtin_frexp##FN(value, &exponent);                                                           \
            most = value != 0 && exponent > most ? exponent : most;                                          \
        }                                                                                                    \
        return most;                                                                                         \
    }                                                                                                        \
    static ALWAYS_INLINE T squares##FN(const char *p, int64_t count, int64_t stride, T scale) {              \
        T sum = 0;                                                                                           \
        for (int64_t i = 0; i < count; i++) {                                                                \
            T value = *(const T *)(p + i * stride) * scale;                                                  \
            sum += value * value;                                                                            \
        }                                                                                                    \
        return sum;                                                                                          \
    }                                                                                                        \
    static ALWAYS_INLINE T scaled##FN(int exponent) {                                                        \
        int none = exponent == INT32_MAX || exponent == -INT32_MAX;                                          \
        return __builtin_scalbn##FN((T)1, none ? 0 : exponent);                                              \
    }                                                                                                        \
    static T LATE(Norm2_##KIND)(READ(a)) {                                                                   \
        VIEW(a);                                                                                             \
        int most = -INT32_MAX;                                                                               \
        T sum = 0;                                                                                           \
        for (int64_t j = 0; j < columns(a); j++)                                                             \
            most = greatest_exponent##FN(place(a, 0, j), rows(a), row_stride(a), most);                      \
        for (int64_t j = 0; j < columns(a); j++)                                                             \
            sum += squares##FN(place(a, 0, j), rows(a), row_stride(a), scaled##FN(-most));                   \
        return __builtin_sqrt##FN(sum) * scaled##FN(most);                                                   \
    }                                                                                                        \
    INLINED T STAND_IN(_FortranANorm2_##KIND)(const_array a, const char *file, int at, int dim) {            \
        (void)file, (void)at, (void)dim;                                                                     \
        return __ez_late_Norm2_##KIND(PASS(a));                                                              \
    }                                                                                                        \
    static ALWAYS_INLINE void norms_##KIND(struct view *made, view a, int along) {                           \
        make_reduced(made, a, along);                                                                        \
        int64_t count = a->dim[along].extent, stride = a->dim[along].stride;                                 \
        for (int64_t j = 0; j < lines(a, along); j++) {                                                      \
            int most = greatest_exponent##FN(line(a, along, j), count, stride, -INT32_MAX);                  \
            T sum = squares##FN(line(a, along, j), count, stride, scaled##FN(-most));                        \
            ((T *)made->base)[j] = __builtin_sqrt##FN(sum) * scaled##FN(most);                               \
        }                                                                                                    \
    }

NORM(4, float, f)
NORM(8, double, )
NORM(10, long double, l)

static void LATE(Norm2Dim)(CHANGED(made), READ(a), int dim) {
    VIEW(made);
    VIEW(a);
    switch (a->type) {
    case REAL4: norms_4(made, a, dim - 1); break;
    case REAL8: norms_8(made, a, dim - 1); break;
    default: norms_10(made, a, dim - 1);
    }
    GIVE_BACK(made);
}

INLINED void STAND_IN(_FortranANorm2Dim)(struct array *made, const_array a, int dim, const char *file, int at) {
    (void)file, (void)at;
    MAKE(made, a->rank - 1, a, __ez_late_Norm2Dim(PASS(made), PASS(a), dim));
}

/* The factors of a dot product may be of different types. A type that is not known when this is compiled is taken for
 * that of the result, and must be that when it runs. */

/* Returns 0, or ends the program if an array has another type than a dot product expects. LLVM must not take it for a
 * function that writes: it would forget what it knows of descriptors. */
__attribute__((pure)) int64_t __ez_other_type(int64_t given, int64_t expected);

static ALWAYS_INLINE int64_t expect_type(view a, int type) {
    return a->is_type_known ? 0 : __ez_other_type(a->type, type);
}

static ALWAYS_INLINE int has_type(view a, int type) { return !a->is_type_known || a->type == type; }

static ALWAYS_INLINE long double real_at(const char *p, view a) {
    switch (a->type) {
    case REAL4: return *(const float *)p;
    case REAL8: return *(const double *)p;
    case REAL10: return *(const long double *)p;
    default: return integer_at(p, a->bytes);
    }
}

#define FACTOR(a, TYPE, T) (has_type(a, TYPE) ? *(const T *)place(a, i, 0) : (T)real_at(place(a, i, 0), a))

#define DOT_PRODUCT(NAME, TYPE, T)                                                                          \
    static T LATE(DotProduct##NAME)(READ(x), READ(y)) {                                                     \
        VIEW(x);                                                                                            \
        VIEW(y);                                                                                            \
        T result = 0;                                                                                       \
        for (int64_t i = expect_type(x, TYPE) + expect_type(y, TYPE); i < rows(x); i++)                     \
            result += FACTOR(x, TYPE, T) * FACTOR(y, TYPE, T);                                              \
        return result;                                                                                      \
    }                                                                                                       \
    INLINED T STAND_IN(_FortranADotProduct##NAME)(const_array x, const_array y, const char *file, int at) { \
        (void)file, (void)at;                                                                               \
        return __ez_late_DotProduct##NAME(PASS(x), PASS(y));                                                \
    }

DOT_PRODUCT(Real4, REAL4, float)
DOT_PRODUCT(Real8, REAL8, double)
DOT_PRODUCT(Real10, REAL10, long double)

/* Complex numbers are pairs; results come through a pointer. */

#define REDUCE_COMPLEX(NAME, KIND, T, START, TAKE)                                                                \
    static void LATE(NAME##KIND)(T * result, READ(a), READ(mask)) {                                               \
        VIEW(a);                                                                                                  \
        VIEW_OPTIONAL(mask);                                                                                      \
        T re = START, im = 0;                                                                                     \
        for (int64_t j = 0; j < columns(a); j++)                                                                  \
            for (int64_t i = 0; i < rows(a); i++)                                                                 \
                if (selects(mask, i, j)) {                                                                        \
                    const T *z = (const T *)place(a, i, j);                                                       \
                    T re_before = re;                                                                             \
                    (void)re_before;                                                                              \
                    TAKE;                                                                                         \
                }                                                                                                 \
        result[0] = re, result[1] = im;                                                                           \
    }                                                                                                             \
    INLINED void STAND_IN(_FortranACpp##NAME##KIND)(T * result, const_array a, const char *file, int at, int dim, \
                                                    const_array mask) {                                           \
        (void)file, (void)at, (void)dim;                                                                          \
        __ez_late_##NAME##KIND(result, PASS(a), PASS_OPTIONAL(mask));                                             \
    }

static ALWAYS_INLINE long double complex_at(const char *p, view a, int part) {
    switch (a->type) {
    case REAL4 + COMPLEX: return ((const float *)p)[part];
    case REAL8 + COMPLEX: return ((const double *)p)[part];
    default: return ((const long double *)p)[part];
    }
}

/* Declares the real and the imaginary part of a factor; a factor that is not complex has none. */
#define PARTS(re, im, a, KIND, T)                                                                          \
    T re, im = 0;                                                                                          \
    if (has_type(a, REAL##KIND + COMPLEX))                                                                 \
        re = ((const T *)place(a, i, 0))[0], im = ((const T *)place(a, i, 0))[1];                          \
    else if (a->type >= REAL4 + COMPLEX)                                                                       \
        re = (T)complex_at(place(a, i, 0), a, 0), im = (T)complex_at(place(a, i, 0), a, 1);                \
    else                                                                                                   \
        re = (T)real_at(place(a, i, 0), a)

#define DOT_PRODUCT_COMPLEX(KIND, T)                                                                     \
    static void LATE(DotProductComplex##KIND)(T * result, READ(x), READ(y)) {                            \
        VIEW(x);                                                                                         \
        VIEW(y);                                                                                         \
        int64_t i = expect_type(x, REAL##KIND + COMPLEX) + expect_type(y, REAL##KIND + COMPLEX);         \
        T re = 0, im = 0;                                                                                \
        for (; i < rows(x); i++) {                                                                       \
            PARTS(a, b, x, KIND, T);                                                                     \
            PARTS(c, d, y, KIND, T);                                                                     \
            re += a * c + b * d;                                                                         \
            im += a * d - b * c;                                                                         \
        }                                                                                                \
        result[0] = re, result[1] = im;                                                                  \
    }                                                                                                    \
    INLINED void STAND_IN(_FortranACppDotProductComplex##KIND)(T * result, const_array x, const_array y, \
                                                               const char *file, int at) {               \
        (void)file, (void)at;                                                                            \
        __ez_late_DotProductComplex##KIND(result, PASS(x), PASS(y));                                     \
    }

#define COMPLEX_REDUCTIONS(KIND, T)                                                                             \
    REDUCE_COMPLEX(SumComplex, KIND, T, 0, (re += z[0], im += z[1]))                                            \
    REDUCE_COMPLEX(ProductComplex, KIND, T, 1, (re = re * z[0] - im * z[1], im = re_before * z[1] + im * z[0])) \
    DOT_PRODUCT_COMPLEX(KIND, T)

COMPLEX_REDUCTIONS(4, float)
COMPLEX_REDUCTIONS(8, double)
COMPLEX_REDUCTIONS(10, long double)
