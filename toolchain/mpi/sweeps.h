/* What a call does in the reverse sweep, and in forward mode. */

/* -- reverse */

static int is_first(struct record *r) {
    int first = r->calls == 0;
    r->calls = r->directions ? (r->calls + 1) % r->directions : 0;
    return first;
}

static void reverse_wait_for(struct record *r) {
    if (!is_first(r))
        return;
    if (r->call.is_begun)
        reverse_collective_wait(r);
    for (int k = 0; k < r->directions && !r->call.is_begun; k++)
        reverse_received(r, r->call.map, r->call.count, r->shadows[k]);
}
static void reverse_wait(struct record *w) {
    for (struct record *r = w->message; r; r = r->next)
        reverse_wait_for(r);
}

static void reverse_begun(struct record *r, void *din) {
    if (is_started_send(r->call.operation) || is_planned_send(r->call.operation))
        reverse_sent(r, din);
    else if (!r->is_complete)
        refuse("a request of MPI has no derivative [EZ0305]",
               "differentiated code begins it, and does not wait for it");
}
static void reverse_any_collective(struct record *r, void *din, void *dout) {
    if (r->is_order)
        reverse_barrier(r->call.channel);
    else if (!r->call.is_begun)
        reverse_collective(r, din, dout);
    else if (is_first(r))
        reverse_collective_begun(r);
}

static void reverse_call(struct record *r, int64_t operation, void *din, void *dout) {
    start_before(r);
    switch (r->call.operation) {
    case EZ_SEND: case EZ_SSEND: case EZ_BSEND: case EZ_RSEND: reverse_sent(r, din); break;
    case EZ_RECV: case EZ_MRECV: reverse_received(r, r->call.map, r->call.count, dout); break;
    case EZ_SENDRECV: case EZ_SENDRECV_REPLACE:
        reverse_received(r, r->call.map2, r->call.count2, dout);
        reverse_sent(r, operation == EZ_SENDRECV ? din : dout);
        break;
    case EZ_WAIT: reverse_wait(r); break;
    case EZ_PACK: case EZ_UNPACK: reverse_packing(r, din, dout); break;
    default:
        if (r->window)
            reverse_of_window(r, din, dout);
        else if (r->call.operation < EZ_BARRIER)
            reverse_begun(r, din);
        else
            reverse_any_collective(r, din, dout);
    }
}
void NATIVE(reverse)(EZ_PAIRS(EZ_MPI_CALL), T *tape) {
    if (!tape) {
        check_received_bits(moved_by(GIVEN), dout);
        return;
    }
    struct record *r = (struct record *)tape;
    begin_derivative();
    check_open(r);
    if (all_windows && !r->window)
        settle_windows();
    reverse_call(r, operation, din, dout);
    if (all_windows && !r->window)
        take_all_staged();
    release(r); /* a channel is closed later, after all directions */
    end_derivative();
}

/* -- forward */

static void forward_wait_for(struct record *r) {
    if (r->call.is_begun) {
        finish_first(r, finish_tangent);
        if (!r->exchanges)
            end_record(r);
        return;
    }
    for (int k = 0, all = is_first(r) ? r->directions : 0; k < all; k++)
        forward_received(r, r->call.map, r->call.count, r->shadows[k]);
    if (r->calls == 0 && r->is_on_heap) {
        release(r);
        free(r);
    }
}
static void forward_wait(struct record *w) {
    for (struct record *r = w->message, *next; r; r = next) {
        next = r->next;
        forward_wait_for(r);
    }
}

static void forward_begun(struct record *r, void *din, void *dout) {
    if (is_started_send(r->call.operation) || is_planned_send(r->call.operation)) {
        forward_sent(r, din);
        return;
    }
    keep_under_way(r);
    if (r->call.is_begun)
        exchange_later(last_record, din, dout, start_tangent);
}

static void forward_call(struct record *r, int64_t operation, void *din, void *dout) {
    switch (r->call.operation) {
    case EZ_SEND: case EZ_SSEND: case EZ_BSEND: case EZ_RSEND: forward_sent(r, din); break;
    case EZ_RECV: case EZ_MRECV: forward_received(r, r->call.map, r->call.count, dout); break;
    case EZ_SENDRECV: case EZ_SENDRECV_REPLACE:
        forward_sent(r, operation == EZ_SENDRECV ? din : dout);
        forward_received(r, r->call.map2, r->call.count2, dout);
        break;
    case EZ_WAIT: forward_wait(r); break;
    case EZ_PACK: case EZ_UNPACK: forward_packing(r, din, dout); break;
    default:
        if (r->is_order && !r->window)
            break;
        if (r->window)
            forward_of_window(r, din, dout);
        else if (r->call.operation < EZ_BARRIER || r->call.is_begun)
            forward_begun(r, din, dout);
        else
            exchange_now(r, din, dout, start_tangent, finish_tangent);
    }
}
void NATIVE(forward)(EZ_PAIRS(EZ_MPI_CALL), T *tape) {
    if (!tape) {
        check_sent_bits(moved_by(GIVEN), din, dout);
        return;
    }
    begin_derivative();
    forward_call((struct record *)tape, operation, din, dout);
    release((struct record *)tape);
    end_derivative();
}
