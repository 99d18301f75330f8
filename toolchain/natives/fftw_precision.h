/* What runs for one type T: planners that note what they plan, transforms and their adjoints. X(…) names FFTW's functions. */

#define OF(NAME) EZ_JOIN(P, NAME, _of_its_type)
#define NAMED(PREFIX, NAME) EZ_JOIN(PREFIX, P, NAME)
#define OWN_CALLS __attribute__((visibility("protected")))
typedef struct ez_iodim64 iodim64;

void *X(malloc)(size_t);
void X(free)(void *);
int X(alignment_of)(T *);
void X(execute_dft)(const void *plan, T *in, T *out);
void X(execute_dft_r2c)(const void *plan, T *in, T *out);
void X(execute_dft_c2r)(const void *plan, T *in, T *out);
void X(execute_r2r)(const void *plan, T *in, T *out);
void X(execute_split_dft)(const void *plan, T *ri, T *ii, T *ro, T *io);
void X(execute_split_dft_r2c)(const void *plan, T *in, T *ro, T *io);
void X(execute_split_dft_c2r)(const void *plan, T *ri, T *ii, T *out);

/* -- planners and the end of a plan: the linker sends the program's calls here */

#define PLANNER(NAME, PARAMETERS, ARGUMENTS, TRANSFORM, ARRAYS)                                                   \
    void *NAMED(__real_, NAME) PARAMETERS;                                                                        \
    OWN_CALLS void *NAMED(__wrap_, NAME) PARAMETERS {                                                                     \
        void *plan = NAMED(__real_, NAME) ARGUMENTS;                                                              \
        entered(plan, TRANSFORM, UNPACKED ARRAYS);                                                                \
        return plan;                                                                                              \
    }
#include "../derivatives/fftw_planners.h"
#undef PLANNER

void NAMED(__real_, destroy_plan)(void *plan);
OWN_CALLS void NAMED(__wrap_, destroy_plan)(void *plan) {
    removed(plan);
    NAMED(__real_, destroy_plan)(plan);
}

#define LEGACY_PLANNER(NAME, PARAMETERS, BEFORE, ARGUMENTS)                                                       \
    OWN_CALLS void LEGACY_NAME(__wrap_, NAME)(void **plan, UNPACKED PARAMETERS) {                                    \
        BEFORE *plan = NAMED(__wrap_, NAME) ARGUMENTS;                                                            \
    }
#include "../derivatives/fftw_fortran.h"
#undef LEGACY_PLANNER
OWN_CALLS void LEGACY_NAME(__wrap_, destroy_plan)(void **plan) { NAMED(__wrap_, destroy_plan)(*plan); }

/* -- plans */

/* Makes a plan of a transform between some memory, which it leaves as it is. */
static void *OF(planned)(const struct transform *t, unsigned flags, T *ri, T *ii, T *ro, T *io) {
    iodim64 dims[DIMENSIONS];
    int rank = t->rank, many = t->many, kinds[DIMENSIONS], is_split = t->is_split;
    for (int d = 0; d < rank + many; d++) {
        int64_t in = t->strides[INPUT][d], out = t->strides[OUTPUT][d];
        dims[d] = (iodim64){t->n[d], in / (is_complex(t, INPUT) && !is_split ? 2 : 1),
                            out / (is_complex(t, OUTPUT) && !is_split ? 2 : 1)};
        kinds[d] = t->kinds[d];
    }
    iodim64 *over = dims + rank;
    switch (t->form) {
    case C2C:
        if (is_split)
            return NAMED(__real_, plan_guru64_split_dft)(rank, dims, many, over, ri, ii, ro, io, flags);
        return NAMED(__real_, plan_guru64_dft)(rank, dims, many, over, ri, ro, t->is_backward ? 1 : -1, flags);
    case R2C:
        if (is_split)
            return NAMED(__real_, plan_guru64_split_dft_r2c)(rank, dims, many, over, ri, ro, io, flags);
        return NAMED(__real_, plan_guru64_dft_r2c)(rank, dims, many, over, ri, ro, flags);
    case C2R:
        if (is_split)
            return NAMED(__real_, plan_guru64_split_dft_c2r)(rank, dims, many, over, ri, ii, ro, flags);
        return NAMED(__real_, plan_guru64_dft_c2r)(rank, dims, many, over, ri, ro, flags);
    default: return NAMED(__real_, plan_guru64_r2r)(rank, dims, many, over, ri, ro, kinds, flags);
    }
}

static void OF(executed)(const struct transform *t, const void *plan, T *ri, T *ii, T *ro, T *io) {
    switch (t->form) {
    case C2C: return t->is_split ? X(execute_split_dft)(plan, ri, ii, ro, io) : X(execute_dft)(plan, ri, ro);
    case R2C: return t->is_split ? X(execute_split_dft_r2c)(plan, ri, ro, io) : X(execute_dft_r2c)(plan, ri, ro);
    case C2R: return t->is_split ? X(execute_split_dft_c2r)(plan, ri, ii, ro) : X(execute_dft_c2r)(plan, ri, ro);
    default: X(execute_r2r)(plan, ri, ro);
    }
}

#include "fftw_moves.h"
#include "fftw_compact.h"

/* -- what differentiated code calls */

/* Puts aside the numbers of an array that a call may write over, and puts them back. */
static T *OF(put_aside)(const struct transform *t, enum side side, T *r, T *i) {
    T *copy = malloc((elements(t, side) * 2 + 1) * sizeof(T));
    OF(move_all)(t, side, OF(TAKE), 0, r, i, copy, 1);
    return copy;
}
static void OF(put_back)(const struct transform *t, enum side side, T *r, T *i, T *copy) {
    OF(move_all)(t, side, OF(PUT), 0, r, i, copy, 1);
    free(copy);
}

/* Makes the program's plan. Planners may overwrite the arrays; here they keep what they hold. */
int64_t NAMED(__ez_inactive_, planned)(int64_t transform, unsigned flags, T *ri, T *ii, T *ro, T *io) {
    struct transform *t = (void *)transform;
    if (!t)
        refuse_unknown();
    int is_kept = !(flags & (ESTIMATE | WISDOM_ONLY));
    T *in = is_kept ? OF(put_aside)(t, INPUT, ri, ii) : NULL, *out = is_kept ? OF(put_aside)(t, OUTPUT, ro, io) : NULL;
    void *plan = OF(planned)(t, flags, ri, ii, ro, io);
    if (is_kept) {
        OF(put_back)(t, INPUT, ri, ii, in);
        OF(put_back)(t, OUTPUT, ro, io, out);
    }
    entered(plan, transform, ri, ii, ro, io);
    return (intptr_t)plan;
}

/* Returns the plan; for its shadow, a plan of the shadows. */
void *NATIVE(opened)(int64_t is_shadow, int64_t plan, int64_t transform, T *ri, T *ii, T *ro, T *io) {
    struct transform *t = (void *)transform;
    struct plan known = about((void *)plan);
    if (!is_shadow || !known.arrays || (known.arrays->at[0] == ri && known.arrays->at[2] == ro))
        return (void *)plan;
    void *shadow = OF(planned)(t, t->flags | ESTIMATE, ri, ii, ro, io);
    entered(shadow, transform, ri, ii, ro, io);
    return shadow;
}

/* Ends a plan, once: in vector mode, this is called for each direction. */
void *NATIVE(closed)(int64_t is_shadow, void *plan) {
    if (removed(plan))
        NAMED(__real_, destroy_plan)(plan);
    return NULL;
}

void *NATIVE(arrays)(int64_t is_shadow, void *plan) {
    struct plan known = about(plan);
    if (!known.arrays)
        refuse_unknown();
    if ((is_shadow & EZ_LATER) && __ez_naming_depth() != 1)
        refuse_constant();
    if (is_shadow < 2)
        return known.arrays->at;
    return named_shadows(known.arrays, sizeof(T), (uint32_t)is_shadow - 2, (is_shadow & EZ_KEEPS) != 0)->at;
}

int64_t NAMED(__ez_inactive_, number)(const void *plan) { return (intptr_t)plan; }
int64_t NAMED(__ez_inactive_, transform)(const void *plan) { return (intptr_t)about(plan).transform; }

enum { OF(ALL) = 15 };

static void OF(missing)(int64_t given, T *ri, T *ii, T *ro, T *io, T *in[2], T *out[2]) {
    in[0] = given & 1 ? ri : NULL, in[1] = given & 2 ? ii : NULL;
    out[0] = given & 4 ? ro : NULL, out[1] = given & 8 ? io : NULL;
}

/* Whether arrays are aligned as those of the plan. Local arrays may lie elsewhere in derivatives than in the program. */
static int OF(is_aligned)(const struct transform *t, const void *plan, T *in, T *out) {
    struct plan known = about(plan);
    return (t->flags & UNALIGNED) || !known.arrays ||
           (X(alignment_of)(in) == X(alignment_of)(known.arrays->at[0]) &&
            X(alignment_of)(out) == X(alignment_of)(known.arrays->at[2]));
}

/* The program's call. The input keeps what it holds, also where the plan destroys it. */
void NATIVE(transform)(int64_t library, int64_t plan, int64_t transform, int64_t given, int64_t first_in, int64_t end_in,
                       int64_t first_out, int64_t end_out, T *ri, T *ii, T *ro, T *io) {
    struct transform *t = (void *)transform;
    if (!t)
        refuse_unknown();
    if (given != OF(ALL) || !plan || !OF(is_aligned)(t, (void *)plan, ri, ro)) {
        T *in[2], *out[2];
        OF(missing)(given, ri, ii, ro, io, in, out);
        OF(between)(t, STRAIGHT, in, out);
        return;
    }
    int is_lost = ri != ro && (t->form == C2R ? !(t->flags & PRESERVE_INPUT) : (t->flags & DESTROY_INPUT) != 0);
    T *copy = is_lost ? OF(put_aside)(t, INPUT, ri, ii) : NULL;
    OF(executed)(t, (void *)plan, ri, ii, ro, io);
    if (is_lost)
        OF(put_back)(t, INPUT, ri, ii, copy);
}

/* in += the transposed transform of out, then out = 0 */
void NATIVE(adjoint)(int64_t library, int64_t transform, int64_t given, int64_t first_in, int64_t end_in,
                     int64_t first_out, int64_t end_out, T *ro, T *io, T *ri, T *ii) {
    T *in[2], *out[2];
    struct transform *t = (void *)transform;
    if (!t)
        refuse_unknown();
    OF(missing)(given, ri, ii, ro, io, in, out);
    if (!OF(in_place)(t, out, in))
        OF(between)(t, TRANSPOSED, out, in);
}

#undef OF
#undef NAMED
#undef OWN_CALLS
