/* Transforms of one type T between compact memory, and the transposed ones: their plans are made once and kept. */

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

/* The transform between compact memory that has the same matrix or, but for weights, the transposed one. In place, a row of
 * real numbers takes the memory of half a spectrum. */
static struct transform OF(compacted)(const struct transform *t, enum way way) {
    static const int transposed_form[] = {[C2C] = C2C, [R2C] = C2R, [C2R] = R2C, [R2R] = R2R};
    struct transform made = *t;
    made.is_split = 0;
    if (way != STRAIGHT) {
        made.form = transposed_form[t->form];
        made.is_backward = !t->is_backward;
        for (int64_t d = 0; d < t->rank; d++)
            made.kinds[d] = OF(transposed_kind)(t->kinds[d]);
    }
    OF(compact_strides)(&made, INPUT);
    OF(compact_strides)(&made, OUTPUT);
    if (way == IN_PLACE) {
        memcpy(made.strides[OUTPUT], made.strides[INPUT], sizeof made.strides[INPUT]);
        if (t->form == R2C)
            made.strides[OUTPUT][t->rank - 1] = 1;
    }
    return made;
}

static int64_t OF(up)(int64_t n) { return (n + 15) / 16 * 16; }

/* Plans it when it is first asked for. What is done in place needs no memory later. */
static void OF(plan_compact)(const struct transform *t, enum way way, struct compact *c) {
    struct transform made = OF(compacted)(t, way);
    for (int side = INPUT; side <= OUTPUT; side++)
        c->sizes[side] = OF(up)(elements(&made, side) * (is_complex(&made, side) ? 2 : 1) + 16);
    T *memory = X(malloc)((c->sizes[INPUT] + c->sizes[OUTPUT]) * sizeof(T));
    T *out = way == IN_PLACE ? memory : memory + c->sizes[INPUT];
    unsigned flags = (t->flags & ~(unsigned)(PRESERVE_INPUT | UNALIGNED)) | DESTROY_INPUT;
    c->plan = OF(planned)(&made, flags, memory, memory + 1, out, out + 1);
    if (!c->plan)
        c->plan = OF(planned)(&made, ESTIMATE, memory, memory + 1, out, out + 1);
    if (way == IN_PLACE)
        X(free)(memory);
    else
        c->spare = memory;
}

static struct compact *OF(compact_of)(struct transform *t, enum way way) {
    struct compact *c = &t->compact[way];
    lock();
    if (!c->plan)
        OF(plan_compact)(t, way, c);
    unlock();
    return c;
}

/* Whether an array lies as one side of a compact transform does. */
static int OF(lies_as)(const struct transform *t, enum side of, const struct transform *made, enum side side) {
    for (int64_t d = 0; d < t->rank + t->many; d++)
        if (t->n[d] > 1 && t->strides[of][d] != made->strides[side][d])
            return 0;
    return 1;
}

/* Whether FFTW may read the output where it lies, with plans for aligned memory. The transposed transform spends it. */
static int OF(is_compact)(const struct transform *t, const struct transform *made, T *parts[2]) {
    int is_whole = parts[0] && parts[1] == parts[0] + (is_complex(t, OUTPUT) ? 1 : 0);
    return is_whole && X(alignment_of)(parts[0]) == 0 && OF(lies_as)(t, OUTPUT, made, INPUT);
}

static int OF(overlaps)(const struct transform *t, const T *compact, T *parts[2]) {
    const T *end = compact + 2 * elements(t, OUTPUT);
    int found = 0;
    for (int k = 0; k < 2; k++)
        found |= parts[k] && parts[k] + reach(t, INPUT, 0) < end && parts[k] + reach(t, INPUT, 1) >= compact;
    return found;
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

static int OF(is_alike)(const struct transform *t) { /* all weights of the output are, but for those of double_ends */
    return t->form == C2C || t->form == C2R || (t->form == R2C && t->rank > 0);
}

/* Transforms the output in its own memory, and adds the result to the input in one pass. Returns whether it did. */
static int OF(in_place)(struct transform *t, T *from[2], T *to[2]) {
    struct transform made = OF(compacted)(t, IN_PLACE);
    if (!OF(is_alike)(t) || t->form == C2R || !OF(is_compact)(t, &made, from))
        return 0;
    int is_same = t->form == C2C && to[0] == from[0] && to[1] == from[1] && OF(lies_as)(t, INPUT, &made, OUTPUT);
    const void *plan = is_same || !OF(overlaps)(t, from[0], to) ? OF(compact_of)(t, IN_PLACE)->plan : NULL;
    if (!plan)
        return 0;
    if (t->form == R2C)
        OF(double_ends)(t, from[0]);
    OF(executed)(&made, plan, from[0], from[0] + 1, from[0], from[0] + 1);
    if (!is_same)
        OF(move_all)(t, INPUT, OF(ADD_AWAY), 1, to[0], to[1], from[0], t->form == R2C ? (T)0.5 : 1);
    return 1;
}

/* Transforms the output where it lies. Returns whether it did. */
static int OF(spent)(const struct transform *t, const struct transform *made, const struct compact *c, T *from[2],
                     T *result) {
    if (!OF(is_alike)(t) || !OF(is_compact)(t, made, from))
        return 0;
    if (t->form == R2C)
        OF(double_ends)(t, from[0]);
    OF(executed)(made, c->plan, from[0], from[0] + 1, result, result + 1);
    memset(from[0], 0, elements(t, OUTPUT) * (is_complex(t, OUTPUT) ? 2 : 1) * sizeof(T));
    return 1;
}

/* Takes one side of a transform, transforms it, and puts the other side; or takes the output away, and adds. */
static void OF(between)(struct transform *t, enum way way, T *from[2], T *to[2]) {
    int is_transposed = way == TRANSPOSED;
    enum side source = is_transposed ? OUTPUT : INPUT, target = is_transposed ? INPUT : OUTPUT;
    struct compact *c = OF(compact_of)(t, way);
    T *memory = __atomic_exchange_n(&c->spare, NULL, __ATOMIC_ACQ_REL), factor = 1;
    if (!memory)
        memory = X(malloc)((c->sizes[0] + c->sizes[1]) * sizeof(T));
    T *result = memory + c->sizes[INPUT];
    struct transform made = OF(compacted)(t, way);
    if (is_transposed && OF(spent)(t, &made, c, from, result)) {
        factor = t->form == R2C ? (T)0.5 : 1;
    } else {
        OF(move_all)(t, source, is_transposed ? OF(TAKE_AWAY) : OF(TAKE), is_transposed, from[0], from[1], memory, 1);
        OF(executed)(&made, c->plan, memory, memory + 1, result, result + 1);
    }
    OF(move_all)(t, target, is_transposed ? OF(ADD) : OF(PUT), is_transposed, to[0], to[1], result, factor);
    X(free)(__atomic_exchange_n(&c->spare, memory, __ATOMIC_ACQ_REL));
}
