/* Receives that differentiated code began, by their requests, and what persistent requests will do. Requests of sends are not
 * told apart: some libraries have one for all sends that are complete at once. */

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

/* Returns the message that a persistent request starts: it has the shadows that the request was made with. */
static struct record *started(struct record *plan) {
    struct record *r = allocated(sizeof *r);
    *r = *plan;
    return r;
}

/* In forward mode the tape of a call ends with the call; what is under way stays. */
static void keep_under_way(struct record *r) {
    struct record **place = &under_way, *copy;
    while (*place && *place != r)
        place = &(*place)->next;
    if (!*place)
        return;
    copy = allocated(sizeof *copy);
    *copy = *r;
    copy->is_on_heap = 1;
    *place = copy;
    for (place = &r->call.channel->unknown; *place; place = &(*place)->later)
        if (*place == r)
            *place = copy;
    if (last_record == r)
        last_record = copy;
}
