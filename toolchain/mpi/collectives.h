/* When the exchanges of collective calls start and end. */

typedef void starting(const struct record *r, struct exchange *e, int kind, MPI_Request *request);
typedef void finishing(const struct record *r, struct exchange *e);

static void exchange_now(struct record *r, void *din, void *dout, starting *start, finishing *finish) {
    int kind = kind_of(&r->call);
    struct exchange *e = new_exchange(&r->call, kind, din, dout);
    start(r, e, kind, &e->request);
    finish(r, e);
}
static void exchange_later(struct record *r, void *din, void *dout, starting *start) {
    int kind = kind_of(&r->call);
    struct exchange *e = new_exchange(&r->call, kind, din, dout), **place = &r->exchanges;
    start(r, e, kind, &e->request);
    while (*place)
        place = &(*place)->next;
    *place = e;
}
static void finish_first(struct record *r, finishing *finish) {
    struct exchange *e = r->exchanges;
    r->exchanges = e->next;
    finish(r, e);
}

/* -- the order of adjoints */

static void number_collective(struct record *r) {
    struct channel *c = r->call.channel;
    r->order = c->collectives++;
    c->unstarted = c->collectives;
}

static void start_in_order(struct record *r) {
    for (int k = 0; k < r->directions; k++)
        exchange_later(r, r->shadows_in[k], r->shadows[k], start_adjoint);
    r->call.channel->unstarted = r->order;
    r->is_started = 1;
}
/* Starts what has waited for the exchanges of later calls. */
static void start_next(struct channel *c) {
    for (struct record **place = &c->ready, *r; (r = *place);)
        if (r->order == c->unstarted - 1) {
            *place = r->later;
            start_in_order(r);
            place = &c->ready;
        } else
            place = &r->later;
}
static void take_from_ready(struct record *r) {
    struct record **place = &r->call.channel->ready;
    while (*place && *place != r)
        place = &(*place)->later;
    if (*place)
        *place = r->later;
}

/* Of a call that is begun, the numbers of all ranks lie elsewhere than the record. */
static void end_gathered(struct record *r) {
    free(r->gathered);
    r->gathered = NULL;
}

/* the request ended here, so the exchange of adjoints starts */
static void reverse_collective_wait(struct record *r) {
    r->later = r->call.channel->ready;
    r->call.channel->ready = r;
    start_next(r->call.channel);
}
static void reverse_collective_begun(struct record *r) {
    if (!r->is_complete)
        refuse("a request of MPI has no derivative [EZ0305]",
               "differentiated code begins it, and does not wait for it");
    take_from_ready(r);
    if (!r->is_started)
        start_in_order(r);
    r->is_started = 0;
    while (r->exchanges)
        finish_first(r, finish_adjoint);
    end_gathered(r);
    r->call.channel->collectives = r->call.channel->unstarted = r->order;
    start_next(r->call.channel);
}

/* A call is reversed once for each direction, and what is ready may start after the last one. */
static struct channel *last_reversed_on;
static struct record *last_reversed;

static void start_before(struct record *r) {
    if (last_reversed_on && last_reversed != r) {
        start_next(last_reversed_on);
        last_reversed_on = NULL;
    }
}
static void reverse_collective(struct record *r, void *din, void *dout) {
    struct channel *c = r->call.channel;
    exchange_now(r, din, dout, start_adjoint, finish_adjoint);
    c->collectives = c->unstarted = r->order;
    last_reversed = r, last_reversed_on = c;
}

/* What outlives its call in forward mode. */
static void end_record(struct record *r) {
    end_gathered(r);
    release(r);
    free(r);
}
