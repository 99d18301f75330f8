/* Tables of memory without a shadow (no_shadow.c, no_shadow_numbers.c, named_memory.c) and marks of adjoints (marks.c), in
 * regions that run on a team.
 * They belong to the thread that made the request. All threads of the team work on these tables: one *borrows* them, that
 * is, it locks them and copies their heads to its own, and gives them back. Most accesses of numbers need no lock, since
 * each thread keeps a list of recent blocks of its own.
 *
 * A derivative that runs on a team calls these functions in the place of those without `team_` in their names
 * (enzyme_cc/autodiff/core/team_calls.py). The thread that forks passes its tables on (emit/region_forks.py). */

/* `blocks`: how many blocks of numbers there are: what a thread knows not to be there may have been made since. */
struct lender {
    struct address_table *notes, *numbers, *marks;
    uint32_t *remainders;
    char *may_be_noted;
    __typeof__(outside) *outside;
    __typeof__(names) *names;
    __typeof__(named_memory) *named;
    uint64_t blocks;
    uint64_t request; /* its number */
    uint32_t is_locked;
};

/* Requests that clear shadows are numbered, that other threads may know one: the last that this thread was a part of. */
static uint64_t number_of_requests;
static _Thread_local uint64_t own_request;

void __ez_team_request(uint64_t is_outermost) {
    if (is_outermost)
        own_request = __atomic_add_fetch(&number_of_requests, 1, __ATOMIC_RELAXED);
}

/* The tables of this thread, and those that it uses in a team. `seen`: the number of blocks when it last looked. */
static _Thread_local struct lender own_tables;
static _Thread_local struct lender *lender;
static _Thread_local uint64_t seen;

/* What a thread that borrows has of its own: requests that it made itself, and may continue. */
static _Thread_local struct {
    struct address_table notes, numbers, marks;
    uint32_t remainders;
    uint64_t request;
    int is_inner;
    char may_be_noted[PLACES];
} put_by;

/* A thread is about to fork. Returns the tables that the team uses. */
void *__ez_team_tables(void) {
    if (lender)
        return lender;
    settle();
    own_tables = (struct lender){&notes,   &outside.blocks, &marks,        &remainders,          may_be_noted,
                                 &outside, &names,          &named_memory, outside.blocks.count,
                                 own_request, 0};
    return &own_tables;
}

static int uses_own_tables(void) { return lender == &own_tables; }

static void put_own_by(void) {
    put_by.notes = notes;
    put_by.numbers = outside.blocks;
    put_by.marks = marks;
    put_by.remainders = remainders;
    put_by.request = outside.request;
    put_by.is_inner = outside.is_inner;
    memcpy(put_by.may_be_noted, may_be_noted, sizeof may_be_noted);
}

static void take_own_back(void) {
    notes = put_by.notes;
    outside.blocks = put_by.numbers;
    marks = put_by.marks;
    remainders = put_by.remainders;
    outside.request = put_by.request;
    outside.is_inner = put_by.is_inner;
    memcpy(may_be_noted, put_by.may_be_noted, sizeof may_be_noted);
}

/* A thread of the team begins. Returns what it used before. */
void *__ez_team_use_tables(struct lender *tables) {
    struct lender *before = lender;
    lender = tables;
    if (before || uses_own_tables())
        return before;
    settle();
    forget_recent();
    put_own_by();
    outside.request = tables->outside->request;
    outside.is_inner = tables->outside->is_inner;
    names.globals = tables->names->globals;
    names.number_of_globals = tables->names->number_of_globals;
    names.number_of_arguments = tables->names->number_of_arguments;
    for (uint64_t k = 0; k < names.number_of_arguments && k < MOST_ARGUMENTS; k++)
        names.arguments[k] = tables->names->arguments[k];
    return before;
}

/* Whether this thread of a team takes part in the request for the first time: then shadows of its own variables are
 * cleared. The thread that made the request has cleared them (emit/variables_of_threads.py). */
uint64_t __ez_team_is_new(void) {
    if (lender->request == own_request)
        return 0;
    own_request = lender->request;
    return 1;
}

/* The thread that forked goes on: others may have made blocks. */
void __ez_team_took_tables(void) { forget_recent(); }

static void borrow(void) {
    unsigned looks = 0;
    while (__atomic_exchange_n(&lender->is_locked, 1, __ATOMIC_ACQUIRE))
        pause_thread(&looks);
    if (!uses_own_tables()) {
        notes = *lender->notes;
        outside.blocks = *lender->numbers;
        marks = *lender->marks;
        remainders = *lender->remainders;
    }
}

static void give_back(void) {
    if (!uses_own_tables()) {
        *lender->notes = notes;
        *lender->numbers = outside.blocks;
        *lender->marks = marks;
        *lender->remainders = remainders;
        for (size_t k = 0; k < PLACES; k++)
            if (may_be_noted[k])
                __atomic_store_n(&lender->may_be_noted[k], 1, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&lender->blocks, outside.blocks.count, __ATOMIC_RELAXED);
    __atomic_store_n(&lender->is_locked, 0, __ATOMIC_RELEASE);
}

/* Blocks that were not there may be there now. */
static void forget_if_more(void) {
    uint64_t blocks = __atomic_load_n(&lender->blocks, __ATOMIC_RELAXED);
    if (blocks != seen)
        forget_recent();
    seen = blocks;
}

/* -- numbers */

static __attribute__((noinline)) void team_expected(const char *place, uint64_t bytes, uint64_t direction) {
    if (recent_block(place, direction)->written == block_of_all(place, bytes, direction))
        return;
    borrow();
    expect_numbers(place, bytes, direction);
    give_back();
}

void __ez_team_foreign_expect(uint64_t is_constant, const char *place, uint64_t bytes, uint64_t direction) {
    if (__builtin_expect(is_constant != 0, 0))
        team_expected(place, bytes, direction);
}

/* A number in two blocks would be in a buffer of the thread. */
static __attribute__((noinline)) char *team_number(char *place, char *other, uint64_t bytes, uint64_t how,
                                                   uint64_t direction) {
    const struct recent *row = recent_block(place, direction);
    if (row->written == block_of_all(place, bytes, direction))
        return place + row->to_shadow;
    forget_if_more();
    if (!other)
        other = (char *)constant_numbers;
    if (how == IF_THERE && row->read == block_of_all(place, bytes, direction))
        return other;
    if (part_of(place, bytes) != bytes)
        refuse("threads of a team access a number that is not aligned, in memory that was made before the derivative was "
               "called; link with --enzyme-serial-regions");
    borrow();
    char *found = how != IF_THERE || outside.blocks.count ? outside_number_at(place, other, bytes, how, direction) : other;
    give_back();
    return found;
}

char *__ez_team_foreign_number(uint64_t is_constant, char *shadow, char *other, uint64_t bytes, uint64_t how,
                               uint64_t direction) {
    return __builtin_expect(!is_constant, 1) ? shadow : team_number(shadow, other, bytes, how, direction);
}

static __attribute__((noinline)) void team_forget(char *place, uint64_t bytes, uint64_t direction) {
    if (!__atomic_load_n(&lender->blocks, __ATOMIC_RELAXED))
        return;
    borrow();
    forget_numbers(place, bytes, direction);
    give_back();
}

void __ez_team_foreign_clear(uint64_t is_constant, char *place, uint64_t bytes, uint64_t direction) {
    if (__builtin_expect(is_constant != 0, 0))
        team_forget(place, bytes, direction);
}

void __ez_team_foreign_free(uint64_t is_constant, char *memory, uint64_t direction) {
    if (__builtin_expect(is_constant && memory, 0))
        team_forget(memory, malloc_usable_size(memory), direction);
}

void __ez_team_foreign_copy_numbers(char *to, char *target, const char *from, const char *source, uint64_t bytes,
                                    uint64_t period, uint64_t offset, uint64_t length, uint64_t direction) {
    if (__builtin_expect((to && from) || !bytes, 1))
        return;
    borrow();
    if (from || outside.blocks.count)
        copy_numbers(to, target, from, source, bytes, period, offset, length, direction);
    give_back();
}

/* -- pointers */

static __attribute__((noinline)) void team_note(void *place, void *pointer, void *shadow, uint64_t direction) {
    borrow();
    enter_note(key_of(place, direction), pointer, shadow);
    give_back();
}

void __ez_team_foreign_store(uint64_t is_constant, void *place, void *pointer, void *shadow, uint64_t direction) {
    if (__builtin_expect(is_constant && pointer != shadow, 0))
        team_note(place, pointer, shadow, direction);
}

/* The same as may_be_named, of the thread that made the request. */
static int may_be_named_there(const void *pointer) {
    const __typeof__(named_memory) *all = lender->named;
    uintptr_t at = (uintptr_t)pointer;
    return at - all->now.near.low < all->now.near.bytes || at - all->now.far.low < all->now.far.bytes ||
           all->lists[(at >> 4) % LISTS];
}

void __ez_team_foreign_enter(char *target, const char *now, const char *shadow, uint64_t bytes, uint64_t period,
                             uint64_t offset, uint64_t length, uint64_t direction) {
    if (__builtin_expect(bytes <= offset, 1))
        return;
    borrow();
    __ez_foreign_enter(target, now, shadow, bytes, period, offset, length, direction);
    give_back();
}

void __ez_team_foreign_copy(uint64_t is_constant, char *to, char *target, const char *from, const char *now, uint64_t bytes,
                            uint64_t direction) {
    if (__builtin_expect(!is_constant || !bytes, 1))
        return;
    borrow();
    if (notes.count)
        copy_notes(to, target, from, now, bytes, direction);
    give_back();
}

/* Calls that look for names take these from the lender; this thread's own come back. */
static __attribute__((noinline)) void *team_noted(void *place, void *pointer, void *shadow, uint64_t direction) {
    __typeof__(named_memory) own = named_memory;
    borrow();
    if (!uses_own_tables())
        named_memory = *lender->named;
    const struct note *row = notes.count ? note_of(key_of(place, direction)) : NULL;
    void *found = row && row->key && row->pointer == pointer ? row->shadow
                  : may_be_named(pointer)                    ? shadow_by_name(pointer, shadow, direction)
                                                             : shadow;
    if (!uses_own_tables())
        named_memory = own;
    give_back();
    return found;
}

void *__ez_team_foreign_load(uint64_t is_constant, void *place, void *pointer, void *shadow, uint64_t direction) {
    if (__builtin_expect(!is_constant, 1))
        return shadow;
    size_t k = (size_t)(place_number(place) - may_be_noted);
    int is_noted = __atomic_load_n(&lender->may_be_noted[k], __ATOMIC_RELAXED);
    return is_noted || may_be_named_there(pointer) ? team_noted(place, pointer, shadow, direction) : shadow;
}

static __attribute__((noinline, cold)) void team_refuse_if_named(const void *pointer, const char *message) {
    __typeof__(named_memory) own = named_memory;
    borrow();
    if (!uses_own_tables())
        named_memory = *lender->named;
    refuse_if_named(pointer, message);
    if (!uses_own_tables())
        named_memory = own;
    give_back();
}

void __ez_team_refuse_other_name(const void *pointer, const char *message) {
    if (may_be_named_there(pointer))
        team_refuse_if_named(pointer, message);
}

/* Threads read the rows only with the lock. */
void __ez_team_forget_name(const void *pointer) {
    if (!pointer || !may_be_named_there(pointer))
        return;
    unsigned looks = 0;
    while (__atomic_exchange_n(&lender->is_locked, 1, __ATOMIC_ACQUIRE))
        pause_thread(&looks);
    __typeof__(named_memory) *all = lender->named;
    struct named_memory *rows = all->more ? all->more : all->usual;
    for (uint32_t k = all->now.before; k < all->rows; k++)
        if (rows[k].start == (uintptr_t)pointer)
            rows[k].bytes = 0;
    __atomic_store_n(&lender->is_locked, 0, __ATOMIC_RELEASE);
}

/* -- shadows that a global leads to (tape.c). Only their allocation and release order what threads note. */

__attribute__((always_inline)) void __ez_team_heap_freed(void *shadow, void *const *place, void **freed) {
    if (shadow && shadow == *place)
        __atomic_store_n(freed, shadow, __ATOMIC_RELAXED);
}

__attribute__((always_inline)) void __ez_team_heap_renewed(void *shadow, void **freed) {
    if (shadow == __atomic_load_n(freed, __ATOMIC_RELAXED))
        __atomic_store_n(freed, NULL, __ATOMIC_RELAXED);
}

/* -- marks */

/* Threads keep marks apart until they end, or are about to free memory: no thread of a team asks for marks. Only places
 * and types are kept. What threads add to one place is added before they mark it there, with the lock. So the last mark
 * has the bits of the whole sum. */
struct own_mark {
    uintptr_t place;
    uint64_t kind;
};
static _Thread_local struct address_table own_marks; /* of struct own_mark */

static __attribute__((noinline)) void settle_marks(void) {
    borrow();
    for (size_t k = 0; k < own_marks.room; k++) {
        const struct own_mark *row = (const struct own_mark *)own_marks.rows + k;
        if (row->place)
            mark((const void *)row->place, row->kind);
    }
    give_back();
    release_table(&own_marks);
}

void __ez_team_mark_adjoint(const char *place, uint64_t kind, uint64_t is_there) {
    if (!place || !is_there || !kind)
        return;
    if (!make_room(&own_marks, sizeof(struct own_mark)))
        or_end(NULL);
    struct own_mark *row = table_row(&own_marks, sizeof *row, (uintptr_t)place);
    own_marks.count += !row->place;
    *row = (struct own_mark){(uintptr_t)place, kind};
}

/* The end of a derivative that frees what it allocated. */
void __ez_team_finish(struct arena *a) {
    if (own_marks.count && a->deferred)
        settle_marks();
    __ez_finish(a);
}

/* A thread of the team ends. */
void __ez_team_leave_tables(struct lender *before) {
    int is_borrower = !before && !uses_own_tables();
    if (own_marks.count)
        settle_marks();
    lender = before;
    if (is_borrower) {
        forget_recent();
        take_own_back();
    }
}
