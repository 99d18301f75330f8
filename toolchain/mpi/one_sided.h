/* One-sided calls. All are one: the target's numbers are fetched, and then replaced, added to or left as they are. */

static int is_one_sided(const struct call *c) { return c->operation >= EZ_PUT && c->operation <= EZ_FETCH_AND_OP; }

/* Returns whether the call moves numbers. */
static int check_one_sided(struct call *c) {
    c->map = map_of_buffer(c->type, c->count, c->in ? c->in : c->out, c->in ? c->din : c->dout);
    c->map2 = map_of(c->type2);
    if (c->peer == MPI_PROC_NULL || (!has_numbers(c->map) && !has_numbers(c->map2)))
        return 0;
    if (c->op != MPI_SUM && c->op != MPI_REPLACE && c->op != MPI_NO_OP)
        refuse("a one-sided call of MPI has no derivative [EZ0302]",
               "its operation is neither MPI_SUM, MPI_REPLACE nor MPI_NO_OP");
    if (c->map2->kind != 'f' && c->map2->kind != 'd' && c->map2->kind != 'x')
        refuse("a one-sided call of MPI has no derivative [EZ0302]",
               "its type has numbers of several precisions, or bytes of unknown meaning");
    return 1;
}

/* -- epochs between groups */

static int ranks_of(MPI_Group group, MPI_Comm comm, int **ranks) {
    MPI_Group all;
    int size;
    MPI_Group_size(group, &size);
    int *own = allocated(size * sizeof(int));
    *ranks = allocated(size * sizeof(int));
    for (int i = 0; i < size; i++)
        own[i] = i;
    MPI_Comm_group(comm, &all);
    MPI_Group_translate_ranks(group, size, own, all, *ranks);
    MPI_Group_free(&all);
    free(own);
    return size;
}
static int *group_of(const struct window *w, enum ez_mpi_operation o, int *count) {
    int is_target = o == EZ_WIN_POST || o == EZ_WIN_WAIT, is_origin = o == EZ_WIN_START || o == EZ_WIN_COMPLETE;
    *count = is_target ? w->posted : is_origin ? w->started : 0;
    return is_target ? w->origins : w->targets;
}

static size_t size_of_group(struct window *w, const struct call *c) {
    int count;
    if (c->operation == EZ_WIN_POST)
        free(w->origins), w->posted = ranks_of(c->group, w->channel->comm, &w->origins);
    if (c->operation == EZ_WIN_START)
        free(w->targets), w->started = ranks_of(c->group, w->channel->comm, &w->targets);
    group_of(w, c->operation, &count);
    return count * sizeof(int);
}
static void note_group(struct record *r, struct window *w) {
    int count, *ranks = group_of(w, r->call.operation, &count);
    if (count)
        memcpy(r->more, ranks, count * sizeof(int));
    r->limit = count;
}

/* The window is used, and known, as long as it is the program's. */
static void note_window(struct record *r) {
    enum ez_mpi_operation o = r->call.operation;
    r->window->locks += (o == EZ_LOCK || o == EZ_LOCK_ALL) - (o == EZ_UNLOCK || o == EZ_UNLOCK_ALL);
    r->is_order = r->window->locks > 0;
    if (o == EZ_WIN_FREE)
        r->window->window = MPI_WIN_NULL;
}

/* -- derivatives of one call */

static MPI_Datatype target_type(const struct call *c) {
    const struct typemap *map = c->map2;
    int n = map->blocks * c->count2, k = 0, *lengths = allocated(n * sizeof(int));
    MPI_Aint *places = allocated(n * sizeof *places);
    MPI_Datatype type;
    for (int i = 0; i < c->count2; i++)
        for (int b = 0; b < map->blocks; b++, k++)
            lengths[k] = (int)(map->block[b].count * map->block[b].words), places[k] = i * map->extent + map->block[b].offset;
    MPI_Type_create_hindexed(n, lengths, places, word_type(map->kind), &type);
    MPI_Type_commit(&type);
    free(lengths), free(places);
    return type;
}

/* Fetches the numbers of the target's shadow, and does what `op` says with `given`. */
static void work_on_shadow(const struct record *r, int k, MPI_Op op, const char *given, char *fetched) {
    const struct call *c = &r->call;
    const struct window *w = r->window;
    int words = (int)(c->map2->words * c->count2);
    MPI_Datatype type = target_type(c), word = word_type(c->map2->kind);
    MPI_Get_accumulate(given, words, word, fetched, words, word, c->peer, c->place * w->units[c->peer], 1, type, op,
                       w->shadow[k].window);
    MPI_Win_flush(c->peer, w->shadow[k].window);
    MPI_Type_free(&type);
}
/* What others have staged at the target counts, too, where no fence has told its owner to add it. */
static void fetch_staged(const struct record *r, int k, char *fetched) {
    const struct call *c = &r->call;
    const struct window *w = r->window;
    int words = (int)(c->map2->words * c->count2);
    MPI_Datatype type = target_type(c), word = word_type(c->map2->kind);
    char *nothing = allocated(words * LARGEST_WORD), *staged = allocated(words * LARGEST_WORD);
    MPI_Get_accumulate(nothing, words, word, staged, words, word, c->peer, STAGE_HEADER + c->place * w->units[c->peer], 1, type,
                       c->op == MPI_REPLACE ? MPI_REPLACE : MPI_NO_OP, w->shadow[k].stage);
    MPI_Win_flush(c->peer, w->shadow[k].stage);
    add_words(c->map2->kind, fetched, staged, words);
    MPI_Type_free(&type);
    free(nothing), free(staged);
}
static void stage(const struct record *r, int k, const char *given) {
    const struct call *c = &r->call;
    const struct window *w = r->window;
    int kind = c->map2->kind, bit = kind == 'f' ? STAGED_F : kind == 'd' ? STAGED_D : STAGED_X;
    MPI_Datatype type = target_type(c);
    MPI_Accumulate(given, (int)(c->map2->words * c->count2), word_type(kind), c->peer,
                   STAGE_HEADER + c->place * w->units[c->peer], 1, type, MPI_SUM, w->shadow[k].stage);
    MPI_Accumulate(&bit, 1, MPI_INT, c->peer, 0, 1, MPI_INT, MPI_BOR, w->shadow[k].stage);
    MPI_Win_flush(c->peer, w->shadow[k].stage);
    MPI_Type_free(&type);
}

/* The same where the target's shadow is memory that ranks share. */
static void work_on_shared(const struct record *r, int k, MPI_Op op, char *given, char *fetched) {
    const struct call *c = &r->call;
    char *target = (char *)shadow_of_part(r->window, k, c->peer) + c->place * r->window->units[c->peer];
    moved(c->map2, target, c->count2, -1, fetched, op == MPI_REPLACE ? TAKE_AWAY : TAKE);
    if (op != MPI_NO_OP)
        moved(c->map2, target, c->count2, -1, given, ADD);
}

static void reverse_one_sided(const struct record *r, int k, void *din, void *dout) {
    const struct call *c = &r->call;
    int64_t size = moved(c->map, NULL, c->count, -1, NULL, TAKE);
    char *given = allocated(size), *fetched = allocated(size);
    if (c->out) /* what was fetched */
        moved(c->map, dout, c->count, -1, given, TAKE_AWAY);
    if (r->window->is_shared) {
        work_on_shared(r, k, c->op == MPI_NO_OP ? MPI_SUM : c->op, given, fetched);
        moved(c->map, c->op == MPI_NO_OP ? NULL : din, c->count, -1, fetched, ADD);
    } else if (c->op == MPI_NO_OP)
        stage(r, k, given);
    else {
        work_on_shadow(r, k, c->op, given, fetched);
        if (r->is_order)
            fetch_staged(r, k, fetched);
        moved(c->map, din, c->count, -1, fetched, ADD);
    }
    free(given), free(fetched);
}
static void forward_one_sided(const struct record *r, int k, void *din, void *dout) {
    const struct call *c = &r->call;
    int64_t size = moved(c->map, NULL, c->count, -1, NULL, TAKE);
    char *given = allocated(size), *fetched = allocated(size);
    if (c->op != MPI_NO_OP)
        moved(c->map, din, c->count, -1, given, TAKE);
    if (r->window->is_shared)
        work_on_shared(r, k, c->op, given, fetched);
    else
        work_on_shadow(r, k, c->op, given, fetched);
    if (c->out)
        moved(c->map, dout, c->count, -1, fetched, PUT);
    free(given), free(fetched);
}

static void check_lock(const struct record *r) {
    if (r->window->is_shared && r->call.operation == EZ_LOCK && r->call.tag == MPI_LOCK_EXCLUSIVE)
        refuse("a lock of memory that ranks share has no adjoint [EZ0302]",
               "in which order ranks had the lock is not known; order them by barriers or messages, or use forward mode");
}

/* What ended an epoch opens one of adjoints, and the other way round. */
static void reverse_synchronisation(const struct record *r) {
    struct window *w = r->window;
    const int *ranks = (const int *)r->more;
    check_lock(r);
    switch (r->call.operation) {
    case EZ_WIN_CREATE: end_window(w); break;
    case EZ_FENCE: case EZ_WIN_FREE: reverse_barrier(w->channel); break;
    case EZ_WIN_WAIT: tell(w, ranks, (int)r->limit, OPENED); break;
    case EZ_WIN_COMPLETE: await(w, ranks, (int)r->limit, OPENED); break;
    case EZ_WIN_START: complete_all(w), tell(w, ranks, (int)r->limit, CLOSED); break;
    case EZ_WIN_POST: await(w, ranks, (int)r->limit, CLOSED), take_staged(w); break;
    default: complete_all(w);
    }
}

static int direction_of(struct record *r) {
    int k = r->calls;
    r->calls = (r->calls + 1) % r->directions;
    return k;
}
static void reverse_of_window(struct record *r, void *din, void *dout) {
    int k = direction_of(r);
    if (is_one_sided(&r->call))
        reverse_one_sided(r, k, din, dout);
    else if (k == r->directions - 1)
        reverse_synchronisation(r);
}
static void forward_of_window(struct record *r, void *din, void *dout) {
    int k = direction_of(r);
    if (is_one_sided(&r->call))
        forward_one_sided(r, k, din, dout);
    else if (k == r->directions - 1 && r->call.operation == EZ_WIN_FREE)
        end_window(r->window);
}
