/* Transforms: what the planners of FFTW describe, without the memory. Each one is kept once and for ever, so that
 * derivatives may name it after its plan is destroyed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* more dimensions than any program has, those over transforms included */
enum { DIMENSIONS = 24 };
enum { R2HC, HC2R, DHT, REDFT00, REDFT01, REDFT10, REDFT11, RODFT00, RODFT01, RODFT10, RODFT11 };
enum { DESTROY_INPUT = 1, UNALIGNED = 2, PRESERVE_INPUT = 16, ESTIMATE = 64, WISDOM_ONLY = 1 << 21 };

/* The transform, the transposed one, and the transposed one that leaves its result where its input lies. */
enum way { STRAIGHT, TRANSPOSED, IN_PLACE, WAYS };

/* Both sides of a transform in compact memory, and FFTW's plan between the two. */
struct compact {
    void *plan;
    void *spare; /* memory for both sides that nobody uses at present */
    int64_t sizes[2];
};

/* Strides count numbers, not complex ones. `dims` has those of the transform, then those over transforms. */
struct transform {
    int64_t precision, form, is_backward, is_split, flags, rank, many;
    int64_t n[DIMENSIONS], strides[2][DIMENSIONS], kinds[DIMENSIONS];
    /* what follows is not compared */
    struct compact compact[WAYS];
    struct transform *next;
};
#define COMPARED offsetof(struct transform, compact)

enum side { INPUT, OUTPUT };

static char locked;
static void lock(void) {
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
        ;
}
static void unlock(void) { __atomic_clear(&locked, __ATOMIC_RELEASE); }

static struct transform *known;

/* Returns the transform that is kept. */
static int64_t kept(const struct transform *t) {
    lock();
    struct transform *found = known;
    while (found && memcmp(found, t, COMPARED))
        found = found->next;
    if (!found && (found = calloc(1, sizeof *found))) {
        memcpy(found, t, COMPARED);
        found->next = known;
        known = found;
    }
    unlock();
    return (intptr_t)found;
}

static int is_complex(const struct transform *t, enum side side) {
    return t->form == C2C || t->form == (side == INPUT ? C2R : R2C);
}

/* the length of a dimension on one side: half a spectrum is stored of real numbers */
static int64_t length(const struct transform *t, enum side side, int64_t d) {
    int is_half = (t->form == R2C || t->form == C2R) && is_complex(t, side) && d == t->rank - 1;
    return is_half ? t->n[d] / 2 + 1 : t->n[d];
}

static int64_t elements(const struct transform *t, enum side side) {
    int64_t count = 1;
    for (int64_t d = 0; d < t->rank + t->many; d++)
        count *= length(t, side, d);
    return count;
}

/* how many numbers longer half a spectrum is than the row of real numbers that it is made of */
static int64_t after_row(const struct transform *t) {
    int64_t n = t->form == R2C && t->rank > 0 ? t->n[t->rank - 1] : 0;
    return n ? 2 * (n / 2 + 1) - n : 0;
}

/* how many numbers apart from the first one the last is, upwards and downwards */
static int64_t reach(const struct transform *t, enum side side, int is_upwards) {
    int64_t sum = 0;
    for (int64_t d = 0; d < t->rank + t->many; d++) {
        int64_t step = (length(t, side, d) - 1) * t->strides[side][d];
        if (length(t, side, d) < 1)
            return is_upwards ? -1 : 0;
        sum += (step > 0) == is_upwards ? step : 0;
    }
    return sum;
}

int64_t __ez_inactive_fftw_first(int64_t transform, int side) {
    return transform ? reach((void *)transform, side, 0) : 0;
}
int64_t __ez_inactive_fftw_end(int64_t transform, int side) {
    return transform ? reach((void *)transform, side, 1) + 1 : 0;
}

/* -- from the arguments of planners */

static int begun(struct transform *t, int precision, int form, int sign, const int *kinds, unsigned flags, int64_t rank,
                 int64_t many) {
    memset(t, 0, sizeof *t);
    if (rank < 0 || many < 0 || rank > DIMENSIONS || many > DIMENSIONS - rank)
        return 0;
    t->precision = precision, t->form = form, t->is_backward = sign > 0;
    t->flags = flags & ~(unsigned)WISDOM_ONLY, t->rank = rank, t->many = many;
    for (int64_t d = 0; kinds && d < rank; d++)
        t->kinds[d] = kinds[d];
    return 1;
}

/* The strides of numbers that are stored by rows in an array of these extents. */
static void by_rows(struct transform *t, enum side side, const int *extents, int64_t stride) {
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        t->strides[side][d] = stride * (is_complex(t, side) ? 2 : 1);
        stride *= extents[d];
    }
}

/* the extents of an array: half a spectrum, and the real numbers that are transformed in place */
static void extents_of(const struct transform *t, enum side side, int is_in_place, const int *n, int *extents) {
    for (int64_t d = 0; d < t->rank; d++)
        extents[d] = n[d];
    int has_half = (t->form == R2C || t->form == C2R) && t->rank > 0;
    if (has_half && is_complex(t, side))
        extents[t->rank - 1] = n[t->rank - 1] / 2 + 1;
    else if (has_half && is_in_place)
        extents[t->rank - 1] = 2 * (n[t->rank - 1] / 2 + 1);
}

int64_t __ez_inactive_fftw_many(int precision, int form, int sign, const int *kinds, unsigned flags, int same, int rank,
                                const int *n, int howmany, const int *inembed, int istride, int idist,
                                const int *onembed, int ostride, int odist) {
    struct transform t;
    int extents[DIMENSIONS];
    if (!begun(&t, precision, form, sign, kinds, flags, rank, 1))
        return 0;
    const int *embedding[] = {inembed, onembed};
    int strides[] = {istride, ostride}, distances[] = {idist, odist};
    for (int d = 0; d < rank; d++)
        t.n[d] = n[d];
    t.n[rank] = howmany;
    for (int side = INPUT; side <= OUTPUT; side++) {
        extents_of(&t, side, same, n, extents);
        by_rows(&t, side, embedding[side] ? embedding[side] : extents, strides[side]);
        t.strides[side][rank] = (int64_t)distances[side] * (is_complex(&t, side) ? 2 : 1);
    }
    return kept(&t);
}

int64_t __ez_inactive_fftw_plain(int precision, int form, int sign, const int *kinds, unsigned flags, int same, int rank,
                                 const int *n) {
    return __ez_inactive_fftw_many(precision, form, sign, kinds, flags, same, rank, n, 1, 0, 1, 1, 0, 1, 1);
}

int64_t __ez_inactive_fftw_guru64(int precision, int form, int sign, const int *kinds, unsigned flags, int split,
                                  int rank, const struct ez_iodim64 *dims, int howmany_rank,
                                  const struct ez_iodim64 *howmany_dims) {
    struct transform t;
    if (!begun(&t, precision, form, sign, kinds, flags, rank, howmany_rank))
        return 0;
    t.is_split = split;
    for (int d = 0; d < rank + howmany_rank; d++) {
        const struct ez_iodim64 *given = d < rank ? &dims[d] : &howmany_dims[d - rank];
        t.n[d] = given->n;
        t.strides[INPUT][d] = given->is * (is_complex(&t, INPUT) && !split ? 2 : 1);
        t.strides[OUTPUT][d] = given->os * (is_complex(&t, OUTPUT) && !split ? 2 : 1);
    }
    return kept(&t);
}

int64_t __ez_inactive_fftw_guru(int precision, int form, int sign, const int *kinds, unsigned flags, int split, int rank,
                                const struct ez_iodim *dims, int howmany_rank, const struct ez_iodim *howmany_dims) {
    struct ez_iodim64 wide[DIMENSIONS];
    if (rank < 0 || howmany_rank < 0 || rank > DIMENSIONS || howmany_rank > DIMENSIONS - rank)
        return 0;
    for (int d = 0; d < rank + howmany_rank; d++) {
        const struct ez_iodim *given = d < rank ? &dims[d] : &howmany_dims[d - rank];
        wide[d] = (struct ez_iodim64){given->n, given->is, given->os};
    }
    return __ez_inactive_fftw_guru64(precision, form, sign, kinds, flags, split, rank, wide, howmany_rank, wide + rank);
}
