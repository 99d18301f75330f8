/* Windows of memory that other ranks read and write.
 *
 * The shadow of that memory has a window of its own, for each direction. Derivatives work on it at once, without epochs. What
 * is added to adjoints of others comes to a second window, the stage: its owner adds it to the shadow where ranks are
 * synchronised, since it may add to the shadow itself at the same time.
 *
 * Memory that ranks share has a shadow that they share, too. Ranks add to it atomically, and derivatives of one-sided calls
 * access it directly. */

struct window {
    MPI_Win window;
    struct channel *channel;
    void *base;
    int64_t size;
    int is_allocated, is_shared, directions, *units; /* units: of displacements, of each rank */
    MPI_Info info;
    struct {
        MPI_Win window, stage; /* if the memory is shared, `window` is that of the shadow, and there is no stage */
        char *memory, *staged;
        int is_own;
    } shadow[DIRECTIONS];
    int locks; /* that this rank holds */
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

static __attribute__((noreturn, cold)) void refuse_window(void) {
    refuse("differentiated code uses a window of MPI that other code has made [EZ0305]",
           "the shadow of its memory is not known; make the window in differentiated code");
}

static void make_window(MPI_Win window, void *base, int64_t size, int unit, MPI_Comm comm) {
    struct window *w = allocated(sizeof *w);
    *w = (struct window){window, channel_of(comm), base, size, .info = MPI_INFO_NULL};
    w->channel->holders++, w->channel->is_used = 1;
    w->units = allocated(size_of(comm) * sizeof(int));
    MPI_Allgather(&unit, 1, MPI_INT, w->units, 1, MPI_INT, w->channel->comm);
    w->next = all_windows;
    all_windows = last_window = w;
}

/* the bits of the kinds of numbers that lie on a stage, before its memory */
enum { STAGED_F = 1, STAGED_D = 2, STAGED_X = 4, STAGE_HEADER = 16, LARGEST_WORD = 16 };

static void open_window(struct window *w, void *memory, int64_t size, MPI_Win *window) {
    MPI_Win_create(memory, size, 1, MPI_INFO_NULL, w->channel->comm, window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, *window);
}
static void share_shadow(struct window *w, int k) {
    MPI_Comm comm = w->channel->comm;
    PMPI_Win_allocate_shared(w->size, w->units[rank_of(comm)], w->info, comm, &w->shadow[k].memory, &w->shadow[k].window);
    memset(w->shadow[k].memory, 0, w->size);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, w->shadow[k].window);
    MPI_Win_sync(w->shadow[k].window);
    MPI_Barrier(comm);
    MPI_Win_sync(w->shadow[k].window);
}
/* Called by all ranks, once for each direction. `memory` null: the rank's memory is constant. */
static void add_shadow(struct window *w, void *memory) {
    int k = w->directions++;
    if (k == DIRECTIONS)
        refuse("there are too many directions [EZ0208]", "windows of MPI have derivatives in up to 16 directions");
    if (w->is_shared) {
        share_shadow(w, k);
        return;
    }
    w->shadow[k].is_own = !memory;
    w->shadow[k].memory = memory ? memory : allocated(w->size);
    w->shadow[k].staged = allocated(STAGE_HEADER + w->size);
    open_window(w, w->shadow[k].memory, w->size, &w->shadow[k].window);
    open_window(w, w->shadow[k].staged, STAGE_HEADER + w->size, &w->shadow[k].stage);
    MPI_Barrier(w->channel->comm);
}
/* Memory that ranks share: another rank's part of it. */
static void *part_of(MPI_Win window, int peer) {
    MPI_Aint size;
    int unit;
    void *base = NULL;
    PMPI_Win_shared_query(window, peer, &size, &unit, &base);
    return base;
}
/* A window comes without a shadow: 2 and the direction ask for that of its memory. If the call made that, it gets one. */
static void *shadow_of(struct window *w, int64_t direction) {
    while (w->is_allocated && w->directions <= direction)
        add_shadow(w, NULL);
    return w->shadow[direction].memory;
}
static void *shadow_of_part(struct window *w, int64_t direction, int peer) {
    shadow_of(w, direction);
    return part_of(w->shadow[direction].window, peer);
}
static void close_window(MPI_Win *window) {
    MPI_Win_unlock_all(*window);
    MPI_Win_free(window);
}
static void end_window(struct window *w) {
    for (int k = 0; k < w->directions; k++) {
        close_window(&w->shadow[k].window);
        if (!w->is_shared)
            close_window(&w->shadow[k].stage);
        free(w->shadow[k].staged);
        if (w->shadow[k].is_own)
            free(w->shadow[k].memory);
    }
    if (w->info != MPI_INFO_NULL)
        MPI_Info_free(&w->info);
    w->channel->holders--;
    struct window **place = &all_windows;
    while (*place && *place != w)
        place = &(*place)->next;
    if (*place)
        *place = w->next;
    free(w->targets), free(w->origins), free(w->units), free(w);
}

/* -- synchronisation of adjoints */

/* Takes away what lies at a place of a rank's own stage, while others may add to it. */
static void take_from_stage(MPI_Win stage, int rank, int64_t place, int64_t count, MPI_Datatype type, char *taken) {
    char *nothing = allocated(count * LARGEST_WORD);
    MPI_Get_accumulate(nothing, (int)count, type, taken, (int)count, type, rank, place, (int)count, type, MPI_REPLACE, stage);
    MPI_Win_flush(rank, stage);
    free(nothing);
}
/* Adds what others have staged to the shadow. */
static void take_staged(struct window *w) {
    int rank = rank_of(w->channel->comm);
    for (int k = 0; k < w->directions && !w->is_shared; k++) {
        int kinds = 0;
        take_from_stage(w->shadow[k].stage, rank, 0, 1, MPI_INT, (char *)&kinds);
        int kind = kinds == STAGED_F ? 'f' : kinds == STAGED_D ? 'd' : 'x';
        if (!kinds)
            continue;
        if (kinds & (kinds - 1))
            refuse("a window of MPI has no derivative [EZ0302]", "other ranks read numbers of several precisions from it");
        int64_t words = w->size / word_size(kind);
        char *taken = allocated(words * LARGEST_WORD);
        take_from_stage(w->shadow[k].stage, rank, STAGE_HEADER, words, word_type(kind), taken);
        MPI_Win_sync(w->shadow[k].window);
        add_words(kind, w->shadow[k].memory, taken, words);
        MPI_Win_sync(w->shadow[k].window);
        free(taken);
    }
}
static void take_all_staged(void) {
    for (struct window *w = all_windows; w; w = w->next)
        take_staged(w);
}
static void complete_all(struct window *w) {
    for (int k = 0; k < w->directions; k++)
        if (w->is_shared)
            MPI_Win_sync(w->shadow[k].window);
        else
            MPI_Win_flush_all(w->shadow[k].window), MPI_Win_flush_all(w->shadow[k].stage);
}

static int is_member(struct window *w, int rank) {
    int size = size_of(w->channel->comm), i = 0;
    while (i < size && world_rank(w->channel, i) != rank)
        i++;
    return i < size;
}
/* Whether a message of integers may order accesses to a window: both ends have the window. `peer` negative: all ranks. */
static int orders_windows(struct channel *c, int peer) {
    int size = all_windows && peer < 0 ? count_of_others(c) : 1, members;
    for (struct window *w = all_windows; w; w = w->next) {
        members = 0;
        for (int i = 0; i < size && w->window != MPI_WIN_NULL; i++)
            members += is_member(w, world_rank(c, peer < 0 ? i : peer));
        if (members == size)
            return 1;
    }
    return 0;
}

/* All ranks of the channel are here, before and after the staged numbers are added. */
static void reverse_barrier(struct channel *c) {
    for (struct window *w = all_windows; w; w = w->next)
        complete_all(w);
    MPI_Barrier(c->comm);
    take_all_staged();
    MPI_Barrier(c->comm);
}
/* Before and after the adjoint of a message or a collective call, which may order accesses to windows: what this rank has
 * added to its shadows is there for others, and what others have staged is added. */
static void settle_windows(void) {
    for (struct window *w = all_windows; w; w = w->next)
        for (int k = 0; k < w->directions; k++)
            MPI_Win_sync(w->shadow[k].window);
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
