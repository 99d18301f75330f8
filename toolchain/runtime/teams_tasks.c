/* Tasks in derivatives. The derivative of a task is a task, in each sweep. The primal sweep makes it where the program
 * made it; it has a tape of its own, in memory that belongs to the tape of the thread or task that made it.
 *
 * In the reverse sweep, all is turned round: where the maker waited for tasks, it makes those that reverse them, and
 * where it made one, it waits. For this, each thread and task has a list of the tasks that it made, and of marks where it
 * waited. What it did not wait for is reversed from where its own reverse sweep begins, or from a barrier.
 *
 * Tasks of a loop, and tasks that are not deferred, are tasks of a group (toolchain/stand_ins/teams.c).
 *
 * If the place to begin is missed, since a function that has no derivative waited, the task is reversed where it was made:
 * one after the other is always right. */

typedef void task_starter(struct task *task, void *frame);

/* A task, or a mark. `waits`: how often the maker waited there; 0 for a task. `left`: those not yet reversed. */
struct step {
    struct step *before;
    uint64_t waits, left;
};

/* OpenMP's: the address of what a task depends on, and how. */
struct dependence {
    intptr_t address;
    size_t length;
    uint8_t how;
};
struct dependences {
    struct dependence *all;
    int32_t count;
};

struct task {
    struct member member; /* first: the arena of the tape */
    struct step made;
    struct team *team;
    task_starter *start, *reverse;
    void *frame, *reverse_frame;
    struct lender *tables, *before; /* that the team uses, and that the thread used before */
    struct dependences dependences;
    uint64_t is_started;
};

/* of OpenMP's library: a task, and what it is told of its place in the program */
struct library_task {
    struct task **given;
    int32_t (*routine)(int32_t thread, struct library_task *task);
    int32_t part;
    void *data[2];
};
struct library_place {
    int32_t reserved, flags, more[2];
    const char *text;
};
struct library_task *__kmpc_omp_task_alloc(void *place, int32_t thread, int32_t flags, size_t size, size_t given,
                                           int32_t (*routine)(int32_t, struct library_task *));
int32_t __kmpc_omp_task(void *place, int32_t thread, struct library_task *task);
int32_t __kmpc_omp_taskwait(void *place, int32_t thread);
void __kmpc_end_taskgroup(void *place, int32_t thread);
int32_t __kmpc_omp_task_with_deps(void *place, int32_t thread, struct library_task *task, int32_t count,
                                  const struct dependence *dependences, int32_t others, const struct dependence *more);

enum { TIED = 1, OF_KMPC = 2, END_OF_GROUP = 1 };
/* how a task depends on memory: it reads it, or reads and writes it; or it depends on all memory */
enum { IN = 1, IN_AND_OUT = 3, ON_ALL = 0x80 };
static struct library_place derivative_place = {0, OF_KMPC, {0, 0}, ";derivative;task;0;0;;"};

static struct task *task_of(struct step *made) { return (struct task *)((char *)made - offsetof(struct task, made)); }

/* What the thread was a part of before it took up a member. */
static void take_up(struct member *m, struct team *team) {
    m->outer = own_team;
    m->outer_member = own_member;
    own_team = team;
    own_member = m;
}

static void put_down(struct member *m) {
    own_team = m->outer;
    own_member = m->outer_member;
}

static void begin_task(struct task *t) {
    take_up(&t->member, t->team);
    t->before = __ez_team_use_tables(t->tables);
}

static void end_task(struct task *t) {
    __ez_team_leave_tables(t->before);
    put_down(&t->member);
}

static int32_t run_in_primal_sweep(int32_t thread, struct library_task *made) {
    (void)thread;
    struct task *t = *made->given;
    begin_task(t);
    t->start(t, t->frame);
    end_task(t);
    return 0;
}

static void reverse_task(struct task *t) {
    begin_task(t);
    reverse_made(&t->member);
    t->reverse(t, t->reverse_frame);
    end_task(t);
}

static int32_t run_in_reverse_sweep(int32_t thread, struct library_task *made) {
    (void)thread;
    reverse_task(*made->given);
    return 0;
}

static void make_task(struct task *t, int32_t (*routine)(int32_t, struct library_task *)) {
    int32_t thread = __kmpc_global_thread_num(&derivative_place);
    struct library_task *made =
        __kmpc_omp_task_alloc(&derivative_place, thread, TIED, sizeof *made, sizeof *made->given, routine);
    *made->given = t;
    if (t->dependences.count)
        __kmpc_omp_task_with_deps(&derivative_place, thread, made, t->dependences.count, t->dependences.all, 0, NULL);
    else
        __kmpc_omp_task(&derivative_place, thread, made);
}

/* What the next task of this thread depends on. In the reverse sweep, tasks are made in the opposite order, and depend on
 * the same: so who waited is waited for. Tasks that exclude each other, or may run at the same time, run one by one. */
static _Thread_local struct dependences next_dependences;

void __ez_team_depends(int32_t count, const struct dependence *first, int32_t others, const struct dependence *more) {
    free(next_dependences.all);
    next_dependences = (struct dependences){NULL, count + others};
    if (!next_dependences.count)
        return;
    struct dependence *all = or_end(malloc((size_t)next_dependences.count * sizeof *all));
    for (int32_t k = 0; k < count + others; k++) {
        all[k] = k < count ? first[k] : more[k - count];
        if (!(all[k].how & ON_ALL) && all[k].how != IN)
            all[k].how = IN_AND_OUT;
    }
    next_dependences.all = all;
}

static void release_task(void *memory) {
    struct task *t = memory;
    __ez_finish(&t->member.arena);
    free(t->dependences.all);
    free(t);
}

/* The primal sweep makes a task. The arena is that of the maker. */
void *__ez_task_make(struct arena *a, task_starter *start, task_starter *reverse, void *frame, void *reverse_frame) {
    size_t size = (sizeof(struct task) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    struct task *t = or_end(aligned_alloc(CACHE_LINE, size));
    memset(t, 0, size);
    begin_chunk(&t->member.arena, FIRST_OF_MEMBER, 0);
    __ez_defer_free(a, t, release_task);
    t->team = own_team;
    t->tables = __ez_team_tables();
    t->start = start;
    t->reverse = reverse;
    t->frame = frame;
    t->reverse_frame = reverse_frame;
    t->dependences = next_dependences;
    next_dependences = (struct dependences){NULL, 0};
    if (own_member) {
        t->made.before = own_member->made;
        own_member->made = &t->made;
    }
    make_task(t, run_in_primal_sweep);
    return t;
}

void __ez_task_done(struct task *t, void *tape) {
    t->member.tape = tape;
    t->member.last_made = t->member.made;
}

/* A thread or task begins to reverse what it did. */
static void reverse_made(struct member *m) {
    m->made = m->last_made;
    start_made();
}

/* Makes the tasks that reverse those after the last mark. */
static void start_made(void) {
    struct step *made = own_member ? own_member->made : NULL;
    for (; made && !made->waits && !task_of(made)->is_started; made = made->before) {
        task_of(made)->is_started = 1;
        make_task(task_of(made), run_in_reverse_sweep);
    }
}

/* In the reverse sweep, where the task was made. */
void __ez_task_back(struct task *t) {
    if (t->is_started) {
        __kmpc_omp_taskwait(&derivative_place, __kmpc_global_thread_num(&derivative_place));
        t->is_started = 0;
    } else {
        reverse_task(t);
    }
    if (!own_member)
        return;
    for (struct step *made = own_member->made; made != &t->made; made = made->before)
        made->left = made->waits;
    own_member->made = t->made.before;
}

/* This thread or task has waited for all tasks that it made. */
static void mark_wait(void) {
    struct step *made = own_member ? own_member->made : NULL;
    if (!made)
        return;
    if (!made->waits) {
        struct step *mark = __ez_alloc(&own_member->arena, sizeof *mark);
        *mark = (struct step){made, 0, 0};
        made = own_member->made = mark;
    }
    made->left = ++made->waits;
}

/* The same in the reverse sweep. */
static void pass_mark(void) {
    struct step *made = own_member ? own_member->made : NULL;
    if (!made || !made->waits || --made->left)
        return;
    made->left = made->waits;
    own_member->made = made->before;
    start_made();
}

void __ez_team_wait(void *place, uint64_t kind) {
    int32_t thread = __kmpc_global_thread_num(place);
    if (kind == END_OF_GROUP)
        __kmpc_end_taskgroup(place, thread);
    else
        __kmpc_omp_taskwait(place, thread);
    mark_wait();
}

void __ez_team_wait_taped(void *place, uint64_t kind) { __ez_team_wait(place, kind); }

void __ez_team_wait_back(void) { pass_mark(); }

/* Code without a derivative runs a task where it makes it. */
void __ez_team_task(int32_t thread, void *task, int32_t (*routine)(int32_t, void *)) { routine(thread, task); }
