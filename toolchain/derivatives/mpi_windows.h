/* One-sided calls. What synchronises a window may change the memory that it shows. */
static ALWAYS_INLINE int ez_made_window(void *window, int is_fortran) {
    int64_t handle = __ez_inactive_mpi_made_window();
    __ez_inactive_mpi_set_win(window, handle, is_fortran);
    return CALL(WIN_CREATE, handle);
}
static ALWAYS_INLINE int ez_window_made(void *base, int64_t size, int unit, int64_t info, int64_t comm, void *window,
                                        int is_fortran) {
    __ez_inactive_mpi_win_create(base, size, unit, info, comm);
    NATIVE(shown)(0, __ez_inactive_mpi_made_window(), base);
    return ez_made_window(window, is_fortran);
}
static ALWAYS_INLINE int ez_window_allocated(int64_t size, int unit, int64_t info, int64_t comm, void **base, void *window,
                                             int is_fortran) {
    __ez_inactive_mpi_win_allocate(size, unit, info, comm);
    *base = NATIVE(window_memory)(0, __ez_inactive_mpi_made_window());
    return ez_made_window(window, is_fortran);
}
static ALWAYS_INLINE int ez_window_shared(int64_t size, int unit, int64_t info, int64_t comm, void **base, void *window,
                                          int is_fortran) {
    __ez_inactive_mpi_win_allocate_shared(size, unit, info, comm);
    *base = NATIVE(shared_memory)(0, __ez_inactive_mpi_made_window(), __ez_inactive_mpi_rank(comm));
    return ez_made_window(window, is_fortran);
}
static ALWAYS_INLINE int ez_asked_for_part(int64_t window, int peer, int64_t *size, int *unit, void **base) {
    __ez_inactive_mpi_win_shared_query(window, peer, size, unit);
    *base = NATIVE(shared_memory)(0, window, peer);
    return __ez_inactive_mpi_error();
}
static ALWAYS_INLINE int ez_synchronised(int64_t operation, struct ez_message m) {
    m.out = NATIVE(window_memory)(0, m.comm);
    m.in = m.out;
    return ez_called(operation, m);
}
static ALWAYS_INLINE int ez_freed_window(void *window, int is_fortran) {
    int error = ez_synchronised(EZ_WIN_FREE, (struct ez_message){__ez_inactive_mpi_win(window, is_fortran)});
    __ez_inactive_mpi_set_win(window, 0, is_fortran);
    return error;
}

#define MPI(NAME) INLINED int STAND_IN(MPI_##NAME)
#define SYNCHRONISED(OPERATION, ...) ez_synchronised(EZ_##OPERATION, (struct ez_message){__VA_ARGS__})
#define ORIGIN(BUFFER) BUFFER, int count, int64_t type
#define TARGET int peer, int64_t place, int count2, int64_t type2

MPI(Win_create)(void *base, int64_t size, int unit, int64_t info, int64_t comm, void *window) {
    return ez_window_made(base, size, unit, info, comm, window, 0);
}
MPI(Win_allocate)(int64_t size, int unit, int64_t info, int64_t comm, void **base, void *window) {
    return ez_window_allocated(size, unit, info, comm, base, window, 0);
}
MPI(Win_allocate_shared)(int64_t size, int unit, int64_t info, int64_t comm, void **base, void *window) {
    return ez_window_shared(size, unit, info, comm, base, window, 0);
}
MPI(Win_shared_query)(int64_t window, int peer, int64_t *size, int *unit, void **base) {
    return ez_asked_for_part(window, peer, size, unit, base);
}
MPI(Win_free)(void *window) { return ez_freed_window(window, 0); }
MPI(Put)(ORIGIN(const void *in), TARGET, int64_t window) {
    return CALL(PUT, window, count, type, peer, __ez_inactive_mpi_replace(), count2, type2, 0, place, .in = in);
}
MPI(Get)(ORIGIN(void *out), TARGET, int64_t window) {
    return CALL(GET, window, count, type, peer, __ez_inactive_mpi_no_op(), count2, type2, 0, place, .out = out);
}
MPI(Accumulate)(ORIGIN(const void *in), TARGET, int64_t op, int64_t window) {
    return CALL(ACCUMULATE, window, count, type, peer, op, count2, type2, 0, place, .in = in);
}
MPI(Get_accumulate)(const void *in, int ignored, int64_t also_ignored, ORIGIN(void *out), TARGET, int64_t op,
                    int64_t window) {
    return CALL(GET_ACCUMULATE, window, count, type, peer, op, count2, type2, 0, place, .in = in, .out = out);
}
MPI(Fetch_and_op)(const void *in, void *out, int64_t type, int peer, int64_t place, int64_t op, int64_t window) {
    return CALL(FETCH_AND_OP, window, 1, type, peer, op, 1, type, 0, place, .in = in, .out = out);
}
MPI(Win_fence)(int hints, int64_t window) { return SYNCHRONISED(FENCE, window, .tag2 = hints); }
MPI(Win_lock)(int kind, int peer, int hints, int64_t window) {
    return SYNCHRONISED(LOCK, window, .peer = peer, .tag = kind, .tag2 = hints);
}
MPI(Win_unlock)(int peer, int64_t window) { return SYNCHRONISED(UNLOCK, window, .peer = peer); }
MPI(Win_lock_all)(int hints, int64_t window) { return SYNCHRONISED(LOCK_ALL, window, .tag2 = hints); }
MPI(Win_unlock_all)(int64_t window) { return SYNCHRONISED(UNLOCK_ALL, window); }
MPI(Win_flush)(int peer, int64_t window) { return SYNCHRONISED(FLUSH, window, .peer = peer); }
MPI(Win_flush_local)(int peer, int64_t window) { return SYNCHRONISED(FLUSH, window, .peer = peer); }
MPI(Win_flush_all)(int64_t window) { return SYNCHRONISED(FLUSH_ALL, window); }
MPI(Win_flush_local_all)(int64_t window) { return SYNCHRONISED(FLUSH_ALL, window); }
MPI(Win_sync)(int64_t window) { return SYNCHRONISED(WIN_SYNC, window); }
MPI(Win_post)(int64_t group, int hints, int64_t window) { return SYNCHRONISED(WIN_POST, window, .tag = group, .tag2 = hints); }
MPI(Win_start)(int64_t group, int hints, int64_t window) {
    return SYNCHRONISED(WIN_START, window, .tag = group, .tag2 = hints);
}
MPI(Win_complete)(int64_t window) { return SYNCHRONISED(WIN_COMPLETE, window); }
MPI(Win_wait)(int64_t window) { return SYNCHRONISED(WIN_WAIT, window); }
#undef MPI
#undef SYNCHRONISED
#undef ORIGIN
#undef TARGET
