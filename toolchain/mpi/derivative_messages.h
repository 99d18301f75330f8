/* Messages of derivatives: of the envelope of the message that they belong to
 *
 * The tag tells the envelope. If it has no room, the message begins with it. */

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
    await_derivative(e, long_tag(c), &message, &status);
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
        await_derivative(e, short_tag(c, e), &message, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        if (count != size)
            refuse_size(e, count, size);
        MPI_Mrecv(buffer, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    finish_sent(0);
}

/* Called when MPI ends. */
static int end_messages(MPI_Comm comm, int key, void *value, void *state) {
    struct channel *world = channel_of(MPI_COMM_WORLD);
    MPI_Barrier(world->comm);
    check_all_ends(world->comm);
    check_all_calls(world->comm);
    finish_sent(1);
    for (struct channel *c; (c = ended);) {
        ended = c->next;
        close_channel(c);
    }
    for (struct channel *c; (c = closed);)
        closed = c->next, free(c);
    close_counts();
    world->is_used = 0, world->holders = 0; /* no tape will need it */
    MPI_Comm_delete_attr(MPI_COMM_WORLD, channel_key);
    int freed = channel_key; /* of those that are freed, the library keeps what handles still have */
    MPI_Comm_free_keyval(&freed);
    end_maps();
    return MPI_SUCCESS;
}
