/* What all parts share: a call as differentiated code tells it, what a tape keeps of it, and errors. */
#ifndef EZ_MPI_COMMON_H
#define EZ_MPI_COMMON_H
#include <mpi.h>
#include "own_calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <enzyme/derivative.h>
#include "mpi_calls.h"

#define T char
#define P mpi_
/* handles are pointers or int */
#define AS(TYPE, VALUE) ((TYPE)(intptr_t)(VALUE))
#define NUMBER(HANDLE_) ((int64_t)(intptr_t)(HANDLE_))

enum { DIRECTIONS = 16 };

/* A message as MPI matched it: the number counts those between two ranks that have the same tag. */
struct envelope {
    struct channel *channel;
    int peer, tag;
    int64_t number;
};

struct call {
    enum ez_mpi_operation operation;
    int is_begun;   /* a collective call that is waited for by a request */
    int is_planned; /* or that a persistent request will start */
    MPI_Comm comm;
    int count, peer, tag, count2, peer2, tag2;
    MPI_Datatype type, type2;
    MPI_Op op;
    MPI_Request request;
    MPI_Message found; /* by a probe */
    MPI_Win window;
    MPI_Group group;
    int64_t place;     /* in a window */
    struct channel *channel;
    const struct typemap *map, *map2; /* of the types; null where they do not count */
    const void *in, *din; /* and the shadow in the first direction; null: constant memory */
    void *out, *dout;
    const int *counts, *places, *counts2, *places2;
    const MPI_Datatype *types, *types2;
    const struct typemap *const *maps, *const *maps2; /* of these types, on the tape */
};

/* What the tape keeps of a call. `sent` and `received`: its messages; `limit`: how many elements came. */
struct record {
    struct call call;
    struct envelope sent, received;
    int64_t limit;
    struct record *message;          /* of a wait: what it has waited for */
    struct record *next;             /* requests under way, and receives whose message is not known yet */
    struct record *later;
    MPI_Request request;
    int is_numbered, is_on_heap, is_started, is_complete, is_released;
    int is_order;                    /* of a collective call without numbers: it orders accesses to windows; of a
                                      * one-sided call: locks order it */
    int directions, calls;
    void *shadows[DIRECTIONS];       /* of the buffer that is written, or else of that which is sent */
    struct window *window;
    struct layout *layout;           /* where the numbers of a packed message are */
    int64_t order, logged;           /* among the collective calls of its communicator; among all of them */
    struct gathered *gathered;       /* the numbers of all ranks that a reduction has */
    char *more;                      /* memory behind the lists of the call */
    struct exchange *exchanges;      /* of derivatives, one for each direction */
    void *shadows_in[];              /* of a collective call that is begun: of the buffer that it reads */
};

static _Thread_local int last_error;
static _Thread_local int last_flag;
static _Thread_local int last_position;
static _Thread_local MPI_Request last_request;
static _Thread_local MPI_Message last_found;
static _Thread_local MPI_Status last_status;
static _Thread_local struct record *last_record;

static __attribute__((noreturn, cold)) void refuse(const char *what, const char *reason) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "enzyme-cc: error: rank %d: %s\n  reason: %s\n", rank, what, reason);
    usleep(300000); /* some starters lose what a rank has written just before the end */
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void *allocated(size_t size) {
    void *found = calloc(1, size ? size : 1);
    if (!found)
        refuse("there is no memory for the derivative of a call of MPI [EZ0305]", "malloc returns null");
    return found;
}

static int rank_of(MPI_Comm comm) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
#endif
