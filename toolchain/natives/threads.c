/* What stand-ins for threads call (stand_ins/threads.c). */
#include <pthread.h>

static void *do_nothing(void *argument) { return argument; }

/* Makes a thread that has nothing to do: the work has been done where the thread was made. Returns 0 if there is none. */
unsigned long __ez_inactive_ended_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, 0, do_nothing, 0) ? 0 : thread;
}

void omp_free(void *memory, unsigned long allocator);
void __ez_native_omp_free(void *memory) { omp_free(memory, 0); }
