/* Numbers that travel as integers of eight bytes, or as characters, would lose their derivatives: the type decides whether a
 * message has an adjoint. So the shadows of such buffers are looked at. Where they hold what looks like a number, the program
 * ends. Shadows of integers are zero, or copies of these, which are no such numbers: their exponents are far from zero. */

static int is_of_bits(MPI_Datatype type) {
    return IS_OF(type, MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T, MPI_UINT8_T, MPI_CHARACTER, MPI_LONG,
                 MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_INT64_T, MPI_UINT64_T, MPI_AINT, MPI_INTEGER8);
}

/* between 1e-30 and 1e30 */
static int looks_like_number(uint64_t word) {
    int exponent = (int)(word >> 52 & 0x7ff) - 1023;
    return exponent > -100 && exponent < 100;
}

static void refuse_bits(MPI_Datatype type, int64_t count, const char *memory, const char *shadow) {
    int size;
    if (!memory || !shadow || memory == shadow || count <= 0 || !is_of_bits(type))
        return;
    MPI_Type_size(type, &size);
    const char *end = shadow + count * size;
    for (const char *at = (const char *)(((uintptr_t)shadow + 7) & ~(uintptr_t)7); at + 8 <= end; at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        if (looks_like_number(word))
            refuse("a message of integers or characters carries a derivative [EZ0302]",
                   "its type does not tell that there are numbers in it; send numbers by their own type");
    }
}

/* What a call without a record moves. Its communicator may have ended. */
struct bits {
    enum ez_mpi_operation operation;
    MPI_Datatype type, type2;
    int64_t count, count2;
    const void *in, *out;
    int is_of_two, is_from_nobody, is_to_nobody;
};
static struct bits moved_by PLAIN(EZ_MPI_CALL) {
    enum ez_mpi_operation plain = (enum ez_mpi_operation)(operation & ~EZ_BEGUN);
    int is_of_two = plain == EZ_SENDRECV || plain == EZ_SENDRECV_REPLACE, is_collective = plain >= EZ_BARRIER;
    return (struct bits){
        plain, AS(MPI_Datatype, type), AS(MPI_Datatype, type2), count, count2, in, out,
        .is_of_two = is_of_two || plain == EZ_GATHER || plain == EZ_SCATTER || plain == EZ_ALLGATHER || plain == EZ_ALLTOALL,
        .is_from_nobody = !is_collective && (is_of_two ? peer2 : peer) == MPI_PROC_NULL,
        .is_to_nobody = !is_collective && peer == MPI_PROC_NULL,
    };
}

/* In reverse mode, what was received must have no adjoint; in forward mode, what is sent must have no tangent. */
static void check_received_bits(struct bits b, const void *dout) {
    if (b.is_from_nobody)
        return;
    if (b.is_of_two)
        refuse_bits(b.type2, b.count2, b.out, dout);
    else if (b.operation == EZ_RECV || b.operation == EZ_IRECV || b.operation == EZ_BCAST)
        refuse_bits(b.type, b.count, b.out, dout);
}
static void check_sent_bits(struct bits b, const void *din, const void *dout) {
    int is_in_out = b.operation == EZ_SENDRECV_REPLACE || b.operation == EZ_BCAST;
    if (!b.is_to_nobody && (b.operation <= EZ_IRSEND || b.is_of_two || is_in_out))
        refuse_bits(b.type, b.count, is_in_out ? b.out : b.in, is_in_out ? dout : din);
}
