/* Windows of memory that other ranks read and write.
 *
 * The shadow of that memory has a window of its own, for each direction. Derivatives work on it at once, without epochs. What
 * is added to adjoints of others comes to a second window, the stage: its owner adds it to the shadow where ranks are
 * synchronised, since it may add to the shadow itself at the same time. */

struct window {
    MPI_Win window;
    struct channel *channel;
    void *base;
    int64_t size;
    int is_allocated, directions, *units; /* units: of displacements, of each rank */
    struct {
        MPI_Win window, stage;
        char *memory, *staged;
        int is_own;
    } shadow[DIRECTIONS];
    int started, posted, *targets, *origins; /* the ranks of an epoch */
    struct window *next;
};
static struct window *all_windows, *last_window;

static struct window *window_of(MPI_Win window) {
    struct window *w = all_windows;
    while (w && w->window != window)
        w = w->next;
    return w;
}

static void make_window(MPI_Win window, void *base, int64_t size, int unit, MPI_Comm comm) {
    struct window *w = allocated(sizeof *w);
    *w = (struct window){window, channel_of(comm), base, size};
    w->units = allocated(size_of(comm) * sizeof(int));
    MPI_Allgather(&unit, 1, MPI_INT, w->units, 1, MPI_INT, w->channel->comm);
    w->next = all_windows;
    all_windows = last_window = w;
}

static int shows_all_ranks(const struct window *w) {
    return size_of(w->channel->comm) == size_of(MPI_COMM_WORLD);
}
static void count_window(const struct window *w, int change) {
    w->channel->windows += change;
    if (shows_all_ranks(w) && !w->channel->is_world)
        channel_of(MPI_COMM_WORLD)->windows += change;
}

/* the bits of the kinds of numbers that lie on a stage, before its memory */
enum { STAGED_F = 1, STAGED_D = 2, STAGED_X = 4, STAGE_HEADER = 16 };

static void open_window(struct window *w, void *memory, int64_t size, MPI_Win *window) {
    MPI_Win_create(memory, size, 1, MPI_INFO_NULL, w->channel->comm, window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, *window);
}
/* Called by all ranks, once for each direction. `memory` null: the rank's memory is constant. */
static void add_shadow(struct window *w, void *memory) {
    int k = w->directions++;
    if (k == DIRECTIONS)
        refuse("there are too many directions [EZ0208]", "windows of MPI have derivatives in up to 16 directions");
    w->shadow[k].is_own = !memory;
    w->shadow[k].memory = memory ? memory : allocated(w->size);
    w->shadow[k].staged = allocated(STAGE_HEADER + w->size);
    open_window(w, w->shadow[k].memory, w->size, &w->shadow[k].window);
    open_window(w, w->shadow[k].staged, STAGE_HEADER + w->size, &w->shadow[k].stage);
    MPI_Barrier(w->channel->comm);
}
/* A window comes without a shadow: 2 and the direction ask for that of its memory. If the call made that, it gets one. */
static void *shadow_of(struct window *w, int64_t direction) {
    while (w->is_allocated && w->directions <= direction)
        add_shadow(w, NULL);
    return w->shadow[direction].memory;
}
static void end_window(struct window *w) {
    for (int k = 0; k < w->directions; k++) {
        MPI_Win_unlock_all(w->shadow[k].window), MPI_Win_unlock_all(w->shadow[k].stage);
        MPI_Win_free(&w->shadow[k].window), MPI_Win_free(&w->shadow[k].stage);
        free(w->shadow[k].staged);
        if (w->shadow[k].is_own)
            free(w->shadow[k].memory);
    }
    struct window **place = &all_windows;
    while (*place && *place != w)
        place = &(*place)->next;
    if (*place)
        *place = w->next;
    free(w->targets), free(w->origins), free(w->units), free(w);
}

/* -- synchronisation of adjoints */

/* Adds what others have staged to the shadow. */
static void take_staged(struct window *w) {
    for (int k = 0; k < w->directions; k++) {
        MPI_Win_sync(w->shadow[k].stage), MPI_Win_sync(w->shadow[k].window);
        int kinds = *(int *)w->shadow[k].staged, kind = kinds == STAGED_F ? 'f' : kinds == STAGED_D ? 'd' : 'x';
        if (!kinds)
            continue;
        if (kinds & (kinds - 1))
            refuse("a window of MPI has no derivative [EZ0302]", "other ranks read numbers of several precisions from it");
        add_words(kind, w->shadow[k].memory, w->shadow[k].staged + STAGE_HEADER, w->size / word_size(kind));
        memset(w->shadow[k].staged, 0, STAGE_HEADER + w->size);
        MPI_Win_sync(w->shadow[k].stage), MPI_Win_sync(w->shadow[k].window);
    }
}
static void complete_all(struct window *w) {
    for (int k = 0; k < w->directions; k++)
        MPI_Win_flush_all(w->shadow[k].window), MPI_Win_flush_all(w->shadow[k].stage);
}

static int is_within(const struct window *w, const struct channel *c) {
    return w->channel == c || (c->is_world && shows_all_ranks(w));
}
/* All ranks of the channel are here, before and after the staged numbers are added. */
static void reverse_barrier(struct channel *c) {
    for (struct window *w = all_windows; w; w = w->next)
        if (is_within(w, c))
            complete_all(w);
    MPI_Barrier(c->comm);
    for (struct window *w = all_windows; w; w = w->next)
        if (is_within(w, c))
            take_staged(w);
    MPI_Barrier(c->comm);
}

/* Messages without numbers between the ranks of an epoch. Who tells does not wait. */
enum { OPENED = 1, CLOSED = 2 };
static void tell(const struct window *w, const int *ranks, int count, int tag) {
    for (int i = 0; i < count; i++) {
        struct sent *s = allocated(sizeof *s);
        MPI_Isend(NULL, 0, MPI_BYTE, ranks[i], tag, w->channel->comm, &s->request);
        s->next = all_sent;
        all_sent = s;
    }
}
static void await(const struct window *w, const int *ranks, int count, int tag) {
    for (int i = 0; i < count; i++)
        PMPI_Recv(NULL, 0, MPI_BYTE, ranks[i], tag, w->channel->comm, MPI_STATUS_IGNORE);
}
