/* expect: a thread that differentiated code makes has not ended when the function of the request returns
 * expect: join it there
 * In forward mode: the next request must not run the rest of the thread. */
#define DERIVATIVE __enzyme_fwddiff
#include "thread_is_left.c"
