/* Exchanges of derivatives between two groups.
 *
 * In a call with a root, messages go to the root or come from it, one for each rank of the other group: who takes no part
 * need not know that numbers move. */

static int has_root_elsewhere(const struct call *c) { return joins_groups(c) && has_root(c); }
/* One block is for all ranks: the root sends it to each, or adds up what comes from them. */
static int is_one_for_all(const struct call *c) { return c->operation == EZ_BCAST || c->operation == EZ_REDUCE; }
static int gives_to_root(const struct call *c) { return c->operation == EZ_REDUCE || gathers(c); }

static struct side *side_of_root(const struct call *c, struct exchange *e) { return gives_to_root(c) ? &e->s.out : &e->s.in; }
static char *packed_of_root(const struct call *c, struct exchange *e) { return gives_to_root(c) ? e->b : e->a; }

static void begin_with_root(const struct call *c, struct exchange *e, char *packed, int size, MPI_Datatype t, int peer, int sends) {
    int tag = long_tag(c->channel) - 1;
    MPI_Request *request = &e->requests[e->pending];
    if (!size)
        return;
    e->pending++;
    sends ? MPI_Isend(packed, size, t, peer, tag, c->channel->comm, request)
          : MPI_Irecv(packed, size, t, peer, tag, c->channel->comm, request);
}
/* `is_from_root`: whether numbers go from the root to the other group. */
static void start_with_root(const struct call *c, struct exchange *e, MPI_Datatype t, int is_from_root) {
    const struct side *root = side_of_root(c, e), *other = gives_to_root(c) ? &e->s.in : &e->s.out;
    int ranks = count_of_others(c->channel), is_one = is_one_for_all(c), n = root->total;
    e->requests = allocated(ranks * sizeof *e->requests);
    if (!is_root(c)) {
        begin_with_root(c, e, gives_to_root(c) ? e->a : e->b, other->total, t, c->peer, !is_from_root);
        return;
    }
    if (is_one && !is_from_root)
        e->all = allocated((int64_t)ranks * n * root->unit);
    for (int i = 0; i < ranks; i++) {
        int64_t place = is_one ? e->all ? (int64_t)i * n : 0 : root->offsets[i];
        begin_with_root(c, e, (e->all ? e->all : packed_of_root(c, e)) + place * root->unit, is_one ? n : root->sizes[i], t, i,
                        is_from_root);
    }
}

/* Adds what came from each rank of the other group. */
static void add_all(const struct call *c, struct exchange *e, char *to, int total, int unit) {
    for (int i = 0, ranks = count_of_others(c->channel); i < ranks; i++)
        add_words(kind_of(c), to, e->all + (int64_t)i * total * unit, total);
}
static void finish_with_root(const struct call *c, struct exchange *e) {
    const struct side *root = side_of_root(c, e);
    if (e->all)
        add_all(c, e, packed_of_root(c, e), root->total, root->unit);
}

/* The adjoint of MPI_Allgather: each rank gets the adjoints of its numbers from all ranks of the other group. */
static void start_adding(struct exchange *e, int n, MPI_Datatype t, int ranks, MPI_Comm comm, MPI_Request *request) {
    e->lists = allocated(2 * ranks * sizeof(int));
    e->all = allocated((int64_t)n * ranks * e->s.in.unit);
    for (int i = 0; i < ranks; i++)
        e->lists[i] = n, e->lists[ranks + i] = i * n;
    MPI_Ialltoallv(e->b, e->s.out.sizes, e->s.out.offsets, t, e->all, e->lists, e->lists + ranks, t, comm, request);
}
