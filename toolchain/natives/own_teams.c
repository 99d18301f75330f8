/* Teams of threads for a program that does not link OpenMP's library: what derivatives of threads call of it
 * (enzyme_cc/link/merged_module/finished.py). A team has as many threads as its maker asks for, if the system gives them. */
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

enum { CAPTURES = 6 };
typedef void region(int32_t *thread, int32_t *bound, void *, void *, void *, void *, void *, void *);

struct own_team {
    pthread_mutex_t is_made; /* held until all threads of the team are known */
    int32_t count;
    region *run;
    void *captures[CAPTURES];
};
struct own_member {
    struct own_team *team;
    int32_t number;
};

static _Thread_local struct own_member own_place;
static _Thread_local int32_t asked_for;

int omp_get_thread_num(void) { return own_place.number; }
int omp_get_num_threads(void) { return own_place.team ? own_place.team->count : 1; }
int omp_in_parallel(void) { return own_place.team && own_place.team->count > 1; }
int32_t __kmpc_global_thread_num(void *place) { return own_place.number; }
void __kmpc_push_num_threads(void *place, int32_t thread, int32_t count) { asked_for = count; }

static void run_part(struct own_member *member) {
    struct own_member before = own_place;
    own_place = *member;
    int32_t thread = member->number, bound = member->number;
    void **given = member->team->captures;
    member->team->run(&thread, &bound, given[0], given[1], given[2], given[3], given[4], given[5]);
    own_place = before;
}

static void *run_member(void *argument) {
    struct own_member *member = argument;
    pthread_mutex_lock(&member->team->is_made);
    pthread_mutex_unlock(&member->team->is_made);
    run_part(member);
    return NULL;
}

/* A region in a region has a team of one. */
void __kmpc_fork_call(void *place, int32_t count, region *run, ...) {
    struct own_team team = {.count = 1, .run = run};
    if (count > CAPTURES)
        abort(); /* regions of gathered threads have two, those of derivatives one */
    va_list captures;
    va_start(captures, run);
    for (int32_t k = 0; k < count; k++)
        team.captures[k] = va_arg(captures, void *);
    va_end(captures);
    int32_t wanted = omp_in_parallel() || asked_for < 1 ? 1 : asked_for;
    asked_for = 0;
    pthread_mutex_init(&team.is_made, NULL);
    pthread_t *threads = malloc((size_t)wanted * sizeof *threads);
    struct own_member *members = malloc((size_t)wanted * sizeof *members), own = {&team, 0};
    pthread_mutex_lock(&team.is_made);
    for (int32_t k = 1; threads && members && k < wanted; k++) {
        members[k] = (struct own_member){&team, k};
        if (pthread_create(&threads[k], NULL, run_member, &members[k]))
            break;
        team.count++;
    }
    pthread_mutex_unlock(&team.is_made);
    run_part(&own);
    for (int32_t k = 1; k < team.count; k++)
        pthread_join(threads[k], NULL);
    free(threads);
    free(members);
    pthread_mutex_destroy(&team.is_made);
}

/* Iteration k belongs to thread k of as many, the next one to the same thread, and so on: `schedule(static, 1)`. */
void __kmpc_for_static_init_8u(void *place, int32_t thread, int32_t schedule, int32_t *is_last, uint64_t *lower,
                               uint64_t *upper, int64_t *stride, int64_t step, int64_t chunk) {
    *stride = omp_get_num_threads() * chunk;
    *lower += (uint64_t)omp_get_thread_num() * (uint64_t)chunk;
    *upper = *lower + (uint64_t)chunk - 1;
}
void __kmpc_for_static_fini(void *place, int32_t thread) {}
