/* Reductions. The derivative of a sum is a sum. For other operations, each rank gets the numbers of all ranks, and the
 * result is a weighted sum: a weight is the derivative of the result with respect to one rank's number. */

/* The numbers that all ranks reduce; those of one rank lie together, as in its own memory. */
struct gathered {
    MPI_Request request;
    MPI_Op op;
    int64_t n, extent;
    int ranks, rank, kind, has_index, index_is_number, is_complex;
    char *own, *all;
};

static int is_scan(const struct call *c) { return c->operation == EZ_SCAN || c->operation == EZ_EXSCAN; }
static int is_reduction(const struct call *c) {
    return c->operation >= EZ_REDUCE && c->operation <= EZ_REDUCE_SCATTER_BLOCK;
}
static int has_weights(const struct call *c) { return is_reduction(c) && c->op != MPI_SUM; }
static int finds_place(const struct call *c) { return c->op == MPI_MINLOC || c->op == MPI_MAXLOC; }
static int multiplies_complex(const struct call *c) { return c->op == MPI_PROD && c->map->words == 2; }

static void check_reduction(const struct call *c) {
    if (c->op != MPI_SUM && c->op != MPI_PROD && c->op != MPI_MIN && c->op != MPI_MAX && !finds_place(c))
        refuse("a reduction of MPI has no derivative [EZ0302]",
               "its operation is neither MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_MINLOC nor MPI_MAXLOC, and differentiated "
               "code does not know the program's function for it");
}

static int64_t input_size(const struct call *c, int ranks) {
    int64_t count = c->operation == EZ_REDUCE_SCATTER_BLOCK ? (int64_t)c->count * ranks : c->count;
    for (int i = 0; i < ranks && c->counts; i++)
        count += c->counts[i];
    return count;
}

static int64_t gathered_size(const struct call *c) {
    int ranks = size_of(group_of_call(c));
    return sizeof(struct gathered) + ranks * input_size(c, ranks) * c->map->extent;
}
/* Begins to gather before the call runs, which may write over its input. `g`: memory of that size. */
static struct gathered *gathering(const struct call *c, int64_t index, struct gathered *g) {
    MPI_Comm comm = group_of_call(c);
    const void *own = sends_in_place(c) ? c->out : c->in;
    *g = (struct gathered){MPI_REQUEST_NULL, c->op, 0, c->map->extent, size_of(comm), rank_of(comm), c->map->kind,
                           finds_place(c), c->map->words == 2, multiplies_complex(c), NULL, (char *)(g + 1)};
    g->n = input_size(c, g->ranks);
    if (!c->is_begun) {
        MPI_Iallgather(own, (int)g->n, c->type, g->all, (int)g->n, c->type, comm, &g->request);
        await_exchange(c->channel, index, 1, &g->request);
        return g;
    }
    g->own = allocated(g->n * g->extent);
    memcpy(g->own, own, g->n * g->extent);
    MPI_Iallgather(g->own, (int)g->n, c->type, g->all, (int)g->n, c->type, comm, &g->request);
    return g;
}
static void end_gathering(struct gathered *g) {
    MPI_Wait(&g->request, MPI_STATUS_IGNORE);
    free(g->own);
    g->own = NULL;
}

static long double number_at(int kind, const void *place) {
    return kind == 'f' ? *(const float *)place : kind == 'd' ? *(const double *)place : *(const long double *)place;
}
static void put_number(int kind, void *place, long double x) {
    if (kind == 'f')
        *(float *)place = (float)x;
    else if (kind == 'd')
        *(double *)place = (double)x;
    else
        *(long double *)place = x;
}
static const char *element(const struct gathered *g, int rank, int64_t i) {
    return g->all + (rank * g->n + i) * g->extent;
}
static long double value_of(const struct gathered *g, int rank, int64_t i) {
    return number_at(g->kind, element(g, rank, i));
}
static long double index_of(const struct gathered *g, int rank, int64_t i) {
    const char *place = element(g, rank, i) + word_size(g->kind);
    return !g->has_index ? 0 : g->index_is_number ? number_at(g->kind, place) : *(const int *)place;
}

/* MINLOC and MAXLOC: the lowest index counts where numbers are equal. */
static int is_better(const struct gathered *g, int a, int b, int64_t i) {
    long double x = value_of(g, a, i), y = value_of(g, b, i);
    int is_greater = g->op == MPI_MAX || g->op == MPI_MAXLOC;
    return x == y ? index_of(g, a, i) < index_of(g, b, i) : is_greater ? x > y : x < y;
}

/* A number, which may be complex: `im` of a real one is zero. */
struct number {
    long double re, im;
};
static struct number product(const struct gathered *g, struct number a, struct number b) {
    if (!g->is_complex)
        return (struct number){a.re * b.re};
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static struct number read_number(const struct gathered *g, const char *place) {
    struct number x = {number_at(g->kind, place)};
    if (g->is_complex)
        x.im = number_at(g->kind, place + word_size(g->kind));
    return x;
}

/* The derivative of the reduction over ranks below `end` with respect to one of them. Ranks that tie share. */
static struct number weight_of(const struct gathered *g, int rank, int end, int64_t i) {
    struct number others = {1};
    int ties = 0;
    for (int k = 0; k < end; k++) {
        if (g->op == MPI_PROD) {
            others = k == rank ? others : product(g, others, read_number(g, element(g, k, i)));
            continue;
        }
        if (is_better(g, k, rank, i))
            return (struct number){0};
        ties += !is_better(g, rank, k, i);
    }
    return g->op == MPI_PROD ? others : (struct number){1.0L / ties};
}
/* the same for adjoints: a product with a complex number, transposed, is that with its conjugate */
static struct number adjoint_weight_of(const struct gathered *g, int rank, int end, int64_t i) {
    struct number weight = weight_of(g, rank, end, i);
    return (struct number){weight.re, -weight.im};
}

/* Up to which rank the reduction of a rank goes. */
static int end_of(const struct call *c, const struct gathered *g, int rank) {
    return c->operation == EZ_SCAN ? rank + 1 : c->operation == EZ_EXSCAN ? rank : g->ranks;
}
/* words in one element that are packed */
static int words_of(const struct gathered *g) { return 1 + (g->is_complex || (g->has_index && g->index_is_number)); }

/* Where a packed element lies; what lies there, weighted, is added to a sum. */
static char *packed_element(const struct gathered *g, const char *packed, int64_t i) {
    return (char *)packed + i * words_of(g) * word_size(g->kind);
}
static void add_weighted(const struct gathered *g, struct number *sum, struct number weight, const char *place) {
    struct number part = product(g, weight, read_number(g, place));
    sum->re += part.re, sum->im += part.im;
}
static void put_sum(const struct gathered *g, char *place, struct number sum) {
    put_number(g->kind, place, sum.re);
    if (words_of(g) == 2) /* an index has no derivative */
        put_number(g->kind, place + word_size(g->kind), sum.im);
}

/* Makes of one rank's tangents, or of each rank's adjoints, what this rank gets. `packed`: of all ranks. */
static void weigh_tangents(const struct call *c, const struct gathered *g, const char *packed, int64_t first, int64_t n,
                           char *out) {
    for (int64_t i = 0; i < n; i++) {
        struct number sum = {0};
        for (int r = 0, end = end_of(c, g, g->rank); r < end; r++)
            add_weighted(g, &sum, weight_of(g, r, end, first + i), packed_element(g, packed, r * g->n + first + i));
        put_sum(g, packed_element(g, out, i), sum);
    }
}
static void weigh_scanned(const struct call *c, const struct gathered *g, const char *packed, char *out) {
    for (int64_t i = 0; i < g->n; i++) {
        struct number sum = {0};
        for (int r = 0; r < g->ranks; r++)
            if (g->rank < end_of(c, g, r))
                add_weighted(g, &sum, adjoint_weight_of(g, g->rank, end_of(c, g, r), i),
                             packed_element(g, packed, r * g->n + i));
        put_sum(g, packed_element(g, out, i), sum);
    }
}
static void weigh(const struct gathered *g, char *packed, int is_adjoint) {
    for (int64_t i = 0; i < g->n; i++) {
        struct number sum = {0};
        char *place = packed_element(g, packed, i);
        add_weighted(g, &sum, (is_adjoint ? adjoint_weight_of : weight_of)(g, g->rank, g->ranks, i), place);
        put_sum(g, place, sum);
    }
}
