/* Derivatives of MPI, compiled against the program's own mpi.h: what derivatives/mpi.c calls. */
#include "common.h"
#include "typemap.h"
#include "addresses.h"
#include "neighbors.h"
#include "channels.h"
#include "groups.h"
#include "ends.h"
#include "logged_calls.h"
#include "plain_table.h"
#include "derivative_messages.h"
#include "packing.h"
#include "messages.h"
#include "primal.h"
#include "requests.h"
#include "sides.h"
#include "reductions.h"
#include "exchanges.h"
#include "collectives.h"
#include "windows.h"
#include "one_sided.h"
#include "tape.h"
#include "tape_messages.h"
#include "answers.h"
#include "constructors.h"
#include "plain_messages.h"
#include "plain_requests.h"
#include "plain_collectives.h"

/* what Fortran passes in the place of MPI_IN_PLACE and MPI_BOTTOM: variables of Open MPI, and of MPICH, whose module has its
 * own, which some headers declare */
extern char mpi_fortran_in_place_ __attribute__((weak)), mpi_fortran_bottom_ __attribute__((weak));
extern char f08_in_place __asm__("MPIR_F08_MPI_IN_PLACE") __attribute__((weak));
extern char f08_bottom __asm__("MPIR_F08_MPI_BOTTOM") __attribute__((weak));
extern void *MPIR_F_MPI_IN_PLACE __attribute__((weak)), *MPIR_F_MPI_BOTTOM __attribute__((weak));

static const void *buffer_of_c(const void *buffer) {
    int is_in_place = buffer && (buffer == &mpi_fortran_in_place_ || buffer == &f08_in_place ||
                                 (&MPIR_F_MPI_IN_PLACE && buffer == MPIR_F_MPI_IN_PLACE));
    int is_bottom = buffer == &mpi_fortran_bottom_ || buffer == &f08_bottom ||
                    (&MPIR_F_MPI_BOTTOM && buffer == MPIR_F_MPI_BOTTOM);
    return is_in_place ? MPI_IN_PLACE : is_bottom ? MPI_BOTTOM : buffer;
}

#include "operations.h"

static struct call call_of PLAIN(EZ_MPI_CALL) {
    enum ez_mpi_operation plain = (enum ez_mpi_operation)(operation & ~(EZ_BEGUN | EZ_PLANNED));
    int is_reduction = plain >= EZ_REDUCE && plain <= EZ_REDUCE_SCATTER_BLOCK;
    int is_of_request = plain >= EZ_START && plain <= EZ_REQUEST_FREE, is_found = plain == EZ_MRECV || plain == EZ_IMRECV;
    int is_one_sided = plain >= EZ_PUT && plain <= EZ_FETCH_AND_OP, has_group = plain == EZ_WIN_POST || plain == EZ_WIN_START;
    int has_window = plain >= EZ_PUT && plain <= EZ_WIN_WAIT;
    if (!has_window)
        check_freed(AS(MPI_Comm, comm));
    return (struct call){
        .operation = plain,
        .is_begun = (operation & (EZ_BEGUN | EZ_PLANNED)) != 0,
        .is_planned = (operation & EZ_PLANNED) != 0,
        .comm = AS(MPI_Comm, has_window ? 0 : comm),
        .window = AS(MPI_Win, has_window ? comm : 0),
        .group = AS(MPI_Group, has_group ? tag : 0),
        .place = tag2,
        .count = (int)count,
        .peer = (int)peer,
        .tag = is_reduction || is_of_request || is_found || is_one_sided || has_group ? 0 : (int)tag,
        .count2 = (int)count2,
        .peer2 = (int)peer2,
        .tag2 = (int)tag2,
        .type = AS(MPI_Datatype, type),
        .type2 = AS(MPI_Datatype, type2),
        .op = AS(MPI_Op, is_reduction || is_one_sided ? tag : 0),
        .request = AS(MPI_Request, is_of_request ? tag : 0),
        .found = AS(MPI_Message, is_found ? tag : 0),
        .in = buffer_of_c(in),
        .out = (void *)buffer_of_c(out),
        .counts = counts,
        .places = places,
        .types = (const MPI_Datatype *)types,
        .counts2 = counts2,
        .places2 = places2,
        .types2 = (const MPI_Datatype *)types2,
    };
}
#define GIVEN library EZ_MPI_CALL(EZ_NAME_OF_VALUE, EZ_NAME, EZ_NAME, EZ_NAME)

void NATIVE(call) PLAIN(EZ_MPI_CALL) {
    struct call c = call_of(GIVEN);
    struct plain_request *ended = c.operation == EZ_WAIT ? plain_of(c.request) : NULL;
    struct window *freed_window = c.operation == EZ_WIN_FREE ? window_of(c.window) : NULL;
    before_plain(&c);
    run(&c);
    after_plain(&c, ended);
    if (freed_window && !freed_window->directions) /* no derivative knows it */
        end_window(freed_window);
}

/* What is known of messages is not shared by threads that use it at the same time. */
static int is_busy;
static void begin_derivative(void) {
    if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE))
        refuse("several threads use derivatives of MPI at the same time [EZ0305]",
               "one thread at a time may compute a gradient with messages");
}
static void end_derivative(void) { __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE); }

T *NATIVE(augmented)(EZ_PAIRS(EZ_MPI_CALL)) {
    struct call c = call_of(GIVEN);
    c.din = din, c.dout = dout;
    begin_derivative();
    struct record *r = c.operation >= EZ_BARRIER ? augmented_collective(&c) : augmented_message(&c);
    end_derivative();
    return (T *)r;
}

/* The shadows of a request's buffers, one call for each direction; first comes one for the memory. Constant memory is its
 * own shadow. */
void *NATIVE(buffer)(int64_t is_shadow, void *in, void *out) {
    static _Thread_local void *read, *written;
    struct record *r = last_record;
    if (!is_shadow)
        read = in, written = out;
    if (!r || !is_shadow) {
        if (r)
            r->directions = 0;
        return out;
    }
    if (r->directions == DIRECTIONS)
        refuse("there are too many directions [EZ0208]", "requests of MPI have derivatives in up to 16 directions");
    void *din = in == read ? NULL : in, *dout = out == written ? NULL : out;
    if (r->call.is_begun)
        r->shadows_in[r->directions] = din;
    r->shadows[r->directions++] = written ? dout : din;
    return out;
}

/* A persistent request is no address, so it comes without a shadow: 2 and the direction ask for that of its buffer. */
void *NATIVE(planned)(int64_t is_shadow, int64_t request) {
    struct record *plan = *place_of(&planned, AS(MPI_Request, request));
    if (!plan)
        return NULL;
    int64_t direction = (is_shadow & 0xffffffff) - 2;
    void *buffer = plan->call.in && !plan->call.is_planned ? (void *)plan->call.in : plan->call.out;
    return direction >= 0 && direction < plan->directions && plan->shadows[direction] ? plan->shadows[direction] : buffer;
}

/* What a persistent request of a collective call reads; of another one, the same as above. */
void *NATIVE(planned_input)(int64_t is_shadow, int64_t request) {
    struct record *plan = *place_of(&planned, AS(MPI_Request, request));
    if (!plan || !plan->call.is_planned)
        return NATIVE(planned)(is_shadow, request);
    int64_t direction = (is_shadow & 0xffffffff) - 2;
    return direction >= 0 && direction < plan->directions && plan->shadows_in[direction] ? plan->shadows_in[direction]
                                                                                        : (void *)plan->call.in;
}

/* A window's memory, with its shadow: 1; constant memory is its own. */
void *NATIVE(shown)(int64_t is_shadow, int64_t window, void *base) {
    struct window *w = window_of(AS(MPI_Win, window));
    if (is_shadow)
        add_shadow(w, is_shadow == 1 ? base : NULL);
    return base;
}
void *NATIVE(window_memory)(int64_t is_shadow, int64_t window) {
    struct window *w = window_of(AS(MPI_Win, window));
    int64_t direction = (is_shadow & 0xffffffff) - 2;
    return !w ? NULL : direction < 0 ? w->base : shadow_of(w, direction);
}

/* Another rank's part of memory that ranks share. */
void *NATIVE(shared_memory)(int64_t is_shadow, int64_t window, int64_t peer) {
    struct window *w = window_of(AS(MPI_Win, window));
    int64_t direction = (is_shadow & 0xffffffff) - 2;
    if (!w)
        refuse_window();
    return direction < 0 ? part_of(w->window, (int)peer) : shadow_of_part(w, direction, (int)peer);
}

#include "bits.h"
#include "sweeps.h"
