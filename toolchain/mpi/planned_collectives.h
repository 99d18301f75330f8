/* Persistent requests of collective calls, which MPI has since version 4. */
#if MPI_VERSION >= 4
#define PLANNED(...) __VA_ARGS__, c->comm, MPI_INFO_NULL, request

static int run_planned_reduction(const struct call *c, MPI_Request *request) {
    switch (c->operation) {
    case EZ_REDUCE: return MPI_Reduce_init(PLANNED(REDUCED, c->peer));
    case EZ_ALLREDUCE: return MPI_Allreduce_init(PLANNED(REDUCED));
    case EZ_SCAN: return MPI_Scan_init(PLANNED(REDUCED));
    case EZ_EXSCAN: return MPI_Exscan_init(PLANNED(REDUCED));
    case EZ_REDUCE_SCATTER: return MPI_Reduce_scatter_init(PLANNED(c->in, c->out, c->counts, c->type, c->op));
    default: return MPI_Reduce_scatter_block_init(PLANNED(REDUCED));
    }
}
static int run_planned_between_neighbors(const struct call *c, MPI_Request *request) {
    switch (c->operation) {
    case EZ_NEIGHBOR_ALLGATHER: return MPI_Neighbor_allgather_init(PLANNED(ONE_SENT, ONE_RECEIVED));
    case EZ_NEIGHBOR_ALLGATHERV: return MPI_Neighbor_allgatherv_init(PLANNED(ONE_SENT, SEVERAL_RECEIVED));
    case EZ_NEIGHBOR_ALLTOALL: return MPI_Neighbor_alltoall_init(PLANNED(ONE_SENT, ONE_RECEIVED));
    case EZ_NEIGHBOR_ALLTOALLV: return MPI_Neighbor_alltoallv_init(PLANNED(SEVERAL_SENT, SEVERAL_RECEIVED));
    default: return MPI_Neighbor_alltoallw_init(PLANNED(WITH_TYPES(c->in, ), WITH_TYPES(c->out, 2)));
    }
}
static int run_planned(const struct call *c, MPI_Request *request) {
    if (c->operation >= EZ_NEIGHBOR_ALLGATHER)
        return run_planned_between_neighbors(c, request);
    switch (c->operation) {
    case EZ_BARRIER: return MPI_Barrier_init(c->comm, MPI_INFO_NULL, request);
    case EZ_BCAST: return MPI_Bcast_init(PLANNED(c->out, c->count, c->type, c->peer));
    case EZ_GATHER: return MPI_Gather_init(PLANNED(ONE_SENT, ONE_RECEIVED, c->peer));
    case EZ_GATHERV: return MPI_Gatherv_init(PLANNED(ONE_SENT, SEVERAL_RECEIVED, c->peer));
    case EZ_SCATTER: return MPI_Scatter_init(PLANNED(ONE_SENT, ONE_RECEIVED, c->peer));
    case EZ_SCATTERV: return MPI_Scatterv_init(PLANNED(SEVERAL_SENT, ONE_RECEIVED, c->peer));
    case EZ_ALLGATHER: return MPI_Allgather_init(PLANNED(ONE_SENT, ONE_RECEIVED));
    case EZ_ALLGATHERV: return MPI_Allgatherv_init(PLANNED(ONE_SENT, SEVERAL_RECEIVED));
    case EZ_ALLTOALL: return MPI_Alltoall_init(PLANNED(ONE_SENT, ONE_RECEIVED));
    case EZ_ALLTOALLV: return MPI_Alltoallv_init(PLANNED(SEVERAL_SENT, SEVERAL_RECEIVED));
    case EZ_ALLTOALLW:
        return MPI_Alltoallw_init(PLANNED(c->in, c->counts, c->places, (MPI_Datatype *)c->types, c->out, c->counts2,
                                          c->places2, (MPI_Datatype *)c->types2));
    default: return run_planned_reduction(c, request);
    }
}
#undef PLANNED
#else
static int run_planned(const struct call *c, MPI_Request *request) { return MPI_ERR_OTHER; } /* there are none */
#endif
