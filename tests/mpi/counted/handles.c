/* Counts the handles of MPI that are made and freed, by the program and by its derivatives, under the names MPI_… and
 * PMPI_…. MPI_Finalize prints a line for each kind of which not all are freed. To be preloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { COMMUNICATOR, REQUEST, DATATYPE, WINDOW, GROUP, OPERATION, INFO, MESSAGE, KEY, KINDS };
static const char *const names[KINDS] = {"communicator", "request", "datatype", "window", "group",
                                         "operation", "info", "message", "key"};
static long alive[KINDS];

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        fprintf(stderr, "handles.c: there is no %s\n", name), abort();
    return found;
}
static void add(enum kind kind, long n) {
    __atomic_fetch_add(alive + kind, n, __ATOMIC_RELAXED);
}

#define GIVEN(...) __VA_ARGS__
#define ONE(PREFIX, NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER)                                                        \
    int PREFIX##NAME(PARAMETERS) {                                                                                     \
        static int (*called)(PARAMETERS);                                                                                   \
        if (!called)                                                                                                      \
            called = (int (*)(PARAMETERS))real("PMPI_" #NAME);                                                              \
        BEFORE;                                                                                                        \
        int error = called(ARGUMENTS);                                                                                      \
        AFTER;                                                                                                         \
        return error;                                                                                                  \
    }
#define BOTH(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER)                                                               \
    ONE(MPI_, NAME, GIVEN(PARAMETERS), GIVEN(ARGUMENTS), BEFORE, AFTER)                                                \
    ONE(PMPI_, NAME, GIVEN(PARAMETERS), GIVEN(ARGUMENTS), BEFORE, AFTER)

/* calls that make a handle, their last parameter, and such that free one */
#define MADE(KIND, NONE, TYPE, NAME, PARAMETERS, ARGUMENTS)                                                            \
    BOTH(NAME, GIVEN(PARAMETERS, TYPE *made), GIVEN(ARGUMENTS, made), , add(KIND, *made != NONE))
#define FREED(KIND, NONE, TYPE, NAME) BOTH(NAME, TYPE *handle, handle, int was = *handle != NONE, add(KIND, -was))

#define COMM(NAME, PARAMETERS, ARGUMENTS)                                                                              \
    MADE(COMMUNICATOR, MPI_COMM_NULL, MPI_Comm, NAME, GIVEN(PARAMETERS), GIVEN(ARGUMENTS))
COMM(Comm_dup, MPI_Comm c, c)
COMM(Comm_dup_with_info, GIVEN(MPI_Comm c, MPI_Info i), GIVEN(c, i))
COMM(Comm_create, GIVEN(MPI_Comm c, MPI_Group g), GIVEN(c, g))
COMM(Comm_create_group, GIVEN(MPI_Comm c, MPI_Group g, int t), GIVEN(c, g, t))
COMM(Comm_split, GIVEN(MPI_Comm c, int color, int key), GIVEN(c, color, key))
COMM(Comm_split_type, GIVEN(MPI_Comm c, int t, int key, MPI_Info i), GIVEN(c, t, key, i))
COMM(Cart_create, GIVEN(MPI_Comm c, int n, const int d[], const int p[], int r), GIVEN(c, n, d, p, r))
COMM(Cart_sub, GIVEN(MPI_Comm c, const int d[]), GIVEN(c, d))
COMM(Graph_create, GIVEN(MPI_Comm c, int n, const int i[], const int e[], int r), GIVEN(c, n, i, e, r))
COMM(Dist_graph_create,
     GIVEN(MPI_Comm c, int n, const int s[], const int d[], const int t[], const int w[], MPI_Info i, int r),
     GIVEN(c, n, s, d, t, w, i, r))
COMM(Dist_graph_create_adjacent,
     GIVEN(MPI_Comm c, int n, const int s[], const int v[], int m, const int t[], const int w[], MPI_Info i, int r),
     GIVEN(c, n, s, v, m, t, w, i, r))
COMM(Intercomm_create, GIVEN(MPI_Comm l, int a, MPI_Comm p, int b, int t), GIVEN(l, a, p, b, t))
COMM(Intercomm_merge, GIVEN(MPI_Comm c, int high), GIVEN(c, high))
FREED(COMMUNICATOR, MPI_COMM_NULL, MPI_Comm, Comm_free)
FREED(COMMUNICATOR, MPI_COMM_NULL, MPI_Comm, Comm_disconnect)

#define TYPE(NAME, PARAMETERS, ARGUMENTS)                                                                              \
    MADE(DATATYPE, MPI_DATATYPE_NULL, MPI_Datatype, NAME, GIVEN(PARAMETERS), GIVEN(ARGUMENTS))
TYPE(Type_contiguous, GIVEN(int n, MPI_Datatype t), GIVEN(n, t))
TYPE(Type_vector, GIVEN(int n, int b, int s, MPI_Datatype t), GIVEN(n, b, s, t))
TYPE(Type_create_hvector, GIVEN(int n, int b, MPI_Aint s, MPI_Datatype t), GIVEN(n, b, s, t))
TYPE(Type_indexed, GIVEN(int n, const int b[], const int d[], MPI_Datatype t), GIVEN(n, b, d, t))
TYPE(Type_create_hindexed, GIVEN(int n, const int b[], const MPI_Aint d[], MPI_Datatype t), GIVEN(n, b, d, t))
TYPE(Type_create_indexed_block, GIVEN(int n, int b, const int d[], MPI_Datatype t), GIVEN(n, b, d, t))
TYPE(Type_create_hindexed_block, GIVEN(int n, int b, const MPI_Aint d[], MPI_Datatype t), GIVEN(n, b, d, t))
TYPE(Type_create_struct, GIVEN(int n, const int b[], const MPI_Aint d[], const MPI_Datatype t[]), GIVEN(n, b, d, t))
TYPE(Type_create_subarray, GIVEN(int n, const int s[], const int u[], const int b[], int o, MPI_Datatype t),
     GIVEN(n, s, u, b, o, t))
TYPE(Type_create_resized, GIVEN(MPI_Datatype t, MPI_Aint l, MPI_Aint e), GIVEN(t, l, e))
TYPE(Type_dup, MPI_Datatype t, t)
FREED(DATATYPE, MPI_DATATYPE_NULL, MPI_Datatype, Type_free)

static long derived(int count, const MPI_Datatype types[]) { /* the caller of MPI_Type_get_contents frees them */
    long found = 0;
    for (int i = 0; i < count; i++) {
        int a, b, c, combiner;
        MPI_Type_get_envelope(types[i], &a, &b, &c, &combiner);
        found += combiner != MPI_COMBINER_NAMED;
    }
    return found;
}
BOTH(Type_get_contents, GIVEN(MPI_Datatype t, int ni, int na, int nt, int i[], MPI_Aint a[], MPI_Datatype types[]),
     GIVEN(t, ni, na, nt, i, a, types), , add(DATATYPE, derived(nt, types)))

#define WIN(NAME, PARAMETERS, ARGUMENTS) MADE(WINDOW, MPI_WIN_NULL, MPI_Win, NAME, GIVEN(PARAMETERS), GIVEN(ARGUMENTS))
WIN(Win_create, GIVEN(void *b, MPI_Aint s, int u, MPI_Info i, MPI_Comm c), GIVEN(b, s, u, i, c))
WIN(Win_allocate, GIVEN(MPI_Aint s, int u, MPI_Info i, MPI_Comm c, void *b), GIVEN(s, u, i, c, b))
WIN(Win_allocate_shared, GIVEN(MPI_Aint s, int u, MPI_Info i, MPI_Comm c, void *b), GIVEN(s, u, i, c, b))
FREED(WINDOW, MPI_WIN_NULL, MPI_Win, Win_free)

#define GROUP_OF(NAME, PARAMETERS, ARGUMENTS)                                                                          \
    MADE(GROUP, MPI_GROUP_EMPTY, MPI_Group, NAME, GIVEN(PARAMETERS), GIVEN(ARGUMENTS))
GROUP_OF(Comm_group, MPI_Comm c, c)
GROUP_OF(Comm_remote_group, MPI_Comm c, c)
GROUP_OF(Win_get_group, MPI_Win w, w)
GROUP_OF(Group_incl, GIVEN(MPI_Group g, int n, const int r[]), GIVEN(g, n, r))
GROUP_OF(Group_excl, GIVEN(MPI_Group g, int n, const int r[]), GIVEN(g, n, r))
GROUP_OF(Group_union, GIVEN(MPI_Group g, MPI_Group h), GIVEN(g, h))
GROUP_OF(Group_difference, GIVEN(MPI_Group g, MPI_Group h), GIVEN(g, h))
GROUP_OF(Group_intersection, GIVEN(MPI_Group g, MPI_Group h), GIVEN(g, h))
FREED(GROUP, MPI_GROUP_EMPTY, MPI_Group, Group_free)

MADE(OPERATION, MPI_OP_NULL, MPI_Op, Op_create, GIVEN(MPI_User_function *u, int c), GIVEN(u, c))
FREED(OPERATION, MPI_OP_NULL, MPI_Op, Op_free)
MADE(INFO, MPI_INFO_NULL, MPI_Info, Info_dup, MPI_Info i, i)
BOTH(Info_create, MPI_Info *made, made, , add(INFO, 1))
FREED(INFO, MPI_INFO_NULL, MPI_Info, Info_free)

#define KEY_OF(OBJECT)                                                                                                 \
    BOTH(OBJECT##_create_keyval,                                                                                       \
         GIVEN(MPI_##OBJECT##_copy_attr_function *c, MPI_##OBJECT##_delete_attr_function *d, int *key, void *extra),   \
         GIVEN(c, d, key, extra), , add(KEY, 1))                                                                       \
    FREED(KEY, MPI_KEYVAL_INVALID, int, OBJECT##_free_keyval)
KEY_OF(Comm)
KEY_OF(Type)
KEY_OF(Win)

/* -- requests: those that end become null */
#define REQ(NAME, PARAMETERS, ARGUMENTS)                                                                               \
    MADE(REQUEST, MPI_REQUEST_NULL, MPI_Request, NAME, GIVEN(PARAMETERS), GIVEN(ARGUMENTS))
#define MESSAGE_OF(CONST) GIVEN(CONST void *b, int n, MPI_Datatype t, int p, int g, MPI_Comm c)
#define SENT(NAME) REQ(NAME, MESSAGE_OF(const), GIVEN(b, n, t, p, g, c))
SENT(Isend)
SENT(Issend)
SENT(Ibsend)
SENT(Irsend)
SENT(Send_init)
SENT(Ssend_init)
SENT(Bsend_init)
SENT(Rsend_init)
REQ(Irecv, MESSAGE_OF(), GIVEN(b, n, t, p, g, c))
REQ(Recv_init, MESSAGE_OF(), GIVEN(b, n, t, p, g, c))

/* collective calls, with requests, and with persistent ones */
#define REDUCED const void *s, void *r, int n, MPI_Datatype t, MPI_Op o
#define REDUCED_ s, r, n, t, o
#define TO const void *s, int n, MPI_Datatype t
#define TO_V const void *s, const int n[], const int d[], MPI_Datatype t
#define TO_W const void *s, const int n[], const int d[], const MPI_Datatype t[]
#define TO_NW const void *s, const int n[], const MPI_Aint d[], const MPI_Datatype t[]
#define FROM void *r, int m, MPI_Datatype u
#define FROM_V void *r, const int m[], const int e[], MPI_Datatype u
#define FROM_W void *r, const int m[], const int e[], const MPI_Datatype u[]
#define FROM_NW void *r, const int m[], const MPI_Aint e[], const MPI_Datatype u[]
#define TO_ s, n, t
#define LISTED_ s, n, d, t
#define FROM_ r, m, u
#define LISTED_FROM_ r, m, e, u
#define COLLECTIVES(F)                                                                                                 \
    F(barrier, Barrier, MPI_Comm c, c)                                                                                 \
    F(bcast, Bcast, GIVEN(FROM, int p, MPI_Comm c), GIVEN(FROM_, p, c))                                                \
    F(reduce, Reduce, GIVEN(REDUCED, int p, MPI_Comm c), GIVEN(REDUCED_, p, c))                                        \
    F(allreduce, Allreduce, GIVEN(REDUCED, MPI_Comm c), GIVEN(REDUCED_, c))                                            \
    F(scan, Scan, GIVEN(REDUCED, MPI_Comm c), GIVEN(REDUCED_, c))                                                      \
    F(exscan, Exscan, GIVEN(REDUCED, MPI_Comm c), GIVEN(REDUCED_, c))                                                  \
    F(reduce_scatter_block, Reduce_scatter_block, GIVEN(REDUCED, MPI_Comm c), GIVEN(REDUCED_, c))                      \
    F(reduce_scatter, Reduce_scatter, GIVEN(const void *s, void *r, const int n[], MPI_Datatype t, MPI_Op o, MPI_Comm c), \
      GIVEN(REDUCED_, c))                                                                                              \
    F(gather, Gather, GIVEN(TO, FROM, int p, MPI_Comm c), GIVEN(TO_, FROM_, p, c))                                     \
    F(gatherv, Gatherv, GIVEN(TO, FROM_V, int p, MPI_Comm c), GIVEN(TO_, LISTED_FROM_, p, c))                          \
    F(scatter, Scatter, GIVEN(TO, FROM, int p, MPI_Comm c), GIVEN(TO_, FROM_, p, c))                                   \
    F(scatterv, Scatterv, GIVEN(TO_V, FROM, int p, MPI_Comm c), GIVEN(LISTED_, FROM_, p, c))                           \
    F(allgather, Allgather, GIVEN(TO, FROM, MPI_Comm c), GIVEN(TO_, FROM_, c))                                         \
    F(allgatherv, Allgatherv, GIVEN(TO, FROM_V, MPI_Comm c), GIVEN(TO_, LISTED_FROM_, c))                              \
    F(alltoall, Alltoall, GIVEN(TO, FROM, MPI_Comm c), GIVEN(TO_, FROM_, c))                                           \
    F(alltoallv, Alltoallv, GIVEN(TO_V, FROM_V, MPI_Comm c), GIVEN(LISTED_, LISTED_FROM_, c))                          \
    F(alltoallw, Alltoallw, GIVEN(TO_W, FROM_W, MPI_Comm c), GIVEN(LISTED_, LISTED_FROM_, c))                          \
    F(neighbor_allgather, Neighbor_allgather, GIVEN(TO, FROM, MPI_Comm c), GIVEN(TO_, FROM_, c))                       \
    F(neighbor_allgatherv, Neighbor_allgatherv, GIVEN(TO, FROM_V, MPI_Comm c), GIVEN(TO_, LISTED_FROM_, c))            \
    F(neighbor_alltoall, Neighbor_alltoall, GIVEN(TO, FROM, MPI_Comm c), GIVEN(TO_, FROM_, c))                         \
    F(neighbor_alltoallv, Neighbor_alltoallv, GIVEN(TO_V, FROM_V, MPI_Comm c), GIVEN(LISTED_, LISTED_FROM_, c))        \
    F(neighbor_alltoallw, Neighbor_alltoallw, GIVEN(TO_NW, FROM_NW, MPI_Comm c), GIVEN(LISTED_, LISTED_FROM_, c))
#define BEGUN(LOWER, NAME, PARAMETERS, ARGUMENTS) REQ(I##LOWER, GIVEN(PARAMETERS), GIVEN(ARGUMENTS))
COLLECTIVES(BEGUN)
#if MPI_VERSION >= 4
#define PLANNED(LOWER, NAME, PARAMETERS, ARGUMENTS)                                                                    \
    REQ(NAME##_init, GIVEN(PARAMETERS, MPI_Info info), GIVEN(ARGUMENTS, info))
COLLECTIVES(PLANNED)
#endif

static long not_null(int count, const MPI_Request *requests) {
    long found = 0;
    for (int i = 0; i < count; i++)
        found += requests[i] != MPI_REQUEST_NULL;
    return found;
}
#define ENDED(NAME, COUNT, PARAMETERS, ARGUMENTS)                                                                      \
    BOTH(NAME, GIVEN(PARAMETERS), GIVEN(ARGUMENTS), long before = not_null(COUNT, r),                                  \
         add(REQUEST, not_null(COUNT, r) - before))
ENDED(Request_free, 1, MPI_Request *r, r)
ENDED(Wait, 1, GIVEN(MPI_Request *r, MPI_Status *s), GIVEN(r, s))
ENDED(Test, 1, GIVEN(MPI_Request *r, int *f, MPI_Status *s), GIVEN(r, f, s))
ENDED(Waitall, n, GIVEN(int n, MPI_Request r[], MPI_Status s[]), GIVEN(n, r, s))
ENDED(Testall, n, GIVEN(int n, MPI_Request r[], int *f, MPI_Status s[]), GIVEN(n, r, f, s))
ENDED(Waitany, n, GIVEN(int n, MPI_Request r[], int *i, MPI_Status *s), GIVEN(n, r, i, s))
ENDED(Testany, n, GIVEN(int n, MPI_Request r[], int *i, int *f, MPI_Status *s), GIVEN(n, r, i, f, s))
ENDED(Waitsome, n, GIVEN(int n, MPI_Request r[], int *m, int i[], MPI_Status s[]), GIVEN(n, r, m, i, s))
ENDED(Testsome, n, GIVEN(int n, MPI_Request r[], int *m, int i[], MPI_Status s[]), GIVEN(n, r, m, i, s))

/* messages that a probe has found, until they are received */
#define IS_FOUND(M) (*(M) != MPI_MESSAGE_NULL && *(M) != MPI_MESSAGE_NO_PROC)
BOTH(Mprobe, GIVEN(int p, int g, MPI_Comm c, MPI_Message *m, MPI_Status *s), GIVEN(p, g, c, m, s), ,
     add(MESSAGE, IS_FOUND(m)))
BOTH(Improbe, GIVEN(int p, int g, MPI_Comm c, int *f, MPI_Message *m, MPI_Status *s), GIVEN(p, g, c, f, m, s), ,
     add(MESSAGE, *f && IS_FOUND(m)))
BOTH(Mrecv, GIVEN(void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Status *s), GIVEN(b, n, t, m, s),
     int was = IS_FOUND(m), add(MESSAGE, -was))
BOTH(Imrecv, GIVEN(void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Request *made), GIVEN(b, n, t, m, made),
     int was = IS_FOUND(m), (add(MESSAGE, -was), add(REQUEST, *made != MPI_REQUEST_NULL)))

static void report(void) {
    for (int i = 0; i < KINDS; i++)
        if (alive[i])
            fprintf(stderr, "NOT FREED: %ld of kind %s\n", alive[i], names[i]);
    fprintf(stderr, "HANDLES COUNTED\n");
}
BOTH(Finalize, void, , , report())
