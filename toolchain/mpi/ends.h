/* Messages of which one end is in code that is not differentiated.
 *
 * A differentiated send waits for an adjoint, which plain code does not send, and in forward mode a receive waits for a
 * tangent. Each rank counts the messages without derivatives, and those with them, by the rank at the other end: the linker
 * sends the program's own calls to plain_messages.h and plain_requests.h. Who has waited for a second reads the other rank's
 * counts, which lie in a window: so that rank need not answer. Sends are counted before they begin, receives once they are
 * complete: so no message that is under way is taken for one that was received elsewhere. */
#include <sched.h>
#include <time.h>

enum { LOGGED = 1024 }; /* collective calls (logged_calls.h) */

static struct {
    int size;
    int64_t *sent;                              /* without derivatives, by rank of MPI_COMM_WORLD */
    int64_t *got;                               /* with derivatives */
    int64_t *received, *given, *log, *shown;    /* shown: all three, in the window; given: sent with derivatives */
    MPI_Win window;
    int is_there;
} ends;

static void open_counts(void) {
    MPI_Comm comm;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_size(comm, &ends.size);
    size_t size = ends.size * sizeof(int64_t), all = 2 * size + LOGGED * sizeof(int64_t);
    ends.sent = allocated(size), ends.got = allocated(size), ends.shown = allocated(all);
    ends.received = ends.shown, ends.given = ends.shown + ends.size, ends.log = ends.shown + 2 * ends.size;
    ends.is_there = PMPI_Win_create(ends.shown, all, sizeof(int64_t), MPI_INFO_NULL, comm, &ends.window) == MPI_SUCCESS;
    if (ends.is_there)
        MPI_Win_set_errhandler(ends.window, MPI_ERRORS_RETURN);
    MPI_Comm_free(&comm);
}
static void close_counts(void) {
    if (ends.is_there)
        PMPI_Win_free(&ends.window);
    free(ends.sent), free(ends.got), free(ends.shown);
    memset(&ends, 0, sizeof ends);
}

/* The ranks of the other ends in MPI_COMM_WORLD. */
static int *world_ranks(MPI_Comm comm) {
    MPI_Group group, world;
    int is_inter, size;
    MPI_Comm_test_inter(comm, &is_inter);
    is_inter ? MPI_Comm_remote_group(comm, &group) : MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(group, &size);
    int *own = allocated(size * sizeof(int)), *found = allocated(size * sizeof(int));
    for (int i = 0; i < size; i++)
        own[i] = i;
    MPI_Group_translate_ranks(group, size, own, world, found);
    MPI_Group_free(&group), MPI_Group_free(&world);
    free(own);
    return found;
}
static int world_rank(struct channel *c, int peer) {
    if (peer < 0 || c->is_world)
        return peer;
    if (!c->world)
        c->world = world_ranks(c->comm);
    return c->world[peer];
}
static void count_end(int64_t *counts, struct channel *c, int peer) {
    int rank = counts ? world_rank(c, peer) : -1;
    if (rank >= 0 && rank < ends.size)
        __atomic_fetch_add(counts + rank, 1, __ATOMIC_RELAXED);
}
static void count_plain_sent(int peer, MPI_Comm comm) { count_end(ends.sent, channel_of(comm), peer); }
static void count_plain_received(int peer, MPI_Comm comm) { count_end(ends.received, channel_of(comm), peer); }

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Reads what a rank shows; returns whether that is possible. */
static int read_shown(int rank, int64_t place, int64_t *value) {
    return ends.is_there && !PMPI_Win_lock(MPI_LOCK_SHARED, rank, 0, ends.window) &&
           !PMPI_Get(value, 1, MPI_INT64_T, rank, place, 1, MPI_INT64_T, ends.window) &&
           !PMPI_Win_unlock(rank, ends.window);
}

static __attribute__((noreturn, cold)) void refuse_end(const char *what) {
    refuse("a message of differentiated code has its other end in plain code [EZ0305]", what);
}

/* Ends the program if plain code of that rank has received more messages than plain code of this one has sent, or if this one
 * has received more messages with derivatives than that one has sent. */
static void check_other_end(const struct envelope *e) {
    int64_t received = 0, given = 0;
    char text[256];
    int own = rank_of(MPI_COMM_WORLD), other = world_rank(e->channel, e->peer);
    if (other < 0 || other >= ends.size || !read_shown(other, own, &received) ||
        !read_shown(other, ends.size + own, &given))
        return;
    if (received > ends.sent[other]) {
        snprintf(text, sizeof text, "differentiated code of rank %d sent a message with tag %d to rank %d, where code received it "
                 "that is not differentiated: it sends no derivative back", own, e->tag, other);
        refuse_end(text);
    }
    if (given < ends.got[other]) {
        snprintf(text, sizeof text, "differentiated code of rank %d received a message with tag %d of rank %d, where code sent it "
                 "that is not differentiated: no derivative comes with it", own, e->tag, other);
        refuse_end(text);
    }
}

/* Waits for a message of derivatives. */
static void await_derivative(const struct envelope *e, int tag, MPI_Message *message, MPI_Status *status) {
    int is_there = 0;
    for (double start = seconds(); !is_there;) {
        for (int k = 0; k < 1000 && !is_there; k++)
            MPI_Improbe(e->peer, tag, e->channel->comm, &is_there, message, status);
        if (!is_there && seconds() - start > 1) {
            check_other_end(e);
            start = seconds();
        }
    }
}

/* At the end: whether messages of differentiated code had both ends there. */
static void check_all_ends(MPI_Comm world) {
    int64_t *given = allocated(ends.size * sizeof(int64_t)), *received = allocated(ends.size * sizeof(int64_t));
    const char *how = NULL, *way = "";
    char text[256];
    int own = rank_of(MPI_COMM_WORLD), other = 0;
    if (ends.shown) {
        MPI_Alltoall(ends.given, 1, MPI_INT64_T, given, 1, MPI_INT64_T, world);
        MPI_Alltoall(ends.received, 1, MPI_INT64_T, received, 1, MPI_INT64_T, world);
    }
    for (int i = 0; i < ends.size && !how; i++)
        if (given[i] < ends.got[i])
            how = "received a message of", way = "sent", other = i;
        else if (received[i] > ends.sent[i])
            how = "sent a message to", way = "received", other = i;
    free(given), free(received);
    if (!how)
        return;
    snprintf(text, sizeof text, "differentiated code of rank %d %s rank %d, where code %s it that is not differentiated", own, how,
             other, way);
    refuse_end(text);
}
