/* Which bytes of a type of MPI are numbers: its type map, flattened. */

struct block {
    int64_t offset, count; /* of basic elements that lie side by side */
    int kind, words;       /* f, d, x: of numbers; p: of packed bytes; i: of integers; b: of bytes of unknown meaning */
    int size;              /* of a basic element, in bytes */
};

struct typemap {
    int64_t extent, elements, words; /* words: numbers in one element */
    int blocks, room, kind;          /* kind: of all numbers; 0 if there are several; i if there is none */
    struct block *block;
    MPI_Datatype type; /* of this map; unlike the program's, it stays until MPI ends */
    struct typemap *next;
};

static int is_of(MPI_Datatype type, const MPI_Datatype *list, int count) {
    for (int i = 0; i < count; i++)
        if (list[i] != MPI_DATATYPE_NULL && type == list[i])
            return 1;
    return 0;
}
#define IS_OF(TYPE, ...)                                                                                          \
    is_of(TYPE, (MPI_Datatype[]){__VA_ARGS__}, sizeof((MPI_Datatype[]){__VA_ARGS__}) / sizeof(MPI_Datatype))

static int real_kind(int size) { return size == 4 ? 'f' : size == 8 ? 'd' : size == sizeof(long double) ? 'x' : 'b'; }

static int word_size(int kind) { return kind == 'f' ? 4 : kind == 'd' ? 8 : kind == 'p' ? 1 : sizeof(long double); }

static void append(struct typemap *map, int64_t offset, int kind, int words, int size) {
    struct block *last = map->blocks ? &map->block[map->blocks - 1] : NULL;
    map->elements++;
    if (last && last->kind == kind && last->words == words && last->size == size &&
        offset == last->offset + last->count * size) {
        last->count++;
        return;
    }
    if (map->blocks == map->room) {
        map->room = map->room ? 2 * map->room : 4;
        map->block = realloc(map->block, map->room * sizeof *map->block);
        if (!map->block)
            refuse("there is no memory for the derivative of a call of MPI [EZ0305]", "malloc returns null");
    }
    map->block[map->blocks++] = (struct block){offset, 1, kind, words, size};
}

static void append_named(struct typemap *map, MPI_Datatype type, int64_t offset) {
    int size;
    MPI_Type_size(type, &size);
    if (IS_OF(type, MPI_DOUBLE, MPI_FLOAT, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8,
              MPI_REAL16))
        append(map, offset, type == MPI_REAL16 ? 'b' : real_kind(size), 1, size);
    else if (IS_OF(type, MPI_C_DOUBLE_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_COMPLEX,
                   MPI_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16, MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX,
                   MPI_CXX_LONG_DOUBLE_COMPLEX))
        append(map, offset, real_kind(size / 2), 2, size);
    else if (IS_OF(type, MPI_2REAL, MPI_2DOUBLE_PRECISION))
        append(map, offset, real_kind(size / 2), 2, size);
    else if (IS_OF(type, MPI_DOUBLE_INT, MPI_FLOAT_INT, MPI_LONG_DOUBLE_INT)) {
        int kind = type == MPI_DOUBLE_INT ? 'd' : type == MPI_FLOAT_INT ? 'f' : 'x';
        append(map, offset, kind, 1, word_size(kind));
        append(map, offset + word_size(kind), 'i', 0, 4);
    } else
        append(map, offset, type == MPI_BYTE ? 'b' : type == MPI_PACKED ? 'p' : 'i', type == MPI_PACKED, size);
}

static void append_type(struct typemap *map, MPI_Datatype type, int64_t offset);

/* Appends `count` elements that lie `stride` bytes apart. */
static void append_many(struct typemap *map, MPI_Datatype type, int64_t offset, int64_t count, int64_t stride) {
    for (int64_t i = 0; i < count; i++)
        append_type(map, type, offset + i * stride);
}

static void append_subarray(struct typemap *map, MPI_Datatype type, int64_t offset, const int *n, int64_t extent) {
    int rank = n[0], is_c = n[1 + 3 * rank] == MPI_ORDER_C;
    const int *sizes = n + 1, *part = sizes + rank, *first = part + rank;
    int64_t total = 1;
    for (int d = 0; d < rank; d++)
        total *= part[d];
    for (int64_t k = 0; k < total; k++) {
        int64_t rest = k, place = 0, step = 1;
        for (int e = 0; e < rank; e++) { /* the fastest dimension first */
            int d = is_c ? rank - 1 - e : e;
            place += (first[d] + rest % part[d]) * step;
            rest /= part[d];
            step *= sizes[d];
        }
        append_type(map, type, offset + place * extent);
    }
}

static void append_derived(struct typemap *map, int combiner, const int *n, const MPI_Aint *a, const MPI_Datatype *t,
                           int64_t offset) {
    MPI_Aint lower, extent = 0;
    if (combiner != MPI_COMBINER_STRUCT)
        MPI_Type_get_extent(t[0], &lower, &extent);
    if (combiner == MPI_COMBINER_DUP || combiner == MPI_COMBINER_RESIZED)
        append_type(map, t[0], offset);
    else if (combiner == MPI_COMBINER_CONTIGUOUS)
        append_many(map, t[0], offset, n[0], extent);
    else if (combiner == MPI_COMBINER_VECTOR || combiner == MPI_COMBINER_HVECTOR)
        for (int i = 0; i < n[0]; i++)
            append_many(map, t[0], offset + i * (combiner == MPI_COMBINER_VECTOR ? n[2] * extent : a[0]), n[1], extent);
    else if (combiner == MPI_COMBINER_INDEXED || combiner == MPI_COMBINER_HINDEXED)
        for (int i = 0; i < n[0]; i++)
            append_many(map, t[0], offset + (combiner == MPI_COMBINER_INDEXED ? n[1 + n[0] + i] * extent : a[i]),
                        n[1 + i], extent);
    else if (combiner == MPI_COMBINER_INDEXED_BLOCK || combiner == MPI_COMBINER_HINDEXED_BLOCK)
        for (int i = 0; i < n[0]; i++)
            append_many(map, t[0], offset + (combiner == MPI_COMBINER_INDEXED_BLOCK ? n[2 + i] * extent : a[i]), n[1],
                        extent);
    else if (combiner == MPI_COMBINER_STRUCT)
        for (int i = 0; i < n[0]; i++) {
            MPI_Type_get_extent(t[i], &lower, &extent);
            append_many(map, t[i], offset + a[i], n[1 + i], extent);
        }
    else if (combiner == MPI_COMBINER_SUBARRAY)
        append_subarray(map, t[0], offset, n, extent);
    else
        refuse("a datatype of MPI has no derivative [EZ0302]",
               "it is made by MPI_Type_create_darray or MPI_Type_create_f90_…, whose numbers are not followed");
}

static int is_named(MPI_Datatype type) {
    int integers, addresses, types, combiner;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

static void append_type(struct typemap *map, MPI_Datatype type, int64_t offset) {
    int integers, addresses, types, combiner;
    if (is_named(type)) {
        append_named(map, type, offset);
        return;
    }
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    int *n = allocated(integers * sizeof *n);
    MPI_Aint *a = allocated(addresses * sizeof *a);
    MPI_Datatype *t = allocated(types * sizeof *t);
    MPI_Type_get_contents(type, integers, addresses, types, n, a, t);
    append_derived(map, combiner, n, a, t, offset);
    for (int i = 0; i < types; i++)
        if (!is_named(t[i]))
            MPI_Type_free(&t[i]);
    free(n), free(a), free(t);
}

static void settle(struct typemap *map, MPI_Datatype type) {
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    map->extent = extent;
    map->kind = 'i';
    for (int i = 0; i < map->blocks; i++) {
        struct block *b = &map->block[i];
        map->words += b->words * b->count;
        if (b->kind != 'i')
            map->kind = map->kind == 'i' || map->kind == b->kind ? b->kind : 0;
    }
}

static int is_same(const struct typemap *a, const struct typemap *b) {
    return a->extent == b->extent && a->blocks == b->blocks && !memcmp(a->block, b->block, a->blocks * sizeof *a->block);
}

static int map_key = MPI_KEYVAL_INVALID; /* the attribute of a type: its map */

static struct typemap *all_maps;

static int is_known(MPI_Datatype type) {
    int is_there = 0;
    struct typemap *map;
    if (map_key != MPI_KEYVAL_INVALID)
        MPI_Type_get_attr(type, map_key, &map, &is_there);
    return is_there;
}

/* Returns what is known of a type. Maps stay for ever, since requests and tapes use them after the type has ended: there are
 * as many as different types. */
static const struct typemap *map_of(MPI_Datatype type) {
    struct typemap *map, *same;
    int is_there;
    if (map_key == MPI_KEYVAL_INVALID)
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &map_key, NULL);
    MPI_Type_get_attr(type, map_key, &map, &is_there);
    if (is_there)
        return map;
    map = allocated(sizeof *map);
    append_type(map, type, 0);
    settle(map, type);
    for (same = all_maps; same && !is_same(same, map);)
        same = same->next;
    if (same) {
        free(map->block), free(map);
        map = same;
    } else {
        map->type = type;
        if (!is_named(type))
            MPI_Type_dup(type, &map->type);
        map->next = all_maps;
        all_maps = map;
    }
    MPI_Type_set_attr(type, map_key, map);
    return map;
}

/* Called when MPI ends. */
static void end_maps(void) {
    if (map_key == MPI_KEYVAL_INVALID)
        return;
    for (struct typemap *map = all_maps; map; map = map->next)
        if (!is_named(map->type))
            MPI_Type_free(&map->type);
    int key = map_key; /* of those that are freed, the library keeps what handles still have */
    MPI_Type_free_keyval(&key);
}

static int has_numbers(const struct typemap *map) { return map && map->kind != 'i'; }

/* -- numbers of memory, one after the other */

enum movement { TAKE, TAKE_AWAY, PUT, ADD }; /* take: to `packed`, and clear the memory; put, add: from there */

/* Ranks share memory: others may add to a shadow at the same time. */
static int shares_memory;

#define ADDED(NAME, TYPE, BITS)                                                                                   \
    static void NAME(TYPE *place, TYPE number) {                                                                  \
        BITS *bits = (BITS *)place, old = __atomic_load_n(bits, __ATOMIC_RELAXED), sum;                           \
        TYPE there;                                                                                               \
        do {                                                                                                      \
            memcpy(&there, &old, sizeof there);                                                                   \
            there += number;                                                                                      \
            memcpy(&sum, &there, sizeof sum);                                                                     \
        } while (!__atomic_compare_exchange_n(bits, &old, sum, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));           \
    }
ADDED(add_f, float, uint32_t __attribute__((may_alias)))
ADDED(add_d, double, uint64_t __attribute__((may_alias)))
#undef ADDED
static void add_x(long double *place, long double number) {
    refuse("a window of MPI has no derivative [EZ0302]", "ranks share memory, and long double is no number that they add to at the same time");
}
static void add_byte(char *place, char number) { *place += number; }

#define MOVED(NAME, TYPE, ADD_SHARED)                                                                             \
    static void NAME(TYPE *memory, TYPE *packed, int64_t count, enum movement how) {                              \
        if (how == ADD)                                                                                           \
            for (int64_t i = 0; i < count; i++)                                                                   \
                if (shares_memory)                                                                                \
                    ADD_SHARED(&memory[i], packed[i]);                                                            \
                else                                                                                              \
                    memory[i] += packed[i];                                                                       \
        else if (how == PUT)                                                                                      \
            memcpy(memory, packed, count * sizeof(TYPE));                                                         \
        else                                                                                                      \
            memcpy(packed, memory, count * sizeof(TYPE));                                                         \
        if (how == TAKE_AWAY)                                                                                     \
            memset(memory, 0, count * sizeof(TYPE));                                                              \
    }
MOVED(moved_f, float, add_f)
MOVED(moved_d, double, add_d)
MOVED(moved_x, long double, add_x)
MOVED(moved_bytes, char, add_byte)
#undef MOVED

/* Moves the numbers among the first `limit` basic elements of `count` elements (-1: all). Returns their size in bytes.
 * Null for the memory: nothing but zeros, null for `packed`: only the size. */
static int64_t moved(const struct typemap *map, void *memory, int64_t count, int64_t limit, void *packed,
                     enum movement how) {
    int64_t size = 0;
    limit = limit < 0 ? count * map->elements : limit;
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < map->blocks && limit > 0; i++) {
            const struct block *b = &map->block[i];
            int64_t elements = b->count < limit ? b->count : limit, words = elements * b->words;
            limit -= elements;
            if (b->kind == 'i')
                continue;
            if (b->kind == 'b')
                refuse("a message of bytes may carry derivatives [EZ0302]",
                       "MPI_BYTE does not tell which bytes are numbers; send numbers by their own type, or declare the "
                       "function that sends and receives other bytes inactive (--enzyme-inactive)");
            char *place = memory ? (char *)memory + k * map->extent + b->offset : NULL, *at = (char *)packed + size;
            int64_t bytes = words * word_size(b->kind);
            size += bytes;
            if (!packed)
                continue;
            if (!place) {
                if (how == TAKE || how == TAKE_AWAY)
                    memset(at, 0, bytes);
            } else if (b->kind == 'f')
                moved_f((float *)place, (float *)at, words, how);
            else if (b->kind == 'd')
                moved_d((double *)place, (double *)at, words, how);
            else if (b->kind == 'p')
                moved_bytes(place, at, words, how);
            else
                moved_x((long double *)place, (long double *)at, words, how);
        }
    return size;
}
