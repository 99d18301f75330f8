/* One-sided calls as Fortran makes them: those that synchronise. */
#define SYNCHRONISED(OPERATION, ...)                                                                              \
    RETURN(ez_synchronised(EZ_##OPERATION, (struct ez_message){__ez_inactive_mpi_win(window, 1), __VA_ARGS__}))

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
