/* Collective calls that some ranks make in code that is not differentiated.
 *
 * The derivative of a collective call is one, too, so it needs all ranks. Each communicator that the program made has a
 * number, and each of its collective calls has one. A rank notes its last calls, each with whether it has a derivative,
 * where others can read it (ends.h). Who has waited for the others' derivatives for a second looks there. */

/* Called by all ranks of a new communicator. */
static void name_channel(struct channel *c) {
    static int64_t made;
    c->id = ((int64_t)rank_of(MPI_COMM_WORLD) + 1) << 32 | ++made;
    MPI_Bcast(&c->id, 1, MPI_INT64_T, 0, c->is_inter ? c->joined : c->comm);
}

static int has_differentiated; /* some call had a derivative */

static int64_t logged(const struct channel *c, int64_t index, int is_differentiated) {
    uint64_t key = ((uint64_t)c->id * 0x9e3779b97f4a7c15u + (uint64_t)index) * 0xd6e8feb86659fd93u;
    return (int64_t)((key ^ key >> 32) << 1 | (uint64_t)is_differentiated);
}
static int64_t place_in_log(const struct channel *c, int64_t index) { return (index + c->id * 37) & (LOGGED - 1); }

/* Return the number of a call. */
static int64_t counted_call(struct channel *c) { return __atomic_fetch_add(&c->calls, 1, __ATOMIC_RELAXED); }
static int64_t log_call(struct channel *c, int is_differentiated) {
    int64_t index = counted_call(c);
    has_differentiated |= is_differentiated;
    if (ends.log && c->id)
        __atomic_store_n(ends.log + place_in_log(c, index), logged(c, index, is_differentiated), __ATOMIC_RELAXED);
    return index;
}

static __attribute__((noreturn, cold)) void refuse_call(int own, int other) {
    char text[256];
    snprintf(text, sizeof text, "differentiated code of rank %d made a collective call that code of rank %d made which is "
             "not differentiated: its derivative needs all ranks", own, other);
    refuse("a collective call of differentiated code was made by plain code on another rank [EZ0305]", text);
}

/* Ends the program if another rank made a call in plain code. */
static void check_other_ranks(struct channel *c, int64_t index) {
    int size = count_of_others(c), own = rank_of(MPI_COMM_WORLD);
    int64_t found;
    for (int i = 0; i < size && c->id; i++) {
        int other = world_rank(c, i);
        if (other != own && read_shown(other, 2 * ends.size + place_in_log(c, index), &found) &&
            found == logged(c, index, 0))
            refuse_call(own, other);
    }
}

/* Waits for derivatives of a collective call. */
static void await_exchange(struct channel *c, int64_t index, int count, MPI_Request *requests) {
    int is_done = 0;
    for (double start = seconds(); !is_done;) {
        for (int k = 0; k < 1000 && !is_done; k++)
            MPI_Testall(count, requests, &is_done, MPI_STATUSES_IGNORE);
        if (!is_done && seconds() - start > 1) {
            check_other_ranks(c, index);
            start = seconds();
        }
        if (!is_done)
            sched_yield();
    }
}

/* At the end, of few ranks: whether the last calls with derivatives were such on all ranks. */
enum { COMPARED = 64 };
static void check_all_calls(MPI_Comm world) {
    int own = rank_of(MPI_COMM_WORLD), any = has_differentiated;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, world);
    if (!any || !ends.shown || ends.size > COMPARED)
        return;
    int64_t *all = allocated((size_t)ends.size * LOGGED * sizeof *all);
    MPI_Allgather(ends.log, LOGGED, MPI_INT64_T, all, LOGGED, MPI_INT64_T, world);
    for (int k = 0; k < ends.size * LOGGED; k++) {
        int64_t here = ends.log[k % LOGGED];
        if (here & 1 && all[k] == (here ^ 1))
            refuse_call(own, k / LOGGED);
    }
    free(all);
}
