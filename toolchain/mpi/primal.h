/* The calls of MPI themselves. */

static int is_started_send(enum ez_mpi_operation o) { return o >= EZ_ISEND && o <= EZ_IRSEND; }
static int is_planned_send(enum ez_mpi_operation o) { return o >= EZ_SEND_INIT && o <= EZ_RSEND_INIT; }
static int is_receive(enum ez_mpi_operation o) { return o >= EZ_RECV && o <= EZ_IMRECV; }
static int begins(enum ez_mpi_operation o) { return is_started_send(o) || o == EZ_IRECV || o == EZ_IMRECV; }
static int plans(enum ez_mpi_operation o) { return is_planned_send(o) || o == EZ_RECV_INIT; }

static int run_synchronisation(struct call *c) {
    switch (c->operation) {
    case EZ_WIN_FREE: return MPI_Win_free(&c->window);
    case EZ_FENCE: return MPI_Win_fence(c->tag2, c->window);
    case EZ_LOCK: return MPI_Win_lock(c->tag, c->peer, c->tag2, c->window);
    case EZ_UNLOCK: return MPI_Win_unlock(c->peer, c->window);
    case EZ_LOCK_ALL: return MPI_Win_lock_all(c->tag2, c->window);
    case EZ_UNLOCK_ALL: return MPI_Win_unlock_all(c->window);
    case EZ_FLUSH: return MPI_Win_flush(c->peer, c->window);
    case EZ_FLUSH_ALL: return MPI_Win_flush_all(c->window);
    case EZ_WIN_SYNC: return MPI_Win_sync(c->window);
    case EZ_WIN_POST: return MPI_Win_post(c->group, c->tag2, c->window);
    case EZ_WIN_START: return MPI_Win_start(c->group, c->tag2, c->window);
    case EZ_WIN_COMPLETE: return MPI_Win_complete(c->window);
    case EZ_WIN_WAIT: return MPI_Win_wait(c->window);
    default: return MPI_SUCCESS; /* the window is made elsewhere */
    }
}

/* PMPI: the linker sends the other names to plain_messages.h. */
static int run_message(struct call *c) {
#define SENT c->in, c->count, c->type, c->peer, c->tag, c->comm
#define RECEIVED c->out, c->count, c->type, c->peer, c->tag, c->comm
#define ORIGIN(BUFFER) c->BUFFER, c->count, c->type
#define TARGET c->peer, c->place, c->count2, c->type2
    switch (c->operation) {
    case EZ_SEND: return PMPI_Send(SENT);
    case EZ_SSEND: return PMPI_Ssend(SENT);
    case EZ_BSEND: return PMPI_Bsend(SENT);
    case EZ_RSEND: return PMPI_Rsend(SENT);
    case EZ_ISEND: return PMPI_Isend(SENT, &last_request);
    case EZ_ISSEND: return PMPI_Issend(SENT, &last_request);
    case EZ_IBSEND: return PMPI_Ibsend(SENT, &last_request);
    case EZ_IRSEND: return PMPI_Irsend(SENT, &last_request);
    case EZ_SEND_INIT: return MPI_Send_init(SENT, &last_request);
    case EZ_SSEND_INIT: return MPI_Ssend_init(SENT, &last_request);
    case EZ_BSEND_INIT: return MPI_Bsend_init(SENT, &last_request);
    case EZ_RSEND_INIT: return MPI_Rsend_init(SENT, &last_request);
    case EZ_RECV: return PMPI_Recv(RECEIVED, &last_status);
    case EZ_IRECV: return MPI_Irecv(RECEIVED, &last_request);
    case EZ_RECV_INIT: return MPI_Recv_init(RECEIVED, &last_request);
    case EZ_MPROBE: return MPI_Mprobe(c->peer, c->tag, c->comm, &last_found, &last_status);
    case EZ_MRECV: return MPI_Mrecv(c->out, c->count, c->type, &last_found, &last_status);
    case EZ_IMRECV: return MPI_Imrecv(c->out, c->count, c->type, &last_found, &last_request);
    case EZ_SENDRECV:
        return PMPI_Sendrecv(c->in, c->count, c->type, c->peer, c->tag, c->out, c->count2, c->type2, c->peer2, c->tag2,
                            c->comm, &last_status);
    case EZ_SENDRECV_REPLACE:
        return PMPI_Sendrecv_replace(c->out, c->count, c->type, c->peer, c->tag, c->peer2, c->tag2, c->comm, &last_status);
    case EZ_START: return PMPI_Start(&last_request);
    case EZ_WAIT: return MPI_Wait(&last_request, &last_status);
    case EZ_REQUEST_FREE: return MPI_Request_free(&last_request);
    case EZ_PUT: return MPI_Put(ORIGIN(in), TARGET, c->window);
    case EZ_GET: return MPI_Get(ORIGIN(out), TARGET, c->window);
    case EZ_ACCUMULATE: return MPI_Accumulate(ORIGIN(in), TARGET, c->op, c->window);
    case EZ_GET_ACCUMULATE: return MPI_Get_accumulate(ORIGIN(in), ORIGIN(out), TARGET, c->op, c->window);
    case EZ_FETCH_AND_OP: return MPI_Fetch_and_op(c->in, c->out, c->type, c->peer, c->place, c->op, c->window);
    case EZ_PACK: return MPI_Pack(c->in, c->count, c->type, c->out, c->count2, &last_position, c->comm);
    case EZ_UNPACK: return MPI_Unpack(c->in, c->count2, &last_position, c->out, c->count, c->type, c->comm);
    default: return MPI_ERR_OTHER;
    }
}

#define EITHER(NAME, BEGUN, ...) (request ? MPI_##BEGUN(__VA_ARGS__, request) : MPI_##NAME(__VA_ARGS__))
#define ONE_SENT c->in, c->count, c->type
#define ONE_RECEIVED c->out, c->count2, c->type2
#define SEVERAL_SENT c->in, c->counts, c->places, c->type
#define SEVERAL_RECEIVED c->out, c->counts2, c->places2, c->type2

static int run_reduction(const struct call *c, MPI_Request *request) {
#define REDUCED c->in, c->out, c->count, c->type, c->op
    switch (c->operation) {
    case EZ_REDUCE: return EITHER(Reduce, Ireduce, REDUCED, c->peer, c->comm);
    case EZ_ALLREDUCE: return EITHER(Allreduce, Iallreduce, REDUCED, c->comm);
    case EZ_SCAN: return EITHER(Scan, Iscan, REDUCED, c->comm);
    case EZ_EXSCAN: return EITHER(Exscan, Iexscan, REDUCED, c->comm);
    case EZ_REDUCE_SCATTER: return EITHER(Reduce_scatter, Ireduce_scatter, c->in, c->out, c->counts, c->type, c->op, c->comm);
    default: return EITHER(Reduce_scatter_block, Ireduce_scatter_block, REDUCED, c->comm);
    }
}

static int run_between_neighbors(const struct call *c, MPI_Request *request) {
#define WITH_TYPES(SIDE, NUMBER)                                                                                  \
    SIDE, c->counts##NUMBER, (const MPI_Aint *)c->places##NUMBER, (MPI_Datatype *)c->types##NUMBER
    switch (c->operation) {
    case EZ_NEIGHBOR_ALLGATHER:
        return EITHER(Neighbor_allgather, Ineighbor_allgather, ONE_SENT, ONE_RECEIVED, c->comm);
    case EZ_NEIGHBOR_ALLGATHERV:
        return EITHER(Neighbor_allgatherv, Ineighbor_allgatherv, ONE_SENT, SEVERAL_RECEIVED, c->comm);
    case EZ_NEIGHBOR_ALLTOALL:
        return EITHER(Neighbor_alltoall, Ineighbor_alltoall, ONE_SENT, ONE_RECEIVED, c->comm);
    case EZ_NEIGHBOR_ALLTOALLV:
        return EITHER(Neighbor_alltoallv, Ineighbor_alltoallv, SEVERAL_SENT, SEVERAL_RECEIVED, c->comm);
    default:
        return EITHER(Neighbor_alltoallw, Ineighbor_alltoallw, WITH_TYPES(c->in, ), WITH_TYPES(c->out, 2), c->comm);
    }
}

#include "planned_collectives.h"

static int run_collective(const struct call *c) {
    if (c->is_planned)
        return run_planned(c, &last_request);
    MPI_Request *request = c->is_begun ? &last_request : NULL;
    if (c->operation >= EZ_NEIGHBOR_ALLGATHER)
        return run_between_neighbors(c, request);
    switch (c->operation) {
    case EZ_BARRIER: return EITHER(Barrier, Ibarrier, c->comm);
    case EZ_BCAST: return EITHER(Bcast, Ibcast, c->out, c->count, c->type, c->peer, c->comm);
    case EZ_GATHER: return EITHER(Gather, Igather, ONE_SENT, ONE_RECEIVED, c->peer, c->comm);
    case EZ_GATHERV: return EITHER(Gatherv, Igatherv, ONE_SENT, SEVERAL_RECEIVED, c->peer, c->comm);
    case EZ_SCATTER: return EITHER(Scatter, Iscatter, ONE_SENT, ONE_RECEIVED, c->peer, c->comm);
    case EZ_SCATTERV: return EITHER(Scatterv, Iscatterv, SEVERAL_SENT, ONE_RECEIVED, c->peer, c->comm);
    case EZ_ALLGATHER: return EITHER(Allgather, Iallgather, ONE_SENT, ONE_RECEIVED, c->comm);
    case EZ_ALLGATHERV: return EITHER(Allgatherv, Iallgatherv, ONE_SENT, SEVERAL_RECEIVED, c->comm);
    case EZ_ALLTOALL: return EITHER(Alltoall, Ialltoall, ONE_SENT, ONE_RECEIVED, c->comm);
    case EZ_ALLTOALLV: return EITHER(Alltoallv, Ialltoallv, SEVERAL_SENT, SEVERAL_RECEIVED, c->comm);
    case EZ_ALLTOALLW:
        return EITHER(Alltoallw, Ialltoallw, c->in, c->counts, c->places, (MPI_Datatype *)c->types, c->out, c->counts2,
                      c->places2, (MPI_Datatype *)c->types2, c->comm);
    default: return run_reduction(c, request);
    }
}

/* Runs the call. What it tells of itself is in the variables of this thread. */
static void run(struct call *c) {
    last_request = c->request, last_found = c->found, last_position = c->tag;
    last_error = c->operation >= EZ_BARRIER      ? run_collective(c)
                 : c->operation >= EZ_WIN_CREATE ? run_synchronisation(c)
                                                 : run_message(c);
}
