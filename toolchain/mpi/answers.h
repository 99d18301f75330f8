/* What differentiated code asks about the last call, requests and handles. */
int64_t __ez_inactive_mpi_error(void) { return last_error; }
int64_t __ez_inactive_mpi_begun(void) { return NUMBER(last_request); }
int64_t __ez_inactive_mpi_found(void) { return NUMBER(last_found); }
int __ez_inactive_mpi_position(void) { return last_position; }
int __ez_inactive_mpi_flag(void) { return last_flag; }
int __ez_inactive_mpi_undefined(void) { return MPI_UNDEFINED; }
int64_t __ez_inactive_mpi_comm(int handle) { return NUMBER(MPI_Comm_f2c(handle)); }
int64_t __ez_inactive_mpi_type(int handle) { return NUMBER(MPI_Type_f2c(handle)); }
int64_t __ez_inactive_mpi_group(int handle) { return NUMBER(MPI_Group_f2c(handle)); }
int64_t __ez_inactive_mpi_info(int handle) { return NUMBER(MPI_Info_f2c(handle)); }
int64_t __ez_inactive_mpi_op(int handle) { return NUMBER(MPI_Op_f2c(handle)); }

const int *__ez_inactive_mpi_types(const int *handles, int comm, int is_second) {
    static MPI_Datatype *lists[2];
    struct call c = {.operation = EZ_ALLTOALLW, .comm = MPI_Comm_f2c(comm), .counts = handles};
    int n, m;
    c.channel = channel_of(c.comm);
    if (c.channel->neighbors)
        c.operation = EZ_NEIGHBOR_ALLTOALLW;
    lengths_of(&c, &n, &m);
    int count = is_second ? m : n;
    lists[is_second] = realloc(lists[is_second], (count + 1) * sizeof(MPI_Datatype));
    for (int i = 0; i < count; i++)
        lists[is_second][i] = MPI_Type_f2c(handles[i]);
    return (const int *)lists[is_second];
}

/* The beginning of all compilers' descriptors is the same: base, length of an element, version, rank; and the dimensions,
 * each of a lower bound, an extent and a distance in bytes. */
void __ez_inactive_mpi_described(const void *array) {
    struct {
        char *base;
        size_t size;
        int version;
        unsigned char rank, more[3];
        ptrdiff_t dimension[15][3];
    } const *a = array;
    ptrdiff_t distance = (ptrdiff_t)a->size;
    for (int d = 0; d < a->rank; d++) {
        if (a->dimension[d][1] > 1 && a->dimension[d][2] != distance && a->dimension[d][2] != 0)
            refuse("a part of an array has no derivative in a call of MPI [EZ0302]",
                   "it has gaps; use a derived type, or copy it to an array of its own");
        distance *= a->dimension[d][1];
    }
}

/* of MPICH's module mpi_f08 */
extern char f08_status_ignore __asm__("MPIR_F08_MPI_STATUS_IGNORE_OBJ") __attribute__((weak));
extern char f08_statuses_ignore __asm__("MPIR_F08_MPI_STATUSES_IGNORE_OBJ") __attribute__((weak));

static int is_ignored(const void *status) {
    return status == MPI_F_STATUS_IGNORE || status == MPI_F_STATUSES_IGNORE || status == &f08_status_ignore ||
           status == &f08_statuses_ignore;
}
void __ez_inactive_mpi_status(void *statuses, int64_t index, int is_fortran) {
    if (!is_fortran && statuses != MPI_STATUS_IGNORE && statuses != MPI_STATUSES_IGNORE)
        ((MPI_Status *)statuses)[index] = last_status;
    MPI_Fint *list = statuses;
    if (is_fortran && !is_ignored(list))
        MPI_Status_c2f(&last_status, list + index * (int64_t)(sizeof(MPI_Status) / sizeof *list));
}

static MPI_Request request_at(const void *requests, int64_t index, int is_fortran) {
    return is_fortran ? MPI_Request_f2c(((const MPI_Fint *)requests)[index]) : ((const MPI_Request *)requests)[index];
}
int64_t __ez_inactive_mpi_request(const void *requests, int64_t index, int is_fortran) {
    return NUMBER(request_at(requests, index, is_fortran));
}
void __ez_inactive_mpi_set_request(void *requests, int64_t index, int64_t request, int is_fortran) {
    if (is_fortran)
        ((MPI_Fint *)requests)[index] = MPI_Request_c2f(AS(MPI_Request, request));
    else
        ((MPI_Request *)requests)[index] = AS(MPI_Request, request);
}

int64_t __ez_inactive_mpi_message(const void *message, int is_fortran) {
    return NUMBER(is_fortran ? MPI_Message_f2c(*(const MPI_Fint *)message) : *(const MPI_Message *)message);
}
void __ez_inactive_mpi_set_message(void *message, int64_t found, int is_fortran) {
    if (is_fortran)
        *(MPI_Fint *)message = MPI_Message_c2f(AS(MPI_Message, found));
    else
        *(MPI_Message *)message = AS(MPI_Message, found);
}
/* whether there is such a message */
int __ez_inactive_mpi_is_there(int peer, int tag, int64_t comm) {
    int is_there;
    last_error = MPI_Iprobe(peer, tag, AS(MPI_Comm, comm), &is_there, &last_status);
    return is_there;
}

/* A send of differentiated code goes on: the other rank may take the message for one with a derivative. */
int __ez_inactive_mpi_cancel(const void *request, int is_fortran) {
    MPI_Request handle = request_at(request, 0, is_fortran);
    struct record *r = *place_of(&under_way, handle);
    if (r && !r->call.is_begun)
        return cancel_received(r);
    struct plain_request *plain = plain_of(handle);
    int is_send = (is_begun_here(handle) || *place_of(&planned, handle)) && !(plain && !plain->is_send);
    return is_send ? MPI_SUCCESS : MPI_Cancel(&handle);
}

static int is_complete(MPI_Request request) {
    int is_done = 1;
    if (request != MPI_REQUEST_NULL)
        MPI_Request_get_status(request, &is_done, MPI_STATUS_IGNORE);
    return is_done;
}
static int is_active(MPI_Request request) {
    struct record *plan = *place_of(&planned, request);
    struct plain_request *plain = plain_of(request);
    return request != MPI_REQUEST_NULL && (plan ? plan->is_started : !plain || plain->is_started);
}

static const MPI_Status EMPTY_STATUS;

int __ez_inactive_mpi_any(int64_t count, const void *requests, int is_fortran, int waits) {
    int has_active;
    last_flag = 1;
    do {
        has_active = 0;
        for (int64_t i = 0; i < count; i++) {
            MPI_Request request = request_at(requests, i, is_fortran);
            if (!is_active(request))
                continue;
            if (is_complete(request))
                return (int)i;
            has_active = 1;
        }
    } while (waits && has_active);
    last_flag = !has_active;
    last_error = MPI_SUCCESS;
    last_status = EMPTY_STATUS;
    last_status.MPI_SOURCE = MPI_ANY_SOURCE, last_status.MPI_TAG = MPI_ANY_TAG;
    return -1;
}

int __ez_inactive_mpi_some(int *indices, int64_t count, const void *requests, int is_fortran, int waits) {
    int found = 0, first = __ez_inactive_mpi_any(count, requests, is_fortran, waits);
    if (first < 0)
        return last_flag ? MPI_UNDEFINED : 0;
    for (int64_t i = first; i < count; i++) {
        MPI_Request request = request_at(requests, i, is_fortran);
        if (is_active(request) && is_complete(request))
            indices[found++] = (int)i + is_fortran;
    }
    return found;
}

int __ez_inactive_mpi_all(int64_t count, const void *requests, int is_fortran) {
    for (int64_t i = 0; i < count; i++)
        if (!is_complete(request_at(requests, i, is_fortran)))
            return 0;
    return 1;
}

/* -- windows */

void __ez_inactive_mpi_win_create(void *base, int64_t size, int unit, int64_t info, int64_t comm) {
    MPI_Win window;
    last_error = MPI_Win_create(base, size, unit, AS(MPI_Info, info), AS(MPI_Comm, comm), &window);
    make_window(window, base, size, unit, AS(MPI_Comm, comm));
}
void __ez_inactive_mpi_win_allocate(int64_t size, int unit, int64_t info, int64_t comm) {
    MPI_Win window;
    void *base;
    last_error = MPI_Win_allocate(size, unit, AS(MPI_Info, info), AS(MPI_Comm, comm), &base, &window);
    make_window(window, base, size, unit, AS(MPI_Comm, comm));
    last_window->is_allocated = 1;
}
void __ez_inactive_mpi_win_allocate_shared(int64_t size, int unit, int64_t info, int64_t comm) {
    MPI_Win window;
    void *base;
    last_error = MPI_Win_allocate_shared(size, unit, AS(MPI_Info, info), AS(MPI_Comm, comm), &base, &window);
    make_window(window, base, size, unit, AS(MPI_Comm, comm));
    last_window->is_allocated = last_window->is_shared = shares_memory = 1;
    if (AS(MPI_Info, info) != MPI_INFO_NULL)
        MPI_Info_dup(AS(MPI_Info, info), &last_window->info);
}
void __ez_inactive_mpi_win_shared_query(int64_t window, int peer, int64_t *size, int *unit) {
    void *base;
    MPI_Aint bytes;
    last_error = MPI_Win_shared_query(AS(MPI_Win, window), peer, &bytes, unit, &base);
    *size = bytes;
}
int64_t __ez_inactive_mpi_made_window(void) { return NUMBER(last_window->window); }
int64_t __ez_inactive_mpi_replace(void) { return NUMBER(MPI_REPLACE); }
int64_t __ez_inactive_mpi_no_op(void) { return NUMBER(MPI_NO_OP); }
int64_t __ez_inactive_mpi_win(const void *window, int is_fortran) {
    return NUMBER(is_fortran ? MPI_Win_f2c(*(const MPI_Fint *)window) : *(const MPI_Win *)window);
}
/* 0: no window */
void __ez_inactive_mpi_set_win(void *window, int64_t handle, int is_fortran) {
    MPI_Win found = handle ? AS(MPI_Win, handle) : MPI_WIN_NULL;
    if (is_fortran)
        *(MPI_Fint *)window = MPI_Win_c2f(found);
    else
        *(MPI_Win *)window = found;
}
