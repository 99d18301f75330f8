/* One-sided calls as Fortran makes them: those that synchronise, and those that make memory. */
#define SYNCHRONISED(OPERATION, ...)                                                                              \
    RETURN(ez_synchronised(EZ_##OPERATION, (struct ez_message){__ez_inactive_mpi_win(window, 1), __VA_ARGS__}))

#define GROUP .tag = __ez_inactive_mpi_group(*group), .tag2 = *hints
#define MADE const int64_t *size, const int *unit, const int *info, const int *comm, void **base, int *window, int *error
#define MADE_OF *size, *unit, __ez_inactive_mpi_info(*info), __ez_inactive_mpi_comm(*comm), base, window, 1
#define PART const int *window, const int *peer, int64_t *size, int *unit, void **base, int *error

MPI(win_allocate)(MADE) { RETURN(ez_window_allocated(MADE_OF)); }
MPI(win_allocate_cptr)(MADE) { RETURN(ez_window_allocated(MADE_OF)); }
MPI(win_allocate_shared)(MADE) { RETURN(ez_window_shared(MADE_OF)); }
MPI(win_allocate_shared_cptr)(MADE) { RETURN(ez_window_shared(MADE_OF)); }
MPI(win_shared_query)(PART) { RETURN(ez_asked_for_part(__ez_inactive_mpi_win(window, 1), *peer, size, unit, base)); }
MPI(win_shared_query_cptr)(PART) { RETURN(ez_asked_for_part(__ez_inactive_mpi_win(window, 1), *peer, size, unit, base)); }
MPI(win_post)(const int *group, const int *hints, const int *window, int *error) { SYNCHRONISED(WIN_POST, GROUP); }
MPI(win_start)(const int *group, const int *hints, const int *window, int *error) { SYNCHRONISED(WIN_START, GROUP); }
MPI(win_complete)(const int *window, int *error) { SYNCHRONISED(WIN_COMPLETE, .count = 0); }
MPI(win_wait)(const int *window, int *error) { SYNCHRONISED(WIN_WAIT, .count = 0); }
MPI(win_free)(int *window, int *error) { RETURN(ez_freed_window(window, 1)); }
MPI(win_fence)(const int *hints, const int *window, int *error) { SYNCHRONISED(FENCE, .tag2 = *hints); }
MPI(win_lock)(const int *kind, const int *peer, const int *hints, const int *window, int *error) {
    SYNCHRONISED(LOCK, .peer = *peer, .tag = *kind, .tag2 = *hints);
}
MPI(win_unlock)(const int *peer, const int *window, int *error) { SYNCHRONISED(UNLOCK, .peer = *peer); }
MPI(win_lock_all)(const int *hints, const int *window, int *error) { SYNCHRONISED(LOCK_ALL, .tag2 = *hints); }
MPI(win_unlock_all)(const int *window, int *error) { SYNCHRONISED(UNLOCK_ALL, .count = 0); }
MPI(win_flush)(const int *peer, const int *window, int *error) { SYNCHRONISED(FLUSH, .peer = *peer); }
MPI(win_flush_all)(const int *window, int *error) { SYNCHRONISED(FLUSH_ALL, .count = 0); }
MPI(win_sync)(const int *window, int *error) { SYNCHRONISED(WIN_SYNC, .count = 0); }
#undef SYNCHRONISED
#undef GROUP
#undef MADE
#undef MADE_OF
#undef PART
