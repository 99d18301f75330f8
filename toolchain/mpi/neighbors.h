/* Derivatives of calls between neighbours. Messages of derivatives go one by one, the adjoint of each the other way. */

/* Whom a rank exchanges with; `index`: which message of its source comes from each of these, in calls with one count, with
 * counts, and with types, and then in the same calls by requests. Some libraries differ in this between the calls, where two
 * neighbours are one rank. */
enum { NEIGHBOR_CALLS = 6 };
struct neighbors {
    int sources, targets, *source, *target, *index[NEIGHBOR_CALLS];
};

static void set_cart_neighbors(MPI_Comm comm, struct neighbors *n) {
    int dimensions;
    MPI_Cartdim_get(comm, &dimensions);
    n->sources = n->targets = 2 * dimensions;
    n->source = allocated(n->sources * sizeof(int)), n->target = allocated(n->targets * sizeof(int));
    for (int d = 0; d < dimensions; d++)
        MPI_Cart_shift(comm, d, 1, &n->source[2 * d], &n->source[2 * d + 1]);
    memcpy(n->target, n->source, n->sources * sizeof(int));
}
static void set_graph_neighbors(MPI_Comm comm, struct neighbors *n) {
    MPI_Graph_neighbors_count(comm, rank_of(comm), &n->sources);
    n->targets = n->sources;
    n->source = allocated(n->sources * sizeof(int)), n->target = allocated(n->targets * sizeof(int));
    MPI_Graph_neighbors(comm, rank_of(comm), n->sources, n->source);
    memcpy(n->target, n->source, n->sources * sizeof(int));
}
static void set_any_neighbors(MPI_Comm comm, struct neighbors *n) {
    int is_weighted;
    MPI_Dist_graph_neighbors_count(comm, &n->sources, &n->targets, &is_weighted);
    n->source = allocated(n->sources * sizeof(int)), n->target = allocated(n->targets * sizeof(int));
    int *weights = allocated((n->sources > n->targets ? n->sources : n->targets) * sizeof(int)), *other = NULL;
    other = allocated(n->targets * sizeof(int));
    MPI_Dist_graph_neighbors(comm, n->sources, n->source, weights, n->targets, n->target, other);
    free(weights), free(other);
}

static int *numbers_below(int n, int step, int start) {
    int *list = allocated(n * sizeof(int));
    for (int i = 0; i < n; i++)
        list[i] = start + i * step;
    return list;
}

/* Exchanges tell the indices. */
static void set_indices(MPI_Comm comm, struct neighbors *n) {
    int *own = numbers_below(n->targets, 1, 0), most = n->sources > n->targets ? n->sources : n->targets;
    int *ones = numbers_below(most, 0, 1), *places = own;
    MPI_Aint *addresses = allocated(most * sizeof *addresses);
    MPI_Datatype *types = allocated(most * sizeof *types);
    if (n->sources > n->targets)
        places = numbers_below(most, 1, 0);
    for (int i = 0; i < most; i++)
        addresses[i] = i * sizeof(int), types[i] = MPI_INT;
    for (int k = 0; k < NEIGHBOR_CALLS; k++)
        n->index[k] = allocated(n->sources * sizeof(int));
    MPI_Neighbor_alltoall(own, 1, MPI_INT, n->index[0], 1, MPI_INT, comm);
    MPI_Neighbor_alltoallv(own, ones, places, MPI_INT, n->index[1], ones, places, MPI_INT, comm);
    MPI_Neighbor_alltoallw(own, ones, addresses, types, n->index[2], ones, addresses, types, comm);
    MPI_Request r[3];
    MPI_Ineighbor_alltoall(own, 1, MPI_INT, n->index[3], 1, MPI_INT, comm, &r[0]);
    MPI_Ineighbor_alltoallv(own, ones, places, MPI_INT, n->index[4], ones, places, MPI_INT, comm, &r[1]);
    MPI_Ineighbor_alltoallw(own, ones, addresses, types, n->index[5], ones, addresses, types, comm, &r[2]);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    if (places != own)
        free(places);
    free(own), free(ones), free(addresses), free(types);
}

/* Called by all ranks of a new communicator; returns null if it has no neighbours. */
static struct neighbors *found_neighbors(MPI_Comm comm) {
    int kind;
    MPI_Topo_test(comm, &kind);
    if (kind == MPI_UNDEFINED)
        return NULL;
    struct neighbors *n = allocated(sizeof *n);
    (kind == MPI_CART ? set_cart_neighbors : kind == MPI_GRAPH ? set_graph_neighbors : set_any_neighbors)(comm, n);
    set_indices(comm, n);
    return n;
}
static void end_neighbors(struct neighbors *n) {
    for (int k = 0; n && k < NEIGHBOR_CALLS; k++)
        free(n->index[k]);
    if (n)
        free(n->source), free(n->target), free(n);
}
