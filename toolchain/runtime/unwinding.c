/* Passes exceptions from native code to lowered functions, and back (enzyme_cc/autodiff/unwinding). */

typedef void destructor(void *);

struct tape;
void __ez_tape_close(struct tape *t);

/* of libstdc++ */
extern void *__cxa_begin_catch(void *header);
extern void __cxa_end_catch(void);
extern void __cxa_free_exception(void *object);
extern void current_exception(void **pointer) __asm__("_ZSt17current_exceptionv");
_Noreturn extern void terminate(void) __asm__("_ZSt9terminatev");
extern void release(void **pointer) __asm__("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");

/* The exception that left a lowered function, until its caller gets it. */
static __thread struct {
    void *object;
    const void *type;
    destructor *destroy;
    long indirect;
} escaped;
static __thread void *kept;

/* The members of a type_info are virtual: two destructors, __is_pointer_p, __is_function_p, __do_catch. */
typedef _Bool do_catch(const void *handler, const void *type, void **object, unsigned outer);
enum { DO_CATCH = 4 };

static _Bool catches(const void *handler, const void *type, void **object) {
    return (*(do_catch ***)handler)[DO_CATCH](handler, type, object, 1);
}

/* True if a handler for the one type takes an exception of the other. The next function returns the offset of the part
 * of the object that the handler sees. */
int __ez_unwind_catches(const void *handler, const void *type, void *object) { return catches(handler, type, &object); }

long __ez_unwind_distance(const void *handler, const void *type, void *object) {
    char *base = object;
    catches(handler, type, &object);
    return (char *)object - base;
}

/* Catches an exception of native code. An std::exception_ptr, which is the object's address, keeps it alive. */
void __ez_unwind_keep(void *header) {
    __cxa_begin_catch(header);
    current_exception(&kept);
    __cxa_end_catch();
}

void *__ez_unwind_kept(void) {
    void *object = kept;
    kept = 0;
    return object;
}

/* The words in front of an object: first comes the type, 112 bytes before, as the C++ ABI has it. */
enum { TYPE = -14 };

const void *__ez_unwind_type(void *object) { return ((void **)object)[TYPE]; }

/* An std::exception_ptr gets the object, which has never been thrown to libstdc++. It is never given back: one reference
 * is that of the std::exception_ptr, and one remains. */
void __ez_unwind_hold(void *object, const void *type) {
    enum { REFERENCES = -32 }; /* in front of the type */
    ((const void **)object)[TYPE] = type;
    ((int *)object)[REFERENCES] += 2;
}

/* Stands for the destructor of such an object. */
void __ez_unwind_stay(void *object) { (void)object; }

/* Returns whether the type is one of pointers: __is_pointer_p. */
long __ez_unwind_is_indirect(const void *type) {
    enum { IS_POINTER = 2 };
    typedef _Bool is_pointer(const void *type);
    return (*(is_pointer *const *const *)type)[IS_POINTER](type);
}

/* Returns an object without derivatives: analyses do not follow the object through this call. */
void *__ez_unwind_constant(void *object) { return object; }

void __ez_unwind_free(void *object) {
    if (object)
        __cxa_free_exception(object);
}

void __ez_unwind_release(void *object) { release(&object); }

void __ez_unwind_escape(void *object, const void *type, destructor *destroy, long indirect) {
    escaped.object = object;
    escaped.type = type;
    escaped.destroy = destroy;
    escaped.indirect = indirect;
}

/* Does nothing. Its derivative frees the object's shadow; the object itself lives on. */
void __ez_unwind_disown(void *object) { (void)object; }

/* Closes the tape of a function that an exception left: nobody will run its reverse sweep. */
void __ez_unwind_drop_tape(struct tape *t) {
    if (escaped.object)
        __ez_tape_close(t);
}

/* Returns the object that escaped, null if none did. The caller owns it now. */
void *__ez_unwind_escaped(void) {
    void *object = escaped.object;
    escaped.object = 0;
    return object;
}

const void *__ez_unwind_escaped_type(void) { return escaped.type; }

destructor *__ez_unwind_escaped_destructor(void) { return escaped.destroy; }

long __ez_unwind_escaped_indirect(void) { return escaped.indirect; }

_Noreturn void __ez_unwind_terminate(void) { terminate(); }
