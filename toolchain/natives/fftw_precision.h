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

/* -- moves between an array and compact memory */

enum OF(move) { OF(TAKE), OF(TAKE_AWAY), OF(PUT), OF(ADD) };

/* One side of a transform: its array, whose parts may be missing, and what becomes of the numbers on the way. */
struct OF(array) {
    const struct transform *transform;
    enum side side;
    enum OF(move) move;
    T *parts[2];
    int is_scaled; /* by the weights that make the transposed transform of another one */
};

/* The factor of an element: the transposed transform is another one times these on both sides. */
static T OF(weight)(const struct transform *t, enum side side, int64_t d, int64_t i) {
    if (d >= t->rank)
        return 1;
    int64_t n = t->n[d], is_end = i == 0 || 2 * i == n;
    if (t->form == R2C || t->form == C2R)
        return d < t->rank - 1 || is_end || !is_complex(t, side) ? 1 : t->form == R2C ? (T)0.5 : 2;
    if (t->form != R2R)
        return 1;
    switch (t->kinds[d]) {
    case R2HC: return side == OUTPUT && !is_end ? (T)0.5 : 1;
    case HC2R: return side == INPUT && !is_end ? 2 : 1;
    case REDFT00: return i == 0 || i == n - 1 ? 1 : side == OUTPUT ? (T)0.5 : 2;
    case REDFT10: return side == OUTPUT && i == 0 ? 2 : 1;
    case REDFT01: return side == INPUT && i == 0 ? (T)0.5 : 1;
    case RODFT10: return side == OUTPUT && i == n - 1 ? 2 : 1;
    case RODFT01: return side == INPUT && i == n - 1 ? (T)0.5 : 1;
    default: return 1;
    }
}

/* Moves one number. Numbers that are missing are zero. */
static ALWAYS_INLINE void OF(moved)(enum OF(move) move, T *place, T *compact, T weight) {
    if (move == OF(TAKE) || move == OF(TAKE_AWAY))
        *compact = place ? weight * *place : 0;
    if (move == OF(TAKE_AWAY) && place)
        *place = 0;
    if (move == OF(PUT) && place)
        *place = weight * *compact;
    if (move == OF(ADD) && place)
        *place += weight * *compact;
}

/* A row of numbers, which may be complex. Only the first, the last and the middle one have factors of their own. */
static ALWAYS_INLINE void OF(row_by)(const struct OF(array) *a, enum OF(move) move, int width, int64_t d, int64_t at,
                                     T *compact, T factor) {
    const struct transform *t = a->transform;
    int64_t count = d < 0 ? 1 : length(t, a->side, d), stride = d < 0 ? 0 : t->strides[a->side][d];
    int64_t n = d < 0 ? 1 : t->n[d];
    T *r = a->parts[0], *i = a->parts[1], inner = a->is_scaled && n > 3 ? factor * OF(weight)(t, a->side, d, 1) : factor;
    for (int64_t k = 0; k < count; k++, at += stride, compact += width) {
        int is_inner = !a->is_scaled || d < 0 || (n > 3 && k != 0 && k != n - 1 && 2 * k != n);
        T weight = is_inner ? inner : factor * OF(weight)(t, a->side, d, k);
        OF(moved)(move, r ? r + at : NULL, compact, weight);
        if (width == 2)
            OF(moved)(move, i ? i + at : NULL, compact + 1, weight);
    }
}

static void OF(row)(const struct OF(array) *a, int64_t d, int64_t at, T *compact, T factor) {
    int width = is_complex(a->transform, a->side) ? 2 : 1;
#define BY_MOVE(MOVE)                                                                                             \
    case MOVE:                                                                                                    \
        return width == 2 ? OF(row_by)(a, MOVE, 2, d, at, compact, factor) : OF(row_by)(a, MOVE, 1, d, at, compact, factor);
    switch (a->move) {
        BY_MOVE(OF(TAKE))
        BY_MOVE(OF(TAKE_AWAY))
        BY_MOVE(OF(PUT))
        BY_MOVE(OF(ADD))
    }
#undef BY_MOVE
}

/* Dimensions over transforms are the outer ones in compact memory. Returns what lies behind the compact memory. */
static T *OF(walked)(const struct OF(array) *a, int64_t depth, int64_t at, T *compact, T factor) {
    const struct transform *t = a->transform;
    int64_t all = t->many + t->rank, d = depth < t->many ? t->rank + depth : depth - t->many;
    int64_t count = all ? length(t, a->side, d) : 1;
    if (depth >= all - 1) {
        OF(row)(a, all ? d : -1, at, compact, factor);
        return compact + count * (is_complex(t, a->side) ? 2 : 1);
    }
    for (int64_t i = 0; i < count; i++)
        compact = OF(walked)(a, depth + 1, at + i * t->strides[a->side][d], compact,
                             a->is_scaled ? factor * OF(weight)(t, a->side, d, i) : factor);
    return compact;
}

static void OF(move_all)(const struct transform *t, enum side side, enum OF(move) move, int is_scaled, T *r, T *i,
                         T *compact, T factor) {
    struct OF(array) a = {t, side, move, {r, i}, is_scaled && t->form != C2C};
    OF(walked)(&a, 0, 0, compact, factor);
}

/* -- transforms between compact memory */

static int OF(transposed_kind)(int kind) {
    switch (kind) {
    case R2HC: return HC2R;
    case HC2R: return R2HC;
    case REDFT01: return REDFT10;
    case REDFT10: return REDFT01;
    case RODFT01: return RODFT10;
    case RODFT10: return RODFT01;
    default: return kind;
    }
}

static void OF(compact_strides)(struct transform *t, enum side side) {
    int64_t stride = is_complex(t, side) ? 2 : 1;
    for (int64_t depth = t->many + t->rank - 1; depth >= 0; depth--) {
        int64_t d = depth < t->many ? t->rank + depth : depth - t->many;
        t->strides[side][d] = stride;
        stride *= length(t, side, d);
    }
}

/* The transform between compact memory that has the same matrix or, but for weights, the transposed one. */
static struct transform OF(compacted)(const struct transform *t, int is_transposed) {
    static const int transposed_form[] = {[C2C] = C2C, [R2C] = C2R, [C2R] = R2C, [R2R] = R2R};
    struct transform made = *t;
    made.is_split = 0;
    if (is_transposed) {
        made.form = transposed_form[t->form];
        made.is_backward = !t->is_backward;
        for (int64_t d = 0; d < t->rank; d++)
            made.kinds[d] = OF(transposed_kind)(t->kinds[d]);
    }
    OF(compact_strides)(&made, INPUT);
    OF(compact_strides)(&made, OUTPUT);
    return made;
}

static int64_t OF(up)(int64_t n) { return (n + 15) / 16 * 16; }

static struct compact *OF(compact_of)(struct transform *t, int is_transposed) {
    struct compact *c = &t->compact[is_transposed];
    lock();
    if (!c->plan) {
        struct transform made = OF(compacted)(t, is_transposed);
        for (int side = INPUT; side <= OUTPUT; side++)
            c->sizes[side] = OF(up)(elements(&made, side) * (is_complex(&made, side) ? 2 : 1) + 16);
        T *memory = c->spare = X(malloc)((c->sizes[0] + c->sizes[1]) * sizeof(T));
        T *out = memory + c->sizes[INPUT];
        unsigned flags = (t->flags & ~(unsigned)(PRESERVE_INPUT | UNALIGNED)) | DESTROY_INPUT;
        c->plan = OF(planned)(&made, flags, memory, memory + 1, out, out + 1);
        if (!c->plan)
            c->plan = OF(planned)(&made, ESTIMATE, memory, memory + 1, out, out + 1);
    }
    unlock();
    return c;
}

/* Whether an array lies as compact memory does: then FFTW may read it there. Output of the transposed transform is spent. */
static int OF(is_compact)(const struct transform *t, const struct transform *made, int64_t of, T *parts[2], const T *memory) {
    for (int64_t d = 0; d < t->rank + t->many; d++)
        if (t->n[d] > 1 && t->strides[of][d] != made->strides[INPUT][d])
            return 0;
    int is_whole = parts[0] && parts[1] == parts[0] + (is_complex(t, of) ? 1 : 0);
    return is_whole && X(alignment_of)(parts[0]) == X(alignment_of)((T *)memory);
}

/* Half a spectrum has the weights 1 at its ends and 1/2 between. Doubles the ends: then 1/2 is the factor of all. */
static void OF(double_ends)(const struct transform *t, T *r) {
    int64_t n = t->n[t->rank - 1], half = n / 2 + 1, rows = elements(t, OUTPUT) / half;
    for (int64_t row = 0; row < rows; row++, r += 2 * half) {
        r[0] *= 2, r[1] *= 2;
        if (n > 1 && n % 2 == 0)
            r[n] *= 2, r[n + 1] *= 2;
    }
}

/* Transforms the output where it lies, which has weights that are all alike. Returns whether it did. */
static int OF(spent)(const struct transform *t, const struct transform *made, const struct compact *c, T *from[2],
                     T *memory, T *result) {
    int is_alike = t->form == C2C || t->form == C2R || (t->form == R2C && t->rank > 0);
    if (!is_alike || !OF(is_compact)(t, made, OUTPUT, from, memory))
        return 0;
    if (t->form == R2C)
        OF(double_ends)(t, from[0]);
    OF(executed)(made, c->plan, from[0], from[0] + 1, result, result + 1);
    memset(from[0], 0, elements(t, OUTPUT) * (is_complex(t, OUTPUT) ? 2 : 1) * sizeof(T));
    return 1;
}

/* Takes one side of a transform, transforms it, and puts the other side; or takes the output away, and adds. */
static void OF(between)(struct transform *t, int is_transposed, T *from[2], T *to[2]) {
    enum side source = is_transposed ? OUTPUT : INPUT, target = is_transposed ? INPUT : OUTPUT;
    struct compact *c = OF(compact_of)(t, is_transposed);
    T *memory = __atomic_exchange_n(&c->spare, NULL, __ATOMIC_ACQ_REL), factor = 1;
    if (!memory)
        memory = X(malloc)((c->sizes[0] + c->sizes[1]) * sizeof(T));
    T *result = memory + c->sizes[INPUT];
    struct transform made = OF(compacted)(t, is_transposed);
    if (is_transposed && OF(spent)(t, &made, c, from, memory, result)) {
        factor = t->form == R2C ? (T)0.5 : 1;
    } else {
        OF(move_all)(t, source, is_transposed ? OF(TAKE_AWAY) : OF(TAKE), is_transposed, from[0], from[1], memory, 1);
        OF(executed)(&made, c->plan, memory, memory + 1, result, result + 1);
    }
    OF(move_all)(t, target, is_transposed ? OF(ADD) : OF(PUT), is_transposed, to[0], to[1], result, factor);
    X(free)(__atomic_exchange_n(&c->spare, memory, __ATOMIC_ACQ_REL));
}

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
        OF(between)(t, 0, in, out);
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
    OF(between)(t, 1, out, in);
}

#undef OF
#undef NAMED
#undef OWN_CALLS
