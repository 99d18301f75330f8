/* Collective calls. Numbers are packed, moved by the adjoint or the tangent of the call, and unpacked: an adjoint is added
 * to the input's, and takes that of the output away. */

static int sends_in_place(const struct call *c) { return c->in == MPI_IN_PLACE; }

/* One side of a call: blocks of elements, one for each rank or one alone. */
struct side {
    const struct typemap *map;
    char *memory; /* its shadow */
    int ranks, *counts, *words;
    int64_t *places, *offsets, total; /* places: in elements; offsets, total: in numbers */
};

static int size_of(MPI_Comm comm) {
    int size, is_inter;
    MPI_Comm_test_inter(comm, &is_inter);
    if (is_inter)
        refuse("a collective call of MPI has no derivative [EZ0302]", "its communicator joins two groups");
    MPI_Comm_size(comm, &size);
    return size;
}
static int rank_of(MPI_Comm comm) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/* `counts` null: blocks of `count` elements each. `places` null: one behind the other. */
static struct side side_of(const struct typemap *map, void *memory, int ranks, int count, const int *counts, const int *places) {
    struct side s = {map, memory, ranks, allocated(ranks * 4), allocated(ranks * 4),
                     allocated(ranks * 8), allocated(ranks * 8), 0};
    int64_t place = 0;
    for (int i = 0; i < ranks; i++) {
        s.counts[i] = counts ? counts[i] : count;
        s.places[i] = places ? places[i] : place;
        place += s.counts[i];
        s.words[i] = (int)(s.counts[i] * s.map->words);
        s.offsets[i] = s.total;
        s.total += s.words[i];
    }
    return s;
}
static void end_side(struct side *s) { free(s->counts), free(s->words), free(s->places), free(s->offsets); }

static void move_block(const struct side *s, int block, char *packed, enum movement how) {
    char *memory = s->memory ? s->memory + s->places[block] * s->map->extent : NULL;
    moved(s->map, memory, s->counts[block], -1, packed + s->offsets[block] * word_size(s->map->kind), how);
}
static void move_side(const struct side *s, char *packed, enum movement how) {
    for (int i = 0; i < s->ranks; i++)
        move_block(s, i, packed, how);
}

static MPI_Datatype word_type(int kind) { return kind == 'f' ? MPI_FLOAT : kind == 'd' ? MPI_DOUBLE : MPI_LONG_DOUBLE; }

/* The sides of a call on this rank; no ranks: the side does not count here. */
struct sides {
    struct side in, out;
};

static struct sides sides_of(const struct call *c, void *din, void *dout) {
    int n = size_of(c->comm), rank = rank_of(c->comm), is_root = rank == c->peer;
    const struct typemap *t = c->map, *t2 = c->map2;
    struct side none = {0}, in = none, out = none;
    switch (c->operation) {
    case EZ_GATHER: case EZ_GATHERV: case EZ_ALLGATHER: case EZ_ALLGATHERV:
        if (is_root || c->operation >= EZ_ALLGATHER)
            out = side_of(t2, dout, n, c->count2, c->counts2, c->places2);
        if (sends_in_place(c)) {
            in = side_of(t2, dout, 1, out.counts[rank], NULL, NULL);
            in.places[0] = out.places[rank];
        } else
            in = side_of(t, din, 1, c->count, NULL, NULL);
        break;
    case EZ_SCATTER: case EZ_SCATTERV:
        if (is_root)
            in = side_of(t, din, n, c->count, c->counts, c->places);
        if (c->out == MPI_IN_PLACE) {
            out = side_of(t, din, 1, in.counts[rank], NULL, NULL);
            out.places[0] = in.places[rank];
        } else
            out = side_of(t2, dout, 1, c->count2, NULL, NULL);
        break;
    case EZ_ALLTOALL: case EZ_ALLTOALLV:
        out = side_of(t2, dout, n, c->count2, c->counts2, c->places2);
        in = sends_in_place(c) ? side_of(t2, dout, n, c->count2, c->counts2, c->places2)
                               : side_of(t, din, n, c->count, c->counts, c->places);
        break;
    case EZ_REDUCE_SCATTER: case EZ_REDUCE_SCATTER_BLOCK:
        in = side_of(t, sends_in_place(c) ? dout : din, n, c->count, c->counts, NULL);
        out = side_of(t, dout, 1, c->counts ? c->counts[rank] : c->count, NULL, NULL);
        break;
    case EZ_BCAST:
        in = side_of(t, is_root ? dout : NULL, 1, c->count, NULL, NULL);
        out = side_of(t, dout, 1, c->count, NULL, NULL);
        break;
    default:
        in = side_of(t, sends_in_place(c) ? dout : din, 1, c->count, NULL, NULL);
        out = side_of(t, dout, 1, c->count, NULL, NULL);
    }
    return (struct sides){in, out};
}

/* Sets the maps of the types that count on this rank. */
static void set_maps(struct call *c) {
    int is_root = c->operation >= EZ_BCAST && rank_of(c->comm) == c->peer;
    int gathers = c->operation == EZ_GATHER || c->operation == EZ_GATHERV;
    int scatters = c->operation == EZ_SCATTER || c->operation == EZ_SCATTERV;
    int has_first = c->operation >= EZ_GATHER ? scatters ? is_root : !sends_in_place(c) : c->operation != EZ_WAIT;
    int has_second = c->operation == EZ_SENDRECV || c->operation == EZ_SENDRECV_REPLACE ||
                     (c->operation >= EZ_GATHER && (gathers ? is_root : scatters ? c->out != MPI_IN_PLACE : 1));
    c->map = has_first ? map_of(c->type) : NULL;
    c->map2 = has_second ? map_of(c->type2) : NULL;
    c->channel = channel_of(c->comm);
}

/* the kind of the numbers of a collective call; 0: no numbers */
static int kind_of(const struct call *c) {
    const struct typemap *map = c->map ? c->map : c->map2;
    if (map->kind == 'b')
        refuse("a collective call with MPI_BYTE may move derivatives [EZ0302]",
               "MPI_BYTE and MPI_PACKED do not tell which bytes are numbers; use the numbers' own type");
    if (map->kind == 0)
        refuse("a collective call of MPI has no derivative [EZ0302]", "its type has numbers of several precisions");
    return map->kind == 'i' ? 0 : map->kind;
}

/* -- reductions: the result is a weighted sum. Without weights all are 1. */

static int has_weights(const struct call *c) {
    return c->operation != EZ_BCAST && c->operation >= EZ_REDUCE && c->operation <= EZ_REDUCE_SCATTER_BLOCK &&
           c->op != MPI_SUM;
}

static int64_t input_size(const struct call *c) {
    int64_t count = c->count;
    if (c->operation == EZ_REDUCE_SCATTER || c->operation == EZ_REDUCE_SCATTER_BLOCK) {
        int n = size_of(c->comm);
        count = c->operation == EZ_REDUCE_SCATTER ? 0 : count * n;
        for (int i = 0; i < n && c->counts; i++)
            count += c->counts[i];
    }
    return count;
}

#define WEIGHTS(NAME, TYPE)                                                                                       \
    /* who has the least or the greatest number: one rank, or several, which share */                             \
    static void NAME##_of_choice(const struct call *c, MPI_Comm comm, MPI_Datatype words, int64_t n, TYPE *w) {   \
        int is_pair = c->op == MPI_MINLOC || c->op == MPI_MAXLOC;                                                 \
        const struct typemap *map = c->map;                                                              \
        const char *own = sends_in_place(c) ? c->out : c->in;                                                     \
        char *best = allocated(n * map->extent);                                                                  \
        TYPE *ties = allocated(n * sizeof(TYPE));                                                                 \
        MPI_Allreduce(own, best, (int)n, c->type, c->op, comm);                                                   \
        for (int64_t i = 0; i < n; i++) {                                                                         \
            const char *a = own + i * map->extent, *b = best + i * map->extent;                                   \
            int is_equal = *(const TYPE *)a == *(const TYPE *)b;                                                  \
            if (is_pair && c->type == MPI_2##NAME)                                                                \
                is_equal = is_equal && ((const TYPE *)a)[1] == ((const TYPE *)b)[1];                              \
            else if (is_pair)                                                                                     \
                is_equal = is_equal && !memcmp(a + sizeof(TYPE), b + sizeof(TYPE), 4);                            \
            for (int k = 0; k < map->words; k++)                                                                  \
                w[i * map->words + k] = k == 0 && is_equal;                                                       \
            ties[i] = is_equal;                                                                                   \
        }                                                                                                         \
        MPI_Allreduce(MPI_IN_PLACE, ties, (int)n, words, MPI_SUM, comm);                                          \
        for (int64_t i = 0; i < n; i++)                                                                           \
            w[i * map->words] /= ties[i] ? ties[i] : 1;                                                           \
        free(best), free(ties);                                                                                   \
    }                                                                                                             \
    /* the product of the other factors */                                                                        \
    static void NAME##_of_product(const struct call *c, MPI_Comm comm, MPI_Datatype words, int64_t n, TYPE *w) {  \
        int ranks = size_of(comm), rank = rank_of(comm);                                                          \
        TYPE *all = allocated(ranks * n * sizeof(TYPE));                                                          \
        MPI_Allgather(sends_in_place(c) ? c->out : c->in, (int)n, words, all, (int)n, words, comm);               \
        for (int64_t i = 0; i < n; i++) {                                                                         \
            w[i] = 1;                                                                                             \
            for (int r = 0; r < ranks; r++)                                                                       \
                w[i] *= r == rank ? 1 : all[r * n + i];                                                           \
        }                                                                                                         \
        free(all);                                                                                                \
    }                                                                                                             \
    static void NAME##_weigh(TYPE *packed, const TYPE *w, int64_t n) {                                            \
        for (int64_t i = 0; i < n; i++)                                                                           \
            packed[i] *= w[i];                                                                                    \
    }                                                                                                             \
    static void NAME##_weights(const struct call *c, MPI_Comm comm, MPI_Datatype words, int64_t n, TYPE *w) {     \
        (c->op == MPI_PROD ? NAME##_of_product : NAME##_of_choice)(c, comm, words, n, w);                         \
    }
#define MPI_2WORDS MPI_DATATYPE_NULL
#define MPI_2REALS MPI_2REAL
#define MPI_2DOUBLES MPI_2DOUBLE_PRECISION
WEIGHTS(REALS, float)
WEIGHTS(DOUBLES, double)
WEIGHTS(WORDS, long double)

static void check_reduction(const struct call *c) {
    int is_scan = c->operation == EZ_SCAN || c->operation == EZ_EXSCAN;
    int is_pair = c->op == MPI_MINLOC || c->op == MPI_MAXLOC;
    const struct typemap *map = c->map;
    int is_choice = c->op == MPI_MIN || c->op == MPI_MAX || is_pair;
    if (c->op != MPI_SUM && (is_scan || !(is_choice || c->op == MPI_PROD)))
        refuse("a reduction of MPI has no derivative [EZ0302]",
               "its operation is not MPI_SUM; with MPI_Reduce, MPI_Allreduce and MPI_Reduce_scatter, it may also be MPI_PROD, "
               "MPI_MIN, MPI_MAX, MPI_MINLOC or MPI_MAXLOC");
    if (c->op != MPI_SUM && !is_pair && map->words != 1)
        refuse("a reduction of MPI has no derivative [EZ0302]", "it multiplies complex numbers");
}

static void set_weights(const struct call *c, char *w) {
    MPI_Comm comm = c->channel->comm;
    int kind = c->map->kind;
    int64_t n = input_size(c);
    if (kind == 'f')
        REALS_weights(c, comm, MPI_FLOAT, n, (float *)w);
    else if (kind == 'd')
        DOUBLES_weights(c, comm, MPI_DOUBLE, n, (double *)w);
    else
        WORDS_weights(c, comm, MPI_LONG_DOUBLE, n, (long double *)w);
}

static void weigh(struct record *r, int kind, char *packed, int64_t n) {
    if (!has_weights(&r->call))
        return;
    char *w = r->more + r->limit;
    if (kind == 'f')
        REALS_weigh((float *)packed, (float *)w, n);
    else if (kind == 'd')
        DOUBLES_weigh((double *)packed, (double *)w, n);
    else
        WORDS_weigh((long double *)packed, (long double *)w, n);
}

/* -- tangents: the same call of the packed tangents */

static void forward_collective(struct record *r, void *din, void *dout) {
    struct call *c = &r->call;
    int kind = kind_of(c), root = c->peer, rank = rank_of(c->comm), is_root = rank == root;
    if (!kind)
        return;
    MPI_Comm comm = c->channel->comm;
    MPI_Datatype t = word_type(kind);
    struct sides s = sides_of(c, din, dout);
    char *a = allocated(s.in.total * word_size(kind)), *b = allocated(s.out.total * word_size(kind));
    int n = (int)s.in.total, m = (int)s.out.total;
    int counts[s.out.ranks + s.in.ranks + 1], places[s.out.ranks + s.in.ranks + 1];
    for (int i = 0; i < s.in.ranks; i++)
        places[i] = (int)s.in.offsets[i];
    for (int i = 0; i < s.out.ranks; i++)
        counts[i] = (int)s.out.offsets[i];
    move_side(&s.in, a, TAKE);
    weigh(r, kind, a, n);
    int is_given = 1; /* whether the call writes on this rank */
    switch (c->operation) {
    case EZ_BCAST:
        memcpy(b, a, m * word_size(kind));
        MPI_Bcast(b, m, t, root, comm);
        break;
    case EZ_REDUCE: MPI_Reduce(a, b, n, t, MPI_SUM, root, comm), is_given = is_root; break;
    case EZ_ALLREDUCE: MPI_Allreduce(a, b, n, t, MPI_SUM, comm); break;
    case EZ_SCAN: MPI_Scan(a, b, n, t, MPI_SUM, comm); break;
    case EZ_EXSCAN: MPI_Exscan(a, b, n, t, MPI_SUM, comm), is_given = rank > 0; break;
    case EZ_REDUCE_SCATTER: case EZ_REDUCE_SCATTER_BLOCK:
        MPI_Reduce_scatter(a, b, s.in.words, t, MPI_SUM, comm);
        break;
    case EZ_GATHER: case EZ_GATHERV:
        MPI_Gatherv(a, n, t, b, s.out.words, counts, t, root, comm), is_given = is_root;
        break;
    case EZ_SCATTER: case EZ_SCATTERV: MPI_Scatterv(a, s.in.words, places, t, b, m, t, root, comm); break;
    case EZ_ALLGATHER: case EZ_ALLGATHERV: MPI_Allgatherv(a, n, t, b, s.out.words, counts, t, comm); break;
    default: MPI_Alltoallv(a, s.in.words, places, t, b, s.out.words, counts, t, comm);
    }
    if (is_given)
        move_side(&s.out, b, PUT);
    free(a), free(b), end_side(&s.in), end_side(&s.out);
}

/* -- adjoints */

static MPI_Comm backwards(struct channel *c) {
    if (c->backwards == MPI_COMM_NULL)
        PMPI_Comm_split(c->comm, 0, -rank_of(c->comm), &c->backwards);
    return c->backwards;
}

static void reverse_collective(struct record *r, void *din, void *dout) {
    struct call *c = &r->call;
    int kind = kind_of(c), root = c->peer, rank = rank_of(c->comm), is_root = rank == root, ranks = size_of(c->comm);
    if (!kind)
        return;
    struct channel *channel = c->channel;
    MPI_Comm comm = channel->comm;
    MPI_Datatype t = word_type(kind);
    struct sides s = sides_of(c, din, dout);
    char *a = allocated(s.in.total * word_size(kind)), *b = allocated(s.out.total * word_size(kind));
    int n = (int)s.in.total, m = (int)s.out.total;
    int counts[s.out.ranks + s.in.ranks + 1], places[s.out.ranks + s.in.ranks + 1];
    for (int i = 0; i < s.in.ranks; i++)
        places[i] = (int)s.in.offsets[i];
    for (int i = 0; i < s.out.ranks; i++)
        counts[i] = (int)s.out.offsets[i];
    int is_given = c->operation == EZ_REDUCE || c->operation == EZ_GATHER || c->operation == EZ_GATHERV ? is_root
                   : c->operation == EZ_EXSCAN                                                       ? rank > 0
                                                                                                     : 1;
    if (is_given)
        move_side(&s.out, b, TAKE_AWAY);
    if (sends_in_place(c) && (c->operation == EZ_REDUCE_SCATTER || c->operation == EZ_REDUCE_SCATTER_BLOCK))
        move_side(&s.in, a, TAKE_AWAY); /* nothing is left of the rest of the buffer */
    int takes = 1;                      /* whether the call reads on this rank */
    switch (c->operation) {
    case EZ_BCAST: MPI_Reduce(b, a, m, t, MPI_SUM, root, comm), takes = is_root; break;
    case EZ_REDUCE:
        memcpy(a, b, n * word_size(kind));
        MPI_Bcast(a, n, t, root, comm);
        break;
    case EZ_ALLREDUCE: MPI_Allreduce(b, a, n, t, MPI_SUM, comm); break;
    case EZ_SCAN: MPI_Scan(b, a, n, t, MPI_SUM, backwards(channel)); break;
    case EZ_EXSCAN:
        MPI_Exscan(b, a, n, t, MPI_SUM, backwards(channel));
        takes = rank < ranks - 1;
        break;
    case EZ_REDUCE_SCATTER: case EZ_REDUCE_SCATTER_BLOCK:
        MPI_Allgatherv(b, m, t, a, s.in.words, places, t, comm);
        break;
    case EZ_GATHER: case EZ_GATHERV: MPI_Scatterv(b, s.out.words, counts, t, a, n, t, root, comm); break;
    case EZ_SCATTER: case EZ_SCATTERV:
        MPI_Gatherv(b, m, t, a, s.in.words, places, t, root, comm), takes = is_root;
        break;
    case EZ_ALLGATHER: case EZ_ALLGATHERV: MPI_Reduce_scatter(b, a, s.out.words, t, MPI_SUM, comm); break;
    default: MPI_Alltoallv(b, s.out.words, counts, t, a, s.in.words, places, t, comm);
    }
    if (takes) {
        weigh(r, kind, a, n);
        move_side(&s.in, a, ADD);
    }
    free(a), free(b), end_side(&s.in), end_side(&s.out);
}
