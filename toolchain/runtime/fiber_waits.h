/* What a thread of differentiated code may wait for: stand-ins say it, the runtime tells whether it has happened. */
#ifndef FIBER_WAITS_H
#define FIBER_WAITS_H

enum {
    FOR_TURN,        /* a turn of the others; if the value is not 0, one of them must be able to run */
    FOR_LOCK,        /* no other thread holds the lock at the address */
    FOR_SHARED_LOCK, /* no other thread holds it alone */
    FOR_WAKING,      /* another thread wakes those that wait at the address */
    FOR_SEMAPHORE,   /* the semaphore at the address is not zero */
    FOR_CHANGE,      /* FOR_WAKING, or the 32 bits at the address differ from the value */
    FOR_END,         /* the thread with the value as its name has ended */
    FOR_TIMED = 16,  /* added: until nobody else can run */
};
#endif
