/* A second stack of each thread, on which derivatives of recursive functions run.
 *
 * A level of a derivative needs more stack than a level of the primal, so a derivative would overflow where the primal
 * did not. enzyme_cc/autodiff/answer/second_stack.py emits the change of stacks.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* The second stack is as many times as large as the first. Only the memory that is used counts. */
enum { TIMES = 64, GUARD = 64 << 10 };

static void watch_thread(void); /* tape.c */

static __thread struct {
    char *bottom, *top; /* null if there is none */
    char *left;         /* where the thread left its own stack */
    char tried;
} second;

extern int pthread_getattr_np(pthread_t, pthread_attr_t *) __attribute__((weak));

/* Returns 0 if there is no limit. */
static size_t own_stack_size(void) {
    struct rlimit limit;
    pthread_attr_t attributes;
    size_t size = 0;
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    if (pthread_getattr_np && !pthread_getattr_np(pthread_self(), &attributes)) {
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
    }
    return size > limit.rlim_cur ? size : limit.rlim_cur;
}

static __attribute__((noinline, cold)) void make_second_stack(void) {
    size_t own = own_stack_size();
    second.tried = 1;
    for (size_t size = TIMES * own; size > own; size /= 2) {
        char *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (made == MAP_FAILED)
            continue;
        madvise(made, size, MADV_NOHUGEPAGE);
        mprotect(made, GUARD, PROT_NONE);
        second.bottom = made;
        second.top = made + (size & ~(size_t)63);
        watch_thread();
        return;
    }
}

static __attribute__((always_inline)) int is_on_second(const char *place) { return place > second.bottom && place < second.top; }

/* Returns the top of the second stack; null if the thread is on it already, or if there is none. */
__attribute__((noinline)) void *__ez_second_stack(void) {
    char *here = __builtin_frame_address(0);
    if (is_on_second(here))
        return NULL;
    if (!second.tried)
        make_second_stack();
    second.left = here;
    return second.top;
}

static void release_second_stack(void) {
    if (second.top && !is_on_second(__builtin_frame_address(0))) {
        munmap(second.bottom, (size_t)(second.top - second.bottom));
        second.bottom = second.top = NULL;
    }
}

/* The address of a frame, as if the thread had one stack only. */
static __attribute__((always_inline)) uintptr_t on_one_stack(const char *frame) {
    return (uintptr_t)(is_on_second(frame) ? second.left - (second.top - frame) : frame);
}
