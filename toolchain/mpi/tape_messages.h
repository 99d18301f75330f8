/* What the tape keeps of requests and of messages between two ranks. */

/* -- requests */

static void note_complete(struct record *r) {
    r->is_complete = 1;
    if (r->gathered)
        end_gathering(r->gathered);
    if (is_receive(r->call.operation) || r->call.operation == EZ_RECV_INIT)
        note_received(r, r->call.map, &last_status);
}

static struct record *augmented_wait(struct call *c) {
    MPI_Request request = c->request;
    struct record *plan = *place_of(&planned, request), *message, *r;
    int is_known = request == MPI_REQUEST_NULL || plan || is_begun_here(request);
    if (!is_known)
        refuse("differentiated code waits for a request of MPI that other code has begun [EZ0305]",
               "derivatives are sent and received where differentiated code begins a request and where it waits for it; "
               "begin the request in the function that is differentiated");
    struct plain_request *plain = plain_of(request);
    run(c);
    end_plain(plain, &last_status);
    message = request == MPI_REQUEST_NULL ? NULL : taken_begun(request, plan);
    if (!message)
        return NULL;
    for (struct record *m = message; m; m = m->next)
        note_complete(m);
    r = allocated(sizeof *r);
    r->call.operation = EZ_WAIT;
    r->message = message;
    return r;
}

static struct record *begun_receive(struct record *r) {
    if (r->call.operation == EZ_RECV_INIT)
        enter_request(&under_way, r);
    else
        enter_begun(r);
    expect(r, r->call.peer, r->call.tag);
    return r;
}

/* The call that a persistent request starts: it has the shadows that the request was made with. */
static struct record *started_collective(const struct record *plan) {
    struct call c = plan->call;
    int has = kind_of(&c) != 0;
    int64_t index = log_call(c.channel, has);
    if (!has)
        return NULL;
    c.is_planned = 0;
    struct record *r = recorded_collective(&c, index);
    r->directions = plan->directions;
    memcpy(r->shadows, plan->shadows, sizeof r->shadows);
    memcpy(r->shadows_in, plan->shadows_in, DIRECTIONS * sizeof *r->shadows_in);
    return r;
}

static struct record *note_plain_start(const struct record *plan) {
    if (plan->call.operation == EZ_RECV_INIT)
        note_plain(plan->request, plan->call.channel, plan->call.peer, 0, 0);
    else
        count_end(ends.sent, plan->call.channel, plan->call.peer);
    return NULL;
}

static struct record *augmented_start(struct call *c) {
    struct record *plan = *place_of(&planned, c->request), *r;
    if (!plan)
        refuse("differentiated code starts a persistent request of MPI of which nothing is known [EZ0305]",
               "its shadows are noted where differentiated code makes the request; make it there");
    r = plan->call.is_planned ? started_collective(plan) : NULL; /* before its memory changes */
    run(c);
    if (r)
        enter_request(&under_way, last_record = r);
    plan->is_started = 1;
    if (plan->call.is_planned)
        return r;
    if (!is_reversed(&plan->call, plan->call.map, plan->call.peer))
        return note_plain_start(plan);
    if (plan->call.map->kind == 'p')
        refuse("a persistent request of MPI has no derivative [EZ0302]", "it sends or receives packed bytes");
    r = started(plan);
    if (r->call.operation == EZ_RECV_INIT)
        return begun_receive(r);
    count_sent(r, r->call.peer, r->call.tag);
    return r;
}

static struct record *augmented_request_free(struct call *c) {
    if (*place_of(&under_way, c->request))
        refuse("differentiated code frees a request of MPI that is active [EZ0302]",
               "the end of its message would be unknown; wait for it");
    forget_begun(c->request);
    struct record *plan = taken(&planned, c->request);
    if (plan)
        release(plan);
    free(plan);
    run(c);
    return NULL;
}

/* -- messages */

static struct record *augmented_probe(struct call *c) {
    c->channel = channel_of(c->comm);
    run(c);
    note_probed(c->channel);
    return NULL;
}

/* Receives a message that a probe has found: it has the place among others that the probe gave it. */
static struct record *augmented_found(struct call *c) {
    struct record *r = NULL;
    struct probed *p = taken_probed(c->found);
    c->channel = p->channel, c->comm = p->channel->comm;
    c->map = map_of_buffer(c->type, c->count, c->out, c->dout);
    if (is_reversed(c, c->map, p->source)) {
        r = record_of(c);
        expect_probed(r, p);
    }
    free(p);
    run(c);
    if (c->operation == EZ_IMRECV)
        enter_begun(last_record = r);
    else if (r)
        note_received(r, c->map, &last_status);
    return r;
}

static struct record *augmented_two_ways(struct call *c) {
    const void *sent = c->operation == EZ_SENDRECV ? c->in : c->out;
    struct record *r = record_with(c, layout_size(c->map, sent, c->count));
    note_layout(r, sent);
    int sends = is_reversed(c, c->map, c->peer), receives = is_reversed(c, c->map2, c->peer2);
    count_sent(r, sends ? c->peer : MPI_PROC_NULL, c->tag);
    expect(r, receives ? c->peer2 : MPI_PROC_NULL, c->tag2);
    if (!sends)
        count_plain_sent(c->peer, c->comm);
    run(c);
    if (!receives)
        count_plain_received(last_status.MPI_SOURCE, c->comm);
    note_received(r, c->map2, &last_status);
    return r;
}

static struct record *augmented_plain(struct call *c) {
    int receives = c->operation == EZ_RECV || c->operation >= EZ_SENDRECV;
    if (!is_receive(c->operation))
        count_plain_sent(c->peer, c->comm);
    run(c);
    if (receives)
        count_plain_received(last_status.MPI_SOURCE, c->comm);
    if (c->operation == EZ_IRECV)
        note_plain(last_request, c->channel, c->peer, 0, 0);
    if (begins(c->operation))
        enter_begun(NULL);
    return NULL;
}

static struct record *augmented_one_way(struct call *c) {
    struct record *r = record_with(c, is_receive(c->operation) ? 0 : layout_size(c->map, c->in, c->count));
    if (c->operation == EZ_RECV)
        expect(r, c->peer, c->tag);
    else if (!is_receive(c->operation)) {
        note_layout(r, c->in);
        count_sent(r, c->peer, c->tag);
    }
    run(c);
    if (c->operation == EZ_IRECV)
        return last_record = begun_receive(r);
    if (begins(c->operation))
        enter_begun(NULL);
    if (c->operation == EZ_RECV)
        note_received(r, c->map, &last_status);
    return r;
}

static struct record *augmented_packing(struct call *c) {
    struct record *r = NULL;
    if (has_numbers(c->map)) {
        r = record_of(c);
        r->limit = c->tag;
    }
    if (c->operation == EZ_PACK)
        note_packed(c);
    run(c);
    return r;
}

static struct record *augmented_message(struct call *c) {
    last_record = NULL;
    if (c->operation >= EZ_PUT)
        return augmented_of_window(c);
    switch (c->operation) {
    case EZ_WAIT: return augmented_wait(c);
    case EZ_START: return augmented_start(c);
    case EZ_REQUEST_FREE: return augmented_request_free(c);
    case EZ_MPROBE: return augmented_probe(c);
    case EZ_MRECV: case EZ_IMRECV: return augmented_found(c);
    default: set_maps(c);
    }
    if (c->operation == EZ_PACK || c->operation == EZ_UNPACK)
        return augmented_packing(c);
    if (plans(c->operation))
        return augmented_plan(c);
    int is_plain = !is_reversed(c, c->map, c->peer) && !is_reversed(c, c->map2, c->peer2);
    if (is_plain || (begins(c->operation) && c->peer == MPI_PROC_NULL))
        return augmented_plain(c);
    return c->map2 ? augmented_two_ways(c) : augmented_one_way(c);
}
