/* The calls of MPI without buffers as Fortran makes them. */
#define COMM __ez_inactive_mpi_comm(*comm)

MPI(wait)(int *request, int *status, int *error) { RETURN(ez_waited(request, 0, status, 0, 1)); }
MPI(waitall)(const int *count, int *requests, int *statuses, int *error) {
    RETURN(ez_waited_for_all(*count, requests, statuses, 1));
}
MPI(waitany)(const int *count, int *requests, int *index, int *status, int *error) {
    RETURN(ez_waited_for_any(*count, requests, index, status, 1, 1));
}
MPI(test)(int *request, int *flag, int *status, int *error) {
    *flag = __ez_inactive_mpi_all(1, request, 1);
    RETURN(*flag ? ez_waited(request, 0, status, 0, 1) : 0);
}
MPI(testall)(const int *count, int *requests, int *flag, int *statuses, int *error) {
    *flag = __ez_inactive_mpi_all(*count, requests, 1);
    RETURN(*flag ? ez_waited_for_all(*count, requests, statuses, 1) : 0);
}
MPI(waitsome)(const int *count, int *requests, int *found, int *indices, int *statuses, int *error) {
    RETURN(ez_waited_for_some(*count, requests, found, indices, statuses, 1, 1));
}
MPI(testsome)(const int *count, int *requests, int *found, int *indices, int *statuses, int *error) {
    RETURN(ez_waited_for_some(*count, requests, found, indices, statuses, 1, 0));
}
MPI(testany)(const int *count, int *requests, int *index, int *flag, int *status, int *error) {
    RETURN(ez_waited_for_any(*count, requests, index, status, 1, 0));
    *flag = __ez_inactive_mpi_flag();
}
MPI(start)(int *request, int *error) { RETURN(ez_started(request, 0, 1)); }
MPI(startall)(const int *count, int *requests, int *error) {
    int failed = 0;
    for (int i = 0; i < *count; i++)
        failed = ez_started(requests, i, 1);
    RETURN(failed);
}
MPI(request_free)(int *request, int *error) { RETURN(ez_freed(request, 1)); }
MPI(cancel)(int *request, int *error) { RETURN(__ez_inactive_mpi_cancel(request, 1)); }
MPI(mprobe)(const int *peer, const int *tag, const int *comm, int *message, int *status, int *error) {
    RETURN(ez_found((struct ez_message){COMM, .peer = *peer, .tag = *tag}, message, status, 1));
}
MPI(improbe)(const int *peer, const int *tag, const int *comm, int *flag, int *message, int *status, int *error) {
    *flag = __ez_inactive_mpi_is_there(*peer, *tag, COMM);
    RETURN(*flag ? ez_found((struct ez_message){COMM, .peer = *peer, .tag = *tag}, message, status, 1) : 0);
}
MPI(barrier)(const int *comm, int *error) { RETURN(CALL(BARRIER, COMM)); }
MPI(ibarrier)(const int *comm, int *request, int *error) {
    RETURN(ez_began(EZ_BEGUN + EZ_BARRIER, (struct ez_message){COMM}, request, 1));
}
MPI(barrier_init)(const int *comm, const int *info, int *request, int *error) {
    RETURN(ez_began(EZ_PLANNED + EZ_BARRIER, (struct ez_message){COMM}, request, 1));
}
#undef COMM
