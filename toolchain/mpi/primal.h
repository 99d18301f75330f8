/* The calls of MPI themselves. */

static int is_started_send(enum ez_mpi_operation o) { return o >= EZ_ISEND && o <= EZ_IRSEND; }
static int is_planned_send(enum ez_mpi_operation o) { return o >= EZ_SEND_INIT && o <= EZ_RSEND_INIT; }
static int begins(enum ez_mpi_operation o) { return is_started_send(o) || o == EZ_IRECV; }
static int plans(enum ez_mpi_operation o) { return is_planned_send(o) || o == EZ_RECV_INIT; }

static int run_message(struct call *c) {
#define SENT c->in, c->count, c->type, c->peer, c->tag, c->comm
#define RECEIVED c->out, c->count, c->type, c->peer, c->tag, c->comm
    switch (c->operation) {
    case EZ_SEND: return MPI_Send(SENT);
    case EZ_SSEND: return MPI_Ssend(SENT);
    case EZ_BSEND: return MPI_Bsend(SENT);
    case EZ_RSEND: return MPI_Rsend(SENT);
    case EZ_ISEND: return MPI_Isend(SENT, &last_request);
    case EZ_ISSEND: return MPI_Issend(SENT, &last_request);
    case EZ_IBSEND: return MPI_Ibsend(SENT, &last_request);
    case EZ_IRSEND: return MPI_Irsend(SENT, &last_request);
    case EZ_SEND_INIT: return MPI_Send_init(SENT, &last_request);
    case EZ_SSEND_INIT: return MPI_Ssend_init(SENT, &last_request);
    case EZ_BSEND_INIT: return MPI_Bsend_init(SENT, &last_request);
    case EZ_RSEND_INIT: return MPI_Rsend_init(SENT, &last_request);
    case EZ_RECV: return MPI_Recv(RECEIVED, &last_status);
    case EZ_IRECV: return MPI_Irecv(RECEIVED, &last_request);
    case EZ_RECV_INIT: return MPI_Recv_init(RECEIVED, &last_request);
    case EZ_SENDRECV:
        return MPI_Sendrecv(c->in, c->count, c->type, c->peer, c->tag, c->out, c->count2, c->type2, c->peer2, c->tag2,
                            c->comm, &last_status);
    case EZ_SENDRECV_REPLACE:
        return MPI_Sendrecv_replace(c->out, c->count, c->type, c->peer, c->tag, c->peer2, c->tag2, c->comm, &last_status);
    case EZ_START: return MPI_Start(&last_request);
    case EZ_WAIT: return MPI_Wait(&last_request, &last_status);
    case EZ_REQUEST_FREE: return MPI_Request_free(&last_request);
    default: return MPI_ERR_OTHER;
    }
}

static int run_collective(struct call *c) {
    switch (c->operation) {
    case EZ_BCAST: return MPI_Bcast(c->out, c->count, c->type, c->peer, c->comm);
    case EZ_REDUCE: return MPI_Reduce(c->in, c->out, c->count, c->type, c->op, c->peer, c->comm);
    case EZ_ALLREDUCE: return MPI_Allreduce(c->in, c->out, c->count, c->type, c->op, c->comm);
    case EZ_SCAN: return MPI_Scan(c->in, c->out, c->count, c->type, c->op, c->comm);
    case EZ_EXSCAN: return MPI_Exscan(c->in, c->out, c->count, c->type, c->op, c->comm);
    case EZ_REDUCE_SCATTER: return MPI_Reduce_scatter(c->in, c->out, c->counts, c->type, c->op, c->comm);
    case EZ_REDUCE_SCATTER_BLOCK: return MPI_Reduce_scatter_block(c->in, c->out, c->count, c->type, c->op, c->comm);
    case EZ_GATHER:
        return MPI_Gather(c->in, c->count, c->type, c->out, c->count2, c->type2, c->peer, c->comm);
    case EZ_GATHERV:
        return MPI_Gatherv(c->in, c->count, c->type, c->out, c->counts2, c->places2, c->type2, c->peer, c->comm);
    case EZ_SCATTER:
        return MPI_Scatter(c->in, c->count, c->type, c->out, c->count2, c->type2, c->peer, c->comm);
    case EZ_SCATTERV:
        return MPI_Scatterv(c->in, c->counts, c->places, c->type, c->out, c->count2, c->type2, c->peer, c->comm);
    case EZ_ALLGATHER: return MPI_Allgather(c->in, c->count, c->type, c->out, c->count2, c->type2, c->comm);
    case EZ_ALLGATHERV:
        return MPI_Allgatherv(c->in, c->count, c->type, c->out, c->counts2, c->places2, c->type2, c->comm);
    case EZ_ALLTOALL: return MPI_Alltoall(c->in, c->count, c->type, c->out, c->count2, c->type2, c->comm);
    case EZ_ALLTOALLV:
        return MPI_Alltoallv(c->in, c->counts, c->places, c->type, c->out, c->counts2, c->places2, c->type2, c->comm);
    default: return MPI_ERR_OTHER;
    }
}

/* Runs the call. What it tells of itself is in the variables of this thread. */
static void run(struct call *c) {
    last_request = c->request;
    last_error = c->operation >= EZ_BCAST ? run_collective(c) : run_message(c);
}
