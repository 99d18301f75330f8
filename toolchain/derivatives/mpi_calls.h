/* What differentiated code tells of a call of MPI (toolchain/mpi). Handles are integers of 64 bits here: some libraries
 * have pointers, others int. */
#ifndef EZ_MPI_H
#define EZ_MPI_H
#include <stdint.h>

/* how numbers move. Kinds of sends stand together; a START of a persistent request has the same plus PERSISTENT. */
enum ez_mpi_operation {
    EZ_SEND, EZ_SSEND, EZ_BSEND, EZ_RSEND,
    EZ_ISEND, EZ_ISSEND, EZ_IBSEND, EZ_IRSEND,
    EZ_RECV, EZ_IRECV, EZ_MPROBE, EZ_MRECV, EZ_IMRECV, EZ_SENDRECV, EZ_SENDRECV_REPLACE,
    EZ_SEND_INIT, EZ_SSEND_INIT, EZ_BSEND_INIT, EZ_RSEND_INIT, EZ_RECV_INIT, EZ_START,
    EZ_WAIT, EZ_REQUEST_FREE,
    EZ_PACK, EZ_UNPACK,
    EZ_PUT, EZ_GET, EZ_ACCUMULATE, EZ_GET_ACCUMULATE, EZ_FETCH_AND_OP,
    EZ_WIN_CREATE, EZ_WIN_FREE, EZ_FENCE, EZ_LOCK, EZ_UNLOCK, EZ_LOCK_ALL, EZ_UNLOCK_ALL, EZ_FLUSH, EZ_FLUSH_ALL,
    EZ_WIN_SYNC, EZ_WIN_POST, EZ_WIN_START, EZ_WIN_COMPLETE, EZ_WIN_WAIT,
    EZ_BARRIER, EZ_BCAST,
    EZ_REDUCE, EZ_ALLREDUCE, EZ_SCAN, EZ_EXSCAN, EZ_REDUCE_SCATTER, EZ_REDUCE_SCATTER_BLOCK,
    EZ_GATHER, EZ_GATHERV, EZ_SCATTER, EZ_SCATTERV, EZ_ALLGATHER, EZ_ALLGATHERV,
    EZ_ALLTOALL, EZ_ALLTOALLV, EZ_ALLTOALLW,
    EZ_NEIGHBOR_ALLGATHER, EZ_NEIGHBOR_ALLGATHERV, EZ_NEIGHBOR_ALLTOALL, EZ_NEIGHBOR_ALLTOALLV, EZ_NEIGHBOR_ALLTOALLW,
    EZ_OPERATIONS,
    EZ_BEGUN = 256,  /* added to a collective call that is waited for by a request */
    EZ_PLANNED = 512 /* or that a persistent request starts */
};

/* V: of the first buffer, then of the second one. `peer` is a rank, a root or an operation of MPI; `tag` also a request
 * or a message. A window takes the place of the communicator. Lists of counts, displacements and types are integers. `channel` stands for all that is under way. */
#define EZ_MPI_CALL(V, R, W, I)                                                                                   \
    V(int64_t, operation) V(int64_t, comm) V(int64_t, count) V(int64_t, type) V(int64_t, peer) V(int64_t, tag)    \
        V(int64_t, count2) V(int64_t, type2) V(int64_t, peer2) V(int64_t, tag2) R(in) W(out) I(counts) I(places)  \
            I(types) I(counts2) I(places2) I(types2) W(channel)

/* of the last call in this thread: its error, the request that it began */
int64_t __ez_inactive_mpi_error(void);
int64_t __ez_inactive_mpi_begun(void);
/* the message that the last probe has found; the position behind what was packed or unpacked */
int64_t __ez_inactive_mpi_found(void);
int __ez_inactive_mpi_position(void);
/* Statuses and requests of C's lists, or of Fortran's. Stores the status of the last call. */
void __ez_inactive_mpi_status(void *statuses, int64_t index, int is_fortran);
int64_t __ez_inactive_mpi_request(const void *requests, int64_t index, int is_fortran);
void __ez_inactive_mpi_set_request(void *requests, int64_t index, int64_t request, int is_fortran);
int64_t __ez_inactive_mpi_message(const void *message, int is_fortran);
void __ez_inactive_mpi_set_message(void *message, int64_t found, int is_fortran);
int __ez_inactive_mpi_is_there(int peer, int tag, int64_t comm);
int __ez_inactive_mpi_cancel(const void *request, int is_fortran);
/* handles of Fortran */
int64_t __ez_inactive_mpi_comm(int handle);
int64_t __ez_inactive_mpi_type(int handle);
int64_t __ez_inactive_mpi_op(int handle);
int64_t __ez_inactive_mpi_info(int handle);
int64_t __ez_inactive_mpi_group(int handle);
/* The program's function of an operation, or null, and the type that it is told. */
void *__ez_inactive_mpi_function(int64_t op);
void *__ez_inactive_mpi_told_type(int64_t op, int64_t type);
int64_t __ez_inactive_mpi_extent(int64_t type);
int64_t __ez_inactive_mpi_self(void);
int __ez_inactive_mpi_size(int64_t comm);
int __ez_inactive_mpi_rank(int64_t comm);
int64_t __ez_inactive_mpi_address(const void *place);
int __ez_inactive_mpi_is_in_place(const void *buffer);
/* Windows: that which was made last, also stored as a handle; what the program's calls make */
void __ez_inactive_mpi_win_create(void *base, int64_t size, int unit, int64_t info, int64_t comm);
void __ez_inactive_mpi_win_allocate(int64_t size, int unit, int64_t info, int64_t comm);
void __ez_inactive_mpi_win_allocate_shared(int64_t size, int unit, int64_t info, int64_t comm);
void __ez_inactive_mpi_win_shared_query(int64_t window, int peer, int64_t *size, int *unit);
int64_t __ez_inactive_mpi_made_window(void);
int64_t __ez_inactive_mpi_win(const void *window, int is_fortran);
void __ez_inactive_mpi_set_win(void *window, int64_t handle, int is_fortran);
int64_t __ez_inactive_mpi_replace(void);
int64_t __ez_inactive_mpi_no_op(void);
/* The list of types of a call: that of the first buffer, or of the second one. */
const int *__ez_inactive_mpi_types(const int *handles, int comm, int is_second);
/* Ends the program if an array has gaps. */
void __ez_inactive_mpi_described(const void *array);
/* Which of several requests is complete (negative: none), and whether all are. */
int __ez_inactive_mpi_any(int64_t count, const void *requests, int is_fortran, int waits);
int __ez_inactive_mpi_all(int64_t count, const void *requests, int is_fortran);
/* Stores which of several requests are complete, and returns how many. */
int __ez_inactive_mpi_some(int *indices, int64_t count, const void *requests, int is_fortran, int waits);
/* whether `any` found that a request is complete, or that none is active */
int __ez_inactive_mpi_flag(void);
/* the index that MPI gives for no request */
int __ez_inactive_mpi_undefined(void);
#endif
