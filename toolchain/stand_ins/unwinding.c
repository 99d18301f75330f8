/* The C++ ABI of exceptions as ordinary code, called by functions that enzyme_cc/autodiff/unwinding lowered.
 *
 * An exception in flight is a word in memory, which lowered functions check after each call. The ABI keeps data in
 * front of the exception object; here they are in a separate record. All of this is differentiated like any other code,
 * since an exception may carry numbers.
 */
#include "stand_in.h"

typedef void destructor(void *);

/* What a landing pad is given. */
struct exception {
    void *object;
    const void *type;
    destructor *destroy;
    void *adjusted;          /* the object as the handler's type sees it */
    struct exception *outer; /* the one that was caught before */
    long handlers;           /* that are active on it; negative: one of them has thrown it again */
    long indirect;           /* a pointer was thrown */
};

/* Of one call of a differentiated function. */
struct unwinding {
    struct exception *pending; /* in flight, if not null */
    struct exception *caught;
    int64_t uncaught; /* thrown, and not yet in a handler: a destructor on the way may throw and catch another one */
};

/* of the runtime, and of the module that is lowered */
int __ez_unwind_catches(const void *handler, const void *type, void *object);
long __ez_unwind_distance(const void *handler, const void *type, void *object);
void *__ez_unwind_kept(void);
void *__ez_unwind_escaped(void);
const void *__ez_unwind_escaped_type(void);
destructor *__ez_unwind_escaped_destructor(void);
long __ez_unwind_escaped_indirect(void);
const void *__ez_unwind_type(void *object);
void __ez_unwind_escape(void *object, const void *type, destructor *destroy, long indirect);
void __ez_unwind_release(void *object);
void __ez_unwind_destroy(destructor *destroy, void *object, struct unwinding *u);
void __ez_unwind_free(void *object);
void __ez_unwind_hold(void *object, const void *type);
void __ez_unwind_stay(void *object);
long __ez_unwind_is_indirect(const void *type);
void __ez_unwind_disown(void *object);
_Noreturn void __ez_unwind_terminate(void);
/* of the C++ library */
int uncaught_outside(void) __asm__("_ZSt19uncaught_exceptionsv");

void __ez_unwind_throw(void *object, const void *type, destructor *destroy, long indirect, struct unwinding *u) {
    struct exception *e = malloc(sizeof *e);
    e->object = object;
    e->type = type;
    e->destroy = destroy;
    e->adjusted = object;
    e->outer = NULL;
    e->handlers = 0;
    e->indirect = indirect;
    u->pending = e;
    u->uncaught++;
}

/* Takes over an exception of native code, which a wrapper around that has caught and kept. */
void __ez_unwind_adopt(struct unwinding *u) {
    void *object = __ez_unwind_kept();
    if (object)
        __ez_unwind_throw(object, __ez_unwind_type(object), __ez_unwind_release, 0, u);
}

/* Takes over an exception that has left a differentiated function whose derivative is called here. */
void __ez_unwind_readopt(struct unwinding *u) {
    void *object = __ez_unwind_escaped();
    if (object)
        __ez_unwind_throw(object, __ez_unwind_escaped_type(), __ez_unwind_escaped_destructor(),
                          __ez_unwind_escaped_indirect(), u);
}

/* True if a handler for that type (null for `...`) takes the exception. Handlers for pointers see the value of the
 * thrown object, all others its address. */
INLINED int __ez_unwind_match(struct exception *e, const void *handler, long is_pointer) {
    char *object = e->object;
    if (handler) {
        if (e->indirect != is_pointer)
            return 0;
        if (is_pointer)
            object = *(char **)object;
        if (handler != e->type) {
            if (!__ez_unwind_catches(handler, e->type, object))
                return 0;
            object += __ez_unwind_distance(handler, e->type, object);
        }
    }
    e->adjusted = object;
    return 1;
}

void *__ez_unwind_object(struct exception *e) { return e->adjusted; }

void *__ez_unwind_begin(struct exception *e, struct unwinding *u) {
    e->handlers = (e->handlers < 0 ? -e->handlers : e->handlers) + 1;
    u->uncaught--;
    if (u->caught != e) {
        e->outer = u->caught;
        u->caught = e;
    }
    return e->adjusted;
}

static void end_of(struct exception *e, struct unwinding *u) {
    if (e->destroy == __ez_unwind_release)
        __ez_unwind_release(e->object);
    else if (e->destroy != __ez_unwind_stay) {
        __ez_unwind_destroy(e->destroy, e->object, u);
        __ez_unwind_free(e->object);
    }
    free(e);
}

void __ez_unwind_end(struct unwinding *u) {
    struct exception *e = u->caught;
    if (!e)
        return;
    if (e->handlers < 0) {
        e->handlers++;
        if (e->handlers == 0)
            u->caught = e->outer;
    } else {
        e->handlers--;
        if (e->handlers == 0) {
            u->caught = e->outer;
            end_of(e, u);
        }
    }
}

void __ez_unwind_rethrow(struct unwinding *u) {
    struct exception *e = u->caught;
    if (!e)
        __ez_unwind_terminate();
    e->handlers = -e->handlers;
    u->pending = e;
    u->uncaught++;
}

/* std::uncaught_exceptions, std::uncaught_exception. The derivative may run while an exception of its caller is in
 * flight. */
int32_t __ez_unwind_uncaught(struct unwinding *u) { return (int32_t)u->uncaught + uncaught_outside(); }

_Bool __ez_unwind_is_uncaught(struct unwinding *u) { return __ez_unwind_uncaught(u) > 0; }

/* std::current_exception. The object stays for good, as the reverse sweep may come back to it. */
void __ez_unwind_keep_caught(void **pointer, struct unwinding *u) {
    struct exception *e = u->caught;
    *pointer = NULL;
    if (!e)
        return;
    __ez_unwind_hold(e->object, e->type);
    if (e->destroy != __ez_unwind_release)
        e->destroy = __ez_unwind_stay;
    *pointer = e->object;
}

/* std::rethrow_exception */
void __ez_unwind_throw_kept(void *const *pointer, struct unwinding *u) {
    const void *type = __ez_unwind_type(*pointer);
    __ez_unwind_throw(*pointer, type, __ez_unwind_stay, __ez_unwind_is_indirect(type), u);
}

/* Called at the end of a differentiated function: its caller gets an exception in flight, after the derivative. */
void __ez_unwind_leave(struct unwinding *u) {
    struct exception *e = u->pending;
    if (!e)
        return;
    __ez_unwind_escape(e->object, e->type, e->destroy, e->indirect);
    __ez_unwind_disown(e->object);
    free(e);
}
