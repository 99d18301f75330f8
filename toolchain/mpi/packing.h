/* Packed numbers: MPI_Pack, MPI_Unpack, and messages of MPI_PACKED. The libraries put the basic elements of a type one
 * behind the other. Who sends packed bytes knows where their numbers are; who receives them knows once they are unpacked,
 * so all bytes of their shadow go back. */

struct packed {
    const char *place;
    int64_t words, size; /* size: in bytes */
    int kind;
    struct packed *next;
};
/* what differentiated code has packed, and not written over */
static struct packed *all_packed;

struct layout {
    int count;
    struct {
        int64_t offset, words;
        int kind;
    } part[];
};

static int lies_in(const struct packed *p, const char *place, int64_t size) {
    return p->place < place + size && place < p->place + p->size;
}

static void forget_packed(const char *place, int64_t size) {
    for (struct packed **at = &all_packed, *p; (p = *at);)
        if (lies_in(p, place, size)) {
            *at = p->next;
            free(p);
        } else
            at = &p->next;
}

/* Notes the numbers that a call packs. */
static void note_packed(const struct call *c) {
    const struct typemap *map = c->map;
    const char *place = (const char *)c->out + c->tag;
    for (int64_t k = 0; k < c->count; k++)
        for (int i = 0; i < map->blocks; i++) {
            const struct block *b = &map->block[i];
            int64_t size = b->count * b->size;
            forget_packed(place, size);
            struct packed *p = allocated(sizeof *p);
            *p = (struct packed){place, b->count * b->words, size, b->kind, all_packed};
            all_packed = p;
            place += size;
        }
}

static int parts_of(const char *in, int64_t size) {
    int count = 0;
    for (struct packed *p = all_packed; p; p = p->next)
        count += lies_in(p, in, size);
    return count;
}
static size_t layout_size(const struct typemap *map, const char *in, int64_t size) {
    struct layout *l;
    return map && map->kind == 'p' ? sizeof *l + parts_of(in, size) * sizeof l->part[0] : 0;
}
/* Notes behind the record of a message of packed bytes where its numbers are. */
static void note_layout(struct record *r, const char *in) {
    if (!r->call.map || r->call.map->kind != 'p')
        return;
    r->layout = (struct layout *)r->more;
    for (struct packed *p = all_packed; p; p = p->next)
        if (lies_in(p, in, r->call.count)) {
            int k = r->layout->count++;
            r->layout->part[k].offset = p->place - in, r->layout->part[k].words = p->words, r->layout->part[k].kind = p->kind;
        }
    if (!r->layout->count)
        refuse("a packed message may carry derivatives [EZ0302]",
               "differentiated code sends it as MPI_PACKED, and has not packed it by MPI_Pack");
}

#define ADDED(NAME, TYPE)                                                                                         \
    static void NAME(char *to, const char *from, int64_t words) { /* perhaps not aligned */                       \
        for (int64_t i = 0; i < words; i++) {                                                                     \
            TYPE a, b;                                                                                            \
            memcpy(&a, to + i * sizeof a, sizeof a), memcpy(&b, from + i * sizeof b, sizeof b);                   \
            a += b;                                                                                               \
            memcpy(to + i * sizeof a, &a, sizeof a);                                                              \
        }                                                                                                         \
    }
ADDED(added_f, float)
ADDED(added_d, double)
ADDED(added_x, long double)
#undef ADDED

static void add_words(int kind, char *to, const char *from, int64_t words) {
    (kind == 'f' ? added_f : kind == 'd' ? added_d : added_x)(to, from, words);
}

static void add_packed(const struct layout *l, char *shadow, const char *received) {
    for (int k = 0; shadow && k < l->count; k++)
        if (l->part[k].kind != 'i')
            add_words(l->part[k].kind, shadow + l->part[k].offset, received + l->part[k].offset, l->part[k].words);
}

/* -- between memory and packed bytes; TAKE and TAKE_AWAY: from the memory */

enum packing { INTO_BYTES, FROM_BYTES };

static void move_packed(char *memory, char *packed, int kind, int64_t words, enum packing to, int adds) {
    char *target = to == INTO_BYTES ? packed : memory, *source = to == INTO_BYTES ? memory : packed;
    int64_t size = words * word_size(kind);
    if (!adds && target)
        source ? (void)memcpy(target, source, size) : (void)memset(target, 0, size);
    if (!adds || !source)
        return;
    if (target)
        add_words(kind, target, source, words);
    memset(source, 0, size);
}

/* Moves the tangents of packed numbers, or adds up their adjoints and clears what they are taken from. */
static void move_packing(const struct record *r, char *memory, char *packed, enum packing to, int adds) {
    const struct typemap *map = r->call.map;
    char *at = packed ? packed + r->limit : NULL;
    for (int64_t k = 0; k < r->call.count; k++)
        for (int i = 0; i < map->blocks; i++) {
            const struct block *b = &map->block[i];
            if (b->kind != 'i')
                move_packed(memory ? memory + k * map->extent + b->offset : NULL, at, b->kind, b->count * b->words, to, adds);
            at += at ? b->count * b->size : 0;
        }
}
static void reverse_packing(const struct record *r, void *din, void *dout) {
    int packs = r->call.operation == EZ_PACK;
    move_packing(r, packs ? din : dout, packs ? dout : din, packs ? FROM_BYTES : INTO_BYTES, 1);
}
static void forward_packing(const struct record *r, void *din, void *dout) {
    int packs = r->call.operation == EZ_PACK;
    move_packing(r, packs ? din : dout, packs ? dout : din, packs ? INTO_BYTES : FROM_BYTES, 0);
}
