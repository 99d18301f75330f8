/* The calls by which plain code begins and ends requests (plain_table.h): the linker sends them here. */

#define WRAPPED(NAME, PARAMETERS)                                                                                 \
    int __real_MPI_##NAME PARAMETERS;                                                                             \
    OWN_CALLS int __wrap_MPI_##NAME PARAMETERS
#define PLANNED_IN_C(NAME)                                                                                        \
    WRAPPED(NAME, (const void *in, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request)) { \
        int error = __real_MPI_##NAME(in, count, type, peer, tag, comm, request);                                 \
        note_plain(*request, channel_of(comm), peer, 1, 1);                                                                   \
        return error;                                                                                             \
    }
PLANNED_IN_C(Send_init)
PLANNED_IN_C(Ssend_init)
PLANNED_IN_C(Bsend_init)
PLANNED_IN_C(Rsend_init)
WRAPPED(Recv_init, (void *out, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request)) {
    int error = __real_MPI_Recv_init(out, count, type, peer, tag, comm, request);
    note_plain(*request, channel_of(comm), peer, 0, 1);
    return error;
}
WRAPPED(Irecv, (void *out, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request)) {
    int error = __real_MPI_Irecv(out, count, type, peer, tag, comm, request);
    note_plain(*request, channel_of(comm), peer, 0, 0);
    return error;
}
WRAPPED(Request_free, (MPI_Request *request)) {
    forget_plain(*request);
    return __real_MPI_Request_free(request);
}
WRAPPED(Start, (MPI_Request * request)) {
    start_plain(*request);
    return __real_MPI_Start(request);
}
WRAPPED(Startall, (int count, MPI_Request *requests)) {
    for (int i = 0; i < count; i++)
        start_plain(requests[i]);
    return __real_MPI_Startall(count, requests);
}

WRAPPED(Wait, (MPI_Request * request, MPI_Status *status)) {
    struct plain_request *r = plain_of(*request);
    MPI_Status own;
    status = own_status(status, &own);
    int error = __real_MPI_Wait(request, status);
    end_plain(r, status);
    return error;
}
WRAPPED(Test, (MPI_Request * request, int *flag, MPI_Status *status)) {
    struct plain_request *r = plain_of(*request);
    MPI_Status own;
    status = own_status(status, &own);
    int error = __real_MPI_Test(request, flag, status);
    if (*flag)
        end_plain(r, status);
    return error;
}

static MPI_Status *own_statuses(int count, MPI_Status *given) {
    return given == MPI_STATUSES_IGNORE ? allocated(count * sizeof *given) : given;
}
/* `indices` null: all have ended */
static void end_several(struct plain_request **known, int ended, const int *indices, MPI_Status *statuses,
                        const MPI_Status *given) {
    for (int i = 0; i < ended; i++)
        end_plain(known[indices ? indices[i] : i], statuses + i);
    free(known);
    if (statuses != given)
        free(statuses);
}
WRAPPED(Waitall, (int count, MPI_Request *requests, MPI_Status *given)) {
    struct plain_request **known = plain_among(count, requests);
    if (!known)
        return __real_MPI_Waitall(count, requests, given);
    MPI_Status *statuses = own_statuses(count, given);
    int error = __real_MPI_Waitall(count, requests, statuses);
    end_several(known, count, NULL, statuses, given);
    return error;
}
WRAPPED(Testall, (int count, MPI_Request *requests, int *flag, MPI_Status *given)) {
    struct plain_request **known = plain_among(count, requests);
    if (!known)
        return __real_MPI_Testall(count, requests, flag, given);
    MPI_Status *statuses = own_statuses(count, given);
    int error = __real_MPI_Testall(count, requests, flag, statuses);
    end_several(known, *flag ? count : 0, NULL, statuses, given);
    return error;
}
WRAPPED(Waitany, (int count, MPI_Request *requests, int *index, MPI_Status *status)) {
    struct plain_request **known = plain_among(count, requests);
    MPI_Status own;
    status = own_status(status, &own);
    int error = __real_MPI_Waitany(count, requests, index, status);
    if (known && *index != MPI_UNDEFINED)
        end_plain(known[*index], status);
    free(known);
    return error;
}
WRAPPED(Testany, (int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status)) {
    struct plain_request **known = plain_among(count, requests);
    MPI_Status own;
    status = own_status(status, &own);
    int error = __real_MPI_Testany(count, requests, index, flag, status);
    if (known && *flag && *index != MPI_UNDEFINED)
        end_plain(known[*index], status);
    free(known);
    return error;
}
#define SOME(NAME)                                                                                                \
    WRAPPED(NAME, (int count, MPI_Request *requests, int *ended, int *indices, MPI_Status *given)) {              \
        struct plain_request **known = plain_among(count, requests);                                              \
        if (!known)                                                                                               \
            return __real_MPI_##NAME(count, requests, ended, indices, given);                                     \
        MPI_Status *statuses = own_statuses(count, given);                                                        \
        int error = __real_MPI_##NAME(count, requests, ended, indices, statuses);                                 \
        end_several(known, *ended, indices, statuses, given);                                                     \
        return error;                                                                                             \
    }
SOME(Waitsome)
SOME(Testsome)
#undef SOME
#undef PLANNED_IN_C

/* -- Fortran's calls. Requests are known by C's handles. */

#define WRAPPED_NAME(NAME, PARAMETERS)                                                                            \
    void __real_mpi_##NAME PARAMETERS;                                                                            \
    OWN_CALLS void __wrap_mpi_##NAME PARAMETERS
#define BEGUN_BY_NAME(NAME, IS_SEND, IS_PERSISTENT)                                                               \
    WRAPPED_NAME(NAME, (void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag, MPI_Fint *comm, \
                        MPI_Fint *request, MPI_Fint *error)) {                                                    \
        __real_mpi_##NAME(buffer, count, type, peer, tag, comm, request, error);                                  \
        note_plain(MPI_Request_f2c(*request), channel_of(MPI_Comm_f2c(*comm)), *peer, IS_SEND, IS_PERSISTENT);                \
    }
#define BEGUN_IN(ENDING)                                                                                          \
    BEGUN_BY_NAME(irecv##ENDING, 0, 0)                                                                            \
    BEGUN_BY_NAME(recv_init##ENDING, 0, 1)                                                                        \
    BEGUN_BY_NAME(send_init##ENDING, 1, 1)                                                                        \
    BEGUN_BY_NAME(ssend_init##ENDING, 1, 1)                                                                       \
    BEGUN_BY_NAME(bsend_init##ENDING, 1, 1)                                                                       \
    BEGUN_BY_NAME(rsend_init##ENDING, 1, 1)
BEGUN_IN(_)
BEGUN_IN(_f08_)
BEGUN_IN(_f08ts_)

/* What is known of Fortran's requests before a call ends some of them; null: nothing. And the statuses that it gets. */
struct fortran_ends {
    struct plain_request **known;
    MPI_Fint *statuses, *own;
};
enum { STATUS = sizeof(MPI_Status) / sizeof(MPI_Fint) };

static struct fortran_ends before_ends(int count, const MPI_Fint *requests, MPI_Fint *statuses) {
    MPI_Request *of_c = allocated(count * sizeof *of_c);
    for (int i = 0; i < count; i++)
        of_c[i] = MPI_Request_f2c(requests[i]);
    struct fortran_ends e = {plain_among(count, of_c), statuses, NULL};
    if (e.known && is_ignored(statuses))
        e.statuses = e.own = allocated(count * STATUS * sizeof *e.own);
    free(of_c);
    return e;
}
static void end_at(const struct fortran_ends *e, int index, int place) {
    MPI_Status of_c;
    MPI_Status_f2c(e->statuses + place * STATUS, &of_c);
    end_plain(e->known[index], &of_c);
}
/* `indices` null: all have ended; they count from 1 */
static void after_ends(const struct fortran_ends *e, int ended, const MPI_Fint *indices) {
    for (int i = 0; e->known && i < ended; i++)
        end_at(e, indices ? indices[i] - 1 : i, i);
    free(e->known), free(e->own);
}

#define ENDED_IN(ENDING)                                                                                          \
    WRAPPED_NAME(wait##ENDING, (MPI_Fint * request, MPI_Fint *status, MPI_Fint *error)) {                         \
        struct fortran_ends e = before_ends(1, request, status);                                                  \
        __real_mpi_wait##ENDING(request, e.statuses, error);                                                      \
        after_ends(&e, 1, NULL);                                                                                  \
    }                                                                                                             \
    WRAPPED_NAME(test##ENDING, (MPI_Fint * request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *error)) {         \
        struct fortran_ends e = before_ends(1, request, status);                                                  \
        __real_mpi_test##ENDING(request, flag, e.statuses, error);                                                \
        after_ends(&e, *flag ? 1 : 0, NULL);                                                                      \
    }                                                                                                             \
    WRAPPED_NAME(waitall##ENDING, (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *statuses, MPI_Fint *error)) {  \
        struct fortran_ends e = before_ends(*count, requests, statuses);                                          \
        __real_mpi_waitall##ENDING(count, requests, e.statuses, error);                                           \
        after_ends(&e, *count, NULL);                                                                             \
    }                                                                                                             \
    WRAPPED_NAME(testall##ENDING,                                                                                 \
                 (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *flag, MPI_Fint *statuses, MPI_Fint *error)) {   \
        struct fortran_ends e = before_ends(*count, requests, statuses);                                          \
        __real_mpi_testall##ENDING(count, requests, flag, e.statuses, error);                                     \
        after_ends(&e, *flag ? *count : 0, NULL);                                                                 \
    }                                                                                                             \
    WRAPPED_NAME(waitany##ENDING,                                                                                 \
                 (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *status, MPI_Fint *error)) {    \
        struct fortran_ends e = before_ends(*count, requests, status);                                            \
        __real_mpi_waitany##ENDING(count, requests, index, e.statuses, error);                                    \
        after_ends(&e, *index != MPI_UNDEFINED, index);                                                           \
    }                                                                                                             \
    WRAPPED_NAME(testany##ENDING, (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *flag,         \
                                   MPI_Fint *status, MPI_Fint *error)) {                                          \
        struct fortran_ends e = before_ends(*count, requests, status);                                            \
        __real_mpi_testany##ENDING(count, requests, index, flag, e.statuses, error);                              \
        after_ends(&e, *flag && *index != MPI_UNDEFINED, index);                                                  \
    }                                                                                                             \
    WRAPPED_NAME(waitsome##ENDING, (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *ended, MPI_Fint *indices,     \
                                    MPI_Fint *statuses, MPI_Fint *error)) {                                       \
        struct fortran_ends e = before_ends(*count, requests, statuses);                                          \
        __real_mpi_waitsome##ENDING(count, requests, ended, indices, e.statuses, error);                          \
        after_ends(&e, *ended, indices);                                                                          \
    }                                                                                                             \
    WRAPPED_NAME(testsome##ENDING, (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *ended, MPI_Fint *indices,     \
                                    MPI_Fint *statuses, MPI_Fint *error)) {                                       \
        struct fortran_ends e = before_ends(*count, requests, statuses);                                          \
        __real_mpi_testsome##ENDING(count, requests, ended, indices, e.statuses, error);                          \
        after_ends(&e, *ended, indices);                                                                          \
    }                                                                                                             \
    WRAPPED_NAME(start##ENDING, (MPI_Fint * request, MPI_Fint *error)) {                                          \
        start_plain(MPI_Request_f2c(*request));                                                                   \
        __real_mpi_start##ENDING(request, error);                                                                 \
    }                                                                                                             \
    WRAPPED_NAME(startall##ENDING, (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *error)) {                     \
        for (int i = 0; i < *count; i++)                                                                          \
            start_plain(MPI_Request_f2c(requests[i]));                                                            \
        __real_mpi_startall##ENDING(count, requests, error);                                                      \
    }                                                                                                             \
    WRAPPED_NAME(request_free##ENDING, (MPI_Fint * request, MPI_Fint *error)) {                                   \
        forget_plain(MPI_Request_f2c(*request));                                                                  \
        __real_mpi_request_free##ENDING(request, error);                                                          \
    }
ENDED_IN(_)
ENDED_IN(_f08_)
