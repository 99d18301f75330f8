/* Messages of derivatives: each communicator has a copy for them, so that they meet no others.
 *
 * A copy is made by all ranks where the communicator is made, for which the linker sends these calls of the program here.
 * A communicator that something else made is used itself, with tags of its own. */

struct counter {
    int peer, tag, is_received;
    int64_t count;
    struct counter *next;
};

enum { COUNTERS = 256 };

struct channel {
    MPI_Comm comm, backwards; /* backwards: with ranks in reverse order, made by the first scan */
    int is_own, tag_bits, number_bits, highest;
    struct neighbors *neighbors;
    struct record *unknown;   /* receives whose message is not known yet, in order */
    struct record *ready;     /* collective calls whose adjoints wait for those of later ones */
    int64_t collectives, unstarted; /* how many there were, and how many adjoints have not started yet */
    int windows;              /* of its ranks, and known to differentiated code */
    struct counter *counters[COUNTERS];
    int is_used;              /* tapes may know it */
    struct channel *next;
};
/* of communicators that have ended and that tapes may still know */
static struct channel *ended;

/* what is sent and not received yet */
struct sent {
    MPI_Request request;
    void *buffer;
    struct sent *next;
};
static struct sent *all_sent;

static void finish_sent(int waits) {
    for (struct sent **place = &all_sent, *s; (s = *place);) {
        int is_done = waits;
        if (waits)
            MPI_Wait(&s->request, MPI_STATUS_IGNORE);
        else
            MPI_Test(&s->request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done) {
            place = &s->next;
            continue;
        }
        *place = s->next;
        free(s->buffer), free(s);
    }
}

static void close_channel(struct channel *c) {
    for (int i = 0; i < COUNTERS; i++)
        for (struct counter *next, *k = c->counters[i]; k; k = next)
            next = k->next, free(k);
    end_neighbors(c->neighbors);
    if (c->backwards != MPI_COMM_NULL)
        MPI_Comm_free(&c->backwards);
    if (c->is_own)
        MPI_Comm_free(&c->comm);
    free(c);
}

static int forget_channel(MPI_Comm comm, int key, void *value, void *state) {
    struct channel *c = value;
    if (!c->is_used)
        return close_channel(c), MPI_SUCCESS;
    c->next = ended;
    ended = c;
    return MPI_SUCCESS;
}

static int end_messages(MPI_Comm comm, int key, void *value, void *state) {
    finish_sent(1);
    for (struct channel *c; (c = ended);) {
        ended = c->next;
        close_channel(c);
    }
    return MPI_SUCCESS;
}

static int channel_key = MPI_KEYVAL_INVALID;

/* MPI deletes what MPI_COMM_SELF has first of all when it ends. */
static void watch_end(void) {
    static int end_key = MPI_KEYVAL_INVALID;
    if (channel_key != MPI_KEYVAL_INVALID)
        return;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_channel, &channel_key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_messages, &end_key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, end_key, NULL);
}

static struct channel *open_channel(MPI_Comm comm, int is_own) {
    struct channel *c = allocated(sizeof *c);
    int is_there, *highest, bits = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest, &is_there);
    c->highest = is_there ? *highest : 32767;
    while (bits < 31 && (((int64_t)2 << bits) - 1) <= c->highest)
        bits++;
    c->number_bits = bits / 2, c->tag_bits = bits - c->number_bits - 1; /* the last one: long headers */
    c->comm = comm, c->backwards = MPI_COMM_NULL;
    if ((c->is_own = is_own))
        PMPI_Comm_dup(comm, &c->comm), c->neighbors = found_neighbors(c->comm); /* not MPI_Comm_dup: the linker sends it here */
    MPI_Comm_set_attr(comm, channel_key, c);
    return c;
}

/* Called by all ranks of a new communicator. */
static void entered(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        return;
    watch_end();
    open_channel(comm, 1);
}

static struct channel *channel_of(MPI_Comm comm) {
    struct channel *found;
    int is_there;
    watch_end();
    MPI_Comm_get_attr(comm, channel_key, &found, &is_there);
    return is_there ? found : open_channel(comm, comm == MPI_COMM_SELF);
}

/* -- numbers of messages */

static int64_t *counted(struct channel *c, int peer, int tag, int is_received) {
    struct counter **first = &c->counters[(unsigned)(peer * 31 + tag * 7 + is_received) % COUNTERS], *k = *first;
    while (k && (k->peer != peer || k->tag != tag || k->is_received != is_received))
        k = k->next;
    if (!k) {
        k = allocated(sizeof *k);
        *k = (struct counter){peer, tag, is_received, 0, *first};
        *first = k;
    }
    return &k->count;
}

/* Takes back the number of a message that is reversed. */
static void uncount(const struct envelope *e, int is_received) {
    int64_t *count = counted(e->channel, e->peer, e->tag, is_received);
    if (e->number < *count)
        *count = e->number;
}

/* -- messages of derivatives: of the envelope of the message that they belong to
 *
 * The tag tells the envelope. If it has no room, the message begins with it. */

struct header {
    int64_t tag, number;
};
struct stashed {
    const struct channel *channel;
    int peer;
    int64_t size;
    struct stashed *next;
    struct header header; /* the message follows */
};
static struct stashed *all_stashed;

static int is_short(const struct channel *c, const struct envelope *e) {
    return e->tag >> c->tag_bits == 0 && e->number >> c->number_bits == 0;
}
static int short_tag(const struct channel *c, const struct envelope *e) {
    return c->highest - (int)((int64_t)e->tag << c->number_bits | e->number);
}
static int long_tag(const struct channel *c) { return c->highest - (1 << (c->tag_bits + c->number_bits)); }

/* Sends what `buffer`, of malloc, holds behind room for a header. Frees it later. */
static void send_derivative(const struct envelope *e, char *buffer, int64_t size) {
    struct channel *c = e->channel;
    struct sent *s = allocated(sizeof *s);
    struct header header = {e->tag, e->number};
    int fits = is_short(c, e);
    if (!fits)
        memcpy(buffer, &header, sizeof header);
    MPI_Isend(fits ? buffer + sizeof header : buffer, (int)(fits ? size : size + (int64_t)sizeof header), MPI_BYTE, e->peer,
              fits ? short_tag(c, e) : long_tag(c), c->comm, &s->request);
    s->buffer = buffer, s->next = all_sent;
    all_sent = s;
}

static __attribute__((noreturn, cold)) void refuse_size(const struct envelope *e, int64_t size, int64_t wanted) {
    char text[256];
    snprintf(text, sizeof text, "the derivative of the message between this rank and rank %d with tag %d has %lld bytes where %lld "
             "are expected: sender and receiver do not agree which numbers it has", e->peer, e->tag, (long long)size,
             (long long)wanted);
    refuse("a message of derivatives does not fit [EZ0305]", text);
}

static struct stashed *next_long(struct channel *c, const struct envelope *e) {
    MPI_Message message;
    MPI_Status status;
    int size;
    MPI_Mprobe(e->peer, long_tag(c), c->comm, &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &size);
    struct stashed *s = allocated(sizeof *s + size);
    MPI_Mrecv(&s->header, size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    s->channel = c, s->peer = e->peer, s->size = size - (int64_t)sizeof s->header;
    return s;
}

static void receive_long(struct channel *c, const struct envelope *e, void *buffer, int64_t size) {
    for (;;) {
        struct stashed **place = &all_stashed, *s;
        while ((s = *place) && (s->channel != c || s->peer != e->peer || s->header.tag != e->tag ||
                                s->header.number != e->number))
            place = &s->next;
        if (s) {
            if (s->size != size)
                refuse_size(e, s->size, size);
            memcpy(buffer, s + 1, size);
            *place = s->next;
            free(s);
            return;
        }
        *place = next_long(c, e); /* the end of the list: messages of one envelope stay in order */
    }
}

static void receive_derivative(const struct envelope *e, void *buffer, int64_t size) {
    struct channel *c = e->channel;
    MPI_Message message;
    MPI_Status status;
    int count;
    if (!is_short(c, e)) {
        receive_long(c, e, buffer, size);
    } else {
        MPI_Mprobe(e->peer, short_tag(c, e), c->comm, &message, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        if (count != size)
            refuse_size(e, count, size);
        MPI_Mrecv(buffer, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    finish_sent(0);
}
