/* MPI: messages and collective calls as one routine, and the names by which programs call it. What it does is in
 * toolchain/mpi, which is compiled against the program's own mpi.h. */
#include <enzyme/derivative.h>
#include "mpi_calls.h"

#define T char
#define P mpi_

/* What all messages have gone through. It always has a shadow: whether numbers in a message carry a derivative is known
 * on one side only, so all messages of differentiated code do. */
double __ez_channel_mpi;

/* reads and writes behind its operands, of any type and extent */
void __ez_messages_touch(const T *in, T *out, void *channel);

__attribute__((noinline)) void ROUTINE(call) PLAIN(EZ_MPI_CALL) { __ez_messages_touch(in, out, channel); }
void NATIVE(call) PLAIN(EZ_MPI_CALL);
T *NATIVE(augmented)(EZ_PAIRS(EZ_MPI_CALL));
void NATIVE(reverse)(EZ_PAIRS(EZ_MPI_CALL), T *tape);
void NATIVE(forward)(EZ_PAIRS(EZ_MPI_CALL), T *tape);

T *AUGMENTED(call)(EZ_PAIRS(EZ_MPI_CALL)) { return NATIVE(augmented)(EZ_GIVEN_PAIRS(EZ_MPI_CALL)); }
void REVERSE(call) DERIVING(EZ_MPI_CALL) { NATIVE(reverse)(EZ_GIVEN_PAIRS(EZ_MPI_CALL), tape); }
void FORWARD(call) DERIVING(EZ_MPI_CALL) { NATIVE(forward)(EZ_GIVEN_PAIRS(EZ_MPI_CALL), tape); }
const void *const EZ_JOIN(__enzyme_register_library_, P, call)[] = {
    (void *)ROUTINE(call), (void *)AUGMENTED(call), (void *)REVERSE(call), (void *)FORWARD(call), (void *)NATIVE(call)};

/* A request knows its buffers, so it must know their shadows. */
#define EZ_MPI_BUFFER(V, H) H(void, in) H(void, out)
HANDLE(buffer, EZ_MPI_BUFFER)
/* the buffer of a persistent request, or its shadow; and what a collective one reads */
#define EZ_MPI_REQUEST(V, H) V(int64_t, request)
HANDLE(planned, EZ_MPI_REQUEST)
HANDLE(planned_input, EZ_MPI_REQUEST)

/* An address that a type may have (toolchain/mpi/addresses.h). */
#define EZ_MPI_ADDRESS(V, H) H(void, place)
HANDLE(address, EZ_MPI_ADDRESS)

/* The shadow of the memory that a window shows, given or made by it; and that memory later. */
#define EZ_MPI_SHOWN(V, H) V(int64_t, window) H(void, base)
HANDLE(shown, EZ_MPI_SHOWN)
#define EZ_MPI_WINDOW(V, H) V(int64_t, window)
HANDLE(window_memory, EZ_MPI_WINDOW)
/* Another rank's part of memory that ranks share (rules/parallel/mpi.py knows this name). */
#define EZ_MPI_PART(V, H) V(int64_t, window) V(int64_t, peer)
HANDLE(shared_memory, EZ_MPI_PART)

struct ez_message {
    int64_t comm, count, type, peer, tag, count2, type2, peer2, tag2;
    const void *in;
    void *out;
    const int *counts, *places, *types, *counts2, *places2, *types2;
};

static ALWAYS_INLINE int ez_called(int64_t operation, struct ez_message m) {
    ROUTINE(call)(0, operation, m.comm, m.count, m.type, m.peer, m.tag, m.count2, m.type2, m.peer2, m.tag2, m.in, m.out,
                  (int *)m.counts, (int *)m.places, (int *)m.types, (int *)m.counts2, (int *)m.places2, (int *)m.types2,
                  (T *)&__ez_channel_mpi);
    return __ez_inactive_mpi_error();
}
static ALWAYS_INLINE int ez_began(int64_t operation, struct ez_message m, void *requests, int is_fortran) {
    int error = ez_called(operation, m);
    NATIVE(buffer)(0, (void *)m.in, m.out);
    __ez_inactive_mpi_set_request(requests, 0, __ez_inactive_mpi_begun(), is_fortran);
    return error;
}

#define CALL(OPERATION, ...) ez_called(EZ_##OPERATION, (struct ez_message){__VA_ARGS__})

#include "mpi_operations.h"

/* requests: a call for each, so that each has its place on the tape */
static ALWAYS_INLINE int ez_waited(void *requests, int64_t index, void *statuses, int64_t place, int is_fortran) {
    int error = CALL(WAIT, .tag = __ez_inactive_mpi_request(requests, index, is_fortran));
    __ez_inactive_mpi_set_request(requests, index, __ez_inactive_mpi_begun(), is_fortran);
    __ez_inactive_mpi_status(statuses, place, is_fortran);
    return error;
}
static ALWAYS_INLINE int ez_waited_for_all(int64_t count, void *requests, void *statuses, int is_fortran) {
    int error = 0;
    for (int64_t i = 0; i < count; i++) {
        int failed = ez_waited(requests, i, statuses, i, is_fortran);
        error = failed ? failed : error;
    }
    return error;
}
static ALWAYS_INLINE int ez_waited_for_any(int64_t count, void *requests, int *index, void *status, int is_fortran,
                                           int waits) {
    int which = __ez_inactive_mpi_any(count, requests, is_fortran, waits);
    if (which >= 0) {
        *index = which + is_fortran;
        return ez_waited(requests, which, status, 0, is_fortran);
    }
    *index = __ez_inactive_mpi_undefined();
    __ez_inactive_mpi_status(status, 0, is_fortran);
    return __ez_inactive_mpi_error();
}
static ALWAYS_INLINE int ez_waited_for_some(int64_t count, void *requests, int *found, int *indices, void *statuses,
                                            int is_fortran, int waits) {
    int error = 0, n = __ez_inactive_mpi_some(indices, count, requests, is_fortran, waits);
    *found = n;
    for (int i = 0; i < n; i++) { /* MPI_UNDEFINED is negative */
        int failed = ez_waited(requests, indices[i] - is_fortran, statuses, i, is_fortran);
        error = failed ? failed : error;
    }
    return error;
}
static ALWAYS_INLINE int ez_started(const void *requests, int64_t index, int is_fortran) {
    int64_t request = __ez_inactive_mpi_request(requests, index, is_fortran);
    void *buffer = NATIVE(planned)(0, request);
    return CALL(START, .tag = request, .in = NATIVE(planned_input)(0, request), .out = buffer);
}
static ALWAYS_INLINE int ez_freed(void *request, int is_fortran) {
    int error = CALL(REQUEST_FREE, .tag = __ez_inactive_mpi_request(request, 0, is_fortran));
    __ez_inactive_mpi_set_request(request, 0, __ez_inactive_mpi_begun(), is_fortran);
    return error;
}

/* Fortran may leave out the error. */
static ALWAYS_INLINE void ez_returned(int *error, int value) {
    if (error)
        *error = value;
}
/* The memory of an array that Fortran describes. */
static ALWAYS_INLINE void *ez_described(const void *array) {
    __ez_inactive_mpi_described(array);
    return *(void *const *)array;
}

static ALWAYS_INLINE int ez_addressed(const void *place, int64_t *address) {
    NATIVE(address)(0, (void *)place);
    *address = __ez_inactive_mpi_address(place);
    return __ez_inactive_mpi_error();
}

/* messages that a probe finds, and packed bytes */
static ALWAYS_INLINE int ez_found(struct ez_message m, void *message, void *status, int is_fortran) {
    int error = ez_called(EZ_MPROBE, m);
    __ez_inactive_mpi_set_message(message, __ez_inactive_mpi_found(), is_fortran);
    __ez_inactive_mpi_status(status, 0, is_fortran);
    return error;
}
static ALWAYS_INLINE int ez_received(struct ez_message m, void *message, void *status, int is_fortran) {
    m.tag = __ez_inactive_mpi_message(message, is_fortran);
    int error = ez_called(EZ_MRECV, m);
    __ez_inactive_mpi_set_message(message, __ez_inactive_mpi_found(), is_fortran);
    __ez_inactive_mpi_status(status, 0, is_fortran);
    return error;
}
static ALWAYS_INLINE int ez_packed(int64_t operation, struct ez_message m, int *position) {
    m.tag = *position;
    int error = ez_called(operation, m);
    *position = __ez_inactive_mpi_position();
    return error;
}

/* lists of parameters and of fields of a message */
#define LIST(...) __VA_ARGS__
#define LISTS .counts = counts, .places = places
#define LISTS2 .counts2 = counts2, .places2 = places2

#include "mpi_c.h"
#include "mpi_windows.h"

/* Fortran's modules mpi and mpi_f08; with the latter, some libraries get descriptors of buffers, in calls of other names */
#define MPI(NAME) INLINED void STAND_IN(mpi_##NAME##_)
#define AT(BUFFER) ((void *)(BUFFER))
#define RETURN(...) ez_returned(error, __VA_ARGS__)
#include "mpi_fortran.h"
#include "mpi_fortran_requests.h"
#include "mpi_fortran_windows.h"
#include "mpi_fortran_epochs.h"
#undef MPI
#define MPI(NAME) INLINED void STAND_IN(mpi_##NAME##_f08_)
#include "mpi_fortran.h"
#include "mpi_fortran_requests.h"
#include "mpi_fortran_windows.h"
#include "mpi_fortran_epochs.h"
#undef MPI
#undef AT
#define MPI(NAME) INLINED void STAND_IN(mpi_##NAME##_f08ts_)
#define AT(BUFFER) ez_described(BUFFER)
#include "mpi_fortran.h"
#include "mpi_fortran_windows.h"
#undef MPI
#undef AT
#undef CALL
#undef RETURN
#undef T
#undef P
