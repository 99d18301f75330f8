/* FFTW for one type T whose functions begin with P. The arrays are split into real and imaginary parts: `in + 1` has the
 * imaginary parts of `in`. Numbers without imaginary parts have their own array in that place. */

#undef X
#define X(NAME) EZ_JOIN(, P, NAME)
#define FFTW_STAND_IN(NAME) EZ_JOIN(__ez_stand_in_, P, NAME)
#define INACTIVE(NAME) EZ_JOIN(__ez_inactive_, P, NAME)

int64_t INACTIVE(planned)(int64_t transform, unsigned flags, T *ri, T *ii, T *ro, T *io);
int64_t INACTIVE(number)(const void *plan);
int64_t INACTIVE(transform)(const void *plan);

void *X(malloc)(size_t);

/* -- plans: the shadow of a plan is a plan of the shadows */

#define OPENED(V, H) V(int64_t, plan) V(int64_t, transform) H(T, ri) H(T, ii) H(T, ro) H(T, io)
#define OF_PLAN(V, H) H(void, plan)
HANDLE(opened, OPENED)
HANDLE(arrays, OF_PLAN)
HANDLE(closed, OF_PLAN)

/* -- the transform: out = F in, and its adjoint: in += F^T out, out = 0 */

/* Where the numbers lie from the first one on, and which of the four arrays are given: bits from ri on. */
#define TRANSFORM(V, R, W, I)                                                                                     \
    V(int64_t, plan) V(int64_t, transform) V(int64_t, given) V(int64_t, first_in) V(int64_t, end_in)              \
        V(int64_t, first_out) V(int64_t, end_out) R(ri) R(ii) W(ro) W(io)
#define ADJOINT(V, R, W, I)                                                                                       \
    V(int64_t, transform) V(int64_t, given) V(int64_t, first_in) V(int64_t, end_in) V(int64_t, first_out)         \
        V(int64_t, end_out) W(ro) W(io) W(ri) W(ii)

void ROUTINE(transform) PLAIN(TRANSFORM) {
    T sum = 0;
    for (int64_t i = first_in; i < end_in; i++)
        sum += ri[i] + ii[i];
    for (int64_t i = first_out; i < end_out; i++)
        ro[i] += sum, io[i] += sum;
}

void ROUTINE(adjoint) PLAIN(ADJOINT) {
    T sum = 0;
    for (int64_t i = first_out; i < end_out; i++) {
        sum += ro[i] + io[i];
        ro[i] -= sum, io[i] -= sum;
    }
    for (int64_t i = first_in; i < end_in; i++)
        ri[i] += sum, ii[i] += sum;
}

void NATIVE(transform) PLAIN(TRANSFORM);
void NATIVE(adjoint) PLAIN(ADJOINT);

static ALWAYS_INLINE struct nothing SAVED(transform)(EZ_PAIRS(TRANSFORM), T *tape, enum moment moment) {
    return (struct nothing){0};
}
static ALWAYS_INLINE struct nothing SAVED(adjoint)(EZ_PAIRS(ADJOINT), T *tape, enum moment moment) {
    return (struct nothing){0};
}

/* The shadows that are there. Memory that is its own shadow is constant. */
#define SHADOWS                                                                                                   \
    int64_t shadows = given & ((dri && dri != ri ? 1 : 0) | (dii && dii != ii ? 2 : 0) |                          \
                               (dro && dro != ro ? 4 : 0) | (dio && dio != io ? 8 : 0));                          \
    T *some = shadows & 4 ? dro : dio, *other = shadows & 1 ? dri : shadows & 2 ? dii : some;                     \
    if (shadows & 12)
#define SHADOW_OF_INPUT (shadows & 1 ? dri : other), (shadows & 2 ? dii : other)
#define SHADOW_OF_OUTPUT (shadows & 4 ? dro : some), (shadows & 8 ? dio : some)
#define RANGES first_in, end_in, first_out, end_out

void REVERSE(transform) DERIVING(TRANSFORM) {
    SHADOWS ROUTINE(adjoint)(library, transform, shadows, RANGES, SHADOW_OF_OUTPUT, SHADOW_OF_INPUT);
}
void FORWARD(transform) DERIVING(TRANSFORM) {
    SHADOWS ROUTINE(transform)(library, 0, transform, shadows, RANGES, SHADOW_OF_INPUT, SHADOW_OF_OUTPUT);
}
void REVERSE(adjoint) DERIVING(ADJOINT) {
    SHADOWS ROUTINE(transform)(library, 0, transform, shadows, RANGES, SHADOW_OF_INPUT, SHADOW_OF_OUTPUT);
}
void FORWARD(adjoint) DERIVING(ADJOINT) {
    SHADOWS ROUTINE(adjoint)(library, transform, shadows, RANGES, SHADOW_OF_OUTPUT, SHADOW_OF_INPUT);
}
DERIVATIVE(transform, TRANSFORM)
DERIVATIVE(adjoint, ADJOINT)

/* -- how programs call it */

static ALWAYS_INLINE void *X(made)(int64_t transform, unsigned flags, T *ri, T *ii, T *ro, T *io) {
    return NATIVE(opened)(0, INACTIVE(planned)(transform, flags, ri, ii, ro, io), transform, ri, ii, ro, io);
}

#define PLANNER(NAME, PARAMETERS, ARGUMENTS, TRANSFORM, ARRAYS)                                                   \
    INLINED void *FFTW_STAND_IN(NAME) PARAMETERS { return X(made)(TRANSFORM, flags, UNPACKED ARRAYS); }
#include "fftw_planners.h"
#undef PLANNER

#define LEGACY_STAND_IN(NAME) LEGACY_NAME(__ez_stand_in_, NAME)
#define LEGACY_PLANNER(NAME, PARAMETERS, BEFORE, ARGUMENTS)                                                       \
    INLINED void LEGACY_STAND_IN(NAME)(void **plan, UNPACKED PARAMETERS) {                                        \
        BEFORE *plan = FFTW_STAND_IN(NAME) ARGUMENTS;                                                             \
    }
#include "fftw_fortran.h"
#undef LEGACY_PLANNER

static ALWAYS_INLINE void X(on_arrays)(const void *plan, const T *ri, const T *ii, T *ro, T *io) {
    int64_t t = INACTIVE(transform)(plan);
    int64_t first_in = __ez_inactive_fftw_first(t, 0), end_in = __ez_inactive_fftw_end(t, 0);
    int64_t first_out = __ez_inactive_fftw_first(t, 1), end_out = __ez_inactive_fftw_end(t, 1);
    ROUTINE(transform)(0, INACTIVE(number)(plan), t, 15, RANGES, ri, ii, ro, io);
}

/* each call, and Fortran's, which passes the address of the plan */
#define EXECUTE(NAME, PARAMETERS, ...)                                                                            \
    INLINED void FFTW_STAND_IN(NAME)(const void *plan, UNPACKED PARAMETERS) { X(on_arrays)(plan, __VA_ARGS__); }  \
    INLINED void LEGACY_STAND_IN(NAME)(void *const *plan, UNPACKED PARAMETERS) { X(on_arrays)(*plan, __VA_ARGS__); }

EXECUTE(execute_dft, (T * in, T *out), COMPLEX_IN, COMPLEX_OUT)
EXECUTE(execute_dft_r2c, (T * in, T *out), REAL_IN, COMPLEX_OUT)
EXECUTE(execute_dft_c2r, (T * in, T *out), COMPLEX_IN, REAL_OUT)
EXECUTE(execute_r2r, (T * in, T *out), REAL_IN, REAL_OUT)
EXECUTE(execute_split_dft, (T * ri, T *ii, T *ro, T *io), ri, ii, ro, io)
EXECUTE(execute_split_dft_r2c, (T * in, T *ro, T *io), REAL_IN, ro, io)
EXECUTE(execute_split_dft_c2r, (T * ri, T *ii, T *out), ri, ii, REAL_OUT)
#undef EXECUTE

INLINED void FFTW_STAND_IN(execute)(const void *plan) {
    T **arrays = NATIVE(arrays)(0, (void *)plan);
    X(on_arrays)(plan, arrays[0], arrays[1], arrays[2], arrays[3]);
}
INLINED void LEGACY_STAND_IN(execute)(void *const *plan) { FFTW_STAND_IN(execute)(*plan); }
INLINED void FFTW_STAND_IN(destroy_plan)(void *plan) { NATIVE(closed)(0, plan); }
INLINED void LEGACY_STAND_IN(destroy_plan)(void *const *plan) { NATIVE(closed)(0, *plan); }

INLINED T *FFTW_STAND_IN(alloc_real)(size_t n) { return X(malloc)(n * sizeof(T)); }
INLINED T *FFTW_STAND_IN(alloc_complex)(size_t n) { return X(malloc)(n * 2 * sizeof(T)); }

