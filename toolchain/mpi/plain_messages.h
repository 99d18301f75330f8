/* Messages of code that is not differentiated are counted (ends.h): the linker sends the program's calls here. */

#define SENT_IN_C(NAME, MORE, ...)                                                                                \
    int __real_MPI_##NAME(const void *in, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm MORE);   \
    OWN_CALLS int __wrap_MPI_##NAME(const void *in, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm MORE) { \
        count_plain_sent(peer, comm);                                                                             \
        return __real_MPI_##NAME(in, count, type, peer, tag, comm __VA_ARGS__);                                   \
    }
#define AND_REQUEST , MPI_Request *request
SENT_IN_C(Send, )
SENT_IN_C(Ssend, )
SENT_IN_C(Bsend, )
SENT_IN_C(Rsend, )
SENT_IN_C(Isend, AND_REQUEST, , request)
SENT_IN_C(Issend, AND_REQUEST, , request)
SENT_IN_C(Ibsend, AND_REQUEST, , request)
SENT_IN_C(Irsend, AND_REQUEST, , request)

static MPI_Status *own_status(MPI_Status *given, MPI_Status *own) { return given == MPI_STATUS_IGNORE ? own : given; }

int __real_MPI_Recv(void *out, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status *status);
OWN_CALLS int __wrap_MPI_Recv(void *out, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                              MPI_Status *status) {
    MPI_Status own;
    status = own_status(status, &own);
    int error = __real_MPI_Recv(out, count, type, peer, tag, comm, status);
    count_plain_received(status->MPI_SOURCE, comm);
    return error;
}
int __real_MPI_Sendrecv(const void *in, int count, MPI_Datatype type, int peer, int tag, void *out, int count2,
                        MPI_Datatype type2, int peer2, int tag2, MPI_Comm comm, MPI_Status *status);
OWN_CALLS int __wrap_MPI_Sendrecv(const void *in, int count, MPI_Datatype type, int peer, int tag, void *out, int count2,
                                  MPI_Datatype type2, int peer2, int tag2, MPI_Comm comm, MPI_Status *status) {
    MPI_Status own;
    status = own_status(status, &own);
    count_plain_sent(peer, comm);
    int error = __real_MPI_Sendrecv(in, count, type, peer, tag, out, count2, type2, peer2, tag2, comm, status);
    count_plain_received(status->MPI_SOURCE, comm);
    return error;
}
int __real_MPI_Sendrecv_replace(void *out, int count, MPI_Datatype type, int peer, int tag, int peer2, int tag2,
                                MPI_Comm comm, MPI_Status *status);
OWN_CALLS int __wrap_MPI_Sendrecv_replace(void *out, int count, MPI_Datatype type, int peer, int tag, int peer2, int tag2,
                                          MPI_Comm comm, MPI_Status *status) {
    MPI_Status own;
    status = own_status(status, &own);
    count_plain_sent(peer, comm);
    int error = __real_MPI_Sendrecv_replace(out, count, type, peer, tag, peer2, tag2, comm, status);
    count_plain_received(status->MPI_SOURCE, comm);
    return error;
}

/* -- Fortran's calls, in each way to name them */

#define SENT_BY_NAME(NAME, MORE, ...)                                                                             \
    void __real_mpi_##NAME(const void *in, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag,        \
                           MPI_Fint *comm MORE, MPI_Fint *error);                                                 \
    OWN_CALLS void __wrap_mpi_##NAME(const void *in, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag, \
                                     MPI_Fint *comm MORE, MPI_Fint *error) {                                      \
        count_plain_sent(*peer, MPI_Comm_f2c(*comm));                                                             \
        __real_mpi_##NAME(in, count, type, peer, tag, comm __VA_ARGS__, error);                                   \
    }
#define AND_ITS_REQUEST , MPI_Fint *request
/* The status of a call of Fortran: its own, or another one if it is ignored. */
struct fortran_status {
    MPI_Fint own[sizeof(MPI_Status) / sizeof(MPI_Fint)], *used;
};
static MPI_Fint *used_status(struct fortran_status *s, MPI_Fint *given) {
    return s->used = is_ignored(given) ? s->own : given;
}
static void count_status(const struct fortran_status *s, const MPI_Fint *comm) {
    MPI_Status of_c;
    MPI_Status_f2c(s->used, &of_c);
    count_plain_received(of_c.MPI_SOURCE, MPI_Comm_f2c(*comm));
}
#define RECEIVED_BY_NAME(NAME)                                                                                    \
    void __real_mpi_##NAME(void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag,             \
                           MPI_Fint *comm, MPI_Fint *status, MPI_Fint *error);                                    \
    OWN_CALLS void __wrap_mpi_##NAME(void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag,   \
                                     MPI_Fint *comm, MPI_Fint *status, MPI_Fint *error) {                         \
        struct fortran_status s;                                                                                  \
        __real_mpi_##NAME(out, count, type, peer, tag, comm, used_status(&s, status), error);                     \
        count_status(&s, comm);                                                                                   \
    }
#define SENT_AND_RECEIVED_BY_NAME(NAME)                                                                           \
    void __real_mpi_##NAME(void *in, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag, void *out,   \
                           MPI_Fint *count2, MPI_Fint *type2, MPI_Fint *peer2, MPI_Fint *tag2, MPI_Fint *comm,    \
                           MPI_Fint *status, MPI_Fint *error);                                                    \
    OWN_CALLS void __wrap_mpi_##NAME(void *in, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag,    \
                                     void *out, MPI_Fint *count2, MPI_Fint *type2, MPI_Fint *peer2,               \
                                     MPI_Fint *tag2, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *error) {         \
        struct fortran_status s;                                                                                  \
        count_plain_sent(*peer, MPI_Comm_f2c(*comm));                                                             \
        __real_mpi_##NAME(in, count, type, peer, tag, out, count2, type2, peer2, tag2, comm,                      \
                          used_status(&s, status), error);                                                        \
        count_status(&s, comm);                                                                                   \
    }
#define REPLACED_BY_NAME(NAME)                                                                                    \
    void __real_mpi_##NAME(void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag,             \
                           MPI_Fint *peer2, MPI_Fint *tag2, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *error);   \
    OWN_CALLS void __wrap_mpi_##NAME(void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *peer, MPI_Fint *tag,   \
                                     MPI_Fint *peer2, MPI_Fint *tag2, MPI_Fint *comm, MPI_Fint *status,           \
                                     MPI_Fint *error) {                                                           \
        struct fortran_status s;                                                                                  \
        count_plain_sent(*peer, MPI_Comm_f2c(*comm));                                                             \
        __real_mpi_##NAME(out, count, type, peer, tag, peer2, tag2, comm, used_status(&s, status), error);        \
        count_status(&s, comm);                                                                                   \
    }
#define WITH_BUFFERS_IN_FORTRAN(ENDING)                                                                           \
    SENT_BY_NAME(send##ENDING, )                                                                                  \
    SENT_BY_NAME(ssend##ENDING, )                                                                                 \
    SENT_BY_NAME(bsend##ENDING, )                                                                                 \
    SENT_BY_NAME(rsend##ENDING, )                                                                                 \
    SENT_BY_NAME(isend##ENDING, AND_ITS_REQUEST, , request)                                                       \
    SENT_BY_NAME(issend##ENDING, AND_ITS_REQUEST, , request)                                                      \
    SENT_BY_NAME(ibsend##ENDING, AND_ITS_REQUEST, , request)                                                      \
    SENT_BY_NAME(irsend##ENDING, AND_ITS_REQUEST, , request)                                                      \
    RECEIVED_BY_NAME(recv##ENDING)                                                                                \
    SENT_AND_RECEIVED_BY_NAME(sendrecv##ENDING)                                                                   \
    REPLACED_BY_NAME(sendrecv_replace##ENDING)                                                                   
WITH_BUFFERS_IN_FORTRAN(_)
WITH_BUFFERS_IN_FORTRAN(_f08_)
WITH_BUFFERS_IN_FORTRAN(_f08ts_)
