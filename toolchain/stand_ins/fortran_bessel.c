/* BESSEL_JN and BESSEL_YN of a range of orders, by recurrence over the order. flang's code passes the first two values,
 * those of the highest orders for BESSEL_JN and of the lowest for BESSEL_YN, and calls another function for x = 0. */
#include "fortran.h"

static ALWAYS_INLINE void make_orders(struct view *result, int first, int last) {
    set_extent(result, 0, (int64_t)last - first + 1);
    allocate(result);
}

#define BESSEL(NAME, X0, KIND, T, CODE, STEP)                                                                  \
    static void LATE(NAME##_##KIND)(CHANGED(result), int first, int last, T x, T value, T next) {                    \
        VIEW(result);                                                                                                \
        make_orders(result, first, last);                                                                            \
        T *values = result->base;                                                                                    \
        int64_t count = result->dim[0].extent;                                                                       \
        for (int64_t k = 0; k < count; k++) {                                                                        \
            int64_t order = STEP > 0 ? first + k : last - k;                                                         \
            values[order - first] = value;                                                                           \
            T after = 2 * (order + STEP) / x * next - value;                                                         \
            value = next;                                                                                            \
            next = after;                                                                                            \
        }                                                                                                            \
        GIVE_BACK(result);                                                                                           \
    }                                                                                                                \
    INLINED void STAND_IN(_FortranA##NAME##_##KIND)(struct array * result, int first, int last, T x, T value,        \
                                                    T next, const char *file, int at) {                              \
        (void)file, (void)at;                                                                                        \
        result->bytes = sizeof(T);                                                                                   \
        result->type = CODE;                                                                                         \
        result->rank = 1;                                                                                            \
        CHANGE(result, __ez_late_##NAME##_##KIND(PASS(result), first, last, x, value, next));                        \
    }                                                                                                                \
    INLINED void STAND_IN(_FortranA##NAME##X0_##KIND)(struct array * result, int first, int last, const char *file,  \
                                                      int at) {                                                      \
        (void)file, (void)at;                                                                                        \
        struct view made;                                                                                            \
        result->bytes = sizeof(T);                                                                                   \
        result->type = CODE;                                                                                         \
        result->rank = 1;                                                                                            \
        look(&made, result, (struct kind){sizeof(T), 1, CODE, ALLOCATABLE, 0, SIZE_KNOWN, 0, 0});                    \
        make_orders(&made, first, last);                                                                             \
        for (int64_t k = 0; k < made.dim[0].extent; k++)                                                             \
            ((T *)made.base)[k] = X0;                                                                                \
        give_back(result, &made);                                                                                    \
    }

#define BESSEL_KIND(KIND, T, CODE)                                       \
    BESSEL(BesselJn, first + k == 0, KIND, T, CODE, -1)            \
    BESSEL(BesselYn, -__builtin_inf(), KIND, T, CODE, +1)

BESSEL_KIND(4, float, REAL4)
BESSEL_KIND(8, double, REAL8)
BESSEL_KIND(10, long double, REAL10)
