/* Collective calls of code that is not differentiated are logged (logged_calls.h): the linker sends them here. They have so
 * many words before their communicator, each of which is passed on in a register or a place of the stack as it came. */

#define WORDS_0
#define WORDS_4 intptr_t a, intptr_t b, intptr_t c, intptr_t d,
#define WORDS_5 WORDS_4 intptr_t e,
#define WORDS_6 WORDS_5 intptr_t f,
#define WORDS_7 WORDS_6 intptr_t g,
#define WORDS_8 WORDS_7 intptr_t h,
#define GIVEN_0
#define GIVEN_4 a, b, c, d,
#define GIVEN_5 GIVEN_4 e,
#define GIVEN_6 GIVEN_5 f,
#define GIVEN_7 GIVEN_6 g,
#define GIVEN_8 GIVEN_7 h,

#define LOGGED_BY_NAME(RESULT, NAME, COUNT, COMM, HANDLE, MORE, ...)                                              \
    RESULT __real_##NAME(WORDS_##COUNT COMM comm MORE);                                                           \
    OWN_CALLS RESULT __wrap_##NAME(WORDS_##COUNT COMM comm MORE) {                                                \
        log_call(channel_of(HANDLE), 0);                                                                          \
        return __real_##NAME(GIVEN_##COUNT comm __VA_ARGS__);                                                     \
    }
#define AND_BEGUN , MPI_Request *request
#define IN_FORTRAN , MPI_Fint *error
#define BEGUN_IN_FORTRAN , MPI_Fint *request, MPI_Fint *error
#define LOGGED_IN_FORTRAN(NAME, COUNT, ENDING)                                                                    \
    LOGGED_BY_NAME(void, mpi_##NAME##ENDING, COUNT, MPI_Fint *, MPI_Comm_f2c(*comm), IN_FORTRAN, , error)          \
    LOGGED_BY_NAME(void, mpi_i##NAME##ENDING, COUNT, MPI_Fint *, MPI_Comm_f2c(*comm), BEGUN_IN_FORTRAN, , request, error)
#define LOGGED_CALL(NAME, BEGUN, IN_SMALL, COUNT)                                                                 \
    LOGGED_BY_NAME(int, MPI_##NAME, COUNT, MPI_Comm, comm, )                                                      \
    LOGGED_BY_NAME(int, MPI_##BEGUN, COUNT, MPI_Comm, comm, AND_BEGUN, , request)                                 \
    LOGGED_IN_FORTRAN(IN_SMALL, COUNT, _)                                                                         \
    LOGGED_IN_FORTRAN(IN_SMALL, COUNT, _f08_)                                                                     \
    LOGGED_IN_FORTRAN(IN_SMALL, COUNT, _f08ts_)

LOGGED_CALL(Barrier, Ibarrier, barrier, 0)
LOGGED_CALL(Bcast, Ibcast, bcast, 4)
LOGGED_CALL(Reduce, Ireduce, reduce, 6)
LOGGED_CALL(Allreduce, Iallreduce, allreduce, 5)
LOGGED_CALL(Scan, Iscan, scan, 5)
LOGGED_CALL(Exscan, Iexscan, exscan, 5)
LOGGED_CALL(Reduce_scatter, Ireduce_scatter, reduce_scatter, 5)
LOGGED_CALL(Reduce_scatter_block, Ireduce_scatter_block, reduce_scatter_block, 5)
LOGGED_CALL(Gather, Igather, gather, 7)
LOGGED_CALL(Gatherv, Igatherv, gatherv, 8)
LOGGED_CALL(Scatter, Iscatter, scatter, 7)
LOGGED_CALL(Scatterv, Iscatterv, scatterv, 8)
LOGGED_CALL(Allgather, Iallgather, allgather, 6)
LOGGED_CALL(Allgatherv, Iallgatherv, allgatherv, 7)
LOGGED_CALL(Alltoall, Ialltoall, alltoall, 6)
LOGGED_CALL(Alltoallv, Ialltoallv, alltoallv, 8)
LOGGED_CALL(Alltoallw, Ialltoallw, alltoallw, 8)
LOGGED_CALL(Neighbor_allgather, Ineighbor_allgather, neighbor_allgather, 6)
LOGGED_CALL(Neighbor_allgatherv, Ineighbor_allgatherv, neighbor_allgatherv, 7)
LOGGED_CALL(Neighbor_alltoall, Ineighbor_alltoall, neighbor_alltoall, 6)
LOGGED_CALL(Neighbor_alltoallv, Ineighbor_alltoallv, neighbor_alltoallv, 8)
LOGGED_CALL(Neighbor_alltoallw, Ineighbor_alltoallw, neighbor_alltoallw, 8)
