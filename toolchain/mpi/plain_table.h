/* Requests of code that is not differentiated: its receives are counted once they are complete (ends.h), its persistent sends
 * when they start. MPI does not tell whether a persistent request is started, so that is noted. */

struct plain_request {
    MPI_Request request;
    struct channel *channel; /* null: it ended before, or nothing is counted */
    int peer, is_send, is_persistent, is_started;
    struct plain_request *next;
};
enum { REQUESTS = 256 };
static struct plain_request *plain_requests[REQUESTS];
static char plain_lock; /* several threads may begin and end requests */

static void lock_plain(void) {
    while (__atomic_test_and_set(&plain_lock, __ATOMIC_ACQUIRE))
        sched_yield();
}
static void unlock_plain(void) { __atomic_clear(&plain_lock, __ATOMIC_RELEASE); }

static struct plain_request **place_of_plain(MPI_Request request) {
    struct plain_request **place = &plain_requests[(uint64_t)NUMBER(request) * 0x9e3779b97f4a7c15u >> 56];
    while (*place && (*place)->request != request)
        place = &(*place)->next;
    return place;
}
static void note_plain(MPI_Request request, struct channel *channel, int peer, int is_send, int is_persistent) {
    if (peer == MPI_PROC_NULL && !is_persistent)
        return;
    struct plain_request *r = allocated(sizeof *r);
    lock_plain();
    struct plain_request **first = &plain_requests[(uint64_t)NUMBER(request) * 0x9e3779b97f4a7c15u >> 56];
    *r = (struct plain_request){request, peer == MPI_PROC_NULL ? NULL : channel, peer, is_send, is_persistent,
                                !is_persistent, *first};
    *first = r;
    unlock_plain();
}
static struct plain_request *plain_of(MPI_Request request) {
    lock_plain();
    struct plain_request *r = request == MPI_REQUEST_NULL ? NULL : *place_of_plain(request);
    unlock_plain();
    return r;
}
static void forget_plain(MPI_Request request) {
    lock_plain();
    struct plain_request **place = place_of_plain(request), *r = *place;
    if (r) {
        *place = r->next;
        free(r);
    }
    unlock_plain();
}
/* Requests may outlive their communicator: then it is not known who sent. */
static void forget_channel_of_plain(const struct channel *c) {
    lock_plain();
    for (int i = 0; i < REQUESTS; i++)
        for (struct plain_request *r = plain_requests[i]; r; r = r->next)
            if (r->channel == c)
                r->channel = NULL;
    unlock_plain();
}

static void start_plain(MPI_Request request) {
    struct plain_request *r = plain_of(request);
    if (r)
        r->is_started = 1;
    if (r && r->is_send && r->channel)
        count_end(ends.sent, r->channel, r->peer);
}
static void end_plain(struct plain_request *r, const MPI_Status *status) {
    int is_cancelled;
    if (!r || !r->is_started)
        return;
    MPI_Test_cancelled(status, &is_cancelled);
    if (!is_cancelled && !r->is_send && r->channel)
        count_end(ends.received, r->channel, status->MPI_SOURCE);
    r->is_started = 0;
    if (!r->is_persistent)
        forget_plain(r->request);
}

/* What is known of several requests before a call ends some of them; null: nothing. */
static struct plain_request **plain_among(int count, const MPI_Request *requests) {
    struct plain_request **found = NULL, *r;
    for (int i = 0; i < count; i++)
        if ((r = plain_of(requests[i]))) {
            found = found ? found : allocated(count * sizeof *found);
            found[i] = r;
        }
    return found;
}

/* -- calls of functions that are also differentiated: they come by derivatives/mpi.c */

static void before_plain(struct call *c) {
    enum ez_mpi_operation o = c->operation;
    if (o <= EZ_IRSEND || o == EZ_SENDRECV || o == EZ_SENDRECV_REPLACE)
        count_plain_sent(c->peer, c->comm);
    else if (o == EZ_START)
        start_plain(c->request);
    else if (o == EZ_REQUEST_FREE)
        forget_plain(c->request);
    else if (o >= EZ_BARRIER && !c->is_planned)
        log_call(channel_of(c->comm), 0);
}
static void after_plain(struct call *c, struct plain_request *ended) {
    enum ez_mpi_operation o = c->operation;
    int plans = o >= EZ_SEND_INIT && o <= EZ_RECV_INIT;
    if (o == EZ_RECV || o == EZ_SENDRECV || o == EZ_SENDRECV_REPLACE)
        count_plain_received(last_status.MPI_SOURCE, c->comm);
    else if (o == EZ_IRECV || plans)
        note_plain(last_request, channel_of(c->comm), c->peer, plans && o != EZ_RECV_INIT, plans);
    else if (o == EZ_WAIT)
        end_plain(ended, &last_status);
}
