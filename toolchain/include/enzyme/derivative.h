/* Derivatives of library functions that have no bitcode: BLAS, LAPACK, and what a project adds.
 *
 * A routine is a list of its arguments. V: an integer or a character by value. R: memory of numbers that it reads. W:
 * memory of numbers that it writes. I: memory of integers. Sizes are int64_t.
 *
 *     #define SWAP(V, R, W, I) V(int64_t, n) W(x) W(y)
 *
 * These functions belong to a routine, beside the stand-ins (stand_in.h) through which programs call it:
 *
 *     ROUTINE(swap)   reads and writes what the library function does, as the analyses see it; it never runs
 *     NATIVE(swap)    calls the library; the link puts it in the place of ROUTINE(swap) in the end
 *     SAVED(swap)     says what the other two need of memory as it was before or after the call
 *     REVERSE(swap)   adds to the adjoints of what is read; makes of the adjoints of what was written those of what
 *                     was there before
 *     FORWARD(swap)   the same of tangents; it runs after the function
 *
 * and DERIVATIVE(swap, SWAP) makes the rest. The last three take each pointer with its shadow, which is called dx if the
 * pointer is x. A shadow is null if the memory is constant: what it would get is not computed. Derivatives call
 * ROUTINE(…) of others, so that they can be differentiated again.
 */
#ifndef EZ_DERIVATIVE_H
#define EZ_DERIVATIVE_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef ALWAYS_INLINE
#define ALWAYS_INLINE inline __attribute__((always_inline)) /* of functions that are static */
#define STAND_IN(NAME) __ez_stand_in_##NAME
#define INLINED __attribute__((always_inline))
#endif

#define EZ_JOIN_(A, B, C) A##B##C
#define EZ_JOIN(A, B, C) EZ_JOIN_(A, B, C)
/* P is the letter of the type T: s, d, c, z */
#define ROUTINE(NAME) EZ_JOIN(__ez_library_, P, NAME)
#define NATIVE(NAME) EZ_JOIN(__ez_native_, P, NAME)
#define AUGMENTED(NAME) EZ_JOIN(__ez_augmented_, P, NAME)
#define REVERSE(NAME) EZ_JOIN(__ez_reversed_, P, NAME)
#define FORWARD(NAME) EZ_JOIN(__ez_forward_, P, NAME)
#define SAVED(NAME) EZ_JOIN(ez_saved_, P, NAME)

#define EZ_FIRST int64_t library
#define EZ_VALUE(TYPE, NAME) , TYPE NAME
#define EZ_READ(NAME) , const T *NAME
#define EZ_WRITTEN(NAME) , T *NAME
#define EZ_INTEGERS(NAME) , int *NAME
#define EZ_READ_PAIR(NAME) , const T *NAME, T *d##NAME
#define EZ_WRITTEN_PAIR(NAME) , T *NAME, T *d##NAME
#define EZ_INTEGERS_PAIR(NAME) , int *NAME, int *d##NAME
#define EZ_NAME_OF_VALUE(TYPE, NAME) , NAME
#define EZ_NAME(NAME) , NAME
#define EZ_NAMES(NAME) , NAME, d##NAME
#define EZ_PAIRS(LIST) EZ_FIRST LIST(EZ_VALUE, EZ_READ_PAIR, EZ_WRITTEN_PAIR, EZ_INTEGERS_PAIR), uint64_t unchanged
#define EZ_GIVEN_PAIRS(LIST) library LIST(EZ_NAME_OF_VALUE, EZ_NAMES, EZ_NAMES, EZ_NAMES), unchanged

/* the parameters of ROUTINE and NATIVE; of SAVED; of REVERSE and FORWARD */
#define PLAIN(LIST) (EZ_FIRST LIST(EZ_VALUE, EZ_READ, EZ_WRITTEN, EZ_INTEGERS))
#define SAVING(LIST) (EZ_PAIRS(LIST), T * tape, enum moment moment)
#define DERIVING(LIST) (EZ_PAIRS(LIST), T * tape)
/* what SAVED says, in REVERSE and FORWARD */
#define SAVED_OF(NAME, LIST) SAVED(NAME)(EZ_GIVEN_PAIRS(LIST), tape, NEVER)

/* whether the memory behind a parameter of ROUTINE, counted from 0, stays as the routine leaves it until the derivative
 * ends */
#define UNCHANGED(PARAMETER) (unchanged >> (PARAMETER) & 1)

/* AUGMENTED calls the routine, and returns the tape: what will have changed of that which is needed */
#define DERIVATIVE(NAME, LIST)                                                                                    \
    T *AUGMENTED(NAME)(EZ_PAIRS(LIST)) {                                                                          \
        size_t size = SAVED(NAME)(EZ_GIVEN_PAIRS(LIST), NULL, NEVER).size;                                        \
        T *tape = size ? malloc(size * sizeof(T)) : NULL;                                                         \
        SAVED(NAME)(EZ_GIVEN_PAIRS(LIST), tape, BEFORE);                                                          \
        ROUTINE(NAME)(library LIST(EZ_NAME_OF_VALUE, EZ_NAME, EZ_NAME, EZ_NAME));                                 \
        SAVED(NAME)(EZ_GIVEN_PAIRS(LIST), tape, AFTER);                                                           \
        return tape;                                                                                              \
    }                                                                                                             \
    const void *const EZ_JOIN(__enzyme_register_library_, P, NAME)[] = {                                          \
        (void *)ROUTINE(NAME), (void *)AUGMENTED(NAME), (void *)REVERSE(NAME), (void *)FORWARD(NAME),             \
        (void *)NATIVE(NAME)};

/* -- opaque handles, such as a plan that knows the arrays on which it will work
 *
 * HANDLE(NAME, LIST) declares NATIVE(NAME), a function that is not differentiated (toolchain/natives). It takes handles and
 * pointers (H) and values (V), and returns a pointer or a handle. Called with shadows, it returns the shadow of that: its
 * first argument is 1 then. Constant memory is its own shadow; if all is, the first argument is 2 and the direction, and
 * perhaps EZ_LATER and EZ_KEEPS (autodiff/custom/handles.py): only the outermost request may look up names; memory without
 * a name may be returned as its own shadow. */
#define EZ_LATER ((int64_t)1 << 32)
#define EZ_KEEPS ((int64_t)1 << 33)
#define EZ_HANDLE(TYPE, NAME) , TYPE *NAME
#define HANDLE(NAME, LIST)                                                                                        \
    void *NATIVE(NAME)(int64_t is_shadow LIST(EZ_VALUE, EZ_HANDLE));                                              \
    const void *const EZ_JOIN(__enzyme_register_handle_, P, NAME)[] = {(void *)NATIVE(NAME)};

/* when the memory has what is needed, and at which moment SAVED is called; NEVER: only to say where it lies */
enum moment { NEVER, BEFORE, AFTER };

#ifdef T
/* What SAVED returns where T is defined before this header: where the memory lies that is needed, and how many numbers of
 * it the tape has. */
struct saved {
    const T *at[8];
    size_t size;
};

/* Adds memory of `count` numbers that is needed. If it stays unchanged, it is used where it lies. Otherwise it is copied
 * to the tape when `is_now` is true. */
static ALWAYS_INLINE void save(struct saved *s, int number, int stays, const T *x, int64_t count, T *tape, int is_now) {
    s->at[number] = x;
    if (stays || count <= 0)
        return;
    T *place = tape ? tape + s->size : NULL;
    if (is_now)
        memcpy(place, x, count * sizeof(T));
    s->at[number] = place;
    s->size += count;
}
#endif

#endif
