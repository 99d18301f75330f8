/* Where communicators are made: the linker sends the program's calls here. */
#define OWN_CALLS __attribute__((visibility("protected")))

#define MADE(NAME, PARAMETERS, ...)                                                                               \
    int __real_MPI_##NAME PARAMETERS;                                                                             \
    OWN_CALLS int __wrap_MPI_##NAME PARAMETERS {                                                                  \
        int error = __real_MPI_##NAME(__VA_ARGS__);                                                               \
        if (error == MPI_SUCCESS)                                                                                 \
            entered(*made);                                                                                       \
        return error;                                                                                             \
    }
/* as Fortran calls it: all by address. With mpi_f08, the error may be left out. */
#define MADE_BY_NAME(NAME, PARAMETERS, ...)                                                                       \
    void __real_mpi_##NAME PARAMETERS;                                                                            \
    OWN_CALLS void __wrap_mpi_##NAME PARAMETERS {                                                                 \
        MPI_Fint failed = MPI_SUCCESS;                                                                            \
        error = error ? error : &failed;                                                                          \
        __real_mpi_##NAME(__VA_ARGS__);                                                                           \
        if (*error == MPI_SUCCESS)                                                                                \
            entered(MPI_Comm_f2c(*made));                                                                         \
    }
#define MADE_IN_FORTRAN(NAME, PARAMETERS, ...)                                                                    \
    MADE_BY_NAME(NAME##_, PARAMETERS, __VA_ARGS__)                                                                \
    MADE_BY_NAME(NAME##_f08_, PARAMETERS, __VA_ARGS__)
#define STARTED_IN_FORTRAN(NAME, PARAMETERS, ...)                                                                 \
    void __real_mpi_##NAME PARAMETERS;                                                                            \
    OWN_CALLS void __wrap_mpi_##NAME PARAMETERS {                                                                 \
        __real_mpi_##NAME(__VA_ARGS__);                                                                           \
        entered_world();                                                                                          \
    }

static void entered_world(void) {
    entered(MPI_COMM_WORLD);
    entered(MPI_COMM_SELF);
    open_counts();
}

int __real_MPI_Init(int *count, char ***words);
OWN_CALLS int __wrap_MPI_Init(int *count, char ***words) {
    int error = __real_MPI_Init(count, words);
    entered_world();
    return error;
}
int __real_MPI_Init_thread(int *count, char ***words, int wanted, int *given);
OWN_CALLS int __wrap_MPI_Init_thread(int *count, char ***words, int wanted, int *given) {
    int error = __real_MPI_Init_thread(count, words, wanted, given);
    entered_world();
    return error;
}
STARTED_IN_FORTRAN(init_, (MPI_Fint * error), error)
STARTED_IN_FORTRAN(init_f08_, (MPI_Fint * error), error)
STARTED_IN_FORTRAN(init_thread_, (MPI_Fint * wanted, MPI_Fint *given, MPI_Fint *error), wanted, given, error)
STARTED_IN_FORTRAN(init_thread_f08_, (MPI_Fint * wanted, MPI_Fint *given, MPI_Fint *error), wanted, given, error)

MADE(Comm_dup, (MPI_Comm comm, MPI_Comm *made), comm, made)
MADE(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), comm, info, made)
MADE(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), comm, group, made)
MADE(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made), comm, group, tag, made)
MADE(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), comm, color, key, made)
MADE(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made), comm, type, key, info, made)
MADE(Cart_create, (MPI_Comm comm, int n, const int d[], const int p[], int reorder, MPI_Comm *made), comm, n, d, p,
     reorder, made)
MADE(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), comm, remain, made)
MADE(Graph_create, (MPI_Comm comm, int n, const int i[], const int e[], int reorder, MPI_Comm *made), comm, n, i, e,
     reorder, made)
MADE(Dist_graph_create,
     (MPI_Comm comm, int n, const int s[], const int d[], const int t[], const int w[], MPI_Info info, int reorder,
      MPI_Comm *made),
     comm, n, s, d, t, w, info, reorder, made)
MADE(Dist_graph_create_adjacent,
     (MPI_Comm comm, int n, const int s[], const int v[], int m, const int t[], const int w[], MPI_Info info, int reorder,
      MPI_Comm *made),
     comm, n, s, v, m, t, w, info, reorder, made)
MADE(Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peers, int remote, int tag, MPI_Comm *made), local, leader,
     peers, remote, tag, made)
MADE(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), comm, high, made)

MADE_IN_FORTRAN(comm_dup, (MPI_Fint * comm, MPI_Fint *made, MPI_Fint *error), comm, made, error)
MADE_IN_FORTRAN(comm_create, (MPI_Fint * comm, MPI_Fint *group, MPI_Fint *made, MPI_Fint *error), comm, group, made,
                error)
MADE_IN_FORTRAN(comm_create_group, (MPI_Fint * comm, MPI_Fint *group, MPI_Fint *tag, MPI_Fint *made, MPI_Fint *error), comm,
                group, tag, made, error)
MADE_IN_FORTRAN(comm_dup_with_info, (MPI_Fint * comm, MPI_Fint *info, MPI_Fint *made, MPI_Fint *error), comm, info, made,
                error)
MADE_IN_FORTRAN(intercomm_create,
                (MPI_Fint * local, MPI_Fint *leader, MPI_Fint *peers, MPI_Fint *remote, MPI_Fint *tag, MPI_Fint *made,
                 MPI_Fint *error),
                local, leader, peers, remote, tag, made, error)
MADE_IN_FORTRAN(intercomm_merge, (MPI_Fint * comm, MPI_Fint *high, MPI_Fint *made, MPI_Fint *error), comm, high, made, error)
MADE_IN_FORTRAN(comm_split, (MPI_Fint * comm, MPI_Fint *color, MPI_Fint *key, MPI_Fint *made, MPI_Fint *error), comm,
                color, key, made, error)
MADE_IN_FORTRAN(cart_create,
                (MPI_Fint * comm, MPI_Fint *n, MPI_Fint *d, MPI_Fint *p, MPI_Fint *reorder, MPI_Fint *made,
                 MPI_Fint *error),
                comm, n, d, p, reorder, made, error)
MADE_IN_FORTRAN(cart_sub, (MPI_Fint * comm, MPI_Fint *remain, MPI_Fint *made, MPI_Fint *error), comm, remain, made, error)
MADE_IN_FORTRAN(comm_split_type,
                (MPI_Fint * comm, MPI_Fint *type, MPI_Fint *key, MPI_Fint *info, MPI_Fint *made, MPI_Fint *error), comm,
                type, key, info, made, error)
MADE_IN_FORTRAN(graph_create,
                (MPI_Fint * comm, MPI_Fint *n, MPI_Fint *i, MPI_Fint *e, MPI_Fint *reorder, MPI_Fint *made,
                 MPI_Fint *error),
                comm, n, i, e, reorder, made, error)
MADE_IN_FORTRAN(dist_graph_create_adjacent,
                (MPI_Fint * comm, MPI_Fint *n, MPI_Fint *s, MPI_Fint *v, MPI_Fint *m, MPI_Fint *t, MPI_Fint *w,
                 MPI_Fint *info, MPI_Fint *reorder, MPI_Fint *made, MPI_Fint *error),
                comm, n, s, v, m, t, w, info, reorder, made, error)
