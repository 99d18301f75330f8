/* Derivatives of collective calls. Numbers are packed, moved by the adjoint or the tangent of the call, and unpacked: an
 * adjoint is added to the input's, and takes that of the output away.
 *
 * A call that is waited for by a request has an exchange that starts where the request ends, and ends where it starts. All
 * ranks must start exchanges in the same order. The calls of a communicator have that order, so each has a number. An
 * exchange starts once those of all later calls have started. */

struct exchange {
    struct sides s;
    char *a, *b, *all; /* the packed input and output; of all ranks */
    int *lists;        /* of what goes back to each rank of another group */
    MPI_Request request, *requests; /* requests: of messages between two ranks, of which so many are pending */
    int pending;
    struct exchange *next;
};

#include "neighbor_exchanges.h"
#include "group_exchanges.h"

static int is_of_neighbors(const struct call *c) { return c->operation >= EZ_NEIGHBOR_ALLGATHER; }

static struct exchange *new_exchange(const struct call *c, int kind, void *din, void *dout) {
    if (is_of_neighbors(c))
        return new_neighbor_exchange(c, din, dout);
    struct exchange *e = allocated(sizeof *e);
    e->s = sides_of(c, din, dout, unit_of(kind));
    e->a = allocated((int64_t)e->s.in.total * e->s.in.unit), e->b = allocated((int64_t)e->s.out.total * e->s.out.unit);
    e->request = MPI_REQUEST_NULL;
    return e;
}
static void end_exchange(struct exchange *e) {
    free(e->a), free(e->b), free(e->all), free(e->lists), free(e->requests), end_side(&e->s.in), end_side(&e->s.out), free(e);
}

#define IN_BLOCKS e->a, e->s.in.sizes, e->s.in.offsets, t
#define OUT_BLOCKS e->b, e->s.out.sizes, e->s.out.offsets, t

static void gather_all(struct exchange *e, const char *packed, int n, MPI_Datatype t, int ranks, int unit, MPI_Comm comm,
                       MPI_Request *request) {
    e->all = allocated((int64_t)n * unit * ranks);
    EITHER(Allgather, Iallgather, packed, n, t, e->all, n, t, comm);
}

/* -- tangents: the same call of the packed tangents. With weights, those of all ranks. */

static void start_tangent(const struct record *r, struct exchange *e, int kind, MPI_Request *request) {
    const struct call *c = &r->call;
    MPI_Comm comm = c->channel->comm;
    MPI_Datatype t = word_type(kind);
    int n = e->s.in.total, m = e->s.out.total, root = c->peer;
    if (is_of_neighbors(c)) {
        start_neighbor_tangent(r, e);
        return;
    }
    move_side(&e->s.in, e->a, TAKE);
    if (has_root_elsewhere(c)) {
        if (r->gathered)
            weigh(r->gathered, e->a, 0);
        start_with_root(c, e, t, !gives_to_root(c));
        return;
    }
    if (r->gathered && joins_groups(c))
        weigh(r->gathered, e->a, 0); /* the other group adds up */
    else if (r->gathered) {
        gather_all(e, e->a, n, t, r->gathered->ranks, e->s.in.unit, comm, request);
        return;
    }
    switch (c->operation) {
    case EZ_BCAST:
        memcpy(e->b, e->a, (int64_t)m * e->s.in.unit);
        EITHER(Bcast, Ibcast, e->b, m, t, root, comm);
        break;
    case EZ_REDUCE: EITHER(Reduce, Ireduce, e->a, e->b, n, t, MPI_SUM, root, comm); break;
    case EZ_ALLREDUCE: EITHER(Allreduce, Iallreduce, e->a, e->b, n, t, MPI_SUM, comm); break;
    case EZ_SCAN: EITHER(Scan, Iscan, e->a, e->b, n, t, MPI_SUM, comm); break;
    case EZ_EXSCAN: EITHER(Exscan, Iexscan, e->a, e->b, n, t, MPI_SUM, comm); break;
    case EZ_REDUCE_SCATTER:
        EITHER(Reduce_scatter, Ireduce_scatter, e->a, e->b, e->s.in.sizes, t, MPI_SUM, comm);
        break;
    case EZ_REDUCE_SCATTER_BLOCK:
        EITHER(Reduce_scatter_block, Ireduce_scatter_block, e->a, e->b, m, t, MPI_SUM, comm);
        break;
    case EZ_GATHER: case EZ_GATHERV: EITHER(Gatherv, Igatherv, e->a, n, t, OUT_BLOCKS, root, comm); break;
    case EZ_SCATTER: case EZ_SCATTERV: EITHER(Scatterv, Iscatterv, IN_BLOCKS, e->b, m, t, root, comm); break;
    case EZ_ALLGATHER: case EZ_ALLGATHERV: EITHER(Allgatherv, Iallgatherv, e->a, n, t, OUT_BLOCKS, comm); break;
    default: EITHER(Alltoallv, Ialltoallv, IN_BLOCKS, OUT_BLOCKS, comm);
    }
}

static void await_all(const struct record *r, struct exchange *e) {
    await_exchange(r->call.channel, r->logged, 1, &e->request);
    if (!has_root_elsewhere(&r->call))
        return;
    await_exchange(r->call.channel, r->logged, e->pending, e->requests);
    finish_with_root(&r->call, e);
}

static void finish_tangent(const struct record *r, struct exchange *e) {
    await_all(r, e);
    if (is_of_neighbors(&r->call))
        finish_neighbor_tangent(r, e);
    else if (r->gathered && !joins_groups(&r->call)) {
        int is_scattered = r->call.operation >= EZ_REDUCE_SCATTER, word = words_of(r->gathered);
        int64_t first = is_scattered ? e->s.in.offsets[r->gathered->rank] / word : 0;
        weigh_tangents(&r->call, r->gathered, e->all, first, e->s.out.total / word, e->b);
    }
    if (!is_of_neighbors(&r->call) && is_given(&r->call))
        move_side(&e->s.out, e->b, PUT);
    end_exchange(e);
}

/* -- adjoints */

static MPI_Comm backwards(struct channel *c) {
    if (c->backwards == MPI_COMM_NULL)
        PMPI_Comm_split(c->comm, 0, -rank_of(c->comm), &c->backwards);
    return c->backwards;
}

static void start_adjoint(const struct record *r, struct exchange *e, int kind, MPI_Request *request) {
    const struct call *c = &r->call;
    MPI_Comm comm = c->channel->comm;
    MPI_Datatype t = word_type(kind);
    int n = e->s.in.total, m = e->s.out.total, root = c->peer;
    if (is_of_neighbors(c)) {
        start_neighbor_adjoint(r, e);
        return;
    }
    if (is_given(c))
        move_side(&e->s.out, e->b, TAKE_AWAY);
    if (sends_in_place(c) && (c->operation == EZ_REDUCE_SCATTER || c->operation == EZ_REDUCE_SCATTER_BLOCK))
        move_side(&e->s.in, e->a, TAKE_AWAY); /* nothing is left of the rest of the buffer */
    if (has_root_elsewhere(c)) {
        start_with_root(c, e, t, gives_to_root(c));
        return;
    }
    if (r->gathered && is_scan(c)) {
        gather_all(e, e->b, m, t, r->gathered->ranks, e->s.out.unit, comm, request);
        return;
    }
    switch (c->operation) {
    case EZ_BCAST: EITHER(Reduce, Ireduce, e->b, e->a, m, t, MPI_SUM, root, comm); break;
    case EZ_REDUCE:
        memcpy(e->a, e->b, (int64_t)n * e->s.in.unit);
        EITHER(Bcast, Ibcast, e->a, n, t, root, comm);
        break;
    case EZ_ALLREDUCE: EITHER(Allreduce, Iallreduce, e->b, e->a, n, t, MPI_SUM, comm); break;
    case EZ_SCAN: EITHER(Scan, Iscan, e->b, e->a, n, t, MPI_SUM, backwards(c->channel)); break;
    case EZ_EXSCAN: EITHER(Exscan, Iexscan, e->b, e->a, n, t, MPI_SUM, backwards(c->channel)); break;
    case EZ_REDUCE_SCATTER: case EZ_REDUCE_SCATTER_BLOCK:
        EITHER(Allgatherv, Iallgatherv, e->b, m, t, IN_BLOCKS, comm);
        break;
    case EZ_GATHER: case EZ_GATHERV: EITHER(Scatterv, Iscatterv, OUT_BLOCKS, e->a, n, t, root, comm); break;
    case EZ_SCATTER: case EZ_SCATTERV: EITHER(Gatherv, Igatherv, e->b, m, t, IN_BLOCKS, root, comm); break;
    case EZ_ALLGATHER: case EZ_ALLGATHERV:
        if (joins_groups(c)) {
            start_adding(e, n, t, count_of_others(c->channel), comm, request);
            break;
        }
        EITHER(Reduce_scatter, Ireduce_scatter, e->b, e->a, e->s.out.sizes, t, MPI_SUM, comm);
        break;
    default: EITHER(Alltoallv, Ialltoallv, OUT_BLOCKS, IN_BLOCKS, comm);
    }
}

static void finish_adjoint(const struct record *r, struct exchange *e) {
    await_all(r, e);
    if (is_of_neighbors(&r->call))
        finish_neighbor_adjoint(r, e);
    else if (r->gathered && is_scan(&r->call))
        weigh_scanned(&r->call, r->gathered, e->all, e->a);
    else if (r->gathered)
        weigh(r->gathered, e->a, 1);
    else if (e->lists)
        add_all(&r->call, e, e->a, e->s.in.total, e->s.in.unit);
    if (!is_of_neighbors(&r->call) && is_taken(&r->call))
        move_side(&e->s.in, e->a, ADD);
    end_exchange(e);
}
