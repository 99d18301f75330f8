/* The memory that a collective call reads and writes: blocks of elements, one for each rank or one alone, and what of it
 * is packed: numbers, one after the other. */

struct side {
    char *memory; /* its shadow, or null */
    int blocks, room;
    const struct typemap **maps;
    int *counts, *sizes, *offsets; /* sizes, offsets: of the packed numbers, in units */
    int64_t *places;               /* in bytes */
    int unit, total;               /* bytes; units */
};

static struct side new_side(void *memory, int blocks, int unit) {
    struct side s = {memory, 0, blocks};
    s.maps = allocated(blocks * sizeof *s.maps);
    s.counts = allocated(blocks * sizeof *s.counts), s.sizes = allocated(blocks * sizeof *s.sizes);
    s.offsets = allocated(blocks * sizeof *s.offsets), s.places = allocated(blocks * sizeof *s.places);
    s.unit = unit;
    return s;
}
static void end_side(struct side *s) {
    free(s->maps), free(s->counts), free(s->sizes), free(s->offsets), free(s->places);
}

static void add_block(struct side *s, const struct typemap *map, int count, int64_t place) {
    int k = s->blocks++, size = (int)(moved(map, NULL, count, -1, NULL, TAKE) / s->unit);
    s->maps[k] = map, s->counts[k] = count, s->places[k] = place;
    s->sizes[k] = size, s->offsets[k] = s->total;
    s->total += size;
}

/* Blocks of one type. `counts` null: of `count` elements each. `places` null: one behind the other. */
static struct side side_of(const struct typemap *map, void *memory, int blocks, int count, const int *counts,
                           const int *places, int unit) {
    struct side s = new_side(memory, blocks, unit);
    int64_t place = 0;
    for (int i = 0; i < blocks; i++) {
        int n = counts ? counts[i] : count;
        add_block(&s, map, n, (places ? places[i] : place) * map->extent);
        place += n;
    }
    return s;
}
static struct side one_block(const struct typemap *map, void *memory, int count, int64_t place, int unit) {
    struct side s = new_side(memory, 1, unit);
    add_block(&s, map, count, place);
    return s;
}
/* Blocks of several types, whose places are given in bytes. */
static struct side side_of_types(const struct typemap *const *maps, void *memory, int blocks, const int *counts,
                                 const int *places, int has_addresses) {
    struct side s = new_side(memory, blocks, 1);
    for (int i = 0; i < blocks; i++)
        add_block(&s, maps[i], counts[i], has_addresses ? ((const MPI_Aint *)places)[i] : places[i]);
    return s;
}

static void move_block(const struct side *s, int block, char *packed, enum movement how) {
    char *memory = s->memory ? s->memory + s->places[block] : NULL;
    moved(s->maps[block], memory, s->counts[block], -1, packed + (int64_t)s->offsets[block] * s->unit, how);
}
static void move_side(const struct side *s, char *packed, enum movement how) {
    for (int i = 0; i < s->blocks; i++)
        move_block(s, i, packed, how);
}

/* The sides of a call on this rank; no blocks: the side does not count here. */
struct sides {
    struct side in, out;
};

static int sends_in_place(const struct call *c) { return c->in == MPI_IN_PLACE; }

static struct sides sides_of_gather(const struct call *c, int n, int rank, void *din, void *dout, int unit) {
    struct sides s = {{0}, {0}};
    if (is_given(c))
        s.out = side_of(c->map2, dout, n, c->count2, c->counts2, c->places2, unit);
    if (is_taken(c))
        s.in = sends_in_place(c) ? one_block(c->map2, dout, s.out.counts[rank], s.out.places[rank], unit)
                                 : one_block(c->map, din, c->count, 0, unit);
    return s;
}
static struct sides sides_of_scatter(const struct call *c, int n, int rank, void *din, void *dout, int unit) {
    struct sides s = {{0}, {0}};
    if (is_taken(c))
        s.in = side_of(c->map, din, n, c->count, c->counts, c->places, unit);
    if (is_given(c))
        s.out = c->out == MPI_IN_PLACE ? one_block(c->map, din, s.in.counts[rank], s.in.places[rank], unit)
                                       : one_block(c->map2, dout, c->count2, 0, unit);
    return s;
}
static struct sides sides_of_alltoall(const struct call *c, int n, void *din, void *dout, int unit) {
    int is_in_place = sends_in_place(c);
    if (c->operation == EZ_ALLTOALLW) {
        struct side out = side_of_types(c->maps2, dout, n, c->counts2, c->places2, 0);
        return (struct sides){is_in_place ? side_of_types(c->maps2, dout, n, c->counts2, c->places2, 0)
                                          : side_of_types(c->maps, din, n, c->counts, c->places, 0), out};
    }
    struct side out = side_of(c->map2, dout, n, c->count2, c->counts2, c->places2, unit);
    return (struct sides){is_in_place ? side_of(c->map2, dout, n, c->count2, c->counts2, c->places2, unit)
                                      : side_of(c->map, din, n, c->count, c->counts, c->places, unit), out};
}
static struct sides sides_of_reduction(const struct call *c, int n, int rank, void *din, void *dout, int unit) {
    int is_scattered = c->operation == EZ_REDUCE_SCATTER || c->operation == EZ_REDUCE_SCATTER_BLOCK;
    int count = is_scattered ? c->count * size_of(c->comm) / n : c->count; /* one rank gets; n are in the other group */
    void *read = sends_in_place(c) ? dout : din;
    return (struct sides){side_of(c->map, read, is_scattered ? n : 1, count, c->counts, NULL, unit),
                          one_block(c->map, dout, c->counts ? c->counts[rank] : c->count, 0, unit)};
}

static struct sides sides_of(const struct call *c, void *din, void *dout, int unit) {
    int n = count_of_others(c->channel), rank = rank_of(c->comm);
    switch (c->operation) {
    case EZ_BCAST:
        return (struct sides){one_block(c->map, is_taken(c) ? dout : NULL, c->count, 0, unit),
                              one_block(c->map, dout, c->count, 0, unit)};
    case EZ_GATHER: case EZ_GATHERV: case EZ_ALLGATHER: case EZ_ALLGATHERV:
        return sides_of_gather(c, n, rank, din, dout, unit);
    case EZ_SCATTER: case EZ_SCATTERV: return sides_of_scatter(c, n, rank, din, dout, unit);
    case EZ_ALLTOALL: case EZ_ALLTOALLV: case EZ_ALLTOALLW: return sides_of_alltoall(c, n, din, dout, unit);
    default: return sides_of_reduction(c, n, rank, din, dout, unit);
    }
}

/* Sets the maps of the types that count on this rank. */
static void set_maps(struct call *c) {
    c->channel = channel_of(c->comm);
    int moves = c->operation >= EZ_GATHER;
    int has_list = c->operation == EZ_ALLTOALLW || c->operation == EZ_NEIGHBOR_ALLTOALLW;
    int has_first = moves ? is_taken(c) && !sends_in_place(c) : c->operation != EZ_BARRIER && !is_idle(c);
    int has_second = moves ? is_given(c) && c->out != MPI_IN_PLACE
                           : c->operation == EZ_SENDRECV || c->operation == EZ_SENDRECV_REPLACE;
    int is_read = c->in || moves || c->operation == EZ_SENDRECV; /* the first type is of what is read */
    const void *first = is_read ? c->in : c->out, *dfirst = is_read ? c->din : c->dout;
    int64_t count = c->counts ? 1 : c->count, count2 = c->counts2 ? 1 : c->count2;
    c->map = has_first && !has_list ? map_of_buffer(c->type, count, first, dfirst) : NULL;
    c->map2 = has_second && !has_list ? map_of_buffer(c->type2, count2, c->out, c->dout) : NULL;
}

static MPI_Datatype word_type(int kind) {
    return kind == 'f' ? MPI_FLOAT : kind == 'd' ? MPI_DOUBLE : kind == 'x' ? MPI_LONG_DOUBLE : MPI_BYTE;
}

static int adds_up(enum ez_mpi_operation o) {
    return (o >= EZ_BCAST && o <= EZ_REDUCE_SCATTER_BLOCK) || o == EZ_ALLGATHER || o == EZ_ALLGATHERV;
}

/* What is packed: 'f', 'd', 'x': numbers that are added up; 'p': any numbers, as bytes; 0: there are none. */
static int kind_of(const struct call *c) {
    const struct typemap *map = c->map ? c->map : c->map2;
    if (is_idle(c))
        return 0;
    if (!map)
        return c->operation == EZ_BARRIER ? 0 : 'p';
    if (map->kind == 'b' || map->kind == 'p')
        refuse("a collective call with MPI_BYTE or MPI_PACKED may move derivatives [EZ0302]",
               "MPI_BYTE and MPI_PACKED do not tell which bytes are numbers; use the numbers' own type, or declare the function "
               "that moves other bytes inactive (--enzyme-inactive)");
    if (map->kind == 0 && adds_up(c->operation))
        refuse("a collective call of MPI has no derivative [EZ0302]", "its type has numbers of several precisions");
    return map->kind == 'i' ? 0 : adds_up(c->operation) ? map->kind : 'p';
}
static int unit_of(int kind) { return kind == 'p' ? 1 : word_size(kind); }
