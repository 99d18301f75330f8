/* Threads that run long calls for Python's main thread, which waits for them and can stop waiting.

   Python raises KeyboardInterrupt in its main thread. That thread cannot leave compiled code: nothing can unwind such code
   safely. But it can leave the wait for another thread. Companions are kept between calls, since they own what the
   runtime and OpenMP keep for a thread. The caller holds Python's lock in all functions but `companion_waits`. */
#include <stdbool.h>
#include <stdint.h>

typedef int entry_point(void *const *buffers, const int64_t *sizes);
typedef struct companion companion;

/* True in the thread in which Python handles signals. */
bool is_main_thread(void);

/* Returns a companion that runs the call; NULL if there can be no thread. */
companion *companion_calls(entry_point *call, const char *(*message)(void), void *const *buffers, const int64_t *sizes);

/* Returns true if the call has ended; false after a tenth of a second, or when a signal has arrived. */
bool companion_waits(companion *c);

/* True if the call has ended; does not wait. */
bool companion_has_ended(companion *c);

/* The status of a call that has ended, and where the entry point's message is: valid until `companion_is_free`. */
int companion_status(const companion *c, const char **message);

/* The companion may run another call. */
void companion_is_free(companion *c);
