/* Messages between two ranks.
 *
 * Each message has a number among those of the same tag between the same ranks; MPI keeps their order. The sender knows
 * it when it sends. The receiver knows it when it asks for a message of one rank and tag, and no earlier request for any
 * rank or tag may get that message. Otherwise it is known once the earlier requests are complete. */

enum { HEADER = sizeof(struct header) };

static int is_to_nobody(const struct envelope *e) { return e->peer == MPI_PROC_NULL; }

static void count_sent(struct record *r, int peer, int tag) {
    r->sent = (struct envelope){r->call.channel, peer, tag, 0};
    if (is_to_nobody(&r->sent))
        return;
    r->sent.number = (*counted(r->call.channel, peer, tag, 0))++;
    count_end(ends.given, r->call.channel, peer);
}

static int may_get(const struct record *r, int source, int tag) {
    const struct envelope *e = &r->received;
    return (e->peer == MPI_ANY_SOURCE || e->peer == source) && (e->tag == MPI_ANY_TAG || e->tag == tag);
}

static void number_received(struct record *r, const MPI_Status *status);

/* Gives their numbers to receives that were asked for before `r` and have a message of this envelope already. */
static void number_earlier(struct channel *c, const struct record *r, int source, int tag) {
    for (struct record *e = c->unknown; e && e != r;) {
        MPI_Status found;
        int is_done = 0;
        if (!may_get(e, source, tag)) {
            e = e->later;
            continue;
        }
        while (!is_done) /* it has a message already: this one came later */
            MPI_Request_get_status(e->request, &is_done, &found);
        number_received(e, &found);
        e = c->unknown; /* it is not in the list any more */
    }
}

/* Gives a receive its number, after those that were asked for before and got a message of the same envelope. */
static void number_received(struct record *r, const MPI_Status *status) {
    struct channel *c = r->call.channel;
    if (r->is_numbered)
        return;
    number_earlier(c, r, status->MPI_SOURCE, status->MPI_TAG);
    for (struct record **place = &c->unknown; *place; place = &(*place)->later)
        if (*place == r) {
            *place = r->later;
            break;
        }
    r->received.peer = status->MPI_SOURCE, r->received.tag = status->MPI_TAG;
    r->received.number = (*counted(c, status->MPI_SOURCE, status->MPI_TAG, 1))++;
    r->is_numbered = 1;
}

/* Notes that a message will be received. */
static void expect(struct record *r, int peer, int tag) {
    struct channel *c = r->call.channel;
    r->received = (struct envelope){r->call.channel, peer, tag, 0};
    r->is_numbered = is_to_nobody(&r->received);
    if (r->is_numbered)
        return;
    int is_known = peer != MPI_ANY_SOURCE && tag != MPI_ANY_TAG;
    for (struct record *e = c->unknown; e && is_known; e = e->later)
        is_known = !may_get(e, peer, tag);
    if (is_known) {
        r->received.number = (*counted(c, peer, tag, 1))++;
        r->is_numbered = 1;
        return;
    }
    struct record **place = &c->unknown;
    while (*place)
        place = &(*place)->later;
    *place = r, r->later = NULL;
}

/* Notes what was received. */
static void note_received(struct record *r, const struct typemap *map, const MPI_Status *status) {
    int count, elements;
    if (is_to_nobody(&r->received)) {
        r->limit = 0;
        return;
    }
    number_received(r, status);
    count_end(ends.got, r->call.channel, r->received.peer);
    MPI_Get_count(status, map->type, &count);
    r->limit = count * map->elements;
    if (count == MPI_UNDEFINED) { /* a part of the last one */
        MPI_Get_elements(status, map->type, &elements);
        r->limit = elements;
    }
}

/* -- messages that a probe has found: they get their numbers when they are received */

struct probed {
    MPI_Message message;
    struct channel *channel;
    int source, tag;
    int64_t number;
    struct probed *next;
};
static struct probed *all_probed;

static void note_probed(struct channel *c) {
    struct probed *p = allocated(sizeof *p);
    *p = (struct probed){last_found, c, last_status.MPI_SOURCE, last_status.MPI_TAG, 0, all_probed};
    if (p->source != MPI_PROC_NULL) {
        number_earlier(c, NULL, p->source, p->tag);
        p->number = *counted(c, p->source, p->tag, 1);
    }
    all_probed = p;
}

static struct probed *taken_probed(MPI_Message message) {
    struct probed **place = &all_probed, *p;
    while (*place && (*place)->message != message)
        place = &(*place)->next;
    p = *place;
    if (!p)
        refuse("differentiated code receives a message that other code has found by MPI_Mprobe [EZ0305]",
               "its place among the messages of its sender is not known; find it in differentiated code");
    *place = p->next;
    return p;
}

static void expect_probed(struct record *r, const struct probed *p) {
    r->received = (struct envelope){p->channel, p->source, p->tag, p->number};
    r->is_numbered = 1;
    if (is_to_nobody(&r->received))
        return;
    if (p->number != (*counted(p->channel, p->source, p->tag, 1))++)
        refuse("a message of MPI has no derivative [EZ0302]",
               "between MPI_Mprobe and MPI_Mrecv, another message of the same sender and tag was received");
}

/* -- derivatives of a sent buffer and of a received one. A shadow is null if the memory is constant. */

static void send_shadow(const struct envelope *e, const struct typemap *map, int64_t count, int64_t limit, void *shadow,
                        enum movement how) {
    if (is_to_nobody(e))
        return;
    int64_t size = moved(map, NULL, count, limit, NULL, how);
    char *buffer = allocated(HEADER + size);
    moved(map, shadow, count, limit, buffer + HEADER, how);
    send_derivative(e, buffer, size);
}

static void receive_shadow(const struct envelope *e, const struct typemap *map, int64_t count, int64_t limit, void *shadow,
                           enum movement how, const struct layout *layout) {
    if (is_to_nobody(e))
        return;
    int64_t size = moved(map, NULL, count, limit, NULL, how);
    char *buffer = allocated(size);
    receive_derivative(e, buffer, size);
    if (layout && how == ADD)
        add_packed(layout, shadow, buffer);
    else
        moved(map, shadow, count, limit, buffer, how);
    free(buffer);
}

/* the adjoint of a send: what the receiver's adjoint was is added; and that of a receive: its adjoint goes back */
static void reverse_sent(struct record *r, void *shadow) {
    receive_shadow(&r->sent, r->call.map, r->call.count, -1, shadow, ADD, r->layout);
    if (!is_to_nobody(&r->sent))
        uncount(&r->sent, 0);
}
static void reverse_received(struct record *r, const struct typemap *map, int64_t count, void *shadow) {
    send_shadow(&r->received, map, count, r->limit, shadow, TAKE_AWAY);
    if (!is_to_nobody(&r->received))
        uncount(&r->received, 1);
}
static void forward_sent(struct record *r, void *shadow) {
    send_shadow(&r->sent, r->call.map, r->call.count, -1, shadow, TAKE);
}
static void forward_received(struct record *r, const struct typemap *map, int64_t count, void *shadow) {
    receive_shadow(&r->received, map, count, r->limit, shadow, PUT, NULL);
}
