/* Moves of one type T between the arrays of a transform and compact memory, with the weights of the transposed transform. */

enum OF(move) { OF(TAKE), OF(TAKE_AWAY), OF(PUT), OF(ADD), OF(ADD_AWAY) };

/* One side of a transform: its array, whose parts may be missing, and what becomes of the numbers on the way. */
struct OF(array) {
    const struct transform *transform;
    enum side side;
    enum OF(move) move;
    T *parts[2];
    int is_scaled; /* by the weights that make the transposed transform of another one */
    int64_t unused; /* numbers after each row in compact memory */
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
    if ((move == OF(ADD) || move == OF(ADD_AWAY)) && place)
        *place += weight * *compact;
    if (move == OF(ADD_AWAY))
        *compact = 0;
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

/* The same of numbers that lie together and have one factor: loops that take several numbers at once. */
static void OF(dense_row)(enum OF(move) move, int64_t count, T *restrict place, T *restrict compact, T factor) {
    if (move == OF(TAKE) || move == OF(TAKE_AWAY))
        for (int64_t k = 0; k < count; k++)
            compact[k] = factor * place[k];
    if (move == OF(TAKE_AWAY))
        memset(place, 0, count * sizeof(T));
    if (move == OF(PUT))
        for (int64_t k = 0; k < count; k++)
            place[k] = factor * compact[k];
    if (move == OF(ADD))
        for (int64_t k = 0; k < count; k++)
            place[k] += factor * compact[k];
    if (move == OF(ADD_AWAY))
        for (int64_t k = 0; k < count; k++)
            place[k] += factor * compact[k], compact[k] = 0;
}

static int OF(is_dense)(const struct OF(array) *a, int64_t d, int width) {
    T *r = a->parts[0], *i = a->parts[1];
    return !a->is_scaled && d >= 0 && r && (width == 1 || i == r + 1) && a->transform->strides[a->side][d] == width;
}

static void OF(row)(const struct OF(array) *a, int64_t d, int64_t at, T *compact, T factor) {
    int width = is_complex(a->transform, a->side) ? 2 : 1;
    if (OF(is_dense)(a, d, width)) {
        OF(dense_row)(a->move, length(a->transform, a->side, d) * width, a->parts[0] + at, compact, factor);
        return;
    }
#define BY_MOVE(MOVE)                                                                                             \
    case MOVE:                                                                                                    \
        return width == 2 ? OF(row_by)(a, MOVE, 2, d, at, compact, factor) : OF(row_by)(a, MOVE, 1, d, at, compact, factor);
    switch (a->move) {
        BY_MOVE(OF(TAKE))
        BY_MOVE(OF(TAKE_AWAY))
        BY_MOVE(OF(PUT))
        BY_MOVE(OF(ADD))
        BY_MOVE(OF(ADD_AWAY))
    }
#undef BY_MOVE
}

/* Dimensions over transforms are the outer ones in compact memory. Returns what lies behind the compact memory. */
static T *OF(walked)(const struct OF(array) *a, int64_t depth, int64_t at, T *compact, T factor) {
    const struct transform *t = a->transform;
    int64_t all = t->many + t->rank, d = depth < t->many ? t->rank + depth : depth - t->many;
    int64_t count = all ? length(t, a->side, d) : 1;
    if (depth >= all - 1) {
        T *end = compact + count * (is_complex(t, a->side) ? 2 : 1);
        OF(row)(a, all ? d : -1, at, compact, factor);
        memset(end, 0, a->unused * sizeof(T));
        return end + a->unused;
    }
    for (int64_t i = 0; i < count; i++)
        compact = OF(walked)(a, depth + 1, at + i * t->strides[a->side][d], compact,
                             a->is_scaled ? factor * OF(weight)(t, a->side, d, i) : factor);
    return compact;
}

static void OF(move_all)(const struct transform *t, enum side side, enum OF(move) move, int is_scaled, T *r, T *i,
                         T *compact, T factor) {
    int has_weights = t->form == R2R || (t->form != C2C && is_complex(t, side));
    int64_t unused = move == OF(ADD_AWAY) ? after_row(t) : 0;
    struct OF(array) a = {t, side, move, {r, i}, is_scaled && has_weights, unused};
    OF(walked)(&a, 0, 0, compact, factor);
}
