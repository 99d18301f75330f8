/* Reductions by the program's own operations: all ranks' numbers are gathered, and the function is called for one rank after
 * the other. So it is differentiated like other code. */
typedef void ez_operation(void *in, void *out, int *count, void *type);

struct ez_fold {
    ez_operation *function;
    void *type;
    int64_t extent;
    int ranks, rank;
};

static ALWAYS_INLINE int64_t ez_numbers(int64_t operation, struct ez_message m, struct ez_fold f) {
    int64_t count = operation == EZ_REDUCE_SCATTER_BLOCK ? m.count * f.ranks : m.count;
    for (int i = 0; operation == EZ_REDUCE_SCATTER && i < f.ranks; i++)
        count += m.counts[i];
    return count;
}
/* Up to which rank the result goes, and where a rank's part of it begins. */
static ALWAYS_INLINE int ez_end(int64_t operation, struct ez_fold f) {
    return operation == EZ_SCAN ? f.rank + 1 : operation == EZ_EXSCAN ? f.rank : f.ranks;
}
static ALWAYS_INLINE int64_t ez_first(int64_t operation, struct ez_message m, struct ez_fold f) {
    int64_t first = operation == EZ_REDUCE_SCATTER_BLOCK ? m.count * f.rank : 0;
    for (int i = 0; operation == EZ_REDUCE_SCATTER && i < f.rank; i++)
        first += m.counts[i];
    return first;
}
static ALWAYS_INLINE int64_t ez_own(int64_t operation, struct ez_message m, struct ez_fold f) {
    return operation == EZ_REDUCE_SCATTER ? m.counts[f.rank] : m.count;
}

/* A message to this rank: its type tells numbers from integers, which is not known of a copy of so many bytes. */
static ALWAYS_INLINE void ez_copied(void *out, const void *in, int count, int64_t type) {
    CALL(ALLGATHER, __ez_inactive_mpi_self(), count, type, 0, 0, count, type, .in = in, .out = out);
}

static ALWAYS_INLINE int ez_folded(int64_t operation, struct ez_message m, struct ez_fold f) {
    int count = (int)ez_numbers(operation, m, f), end = ez_end(operation, f);
    const void *in = __ez_inactive_mpi_is_in_place(m.in) ? m.out : m.in;
    char *all = malloc(count * f.extent * f.ranks), *last;
    int error = CALL(ALLGATHER, m.comm, count, m.type, 0, 0, count, m.type, .in = in, .out = all);
    for (int r = 1; r < end; r++) /* the result comes to the place of the last one */
        f.function(all + (r - 1) * count * f.extent, all + r * count * f.extent, &count, f.type);
    last = all + (end - 1) * count * f.extent;
    if (end > 0 && (operation != EZ_REDUCE || f.rank == m.peer))
        ez_copied(m.out, last + ez_first(operation, m, f) * f.extent, (int)ez_own(operation, m, f), m.type);
    free(all);
    return error;
}

static ALWAYS_INLINE int ez_reduced(int64_t operation, struct ez_message m) {
    struct ez_fold f = {(ez_operation *)__ez_inactive_mpi_function(m.tag)};
    if (!f.function)
        return ez_called(operation, m);
    f.type = __ez_inactive_mpi_told_type(m.tag, m.type), f.extent = __ez_inactive_mpi_extent(m.type);
    f.ranks = __ez_inactive_mpi_size(m.comm), f.rank = __ez_inactive_mpi_rank(m.comm);
    return ez_folded(operation, m, f);
}
