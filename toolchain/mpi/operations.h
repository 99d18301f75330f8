/* The program's own operations: the linker sends the calls that make them here. */

struct operation {
    MPI_Op op;
    void *function;
    int is_of_fortran;
    struct operation *next;
};
static struct operation *all_operations;

static void note_operation(MPI_Op op, void *function, int is_of_fortran) {
    struct operation *o = allocated(sizeof *o);
    *o = (struct operation){op, function, is_of_fortran, all_operations};
    all_operations = o;
}
static struct operation *operation_of(MPI_Op op) {
    struct operation *o = all_operations;
    while (o && o->op != op)
        o = o->next;
    return o;
}
static void forget_operation(MPI_Op op) {
    struct operation **place = &all_operations, *o;
    while ((o = *place) && o->op != op)
        place = &o->next;
    if (o) {
        *place = o->next;
        free(o);
    }
}

int __real_MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op);
OWN_CALLS int __wrap_MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op) {
    int error = __real_MPI_Op_create(function, commutes, op);
    note_operation(*op, (void *)function, 0);
    return error;
}
int __real_MPI_Op_free(MPI_Op *op);
OWN_CALLS int __wrap_MPI_Op_free(MPI_Op *op) {
    forget_operation(*op);
    return __real_MPI_Op_free(op);
}
#define OPERATIONS_OF_FORTRAN(ENDING)                                                                             \
    void __real_mpi_op_create##ENDING(void *function, MPI_Fint *commutes, MPI_Fint *op, MPI_Fint *error);         \
    OWN_CALLS void __wrap_mpi_op_create##ENDING(void *function, MPI_Fint *commutes, MPI_Fint *op, MPI_Fint *error) { \
        __real_mpi_op_create##ENDING(function, commutes, op, error);                                              \
        note_operation(MPI_Op_f2c(*op), function, 1);                                                             \
    }                                                                                                             \
    void __real_mpi_op_free##ENDING(MPI_Fint *op, MPI_Fint *error);                                               \
    OWN_CALLS void __wrap_mpi_op_free##ENDING(MPI_Fint *op, MPI_Fint *error) {                                    \
        forget_operation(MPI_Op_f2c(*op));                                                                        \
        __real_mpi_op_free##ENDING(op, error);                                                                    \
    }
OPERATIONS_OF_FORTRAN(_)
OPERATIONS_OF_FORTRAN(_f08_)

void *__ez_inactive_mpi_function(int64_t op) {
    struct operation *o = operation_of(AS(MPI_Op, op));
    return o ? o->function : NULL;
}
/* C's handle, or that of Fortran, by address */
void *__ez_inactive_mpi_told_type(int64_t op, int64_t type) {
    static MPI_Datatype of_c;
    static MPI_Fint of_fortran;
    struct operation *o = operation_of(AS(MPI_Op, op));
    of_c = AS(MPI_Datatype, type), of_fortran = MPI_Type_c2f(of_c);
    return o && o->is_of_fortran ? (void *)&of_fortran : (void *)&of_c;
}
int64_t __ez_inactive_mpi_extent(int64_t type) { return map_of(AS(MPI_Datatype, type))->extent; }
int64_t __ez_inactive_mpi_self(void) { return NUMBER(MPI_COMM_SELF); }
int __ez_inactive_mpi_size(int64_t comm) {
    int is_inter;
    MPI_Comm_test_inter(AS(MPI_Comm, comm), &is_inter);
    if (is_inter)
        refuse("a reduction of MPI has no derivative [EZ0302]", "its operation is the program's, and its communicator joins two groups");
    return size_of(AS(MPI_Comm, comm));
}
int __ez_inactive_mpi_rank(int64_t comm) { return rank_of(AS(MPI_Comm, comm)); }
int __ez_inactive_mpi_is_in_place(const void *buffer) { return buffer_of_c(buffer) == MPI_IN_PLACE; }
