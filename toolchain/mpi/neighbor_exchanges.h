/* Exchanges of derivatives between neighbours (neighbors.h). */

static int gathers_of_neighbors(const struct call *c) { return c->operation <= EZ_NEIGHBOR_ALLGATHERV; }

static struct sides sides_of_neighbors(const struct call *c, void *din, void *dout) {
    const struct neighbors *n = c->channel->neighbors;
    if (c->operation == EZ_NEIGHBOR_ALLTOALLW)
        return (struct sides){side_of_types(c->maps, din, n->targets, c->counts, c->places, 1),
                              side_of_types(c->maps2, dout, n->sources, c->counts2, c->places2, 1)};
    return (struct sides){side_of(c->map, din, gathers_of_neighbors(c) ? 1 : n->targets, c->count, c->counts, c->places, 1),
                          side_of(c->map2, dout, n->sources, c->count2, c->counts2, c->places2, 1)};
}

/* One side of an exchange as messages. */
struct messages {
    const struct side *side;
    const int *ranks, *tags; /* tags null: the index of the message */
    int count, is_shared;    /* shared: one block for all */
    char *packed;
};
static struct messages outgoing(const struct call *c, struct exchange *e) {
    const struct neighbors *n = c->channel->neighbors;
    return (struct messages){&e->s.in, n->target, NULL, n->targets, gathers_of_neighbors(c), e->a};
}
static struct messages incoming(const struct call *c, struct exchange *e) {
    const struct neighbors *n = c->channel->neighbors;
    int kind = c->operation == EZ_NEIGHBOR_ALLTOALLW ? 2 : c->operation == EZ_NEIGHBOR_ALLTOALLV;
    const int *index = n->index[c->is_begun ? kind + NEIGHBOR_CALLS / 2 : kind];
    return (struct messages){&e->s.out, n->source, index, n->sources, 0, e->b};
}

static int block_of(const struct messages *m, int i) { return m->is_shared ? 0 : i; }
static char *place_of_message(const struct messages *m, int i) {
    return m->packed + (m->is_shared ? (int64_t)i * m->side->sizes[0] : m->side->offsets[i]);
}

static void move_messages(const struct messages *m, enum movement how) {
    for (int i = 0; i < m->count; i++)
        if (m->ranks[i] != MPI_PROC_NULL)
            move_block(m->side, block_of(m, i), place_of_message(m, i) - m->side->offsets[block_of(m, i)], how);
}

typedef int transfer(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request);
static int sent_to(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request) {
    return MPI_Isend(buffer, count, type, peer, tag, comm, request);
}
static int received_from(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request *request) {
    return MPI_Irecv(buffer, count, type, peer, tag, comm, request);
}
static void begin_messages(struct channel *c, const struct messages *m, struct exchange *e, transfer *transferred) {
    for (int i = 0; i < m->count; i++) {
        int size = m->side->sizes[block_of(m, i)], index = m->tags ? m->tags[i] : i;
        if (m->ranks[i] != MPI_PROC_NULL && size)
            transferred(place_of_message(m, i), size, MPI_BYTE, m->ranks[i], long_tag(c) - 1 - index, c->comm,
                        &e->requests[e->pending++]);
    }
}

static struct exchange *new_neighbor_exchange(const struct call *c, void *din, void *dout) {
    struct exchange *e = allocated(sizeof *e);
    const struct neighbors *n = c->channel->neighbors;
    e->s = sides_of_neighbors(c, din, dout);
    e->a = allocated((int64_t)e->s.in.total * (gathers_of_neighbors(c) ? n->targets : 1));
    e->b = allocated(e->s.out.total);
    e->requests = allocated((n->sources + n->targets) * sizeof *e->requests);
    e->request = MPI_REQUEST_NULL;
    return e;
}

static void start_of_neighbors(const struct record *r, struct exchange *e, int is_adjoint) {
    struct messages out = outgoing(&r->call, e), in = incoming(&r->call, e);
    begin_messages(r->call.channel, &in, e, is_adjoint ? sent_to : received_from);
    begin_messages(r->call.channel, &out, e, is_adjoint ? received_from : sent_to);
}
static void finish_of_neighbors(const struct record *r, struct exchange *e) {
    await_exchange(r->call.channel, r->logged, e->pending, e->requests);
}

static void start_neighbor_adjoint(const struct record *r, struct exchange *e) {
    struct messages in = incoming(&r->call, e);
    move_messages(&in, TAKE_AWAY);
    start_of_neighbors(r, e, 1);
}
static void finish_neighbor_adjoint(const struct record *r, struct exchange *e) {
    struct messages out = outgoing(&r->call, e);
    finish_of_neighbors(r, e);
    move_messages(&out, ADD);
}
static void start_neighbor_tangent(const struct record *r, struct exchange *e) {
    struct messages out = outgoing(&r->call, e);
    move_messages(&out, TAKE);
    start_of_neighbors(r, e, 0);
}
static void finish_neighbor_tangent(const struct record *r, struct exchange *e) {
    struct messages in = incoming(&r->call, e);
    finish_of_neighbors(r, e);
    move_messages(&in, PUT);
}
