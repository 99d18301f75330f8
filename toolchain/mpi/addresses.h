/* Types of numbers that lie in several blocks of memory: MPI is told how far these are from each other, or their addresses.
 * Shadows of these blocks lie elsewhere, so such types have no derivative. Differentiated code tells the addresses that it
 * asks for. Which block a place belongs to is told by the distance from the memory to its shadow. */

enum { MOST_ASKED = 256, FIRST_ADDRESS = 4096 };
static struct asked {
    const char *place;
    int64_t distance; /* 0: constant memory */
} all_asked[MOST_ASKED];
static unsigned asked_places;

static int64_t distance_of(const void *memory, const void *shadow) {
    return shadow ? (const char *)shadow - (const char *)memory : 0;
}

/* An address that differentiated code asks for, with its shadow: 1. */
void *NATIVE(address)(int64_t is_shadow, void *place) {
    static _Thread_local struct asked *last;
    if (!is_shadow) {
        for (last = all_asked; last < all_asked + MOST_ASKED && last->place != place;)
            last++;
        if (last == all_asked + MOST_ASKED)
            last = &all_asked[asked_places++ % MOST_ASKED];
        *last = (struct asked){place, 0};
    } else if (is_shadow == 1 && last)
        last->distance = distance_of(last->place, place);
    return place;
}
int64_t __ez_inactive_mpi_address(const void *place) {
    MPI_Aint address;
    last_error = MPI_Get_address(place, &address);
    return address;
}

static void refuse_blocks(void) {
    refuse("a datatype of MPI has no derivative [EZ0302]",
           "its numbers lie in several blocks of memory, which it tells by addresses; send each block by a message of its "
           "own, or pack them");
}

static void check_blocks(const struct typemap *map, const char *memory, int64_t distance) {
    for (int i = 0; i < map->blocks; i++)
        for (struct asked *a = all_asked; a < all_asked + MOST_ASKED; a++)
            if (map->block[i].kind != 'i' && a->place == memory + map->block[i].offset && a->distance != distance)
                refuse_blocks();
}

/* Returns the map of a buffer's type. A type is checked at its first use, soon after the program has asked for addresses. */
static const struct typemap *map_of_buffer(MPI_Datatype type, int64_t count, const void *memory, const void *shadow) {
    int is_new = !is_known(type);
    const struct typemap *map = map_of(type);
    if (count && !memory && has_numbers(map) && map->block[0].offset >= FIRST_ADDRESS) /* MPI_BOTTOM */
        refuse_blocks();
    if (is_new && memory)
        check_blocks(map, memory, distance_of(memory, shadow));
    return map;
}
