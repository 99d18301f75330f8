/* Messages of which one end is in code that is not differentiated.
 *
 * A differentiated send waits for an adjoint, which plain code does not send. Each rank counts the messages without
 * adjoints, by the rank at the other end: the linker sends the program's own calls to plain_messages.h. Who has waited for an
 * adjoint for a second reads the receiver's count, which lies in a window: so it need not answer. Only messages over
 * MPI_COMM_WORLD are counted, and not receives by requests. */
#include <time.h>

static struct {
    int64_t *sent, *received; /* by rank; received: in the window */
    MPI_Win window;
    int is_there, has_uncounted;
} plain;

static void open_counts(void) {
    int size;
    MPI_Comm comm;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_size(comm, &size);
    plain.sent = allocated(size * sizeof(int64_t)), plain.received = allocated(size * sizeof(int64_t));
    plain.is_there = PMPI_Win_create(plain.received, size * sizeof(int64_t), sizeof(int64_t), MPI_INFO_NULL, comm,
                                     &plain.window) == MPI_SUCCESS;
    if (plain.is_there)
        MPI_Win_set_errhandler(plain.window, MPI_ERRORS_RETURN);
    MPI_Comm_free(&comm);
}
static void close_counts(void) {
    if (plain.is_there)
        PMPI_Win_free(&plain.window);
    plain.is_there = 0;
    free(plain.sent), free(plain.received);
    plain.sent = plain.received = NULL;
}

static void count_plain_sent(int peer, MPI_Comm comm) {
    if (plain.sent && comm == MPI_COMM_WORLD && peer >= 0)
        plain.sent[peer]++;
}
static void count_plain_received(int peer, MPI_Comm comm) {
    if (plain.received && comm == MPI_COMM_WORLD && peer >= 0)
        plain.received[peer]++;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static __attribute__((noreturn, cold)) void refuse_end(int peer, int tag) {
    char text[256];
    snprintf(text, sizeof text, "differentiated code of rank %d sent a message with tag %d to rank %d, where code received it "
             "that is not differentiated: it sends no derivative back", rank_of(MPI_COMM_WORLD), tag, peer);
    refuse("a message of differentiated code has its other end in plain code [EZ0305]", text);
}

/* Ends the program if plain code of that rank has received more messages than plain code of this one has sent. */
static void check_other_end(const struct envelope *e) {
    int64_t count = 0;
    if (!plain.is_there || plain.has_uncounted || !e->channel->is_world)
        return;
    int failed = PMPI_Win_lock(MPI_LOCK_SHARED, e->peer, 0, plain.window) ||
                 PMPI_Get(&count, 1, MPI_INT64_T, e->peer, rank_of(MPI_COMM_WORLD), 1, MPI_INT64_T, plain.window) ||
                 PMPI_Win_unlock(e->peer, plain.window);
    if (!failed && count > plain.sent[e->peer])
        refuse_end(e->peer, e->tag);
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

/* At the end: a derivative that nobody has received belongs to a message that plain code has sent. */
static void check_received(struct channel *c) {
    MPI_Status status;
    int is_there;
    char text[256];
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c->comm, &is_there, &status);
    if (!is_there)
        return;
    snprintf(text, sizeof text, "differentiated code of rank %d received a message of this rank, and sent a derivative back; "
             "code sent it that is not differentiated", status.MPI_SOURCE);
    refuse("a message of differentiated code has its other end in plain code [EZ0305]", text);
}
