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
    MPI_Comm joined, group;   /* of two groups: all ranks, and the own group (groups.h) */
    int is_own, is_inter, is_world, tag_bits, number_bits, highest;
    struct neighbors *neighbors;
    struct record *unknown;   /* receives whose message is not known yet, in order */
    struct record *ready;     /* collective calls whose adjoints wait for those of later ones */
    int64_t collectives, unstarted; /* how many there were, and how many adjoints have not started yet */
    struct counter **counters; /* COUNTERS lists */
    int *world;               /* the ranks of the other ends in MPI_COMM_WORLD, once they are asked for */
    int64_t id, calls;        /* logged_calls.h; 0: not known on other ranks */
    int is_used;              /* tapes may know it */
    int64_t holders;          /* records that are not reversed yet, and windows */
    struct channel *next;
};
/* Of communicators that have ended: those whose derivatives are still to come, and those of which tapes may still know the
 * name. The copies of the former end where the next communicator is made, once nothing holds them. */
static struct channel *ended, *closed;

static void free_comm(MPI_Comm *comm) {
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
}
static void close_channel(struct channel *c) {
    for (int i = 0; i < COUNTERS; i++)
        for (struct counter *next, *k = c->counters[i]; k; k = next)
            next = k->next, free(k);
    free(c->counters);
    end_neighbors(c->neighbors);
    free_comm(&c->backwards), free_comm(&c->joined), free_comm(&c->group);
    if (c->is_own)
        MPI_Comm_free(&c->comm);
    c->comm = MPI_COMM_NULL;
    free(c->world);
    if (!c->is_used)
        free(c);
    else
        c->next = closed, closed = c;
}
static void close_unheld(void) {
    for (struct channel **place = &ended, *c; (c = *place);)
        if (c->holders)
            place = &c->next;
        else
            *place = c->next, close_channel(c);
}

static void forget_channel_of_plain(const struct channel *c);
static void name_channel(struct channel *c);

/* The communicators that were freed last: steps that are computed again may still ask for them. */
enum { FREED = 64 };
static MPI_Comm freed[FREED];
static int count_freed;

static void note_freed(MPI_Comm comm) { freed[count_freed++ % FREED] = comm; }
static void forget_freed(MPI_Comm comm) {
    for (int i = 0; i < FREED; i++)
        if (i < count_freed && freed[i] == comm)
            freed[i] = MPI_COMM_NULL;
}
static void check_freed(MPI_Comm comm) {
    for (int i = 0; comm != MPI_COMM_NULL && i < FREED && i < count_freed; i++)
        if (freed[i] == comm)
            refuse("a communicator was freed that derivatives need again [EZ0305]",
                   "steps of a checkpointed loop are computed again; free the communicator after the gradient");
}

static int forget_channel(MPI_Comm comm, int key, void *value, void *state) {
    struct channel *c = value;
    forget_channel_of_plain(c);
    note_freed(comm);
    if (!c->holders)
        return close_channel(c), MPI_SUCCESS;
    c->next = ended;
    ended = c;
    return MPI_SUCCESS;
}

static int end_messages(MPI_Comm comm, int key, void *value, void *state);
static void join_groups(struct channel *c);

static int channel_key = MPI_KEYVAL_INVALID;

/* MPI deletes what MPI_COMM_SELF has first of all when it ends. */
static void watch_end(void) {
    int end_key;
    if (channel_key != MPI_KEYVAL_INVALID)
        return;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_channel, &channel_key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_messages, &end_key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, end_key, NULL);
    MPI_Comm_free_keyval(&end_key); /* the key ends with the attribute */
}

static struct channel *open_channel(MPI_Comm comm, int is_own) {
    struct channel *c = allocated(sizeof *c);
    c->counters = allocated(COUNTERS * sizeof *c->counters);
    forget_freed(comm);
    int is_there, *highest, bits = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest, &is_there);
    c->highest = is_there ? *highest : 32767;
    while (bits < 31 && (((int64_t)2 << bits) - 1) <= c->highest)
        bits++;
    c->number_bits = bits / 2, c->tag_bits = bits - c->number_bits - 1; /* the last one: long headers */
    c->is_world = comm == MPI_COMM_WORLD;
    c->comm = comm, c->backwards = c->joined = c->group = MPI_COMM_NULL;
    MPI_Comm_test_inter(comm, &c->is_inter);
    if ((c->is_own = is_own))
        PMPI_Comm_dup(comm, &c->comm), c->neighbors = found_neighbors(c->comm); /* not MPI_Comm_dup: the linker sends it here */
    if (is_own && c->is_inter)
        join_groups(c);
    MPI_Comm_set_attr(comm, channel_key, c);
    return c;
}

/* Called by all ranks of a new communicator. */
static void entered(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        return;
    watch_end();
    close_unheld();
    name_channel(open_channel(comm, 1));
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
