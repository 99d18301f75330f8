/* Derivatives of MPI, compiled against the program's own mpi.h: what derivatives/mpi.c calls. */
#include "common.h"
#include "typemap.h"
#include "channels.h"
#include "messages.h"
#include "primal.h"
#include "requests.h"
#include "collectives.h"
#include "answers.h"
#include "constructors.h"

extern char mpi_fortran_in_place_ __attribute__((weak)); /* of Open MPI */
extern void *MPIR_F_MPI_IN_PLACE __attribute__((weak));  /* of MPICH */

static const void *buffer_of_c(const void *buffer) {
    int is_in_place = buffer && (buffer == &mpi_fortran_in_place_ ||
                                 (&MPIR_F_MPI_IN_PLACE && buffer == MPIR_F_MPI_IN_PLACE));
    return is_in_place ? MPI_IN_PLACE : buffer;
}

static struct call call_of PLAIN(EZ_MPI_CALL) {
    int is_reduction = operation >= EZ_REDUCE && operation <= EZ_REDUCE_SCATTER_BLOCK;
    int is_of_request = operation >= EZ_START && operation <= EZ_REQUEST_FREE;
    return (struct call){
        .operation = (enum ez_mpi_operation)operation,
        .comm = AS(MPI_Comm, comm),
        .count = (int)count,
        .peer = (int)peer,
        .tag = is_reduction || is_of_request ? 0 : (int)tag,
        .count2 = (int)count2,
        .peer2 = (int)peer2,
        .tag2 = (int)tag2,
        .type = AS(MPI_Datatype, type),
        .type2 = AS(MPI_Datatype, type2),
        .op = AS(MPI_Op, is_reduction ? tag : 0),
        .request = AS(MPI_Request, is_of_request ? tag : 0),
        .in = buffer_of_c(in),
        .out = (void *)buffer_of_c(out),
        .counts = counts,
        .places = places,
        .counts2 = counts2,
        .places2 = places2,
    };
}
#define GIVEN library EZ_MPI_CALL(EZ_NAME_OF_VALUE, EZ_NAME, EZ_NAME, EZ_NAME)

void NATIVE(call) PLAIN(EZ_MPI_CALL) {
    struct call c = call_of(GIVEN);
    run(&c);
}

/* -- the tape of a call */

static int *kept_list(struct record *r, const int *list, int n, size_t *place) {
    if (!list)
        return NULL;
    int *copy = (int *)(r->more + *place);
    memcpy(copy, list, n * sizeof(int));
    *place += n * sizeof(int);
    return copy;
}

static struct record *record_of(const struct call *c, size_t weights) {
    int has_lists = c->counts || c->places || c->counts2 || c->places2, n = has_lists ? size_of(c->comm) : 0;
    size_t place = 0, lists = (4 * n * sizeof(int) + 15) & ~(size_t)15;
    struct record *r = allocated(sizeof *r + lists + weights);
    r->call = *c;
    r->call.comm = c->channel->comm; /* the program's own may end before */
    c->channel->is_used = 1;
    r->call.counts = kept_list(r, c->counts, n, &place);
    r->call.places = kept_list(r, c->places, n, &place);
    r->call.counts2 = kept_list(r, c->counts2, n, &place);
    r->call.places2 = kept_list(r, c->places2, n, &place);
    r->limit = (int64_t)lists;
    return r;
}

static struct record *augmented_collective(struct call *c) {
    int is_reduction = c->operation >= EZ_REDUCE && c->operation <= EZ_REDUCE_SCATTER_BLOCK, kind;
    set_maps(c);
    kind = kind_of(c);
    if (!kind) {
        run(c);
        return NULL;
    }
    if (is_reduction)
        check_reduction(c);
    size_t weights = has_weights(c) ? input_size(c) * map_of(c->type)->words * word_size(kind) : 0;
    struct record *r = record_of(c, weights);
    if (weights)
        set_weights(c, r->more + r->limit);
    run(c);
    return r;
}

static struct record *augmented_wait(struct call *c) {
    MPI_Request request = c->request;
    struct record *plan = *place_of(&planned, request), *message, *r;
    run(c);
    if (plan)
        plan->is_started = 0;
    message = request == MPI_REQUEST_NULL ? NULL : taken(&under_way, request);
    if (!message)
        return NULL;
    note_received(message, message->call.type, message->call.map, &last_status);
    message->is_complete = 1;
    r = allocated(sizeof *r);
    r->message = message;
    return r;
}

static struct record *begun_receive(struct record *r) {
    taken(&under_way, last_request); /* of a request that ended elsewhere */
    enter_request(&under_way, r);
    expect(r, r->call.peer, r->call.tag);
    return r;
}

static struct record *augmented_start(struct call *c) {
    struct record *plan = *place_of(&planned, c->request), *r;
    if (!plan)
        refuse("differentiated code starts a persistent request of MPI of which nothing is known [EZ0305]",
               "its shadows are noted where differentiated code makes the request; make it there");
    run(c);
    plan->is_started = 1;
    if (!has_numbers(plan->call.map))
        return NULL;
    r = started(plan);
    if (r->call.operation == EZ_RECV_INIT)
        return begun_receive(r);
    count_sent(r, r->call.peer, r->call.tag);
    return r;
}

static struct record *augmented_request_free(struct call *c) {
    if (*place_of(&under_way, c->request))
        refuse("differentiated code frees a request of MPI that is active [EZ0302]",
               "the end of its message would be unknown; wait for it");
    free(taken(&planned, c->request));
    run(c);
    return NULL;
}

static struct record *augmented_message(struct call *c) {
    struct record *r;
    last_record = NULL;
    if (c->operation == EZ_WAIT)
        return augmented_wait(c);
    if (c->operation == EZ_START)
        return augmented_start(c);
    if (c->operation == EZ_REQUEST_FREE)
        return augmented_request_free(c);
    set_maps(c);
    if (plans(c->operation)) {
        r = record_of(c, 0);
        run(c);
        enter_request(&planned, r);
        last_record = r;
        return NULL;
    }
    if ((!has_numbers(c->map) && !has_numbers(c->map2)) || (begins(c->operation) && c->peer == MPI_PROC_NULL)) {
        run(c);
        return NULL;
    }
    r = record_of(c, 0);
    if (c->operation != EZ_RECV && c->operation != EZ_IRECV)
        count_sent(r, c->peer, c->tag);
    if (c->operation == EZ_RECV)
        expect(r, c->peer, c->tag);
    if (c->operation >= EZ_SENDRECV)
        expect(r, c->peer2, c->tag2);
    run(c);
    if (c->operation == EZ_IRECV)
        return last_record = begun_receive(r);
    if (c->operation == EZ_RECV)
        note_received(r, c->type, c->map, &last_status);
    if (c->operation >= EZ_SENDRECV)
        note_received(r, c->type2, c->map2, &last_status);
    return r;
}

T *NATIVE(augmented)(EZ_PAIRS(EZ_MPI_CALL)) {
    struct call c = call_of(GIVEN);
    return (T *)(operation >= EZ_BCAST ? augmented_collective(&c) : augmented_message(&c));
}

/* The shadows of a request's buffer, one call for each direction; first comes one for the memory. */
void *NATIVE(buffer)(int64_t is_shadow, void *buffer) {
    if (!last_record)
        return buffer;
    if (!is_shadow) {
        last_record->directions = 0;
        return buffer;
    }
    if (last_record->directions == DIRECTIONS)
        refuse("there are too many directions [EZ0208]", "requests of MPI have derivatives in up to 16 directions");
    last_record->shadows[last_record->directions++] = is_shadow == 1 ? buffer : NULL;
    return buffer;
}

/* A persistent request is no address, so it comes without a shadow: 2 and the direction ask for that of its buffer. */
void *NATIVE(planned)(int64_t is_shadow, int64_t request) {
    struct record *plan = *place_of(&planned, AS(MPI_Request, request));
    if (!plan)
        return NULL;
    int64_t direction = (is_shadow & 0xffffffff) - 2;
    void *buffer = plan->call.in ? (void *)plan->call.in : plan->call.out;
    return direction >= 0 && direction < plan->directions && plan->shadows[direction] ? plan->shadows[direction] : buffer;
}

/* -- reverse */

static int is_first(struct record *r) {
    int first = r->calls == 0;
    r->calls = r->directions ? (r->calls + 1) % r->directions : 0;
    return first;
}

static void reverse_wait(struct record *w) {
    struct record *r = w->message;
    for (int k = 0, all = is_first(r) ? r->directions : 0; k < all; k++)
        reverse_received(r, r->call.map, r->call.count, r->shadows[k]);
}

static void reverse_begun(struct record *r, void *din) {
    if (is_started_send(r->call.operation) || is_planned_send(r->call.operation))
        reverse_sent(r, din);
    else if (!r->is_complete)
        refuse("a request of MPI has no derivative [EZ0305]",
               "differentiated code begins it, and does not wait for it");
}

void NATIVE(reverse)(EZ_PAIRS(EZ_MPI_CALL), T *tape) {
    struct record *r = (struct record *)tape;
    if (!r)
        return;
    switch (operation) {
    case EZ_SEND: case EZ_SSEND: case EZ_BSEND: case EZ_RSEND: reverse_sent(r, din); break;
    case EZ_RECV: reverse_received(r, r->call.map, r->call.count, dout); break;
    case EZ_SENDRECV: case EZ_SENDRECV_REPLACE:
        reverse_received(r, r->call.map2, r->call.count2, dout);
        reverse_sent(r, operation == EZ_SENDRECV ? din : dout);
        break;
    case EZ_WAIT: reverse_wait(r); break;
    default:
        if (operation < EZ_BCAST)
            reverse_begun(r, din);
        else
            reverse_collective(r, din, dout);
    }
}

/* -- forward */

static void forward_wait(struct record *w) {
    struct record *r = w->message;
    for (int k = 0, all = is_first(r) ? r->directions : 0; k < all; k++)
        forward_received(r, r->call.map, r->call.count, r->shadows[k]);
    if (r->calls == 0 && r->is_on_heap)
        free(r);
}

static void forward_begun(struct record *r, void *din) {
    if (is_started_send(r->call.operation) || is_planned_send(r->call.operation))
        forward_sent(r, din);
    else
        keep_under_way(r);
}

void NATIVE(forward)(EZ_PAIRS(EZ_MPI_CALL), T *tape) {
    struct record *r = (struct record *)tape;
    if (!r)
        return;
    switch (operation) {
    case EZ_SEND: case EZ_SSEND: case EZ_BSEND: case EZ_RSEND: forward_sent(r, din); break;
    case EZ_RECV: forward_received(r, r->call.map, r->call.count, dout); break;
    case EZ_SENDRECV: case EZ_SENDRECV_REPLACE:
        forward_sent(r, operation == EZ_SENDRECV ? din : dout);
        forward_received(r, r->call.map2, r->call.count2, dout);
        break;
    case EZ_WAIT: forward_wait(r); break;
    default:
        if (operation < EZ_BCAST)
            forward_begun(r, din);
        else
            forward_collective(r, din, dout);
    }
}
