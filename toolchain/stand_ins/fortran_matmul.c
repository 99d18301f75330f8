/* MATMUL, also of a transposed matrix, for vectors and matrices of real and complex numbers. */
#include "fortran.h"

/* X by Y: a matrix or a row by a matrix or a column. The extent of a vector's missing dimension is 1. */
struct sizes {
    int64_t rows, inner, columns;
    int64_t x_row, x_inner, y_inner, y_column; /* strides */
};

static ALWAYS_INLINE struct sizes sizes(view x, view y, int transposed) {
    int row = transposed ? 1 : 0, inner = x->rank == 1 || transposed ? 0 : 1;
    struct sizes s = {1, x->dim[inner].extent, 1, 0, x->dim[inner].stride, y->dim[0].stride, 0};
    if (x->rank == 2)
        s.rows = x->dim[row].extent, s.x_row = x->dim[row].stride;
    if (y->rank == 2)
        s.columns = y->dim[1].extent, s.y_column = y->dim[1].stride;
    return s;
}

static ALWAYS_INLINE void make_product(struct view *result, view x, struct sizes s) {
    set_extent(result, 0, x->rank == 2 ? s.rows : s.columns);
    if (result->rank == 2)
        set_extent(result, 1, s.columns);
    allocate(result);
}

/* A row by a matrix is a vector along the columns. */
static ALWAYS_INLINE char *product_place(view result, view x, int64_t i, int64_t j) {
    return x->rank == 2 ? place(result, i, j) : place(result, j, 0);
}

#define MULTIPLY_REAL(NAME, X, Y, Z)                                                                              \
    static ALWAYS_INLINE void NAME(view result, view x, view y, struct sizes s) {                                 \
        for (int64_t j = 0; j < s.columns; j++)                                                                   \
            for (int64_t i = 0; i < s.rows; i++) {                                                                \
                const char *p = (const char *)x->base + i * s.x_row, *q = (const char *)y->base + j * s.y_column; \
                Z sum = 0;                                                                                        \
                for (int64_t k = 0; k < s.inner; k++)                                                             \
                    sum += *(const X *)(p + k * s.x_inner) * (Z) * (const Y *)(q + k * s.y_inner);                \
                *(Z *)product_place(result, x, i, j) = sum;                                                       \
            }                                                                                                     \
    }

/* A real factor has no imaginary part: X_IMAGINARY and Y_IMAGINARY read it, or are 0. */
#define MULTIPLY_COMPLEX(NAME, X, Y, Z, X_IMAGINARY, Y_IMAGINARY)                                                 \
    static ALWAYS_INLINE void NAME(view result, view x, view y, struct sizes s) {                                 \
        for (int64_t j = 0; j < s.columns; j++)                                                                   \
            for (int64_t i = 0; i < s.rows; i++) {                                                                \
                const char *p = (const char *)x->base + i * s.x_row, *q = (const char *)y->base + j * s.y_column; \
                Z re = 0, im = 0;                                                                                 \
                for (int64_t k = 0; k < s.inner; k++) {                                                           \
                    const X *v = (const X *)(p + k * s.x_inner);                                                  \
                    const Y *w = (const Y *)(q + k * s.y_inner);                                                  \
                    Z a = v[0], b = X_IMAGINARY, c = w[0], d = Y_IMAGINARY;                                       \
                    re += a * c - b * d;                                                                          \
                    im += a * d + b * c;                                                                          \
                }                                                                                                 \
                Z *to = (Z *)product_place(result, x, i, j);                                                      \
                to[0] = re, to[1] = im;                                                                           \
            }                                                                                                     \
    }

/* The product has the type of the factor LIKE. The Direct forms store to an array that exists. */
#define MATMUL_FORM(FORM, TYPES, MULTIPLY, LIKE, TRANSPOSED)                                                \
    static void LATE(FORM##TYPES)(CHANGED(result), READ(x), READ(y)) {                                      \
        VIEW(result);                                                                                       \
        VIEW(x);                                                                                            \
        VIEW(y);                                                                                            \
        struct sizes s = sizes(x, y, TRANSPOSED);                                                           \
        make_product(result, x, s);                                                                         \
        MULTIPLY(result, x, y, s);                                                                          \
        GIVE_BACK(result);                                                                                  \
    }                                                                                                       \
    INLINED void STAND_IN(_FortranA##FORM##TYPES)(struct array * result, const_array x, const_array y,      \
                                                  const char *file, int at) {                               \
        (void)file, (void)at;                                                                               \
        MAKE(result, x->rank + y->rank - 2, LIKE, __ez_late_##FORM##TYPES(PASS(result), PASS(x), PASS(y))); \
    }                                                                                                       \
    static void LATE(FORM##Direct##TYPES)(READ(result), READ(x), READ(y)) {                                 \
        VIEW(result);                                                                                       \
        VIEW(x);                                                                                            \
        VIEW(y);                                                                                            \
        MULTIPLY(result, x, y, sizes(x, y, TRANSPOSED));                                                    \
    }                                                                                                       \
    INLINED void STAND_IN(_FortranA##FORM##Direct##TYPES)(const_array result, const_array x, const_array y, \
                                                          const char *file, int at) {                       \
        (void)file, (void)at;                                                                               \
        __ez_late_##FORM##Direct##TYPES(PASS(result), PASS(x), PASS(y));                                    \
    }

#define MATMUL(TYPES, MULTIPLY, LIKE) \
    MATMUL_FORM(Matmul, TYPES, MULTIPLY, LIKE, 0) MATMUL_FORM(MatmulTranspose, TYPES, MULTIPLY, LIKE, 1)

#define REAL_MATMUL(TYPES, X, Y, Z, LIKE) MULTIPLY_REAL(multiply_##TYPES, X, Y, Z) MATMUL(TYPES, multiply_##TYPES, LIKE)
#define COMPLEX_MATMUL(TYPES, X, Y, Z, X_IMAGINARY, Y_IMAGINARY, LIKE) \
    MULTIPLY_COMPLEX(multiply_##TYPES, X, Y, Z, X_IMAGINARY, Y_IMAGINARY) MATMUL(TYPES, multiply_##TYPES, LIKE)

REAL_MATMUL(Real4Real4, float, float, float, x)
REAL_MATMUL(Real4Real8, float, double, double, y)
REAL_MATMUL(Real8Real4, double, float, double, x)
REAL_MATMUL(Real8Real8, double, double, double, x)
REAL_MATMUL(Real10Real10, long double, long double, long double, x)
REAL_MATMUL(Real4Integer4, float, int32_t, float, x)
REAL_MATMUL(Integer4Real4, int32_t, float, float, y)
REAL_MATMUL(Real8Integer4, double, int32_t, double, x)
REAL_MATMUL(Integer4Real8, int32_t, double, double, y)
COMPLEX_MATMUL(Complex4Complex4, float, float, float, v[1], w[1], x)
COMPLEX_MATMUL(Complex8Complex8, double, double, double, v[1], w[1], x)
COMPLEX_MATMUL(Real4Complex4, float, float, float, 0, w[1], y)
COMPLEX_MATMUL(Complex4Real4, float, float, float, v[1], 0, x)
COMPLEX_MATMUL(Real8Complex8, double, double, double, 0, w[1], y)
COMPLEX_MATMUL(Complex8Real8, double, double, double, v[1], 0, x)
