/* The calls of MPI as Fortran makes them (mpif.h, module mpi): by address, with handles of its own. */
#define MPI(NAME) INLINED void STAND_IN(mpi_##NAME##_)
#define COMM __ez_inactive_mpi_comm(*comm)
#define TYPE(NAME) __ez_inactive_mpi_type(*NAME)
#define OP __ez_inactive_mpi_op(*op)
#define IN const void *in, const int *count, const int *type
#define OUT void *out, const int *count, const int *type
#define BEGIN(OPERATION, ...) ez_began(EZ_##OPERATION, (struct ez_message){__VA_ARGS__}, request, 1)

#define SEND(NAME, OPERATION)                                                                                     \
    MPI(NAME)(IN, const int *peer, const int *tag, const int *comm, int *error) {                                 \
        *error = CALL(OPERATION, COMM, *count, TYPE(type), *peer, *tag, .in = in);                                \
    }
SEND(send, SEND)
SEND(ssend, SSEND)
SEND(bsend, BSEND)
SEND(rsend, RSEND)
#undef SEND
#define SEND(NAME, OPERATION)                                                                                     \
    MPI(NAME)(IN, const int *peer, const int *tag, const int *comm, int *request, int *error) {                   \
        *error = BEGIN(OPERATION, COMM, *count, TYPE(type), *peer, *tag, .in = in);                               \
    }
SEND(isend, ISEND)
SEND(issend, ISSEND)
SEND(ibsend, IBSEND)
SEND(irsend, IRSEND)
SEND(send_init, SEND_INIT)
SEND(ssend_init, SSEND_INIT)
SEND(bsend_init, BSEND_INIT)
SEND(rsend_init, RSEND_INIT)
#undef SEND
MPI(recv)(OUT, const int *peer, const int *tag, const int *comm, int *status, int *error) {
    *error = CALL(RECV, COMM, *count, TYPE(type), *peer, *tag, .out = out);
    __ez_inactive_mpi_status(status, 0, 1);
}
MPI(irecv)(OUT, const int *peer, const int *tag, const int *comm, int *request, int *error) {
    *error = BEGIN(IRECV, COMM, *count, TYPE(type), *peer, *tag, .out = out);
}
MPI(recv_init)(OUT, const int *peer, const int *tag, const int *comm, int *request, int *error) {
    *error = BEGIN(RECV_INIT, COMM, *count, TYPE(type), *peer, *tag, .out = out);
}
MPI(sendrecv)(IN, const int *peer, const int *tag, void *out, const int *count2, const int *type2, const int *peer2,
              const int *tag2, const int *comm, int *status, int *error) {
    *error = CALL(SENDRECV, COMM, *count, TYPE(type), *peer, *tag, *count2, TYPE(type2), *peer2, *tag2, .in = in,
                  .out = out);
    __ez_inactive_mpi_status(status, 0, 1);
}
MPI(sendrecv_replace)(OUT, const int *peer, const int *tag, const int *peer2, const int *tag2, const int *comm,
                      int *status, int *error) {
    *error = CALL(SENDRECV_REPLACE, COMM, *count, TYPE(type), *peer, *tag, *count, TYPE(type), *peer2, *tag2, .out = out);
    __ez_inactive_mpi_status(status, 0, 1);
}

/* -- requests */

MPI(wait)(int *request, int *status, int *error) { *error = ez_waited(request, 0, status, 0, 1); }
MPI(waitall)(const int *count, int *requests, int *statuses, int *error) {
    *error = ez_waited_for_all(*count, requests, statuses, 1);
}
MPI(waitany)(const int *count, int *requests, int *index, int *status, int *error) {
    *error = ez_waited_for_any(*count, requests, index, status, 1, 1);
}
MPI(test)(int *request, int *flag, int *status, int *error) {
    *flag = __ez_inactive_mpi_all(1, request, 1);
    *error = *flag ? ez_waited(request, 0, status, 0, 1) : 0;
}
MPI(testall)(const int *count, int *requests, int *flag, int *statuses, int *error) {
    *flag = __ez_inactive_mpi_all(*count, requests, 1);
    *error = *flag ? ez_waited_for_all(*count, requests, statuses, 1) : 0;
}
MPI(waitsome)(const int *count, int *requests, int *found, int *indices, int *statuses, int *error) {
    *error = ez_waited_for_some(*count, requests, found, indices, statuses, 1, 1);
}
MPI(testsome)(const int *count, int *requests, int *found, int *indices, int *statuses, int *error) {
    *error = ez_waited_for_some(*count, requests, found, indices, statuses, 1, 0);
}
MPI(testany)(const int *count, int *requests, int *index, int *flag, int *status, int *error) {
    *error = ez_waited_for_any(*count, requests, index, status, 1, 0);
    *flag = __ez_inactive_mpi_flag();
}
MPI(start)(int *request, int *error) { *error = ez_started(request, 0, 1); }
MPI(startall)(const int *count, int *requests, int *error) {
    *error = 0;
    for (int i = 0; i < *count; i++)
        *error = ez_started(requests, i, 1);
}
MPI(request_free)(int *request, int *error) { *error = ez_freed(request, 1); }

/* -- collective calls */

MPI(bcast)(OUT, const int *root, const int *comm, int *error) {
    *error = CALL(BCAST, COMM, *count, TYPE(type), *root, .out = out);
}
MPI(reduce)(const void *in, OUT, const int *op, const int *root, const int *comm, int *error) {
    *error = CALL(REDUCE, COMM, *count, TYPE(type), *root, OP, .in = in, .out = out);
}
#define REDUCTION(NAME, OPERATION)                                                                                \
    MPI(NAME)(const void *in, OUT, const int *op, const int *comm, int *error) {                                  \
        *error = CALL(OPERATION, COMM, *count, TYPE(type), 0, OP, .in = in, .out = out);                          \
    }
REDUCTION(allreduce, ALLREDUCE)
REDUCTION(scan, SCAN)
REDUCTION(exscan, EXSCAN)
REDUCTION(reduce_scatter_block, REDUCE_SCATTER_BLOCK)
#undef REDUCTION
MPI(reduce_scatter)(const void *in, void *out, const int *counts, const int *type, const int *op, const int *comm,
                    int *error) {
    *error = CALL(REDUCE_SCATTER, COMM, 0, TYPE(type), 0, OP, .in = in, .out = out, .counts = counts);
}
#define ROOTED(NAME, OPERATION)                                                                                   \
    MPI(NAME)(IN, void *out, const int *count2, const int *type2, const int *root, const int *comm, int *error) { \
        *error = CALL(OPERATION, COMM, *count, TYPE(type), *root, 0, *count2, TYPE(type2), .in = in, .out = out); \
    }
ROOTED(gather, GATHER)
ROOTED(scatter, SCATTER)
#undef ROOTED
MPI(gatherv)(IN, void *out, const int *counts2, const int *places2, const int *type2, const int *root, const int *comm,
             int *error) {
    *error = CALL(GATHERV, COMM, *count, TYPE(type), *root, 0, 0, TYPE(type2), .in = in, .out = out,
                  .counts2 = counts2, .places2 = places2);
}
MPI(scatterv)(const void *in, const int *counts, const int *places, const int *type, void *out, const int *count2,
              const int *type2, const int *root, const int *comm, int *error) {
    *error = CALL(SCATTERV, COMM, 0, TYPE(type), *root, 0, *count2, TYPE(type2), .in = in, .out = out,
                  .counts = counts, .places = places);
}
#define UNROOTED(NAME, OPERATION)                                                                                 \
    MPI(NAME)(IN, void *out, const int *count2, const int *type2, const int *comm, int *error) {                  \
        *error = CALL(OPERATION, COMM, *count, TYPE(type), 0, 0, *count2, TYPE(type2), .in = in, .out = out);     \
    }
UNROOTED(allgather, ALLGATHER)
UNROOTED(alltoall, ALLTOALL)
#undef UNROOTED
MPI(allgatherv)(IN, void *out, const int *counts2, const int *places2, const int *type2, const int *comm, int *error) {
    *error = CALL(ALLGATHERV, COMM, *count, TYPE(type), 0, 0, 0, TYPE(type2), .in = in, .out = out,
                  .counts2 = counts2, .places2 = places2);
}
MPI(alltoallv)(const void *in, const int *counts, const int *places, const int *type, void *out, const int *counts2,
               const int *places2, const int *type2, const int *comm, int *error) {
    *error = CALL(ALLTOALLV, COMM, 0, TYPE(type), 0, 0, 0, TYPE(type2), .in = in, .out = out, .counts = counts,
                  .places = places, .counts2 = counts2, .places2 = places2);
}
#undef MPI
#undef COMM
#undef TYPE
#undef OP
#undef IN
#undef OUT
#undef BEGIN
