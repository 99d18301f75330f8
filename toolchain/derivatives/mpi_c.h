/* The calls of MPI as C declares them. */
#define MPI(NAME) INLINED int STAND_IN(MPI_##NAME)
#define BEGIN(OPERATION, ...) ez_began(EZ_##OPERATION, (struct ez_message){__VA_ARGS__}, request, 0)

#define SEND(NAME, OPERATION)                                                                                     \
    MPI(NAME)(const void *in, int count, int64_t type, int peer, int tag, int64_t comm) {                         \
        return CALL(OPERATION, comm, count, type, peer, tag, .in = in);                                           \
    }
SEND(Send, SEND)
SEND(Ssend, SSEND)
SEND(Bsend, BSEND)
SEND(Rsend, RSEND)
#undef SEND

#define SEND(NAME, OPERATION)                                                                                     \
    MPI(NAME)(const void *in, int count, int64_t type, int peer, int tag, int64_t comm, void *request) {          \
        return BEGIN(OPERATION, comm, count, type, peer, tag, .in = in);                                          \
    }
SEND(Isend, ISEND)
SEND(Issend, ISSEND)
SEND(Ibsend, IBSEND)
SEND(Irsend, IRSEND)
SEND(Send_init, SEND_INIT)
SEND(Ssend_init, SSEND_INIT)
SEND(Bsend_init, BSEND_INIT)
SEND(Rsend_init, RSEND_INIT)
#undef SEND

MPI(Recv)(void *out, int count, int64_t type, int peer, int tag, int64_t comm, void *status) {
    int error = CALL(RECV, comm, count, type, peer, tag, .out = out);
    __ez_inactive_mpi_status(status, 0, 0);
    return error;
}
MPI(Irecv)(void *out, int count, int64_t type, int peer, int tag, int64_t comm, void *request) {
    return BEGIN(IRECV, comm, count, type, peer, tag, .out = out);
}
MPI(Recv_init)(void *out, int count, int64_t type, int peer, int tag, int64_t comm, void *request) {
    return BEGIN(RECV_INIT, comm, count, type, peer, tag, .out = out);
}
MPI(Sendrecv)(const void *in, int count, int64_t type, int peer, int tag, void *out, int count2, int64_t type2, int peer2,
              int tag2, int64_t comm, void *status) {
    int error = CALL(SENDRECV, comm, count, type, peer, tag, count2, type2, peer2, tag2, .in = in,
                     .out = out);
    __ez_inactive_mpi_status(status, 0, 0);
    return error;
}
MPI(Sendrecv_replace)(void *out, int count, int64_t type, int peer, int tag, int peer2, int tag2, int64_t comm,
                      void *status) {
    int error = CALL(SENDRECV_REPLACE, comm, count, type, peer, tag, count, type, peer2, tag2, .out = out);
    __ez_inactive_mpi_status(status, 0, 0);
    return error;
}

/* -- requests */

MPI(Wait)(void *request, void *status) { return ez_waited(request, 0, status, 0, 0); }
MPI(Waitall)(int count, void *requests, void *statuses) { return ez_waited_for_all(count, requests, statuses, 0); }
MPI(Waitany)(int count, void *requests, int *index, void *status) {
    return ez_waited_for_any(count, requests, index, status, 0, 1);
}
MPI(Testany)(int count, void *requests, int *index, int *flag, void *status) {
    int error = ez_waited_for_any(count, requests, index, status, 0, 0);
    *flag = __ez_inactive_mpi_flag();
    return error;
}
MPI(Test)(void *request, int *flag, void *status) {
    *flag = __ez_inactive_mpi_all(1, request, 0);
    return *flag ? ez_waited(request, 0, status, 0, 0) : 0;
}
MPI(Testall)(int count, void *requests, int *flag, void *statuses) {
    *flag = __ez_inactive_mpi_all(count, requests, 0);
    return *flag ? ez_waited_for_all(count, requests, statuses, 0) : 0;
}
MPI(Waitsome)(int count, void *requests, int *found, int *indices, void *statuses) {
    return ez_waited_for_some(count, requests, found, indices, statuses, 0, 1);
}
MPI(Testsome)(int count, void *requests, int *found, int *indices, void *statuses) {
    return ez_waited_for_some(count, requests, found, indices, statuses, 0, 0);
}
MPI(Start)(void *request) { return ez_started(request, 0, 0); }
MPI(Startall)(int count, void *requests) {
    int error = 0;
    for (int i = 0; i < count; i++)
        error = ez_started(requests, i, 0);
    return error;
}
MPI(Request_free)(void *request) { return ez_freed(request, 0); }

/* -- collective calls */

MPI(Bcast)(void *out, int count, int64_t type, int root, int64_t comm) {
    return CALL(BCAST, comm, count, type, root, .out = out);
}
MPI(Reduce)(const void *in, void *out, int count, int64_t type, int64_t op, int root, int64_t comm) {
    return CALL(REDUCE, comm, count, type, root, op, .in = in, .out = out);
}
#define REDUCTION(NAME, OPERATION)                                                                                \
    MPI(NAME)(const void *in, void *out, int count, int64_t type, int64_t op, int64_t comm) {                     \
        return CALL(OPERATION, comm, count, type, 0, op, .in = in, .out = out);                                   \
    }
REDUCTION(Allreduce, ALLREDUCE)
REDUCTION(Scan, SCAN)
REDUCTION(Exscan, EXSCAN)
REDUCTION(Reduce_scatter_block, REDUCE_SCATTER_BLOCK)
#undef REDUCTION
MPI(Reduce_scatter)(const void *in, void *out, const int *counts, int64_t type, int64_t op, int64_t comm) {
    return CALL(REDUCE_SCATTER, comm, 0, type, 0, op, .in = in, .out = out, .counts = counts);
}
#define ROOTED(NAME, OPERATION)                                                                                   \
    MPI(NAME)(const void *in, int count, int64_t type, void *out, int count2, int64_t type2, int root, int64_t comm) { \
        return CALL(OPERATION, comm, count, type, root, 0, count2, type2, .in = in, .out = out);                  \
    }
ROOTED(Gather, GATHER)
ROOTED(Scatter, SCATTER)
#undef ROOTED
MPI(Gatherv)(const void *in, int count, int64_t type, void *out, const int *counts2, const int *places2, int64_t type2,
             int root, int64_t comm) {
    return CALL(GATHERV, comm, count, type, root, 0, 0, type2, .in = in, .out = out, .counts2 = counts2,
                .places2 = places2);
}
MPI(Scatterv)(const void *in, const int *counts, const int *places, int64_t type, void *out, int count2, int64_t type2,
              int root, int64_t comm) {
    return CALL(SCATTERV, comm, 0, type, root, 0, count2, type2, .in = in, .out = out, .counts = counts,
                .places = places);
}
#define UNROOTED(NAME, OPERATION)                                                                                 \
    MPI(NAME)(const void *in, int count, int64_t type, void *out, int count2, int64_t type2, int64_t comm) {      \
        return CALL(OPERATION, comm, count, type, 0, 0, count2, type2, .in = in, .out = out);                     \
    }
UNROOTED(Allgather, ALLGATHER)
UNROOTED(Alltoall, ALLTOALL)
#undef UNROOTED
MPI(Allgatherv)(const void *in, int count, int64_t type, void *out, const int *counts2, const int *places2, int64_t type2,
                int64_t comm) {
    return CALL(ALLGATHERV, comm, count, type, 0, 0, 0, type2, .in = in, .out = out, .counts2 = counts2,
                .places2 = places2);
}
MPI(Alltoallv)(const void *in, const int *counts, const int *places, int64_t type, void *out, const int *counts2,
               const int *places2, int64_t type2, int64_t comm) {
    return CALL(ALLTOALLV, comm, 0, type, 0, 0, 0, type2, .in = in, .out = out, .counts = counts, .places = places,
                .counts2 = counts2, .places2 = places2);
}
#undef MPI
#undef BEGIN
