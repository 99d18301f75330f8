/* Which ranks give numbers in a collective call, and which get some. A communicator may join two groups: then one group
 * gives what the other one gets.
 *
 * In a call with a root, between two groups, the root passes MPI_ROOT. The rest of its group takes no part, and passes
 * MPI_PROC_NULL. The other group passes the root's rank. */

static int size_of(MPI_Comm comm) {
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

/* Made where the communicator is made: the ranks of both groups, and those of the own one. */
static void join_groups(struct channel *c) {
    int leader = 0, color;
    MPI_Group own, world;
    PMPI_Intercomm_merge(c->comm, 0, &c->joined);
    MPI_Comm_group(c->comm, &own), MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(own, 1, &leader, world, &color);
    MPI_Group_free(&own), MPI_Group_free(&world);
    PMPI_Comm_split(c->joined, color, 0, &c->group);
}
static int joins_groups(const struct call *c) { return c->channel && c->channel->is_inter; }

/* How many ranks a rank gives numbers to, or gets some from. */
static int count_of_others(const struct channel *c) {
    int size;
    (c->is_inter ? MPI_Comm_remote_size : PMPI_Comm_size)(c->comm, &size);
    return size;
}
/* the ranks that a reduction joins */
static MPI_Comm group_of_call(const struct call *c) { return joins_groups(c) ? c->channel->group : c->channel->comm; }

static int is_root(const struct call *c) { return joins_groups(c) ? c->peer == MPI_ROOT : rank_of(c->comm) == c->peer; }
static int is_no_root(const struct call *c) {
    return joins_groups(c) ? c->peer != MPI_ROOT && c->peer != MPI_PROC_NULL : 1;
}
static int gathers(const struct call *c) { return c->operation == EZ_GATHER || c->operation == EZ_GATHERV; }
static int scatters(const struct call *c) { return c->operation == EZ_SCATTER || c->operation == EZ_SCATTERV; }
static int has_root(const struct call *c) {
    return c->operation == EZ_BCAST || c->operation == EZ_REDUCE || gathers(c) || scatters(c);
}
/* Whether the rank takes no part; it need not know which numbers move. */
static int is_idle(const struct call *c) { return has_root(c) && joins_groups(c) && c->peer == MPI_PROC_NULL; }

/* whether the call reads on this rank, and whether it writes */
static int is_taken(const struct call *c) {
    if (c->operation == EZ_BCAST || scatters(c))
        return is_root(c);
    if (c->operation == EZ_REDUCE || gathers(c))
        return is_no_root(c);
    return c->operation != EZ_EXSCAN || rank_of(c->comm) < size_of(c->comm) - 1;
}
static int is_given(const struct call *c) {
    if (c->operation == EZ_BCAST || scatters(c))
        return is_no_root(c);
    if (c->operation == EZ_REDUCE || gathers(c))
        return is_root(c);
    return c->operation != EZ_EXSCAN || rank_of(c->comm) > 0;
}

static void check_groups(const struct call *c) {
    const char *why = NULL;
    if (!joins_groups(c))
        return;
    if (c->op != MPI_OP_NULL && c->op != MPI_SUM && c->channel->group == MPI_COMM_NULL)
        why = "a library made its communicator, so that derivatives do not know the groups";
    else if (c->operation == EZ_REDUCE_SCATTER)
        why = "MPI_Reduce_scatter between two groups: one does not know the counts of the other";
    if (why)
        refuse("a collective call of MPI has no derivative [EZ0302]", why);
}
