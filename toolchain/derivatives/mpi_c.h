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

MPI(Get_address)(const void *place, int64_t *address) { return ez_addressed(place, address); }
MPI(Address)(const void *place, int64_t *address) { return ez_addressed(place, address); }

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
MPI(Cancel)(void *request) { return __ez_inactive_mpi_cancel(request, 0); }

/* -- messages that a probe finds, and packed bytes */

MPI(Mprobe)(int peer, int tag, int64_t comm, void *message, void *status) {
    return ez_found((struct ez_message){comm, .peer = peer, .tag = tag}, message, status, 0);
}
MPI(Improbe)(int peer, int tag, int64_t comm, int *flag, void *message, void *status) {
    *flag = __ez_inactive_mpi_is_there(peer, tag, comm);
    return *flag ? ez_found((struct ez_message){comm, .peer = peer, .tag = tag}, message, status, 0) : 0;
}
MPI(Mrecv)(void *out, int count, int64_t type, void *message, void *status) {
    return ez_received((struct ez_message){0, count, type, .out = out}, message, status, 0);
}
MPI(Imrecv)(void *out, int count, int64_t type, void *message, void *request) {
    int error = BEGIN(IMRECV, 0, count, type, 0, __ez_inactive_mpi_message(message, 0), .out = out);
    __ez_inactive_mpi_set_message(message, __ez_inactive_mpi_found(), 0);
    return error;
}
MPI(Pack)(const void *in, int count, int64_t type, void *out, int size, int *position, int64_t comm) {
    return ez_packed(EZ_PACK, (struct ez_message){comm, count, type, 0, 0, size, .in = in, .out = out}, position);
}
MPI(Unpack)(const void *in, int size, int *position, void *out, int count, int64_t type, int64_t comm) {
    return ez_packed(EZ_UNPACK, (struct ez_message){comm, count, type, 0, 0, size, .in = in, .out = out}, position);
}

/* -- collective calls, and the same waited for by a request, or started by a persistent one */

#define LATER(OPERATION, ...)                                                                                      \
    ez_began(EZ_BEGUN + EZ_##OPERATION, (struct ez_message){__VA_ARGS__}, request, 0)
#define PLANNED(NAME, OPERATION, PARAMETERS, ...)                                                                 \
    MPI(NAME##_init)(PARAMETERS, int64_t comm, int64_t info, void *request) {                                     \
        return ez_began(EZ_PLANNED + EZ_##OPERATION, (struct ez_message){comm, __VA_ARGS__}, request, 0);          \
    }
#define COLLECTIVE(NAME, BEGUN, OPERATION, PARAMETERS, ...)                                                       \
    MPI(NAME)(PARAMETERS, int64_t comm) { return CALL(OPERATION, comm, __VA_ARGS__); }                            \
    MPI(BEGUN)(PARAMETERS, int64_t comm, void *request) { return LATER(OPERATION, comm, __VA_ARGS__); }            \
    PLANNED(NAME, OPERATION, LIST(PARAMETERS), __VA_ARGS__)
#define ONE_SENT const void *in, int count, int64_t type
#define ONE_RECEIVED void *out, int count2, int64_t type2
#define SEVERAL_SENT const void *in, const int *counts, const int *places, int64_t type
#define SEVERAL_RECEIVED void *out, const int *counts2, const int *places2, int64_t type2
#define TYPES_SENT const void *in, const int *counts, const void *places, const void *types
#define TYPES_RECEIVED void *out, const int *counts2, const void *places2, const void *types2
#define BUFFERS .in = in, .out = out

MPI(Barrier)(int64_t comm) { return CALL(BARRIER, comm); }
MPI(Ibarrier)(int64_t comm, void *request) { return LATER(BARRIER, comm); }
MPI(Barrier_init)(int64_t comm, int64_t info, void *request) {
    return ez_began(EZ_PLANNED + EZ_BARRIER, (struct ez_message){comm}, request, 0);
}
COLLECTIVE(Bcast, Ibcast, BCAST, LIST(void *out, int count, int64_t type, int root), count, type, root, .out = out)
COLLECTIVE(Gather, Igather, GATHER, LIST(ONE_SENT, ONE_RECEIVED, int root), count, type, root, 0, count2, type2, BUFFERS)
COLLECTIVE(Gatherv, Igatherv, GATHERV, LIST(ONE_SENT, SEVERAL_RECEIVED, int root), count, type, root, 0, 0, type2, BUFFERS,
           LISTS2)
COLLECTIVE(Scatter, Iscatter, SCATTER, LIST(ONE_SENT, ONE_RECEIVED, int root), count, type, root, 0, count2, type2,
           BUFFERS)
COLLECTIVE(Scatterv, Iscatterv, SCATTERV, LIST(SEVERAL_SENT, ONE_RECEIVED, int root), 0, type, root, 0, count2, type2,
           BUFFERS, LISTS)
COLLECTIVE(Allgather, Iallgather, ALLGATHER, LIST(ONE_SENT, ONE_RECEIVED), count, type, 0, 0, count2, type2, BUFFERS)
COLLECTIVE(Allgatherv, Iallgatherv, ALLGATHERV, LIST(ONE_SENT, SEVERAL_RECEIVED), count, type, 0, 0, 0, type2, BUFFERS,
           LISTS2)
COLLECTIVE(Alltoall, Ialltoall, ALLTOALL, LIST(ONE_SENT, ONE_RECEIVED), count, type, 0, 0, count2, type2, BUFFERS)
COLLECTIVE(Alltoallv, Ialltoallv, ALLTOALLV, LIST(SEVERAL_SENT, SEVERAL_RECEIVED), 0, type, 0, 0, 0, type2, BUFFERS, LISTS,
           LISTS2)
COLLECTIVE(Alltoallw, Ialltoallw, ALLTOALLW, LIST(TYPES_SENT, TYPES_RECEIVED), BUFFERS, LISTS, .types = types, LISTS2,
           .types2 = types2)
COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, NEIGHBOR_ALLGATHER, LIST(ONE_SENT, ONE_RECEIVED), count, type, 0, 0,
           count2, type2, BUFFERS)
COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, NEIGHBOR_ALLGATHERV, LIST(ONE_SENT, SEVERAL_RECEIVED), count, type,
           0, 0, 0, type2, BUFFERS, LISTS2)
COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, NEIGHBOR_ALLTOALL, LIST(ONE_SENT, ONE_RECEIVED), count, type, 0, 0,
           count2, type2, BUFFERS)
COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, NEIGHBOR_ALLTOALLV, LIST(SEVERAL_SENT, SEVERAL_RECEIVED), 0, type, 0,
           0, 0, type2, BUFFERS, LISTS, LISTS2)
COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, NEIGHBOR_ALLTOALLW, LIST(TYPES_SENT, TYPES_RECEIVED), BUFFERS, LISTS,
           .types = types, LISTS2, .types2 = types2)

#define REDUCTION(NAME, BEGUN, OPERATION, PARAMETERS, ...)                                                        \
    MPI(NAME)(PARAMETERS, int64_t comm) { return ez_reduced(EZ_##OPERATION, (struct ez_message){comm, __VA_ARGS__}); } \
    MPI(BEGUN)(PARAMETERS, int64_t comm, void *request) { return LATER(OPERATION, comm, __VA_ARGS__); }            \
    PLANNED(NAME, OPERATION, LIST(PARAMETERS), __VA_ARGS__)
#define REDUCED const void *in, void *out, int count, int64_t type, int64_t op
REDUCTION(Reduce, Ireduce, REDUCE, LIST(REDUCED, int root), count, type, root, op, BUFFERS)
REDUCTION(Allreduce, Iallreduce, ALLREDUCE, LIST(REDUCED), count, type, 0, op, BUFFERS)
REDUCTION(Scan, Iscan, SCAN, LIST(REDUCED), count, type, 0, op, BUFFERS)
REDUCTION(Exscan, Iexscan, EXSCAN, LIST(REDUCED), count, type, 0, op, BUFFERS)
REDUCTION(Reduce_scatter_block, Ireduce_scatter_block, REDUCE_SCATTER_BLOCK, LIST(REDUCED), count, type, 0, op, BUFFERS)
REDUCTION(Reduce_scatter, Ireduce_scatter, REDUCE_SCATTER,
           LIST(const void *in, void *out, const int *counts, int64_t type, int64_t op), 0, type, 0, op, BUFFERS,
           .counts = counts)
#undef REDUCTION
#undef COLLECTIVE
#undef LATER
#undef PLANNED
#undef ONE_SENT
#undef ONE_RECEIVED
#undef SEVERAL_SENT
#undef SEVERAL_RECEIVED
#undef TYPES_SENT
#undef TYPES_RECEIVED
#undef REDUCED
#undef BUFFERS
#undef MPI
#undef BEGIN
