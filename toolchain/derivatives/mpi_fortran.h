/* The calls of MPI with buffers as Fortran makes them: by address, with handles of its own. mpi.c includes this for each
 * way to name a call and to pass a buffer. */
#define COMM __ez_inactive_mpi_comm(*comm)
#define TYPE(NAME) __ez_inactive_mpi_type(*NAME)
#define OP __ez_inactive_mpi_op(*op)
#define BEGIN(OPERATION, ...) RETURN(ez_began(EZ_##OPERATION, (struct ez_message){__VA_ARGS__}, request, 1))
#define BUFFERS .in = AT(in), .out = AT(out)
#define ONE_SENT const void *in, const int *count, const int *type
#define ONE_RECEIVED void *out, const int *count2, const int *type2
#define SEVERAL_SENT const void *in, const int *counts, const int *places, const int *type
#define SEVERAL_RECEIVED void *out, const int *counts2, const int *places2, const int *type2
#define TYPES_SENT const void *in, const int *counts, const void *places, const int *types
#define TYPES_RECEIVED void *out, const int *counts2, const void *places2, const int *types2
#define RECEIVED void *out, const int *count, const int *type
#define PLACE const int *peer, const int *tag

MPI(get_address)(const void *place, int64_t *address, int *error) { RETURN(ez_addressed(AT(place), address)); }

#define SEND(NAME, OPERATION)                                                                                     \
    MPI(NAME)(ONE_SENT, PLACE, const int *comm, int *error) {                                                     \
        RETURN(CALL(OPERATION, COMM, *count, TYPE(type), *peer, *tag, .in = AT(in)));                             \
    }
SEND(send, SEND)
SEND(ssend, SSEND)
SEND(bsend, BSEND)
SEND(rsend, RSEND)
#undef SEND
#define SEND(NAME, OPERATION)                                                                                     \
    MPI(NAME)(ONE_SENT, PLACE, const int *comm, int *request, int *error) {                                       \
        BEGIN(OPERATION, COMM, *count, TYPE(type), *peer, *tag, .in = AT(in));                                    \
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
MPI(recv)(RECEIVED, PLACE, const int *comm, int *status, int *error) {
    RETURN(CALL(RECV, COMM, *count, TYPE(type), *peer, *tag, .out = AT(out)));
    __ez_inactive_mpi_status(status, 0, 1);
}
MPI(irecv)(RECEIVED, PLACE, const int *comm, int *request, int *error) {
    BEGIN(IRECV, COMM, *count, TYPE(type), *peer, *tag, .out = AT(out));
}
MPI(recv_init)(RECEIVED, PLACE, const int *comm, int *request, int *error) {
    BEGIN(RECV_INIT, COMM, *count, TYPE(type), *peer, *tag, .out = AT(out));
}
MPI(sendrecv)(ONE_SENT, PLACE, ONE_RECEIVED, const int *peer2, const int *tag2, const int *comm, int *status, int *error) {
    RETURN(CALL(SENDRECV, COMM, *count, TYPE(type), *peer, *tag, *count2, TYPE(type2), *peer2, *tag2, BUFFERS));
    __ez_inactive_mpi_status(status, 0, 1);
}
MPI(sendrecv_replace)(RECEIVED, PLACE, const int *peer2, const int *tag2, const int *comm, int *status, int *error) {
    RETURN(CALL(SENDRECV_REPLACE, COMM, *count, TYPE(type), *peer, *tag, *count, TYPE(type), *peer2, *tag2,
                .out = AT(out)));
    __ez_inactive_mpi_status(status, 0, 1);
}
MPI(mrecv)(RECEIVED, int *message, int *status, int *error) {
    RETURN(ez_received((struct ez_message){0, *count, TYPE(type), .out = AT(out)}, message, status, 1));
}
MPI(imrecv)(RECEIVED, int *message, int *request, int *error) {
    BEGIN(IMRECV, 0, *count, TYPE(type), 0, __ez_inactive_mpi_message(message, 1), .out = AT(out));
    __ez_inactive_mpi_set_message(message, __ez_inactive_mpi_found(), 1);
}
MPI(pack)(ONE_SENT, void *out, const int *size, int *position, const int *comm, int *error) {
    RETURN(ez_packed(EZ_PACK, (struct ez_message){COMM, *count, TYPE(type), 0, 0, *size, BUFFERS}, position));
}
MPI(unpack)(const void *in, const int *size, int *position, RECEIVED, const int *comm, int *error) {
    RETURN(ez_packed(EZ_UNPACK, (struct ez_message){COMM, *count, TYPE(type), 0, 0, *size, BUFFERS}, position));
}

/* -- collective calls, and the same waited for by a request, or started by a persistent one */

#define PLANNED(NAME, OPERATION, PARAMETERS, ...)                                                                 \
    MPI(NAME##_init)(PARAMETERS, const int *comm, const int *info, int *request, int *error) {                    \
        RETURN(ez_began(EZ_PLANNED + EZ_##OPERATION, (struct ez_message){COMM, __VA_ARGS__}, request, 1));        \
    }
#define COLLECTIVE(NAME, OPERATION, PARAMETERS, ...)                                                              \
    MPI(NAME)(PARAMETERS, const int *comm, int *error) { RETURN(CALL(OPERATION, COMM, __VA_ARGS__)); }            \
    MPI(i##NAME)(PARAMETERS, const int *comm, int *request, int *error) {                                         \
        RETURN(ez_began(EZ_BEGUN + EZ_##OPERATION, (struct ez_message){COMM, __VA_ARGS__}, request, 1));          \
    }                                                                                                             \
    PLANNED(NAME, OPERATION, LIST(PARAMETERS), __VA_ARGS__)
#define FIRST *count, TYPE(type)
#define SECOND *count2, TYPE(type2)
COLLECTIVE(bcast, BCAST, LIST(RECEIVED, const int *root), FIRST, *root, .out = AT(out))
COLLECTIVE(gather, GATHER, LIST(ONE_SENT, ONE_RECEIVED, const int *root), FIRST, *root, 0, SECOND, BUFFERS)
COLLECTIVE(gatherv, GATHERV, LIST(ONE_SENT, SEVERAL_RECEIVED, const int *root), FIRST, *root, 0, 0, TYPE(type2), BUFFERS,
           LISTS2)
COLLECTIVE(scatter, SCATTER, LIST(ONE_SENT, ONE_RECEIVED, const int *root), FIRST, *root, 0, SECOND, BUFFERS)
COLLECTIVE(scatterv, SCATTERV, LIST(SEVERAL_SENT, ONE_RECEIVED, const int *root), 0, TYPE(type), *root, 0, SECOND, BUFFERS,
           LISTS)
COLLECTIVE(allgather, ALLGATHER, LIST(ONE_SENT, ONE_RECEIVED), FIRST, 0, 0, SECOND, BUFFERS)
COLLECTIVE(allgatherv, ALLGATHERV, LIST(ONE_SENT, SEVERAL_RECEIVED), FIRST, 0, 0, 0, TYPE(type2), BUFFERS, LISTS2)
COLLECTIVE(alltoall, ALLTOALL, LIST(ONE_SENT, ONE_RECEIVED), FIRST, 0, 0, SECOND, BUFFERS)
COLLECTIVE(alltoallv, ALLTOALLV, LIST(SEVERAL_SENT, SEVERAL_RECEIVED), 0, TYPE(type), 0, 0, 0, TYPE(type2), BUFFERS, LISTS,
           LISTS2)
#define TYPE_LISTS                                                                                                \
    .types = __ez_inactive_mpi_types(types, *comm, 0), .types2 = __ez_inactive_mpi_types(types2, *comm, 1)
COLLECTIVE(alltoallw, ALLTOALLW, LIST(TYPES_SENT, TYPES_RECEIVED), BUFFERS, LISTS, LISTS2, TYPE_LISTS)
COLLECTIVE(neighbor_allgather, NEIGHBOR_ALLGATHER, LIST(ONE_SENT, ONE_RECEIVED), FIRST, 0, 0, SECOND, BUFFERS)
COLLECTIVE(neighbor_allgatherv, NEIGHBOR_ALLGATHERV, LIST(ONE_SENT, SEVERAL_RECEIVED), FIRST, 0, 0, 0, TYPE(type2), BUFFERS,
           LISTS2)
COLLECTIVE(neighbor_alltoall, NEIGHBOR_ALLTOALL, LIST(ONE_SENT, ONE_RECEIVED), FIRST, 0, 0, SECOND, BUFFERS)
COLLECTIVE(neighbor_alltoallv, NEIGHBOR_ALLTOALLV, LIST(SEVERAL_SENT, SEVERAL_RECEIVED), 0, TYPE(type), 0, 0, 0,
           TYPE(type2), BUFFERS, LISTS, LISTS2)
COLLECTIVE(neighbor_alltoallw, NEIGHBOR_ALLTOALLW, LIST(TYPES_SENT, TYPES_RECEIVED), BUFFERS, LISTS, LISTS2, TYPE_LISTS)

#define REDUCTION(NAME, OPERATION, PARAMETERS, ...)                                                               \
    MPI(NAME)(PARAMETERS, const int *comm, int *error) {                                                          \
        RETURN(ez_reduced(EZ_##OPERATION, (struct ez_message){COMM, __VA_ARGS__}));                               \
    }                                                                                                             \
    MPI(i##NAME)(PARAMETERS, const int *comm, int *request, int *error) {                                         \
        RETURN(ez_began(EZ_BEGUN + EZ_##OPERATION, (struct ez_message){COMM, __VA_ARGS__}, request, 1));          \
    }                                                                                                             \
    PLANNED(NAME, OPERATION, LIST(PARAMETERS), __VA_ARGS__)
#define REDUCED const void *in, void *out, const int *count, const int *type, const int *op
REDUCTION(reduce, REDUCE, LIST(REDUCED, const int *root), FIRST, *root, OP, BUFFERS)
REDUCTION(allreduce, ALLREDUCE, LIST(REDUCED), FIRST, 0, OP, BUFFERS)
REDUCTION(scan, SCAN, LIST(REDUCED), FIRST, 0, OP, BUFFERS)
REDUCTION(exscan, EXSCAN, LIST(REDUCED), FIRST, 0, OP, BUFFERS)
REDUCTION(reduce_scatter_block, REDUCE_SCATTER_BLOCK, LIST(REDUCED), FIRST, 0, OP, BUFFERS)
REDUCTION(reduce_scatter, REDUCE_SCATTER,
           LIST(const void *in, void *out, const int *counts, const int *type, const int *op), 0, TYPE(type), 0, OP, BUFFERS,
           .counts = counts)
#undef REDUCTION
#undef PLANNED
#undef COLLECTIVE
#undef FIRST
#undef SECOND
#undef TYPE_LISTS
#undef REDUCED
#undef COMM
#undef TYPE
#undef OP
#undef BEGIN
#undef BUFFERS
#undef ONE_SENT
#undef ONE_RECEIVED
#undef SEVERAL_SENT
#undef SEVERAL_RECEIVED
#undef TYPES_SENT
#undef TYPES_RECEIVED
#undef RECEIVED
#undef PLACE
