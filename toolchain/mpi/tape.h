/* What the tape keeps of a call. */

static int *kept_list(struct record *r, const void *list, size_t size, size_t *place) {
    if (!list || !size)
        return NULL;
    void *copy = (char *)r + *place;
    memcpy(copy, list, size);
    *place += (size + 15) & ~(size_t)15;
    return copy;
}

/* The maps of a list of types, which may end before the record. */
static const struct typemap *const *kept_maps(struct record *r, const MPI_Datatype *types, const int *counts, int n,
                                              size_t *place) {
    const struct typemap **maps = (const struct typemap **)((char *)r + *place);
    if (!types || !counts)
        return NULL;
    for (int i = 0; i < n; i++)
        maps[i] = map_of(counts[i] ? types[i] : MPI_DOUBLE);
    *place += (n * sizeof *maps + 15) & ~(size_t)15;
    return maps;
}

/* Of how many ranks the lists of a call are, first of those that it sends to. */
static void lengths_of(const struct call *c, int *targets, int *sources) {
    *targets = *sources = 0;
    if (!c->counts && !c->counts2)
        return;
    if (c->operation >= EZ_NEIGHBOR_ALLGATHER)
        *targets = c->channel->neighbors->targets, *sources = c->channel->neighbors->sources;
    else
        *targets = *sources = count_of_others(c->channel);
    if (has_root(c) && !is_root(c)) /* they count at the root only */
        *targets = *sources = 0;
}

/* `more`: bytes for what the caller puts behind `r->more`. */
static struct record *record_with(const struct call *c, size_t more) {
    int n, m;
    lengths_of(c, &n, &m);
    size_t place = sizeof(struct record) + (c->is_begun ? DIRECTIONS * sizeof(void *) : 0);
    size_t width = c->operation == EZ_NEIGHBOR_ALLTOALLW ? sizeof(MPI_Aint) : sizeof(int);
    size_t map = c->types2 ? sizeof(struct typemap *) : 0;
    place = (place + 15) & ~(size_t)15;
    struct record *r = allocated(place + (n + m) * (sizeof(int) + width + map) + 6 * 16 + more);
    r->call = *c;
    r->call.comm = c->channel->comm; /* the program's own may end before */
    c->channel->is_used = 1;
    hold(r);
    r->call.counts = kept_list(r, c->counts, n * sizeof(int), &place);
    r->call.places = kept_list(r, c->places, n * width, &place);
    r->call.maps = kept_maps(r, c->in == MPI_IN_PLACE ? NULL : c->types, c->counts, n, &place);
    r->call.counts2 = kept_list(r, c->counts2, m * sizeof(int), &place);
    r->call.places2 = kept_list(r, c->places2, m * width, &place);
    r->call.maps2 = kept_maps(r, c->types2, c->counts2, m, &place);
    r->more = (char *)r + place;
    return r;
}
static struct record *record_of(const struct call *c) { return record_with(c, 0); }

/* -- one-sided calls */

static struct record *augmented_of_window(struct call *c) {
    struct record *r;
    c->channel = NULL;
    struct window *w = window_of(c->window);
    if (!w)
        refuse_window();
    c->channel = w->channel;
    c->comm = w->channel->comm;
    if (is_one_sided(c) && !check_one_sided(c)) {
        run(c);
        return NULL;
    }
    r = record_with(c, size_of_group(w, c));
    r->window = w, r->directions = w->directions;
    note_group(r, w);
    run(c);
    note_window(r);
    return r;
}

/* Whether the derivative of a message is a message: it has numbers, or it may order accesses to windows. */
static int is_reversed(const struct call *c, const struct typemap *map, int peer) {
    return has_numbers(map) || (map && peer != MPI_PROC_NULL && orders_windows(c->channel, peer));
}

/* -- collective calls */

static void check_neighbors(const struct call *c) {
    if (is_of_neighbors(c) && !c->channel->neighbors)
        refuse("a call between neighbours has no derivative [EZ0302]",
               "its communicator was made by a library, so that derivatives do not know the neighbours");
}

static struct record *recorded_collective(const struct call *c, int64_t index) {
    if (is_reduction(c))
        check_reduction(c);
    check_neighbors(c);
    check_groups(c);
    int has = has_weights(c) && (is_taken(c) || !joins_groups(c));
    struct record *r = record_with(c, has && !c->is_begun ? gathered_size(c) : 0);
    r->logged = index;
    number_collective(r);
    if (has) /* what is under way cannot move with the record */
        r->gathered = gathering(c, index, c->is_begun ? allocated(gathered_size(c)) : (struct gathered *)r->more);
    return r;
}

/* A call without numbers. */
static struct record *ordering(struct call *c) {
    if (c->is_begun || is_idle(c) || !orders_windows(c->channel, -1))
        return NULL;
    struct record *r = record_of(c);
    r->is_order = 1;
    return r;
}

static struct record *augmented_plan(struct call *c) {
    struct record *r = record_of(c);
    run(c);
    enter_request(&planned, r);
    last_record = r;
    return NULL;
}

static struct record *augmented_collective(struct call *c) {
    struct record *r = NULL;
    last_record = NULL;
    if (c->is_planned) {
        set_maps(c);
        return augmented_plan(c);
    }
    set_maps(c);
    int has = kind_of(c) != 0;
    int64_t index = is_idle(c) ? counted_call(c->channel) : log_call(c->channel, has);
    r = has ? recorded_collective(c, index) : ordering(c);
    run(c);
    if (c->is_begun)
        enter_begun(last_record = r);
    return r;
}
