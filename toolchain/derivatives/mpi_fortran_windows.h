/* One-sided calls as Fortran makes them: those with buffers. */
#define WIN __ez_inactive_mpi_win(window, 1)
#define TYPE(NAME) __ez_inactive_mpi_type(*NAME)
#define ORIGIN(BUFFER) BUFFER, const int *count, const int *type
#define TARGET const int *peer, const int64_t *place, const int *count2, const int *type2
#define MOVED WIN, *count, TYPE(type), *peer
#define REST *count2, TYPE(type2), 0, *place

MPI(win_create)(void *base, const int64_t *size, const int *unit, const int *info, const int *comm, int *window, int *error) {
    RETURN(ez_window_made(AT(base), *size, *unit, __ez_inactive_mpi_info(*info), __ez_inactive_mpi_comm(*comm), window, 1));
}
MPI(put)(ORIGIN(const void *in), TARGET, const int *window, int *error) {
    RETURN(CALL(PUT, MOVED, __ez_inactive_mpi_replace(), REST, .in = AT(in)));
}
MPI(get)(ORIGIN(void *out), TARGET, const int *window, int *error) {
    RETURN(CALL(GET, MOVED, __ez_inactive_mpi_no_op(), REST, .out = AT(out)));
}
MPI(accumulate)(ORIGIN(const void *in), TARGET, const int *op, const int *window, int *error) {
    RETURN(CALL(ACCUMULATE, MOVED, __ez_inactive_mpi_op(*op), REST, .in = AT(in)));
}
MPI(fetch_and_op)(const void *in, void *out, const int *type, const int *peer, const int64_t *place, const int *op,
                  const int *window, int *error) {
    RETURN(CALL(FETCH_AND_OP, WIN, 1, TYPE(type), *peer, __ez_inactive_mpi_op(*op), 1, TYPE(type), 0, *place,
                .in = AT(in), .out = AT(out)));
}
MPI(get_accumulate)(const void *in, const int *ignored, const int *also_ignored, ORIGIN(void *out), TARGET, const int *op,
                    const int *window, int *error) {
    RETURN(CALL(GET_ACCUMULATE, MOVED, __ez_inactive_mpi_op(*op), REST, .in = AT(in), .out = AT(out)));
}
#undef WIN
#undef TYPE
#undef ORIGIN
#undef TARGET
#undef MOVED
#undef REST
