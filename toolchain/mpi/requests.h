/* Requests that differentiated code began: those with a record, by their requests, how many there are of the others, and
 * what persistent requests will do. Some libraries have one request for all sends that are complete at once. */

static struct record *under_way, *planned;

static struct record **place_of(struct record **list, MPI_Request request) {
    while (*list && (*list)->request != request)
        list = &(*list)->next;
    return list;
}

static void enter_request(struct record **list, struct record *r) {
    r->request = last_request;
    r->next = *list;
    *list = r;
}

static struct record *taken(struct record **list, MPI_Request request) {
    struct record **place = place_of(list, request), *found = *place;
    if (found)
        *place = found->next;
    return found;
}

struct begun {
    MPI_Request request;
    int64_t count;
    struct begun *next;
};
static struct begun *all_begun;

static struct begun **begun_at(MPI_Request request) {
    struct begun **place = &all_begun;
    while (*place && (*place)->request != request)
        place = &(*place)->next;
    return place;
}
static void forget_begun(MPI_Request request) {
    struct begun **place = begun_at(request), *b = *place;
    if (b && --b->count == 0) {
        *place = b->next;
        free(b);
    }
}

/* Enters the request of the last call. Its record is null if the end of the request has no derivative. */
static void enter_begun(struct record *r) {
    struct begun *b = *begun_at(last_request);
    if (!b) {
        b = allocated(sizeof *b);
        *b = (struct begun){last_request, 0, all_begun};
        all_begun = b;
    }
    b->count++;
    if (r && !r->call.is_begun)
        taken(&under_way, last_request); /* of a receive that ended elsewhere */
    if (r)
        enter_request(&under_way, r);
}
static int is_begun_here(MPI_Request request) { return *begun_at(request) != NULL; }

/* Returns what has ended. Several calls that were complete at once may have one request: they end with the first wait. */
static struct record *taken_begun(MPI_Request request, struct record *plan) {
    struct record *all = NULL;
    if (plan)
        plan->is_started = 0;
    else
        forget_begun(request);
    for (struct record *r; (r = taken(&under_way, request));)
        r->next = all, all = r;
    return all;
}

/* A channel stays open until all that may use it is reversed. */
static void hold(struct record *r) { r->call.channel->holders++; }
static void release(struct record *r) {
    if (r->call.channel && !r->is_released)
        r->call.channel->holders--, r->is_released = 1;
}
static void check_open(const struct record *r) {
    if (r->call.channel && r->call.channel->comm == MPI_COMM_NULL)
        refuse("a communicator was freed that derivatives need again [EZ0305]",
               "a tape is used again; free the communicator after that");
}

/* Returns the message that a persistent request starts: it has the shadows that the request was made with. */
static struct record *started(struct record *plan) {
    struct record *r = allocated(sizeof *r);
    *r = *plan;
    hold(r);
    return r;
}

/* In forward mode the tape of a call ends with the call; what is under way stays. */
static void keep_under_way(struct record *r) {
    struct record **place = &under_way, *copy;
    while (*place && *place != r)
        place = &(*place)->next;
    if (!*place)
        return;
    size_t size = sizeof *copy + (r->call.is_begun ? DIRECTIONS * sizeof(void *) : 0);
    copy = allocated(size);
    memcpy(copy, r, size);
    copy->is_on_heap = 1;
    r->is_released = 1; /* the copy is held */
    *place = copy;
    for (place = &r->call.channel->unknown; *place; place = &(*place)->later)
        if (*place == r)
            *place = copy;
    if (last_record == r)
        last_record = copy;
}

/* -- a receive that is cancelled has no message: the next one gets its number */

static void forget_received(struct record *r) {
    struct envelope e = r->received;
    if (r->is_numbered && !is_to_nobody(&e)) {
        --*counted(e.channel, e.peer, e.tag, 1);
        for (struct record *u = under_way; u; u = u->next)
            if (u->is_numbered && u->received.channel == e.channel && u->received.peer == e.peer &&
                u->received.tag == e.tag && u->received.number > e.number)
                u->received.number--;
    }
    for (struct record **place = &r->call.channel->unknown; *place; place = &(*place)->later)
        if (*place == r) {
            *place = r->later;
            break;
        }
    r->received.peer = MPI_PROC_NULL, r->is_numbered = 1;
}

/* Cancels a receive of differentiated code. It ends at once, with or without a message. */
static int cancel_received(struct record *r) {
    MPI_Request request = r->request;
    MPI_Status status;
    int error = MPI_Cancel(&request), is_done = 0, is_cancelled;
    while (!is_done)
        MPI_Request_get_status(request, &is_done, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    if (is_cancelled)
        forget_received(r);
    return error;
}
