/* libstdc++'s std::pmr: the base of memory resources, and the resource that calls operator new, which is the default.
 *
 * Pools take each block from operator new, and give it back when the program does. A monotonic buffer takes its next
 * buffers from its upstream resource, as the library's does; it keeps them in a list.
 *
 * Where it was made before the derivative is called, its functions are native ones, and a message says that. */
#include "stand_in.h"

void *_Znwm(size_t size);
void _ZdlPv(void *memory);
void *_ZnwmSt11align_val_t(size_t size, size_t alignment);
void _ZdlPvSt11align_val_t(void *memory, size_t alignment);
enum { USUAL = 16 }; /* the alignment that operator new gives to all memory */

struct resource {
    void *const *methods;
};

/* ~memory_resource(): programs derive their own resources from this class. */
void STAND_IN(_ZNSt3pmr15memory_resourceD2Ev)(struct resource *resource) { (void)resource; }

static void keep(struct resource *resource) { (void)resource; }
static void *allocate_new(struct resource *resource, size_t size, size_t alignment) {
    (void)resource;
    return alignment > USUAL ? _ZnwmSt11align_val_t(size, alignment) : _Znwm(size);
}
static void deallocate_new(struct resource *resource, void *memory, size_t size, size_t alignment) {
    (void)resource, (void)size;
    if (alignment > USUAL)
        _ZdlPvSt11align_val_t(memory, alignment);
    else
        _ZdlPv(memory);
}
static _Bool is_same(const struct resource *a, const struct resource *b) { return a == b; }

/* Calls of virtual functions reach the functions of variables with such names: an offset, a type, and the functions. */
static void *const _ZTV21ez_new_delete_methods[] = {
    NULL, NULL, (void *)keep, (void *)keep, (void *)allocate_new, (void *)deallocate_new, (void *)is_same,
};
static struct resource new_delete = {_ZTV21ez_new_delete_methods + 2};

struct resource *STAND_IN(_ZNSt3pmr19new_delete_resourceEv)(void) { return &new_delete; }
struct resource *STAND_IN(_ZNSt3pmr20get_default_resourceEv)(void) { return &new_delete; }

/* std::pmr::unsynchronized_pool_resource and synchronized_pool_resource: the library's object is larger. */
static void *const _ZTV15ez_pool_methods[] = {
    NULL, NULL, (void *)keep, (void *)keep, (void *)allocate_new, (void *)deallocate_new, (void *)is_same,
};

static void make_pool(struct resource *pool) { pool->methods = _ZTV15ez_pool_methods + 2; }

#define POOL(CLASS)                                                                                                    \
    void STAND_IN(_ZNSt3pmr##CLASS##C1ERKNS_12pool_optionsEPNS_15memory_resourceE)(                                    \
        struct resource * pool, const void *options, struct resource *upstream) {                                      \
        (void)options, (void)upstream;                                                                                 \
        make_pool(pool);                                                                                               \
    }                                                                                                                  \
    void STAND_IN(_ZNSt3pmr##CLASS##C2ERKNS_12pool_optionsEPNS_15memory_resourceE)(                                    \
        struct resource * pool, const void *options, struct resource *upstream) {                                      \
        (void)options, (void)upstream;                                                                                 \
        make_pool(pool);                                                                                               \
    }                                                                                                                  \
    void STAND_IN(_ZNSt3pmr##CLASS##D1Ev)(struct resource * pool) { (void)pool; }                                      \
    void STAND_IN(_ZNSt3pmr##CLASS##D2Ev)(struct resource * pool) { (void)pool; }

POOL(28unsynchronized_pool_resource)
POOL(26synchronized_pool_resource)

/* std::pmr::monotonic_buffer_resource, as its inline functions see it */
struct buffer {
    struct buffer *next;
    size_t size;
};

struct monotonic {
    void *const *methods;
    void *current;
    size_t left, next_size;
    struct resource *upstream;
    void *const original;
    const size_t original_size;
    struct buffer *buffers;
};

typedef void *allocation(struct resource *, size_t, size_t);
typedef void deallocation(struct resource *, void *, size_t, size_t);

static ALWAYS_INLINE void new_buffer(struct monotonic *pool, size_t size, size_t alignment) {
    enum { HEAD = 64 };
    size_t most = size > pool->next_size ? size : pool->next_size;
    if (alignment > HEAD)
        most += alignment;
    struct buffer *buffer = ((allocation *)pool->upstream->methods[2])(pool->upstream, most + HEAD, HEAD);
    buffer->next = pool->buffers;
    buffer->size = most + HEAD;
    pool->buffers = buffer;
    pool->current = (char *)buffer + HEAD;
    pool->left = most;
    pool->next_size = most + most / 2;
}

static ALWAYS_INLINE void release(struct monotonic *pool) {
    for (struct buffer *buffer = pool->buffers, *next; buffer; buffer = next) {
        next = buffer->next;
        ((deallocation *)pool->upstream->methods[3])(pool->upstream, buffer, buffer->size, 64);
    }
    pool->buffers = NULL;
}

void STAND_IN(_ZNSt3pmr25monotonic_buffer_resource13_M_new_bufferEmm)(struct monotonic *pool, size_t size,
                                                                      size_t alignment) {
    new_buffer(pool, size, alignment);
}
void STAND_IN(_ZNSt3pmr25monotonic_buffer_resource18_M_release_buffersEv)(struct monotonic *pool) { release(pool); }
void STAND_IN(_ZNSt3pmr25monotonic_buffer_resourceD1Ev)(struct monotonic *pool) { release(pool); }
void STAND_IN(_ZNSt3pmr25monotonic_buffer_resourceD2Ev)(struct monotonic *pool) { release(pool); }

static void destroy_monotonic(struct monotonic *pool) { release(pool); }
static void delete_monotonic(struct monotonic *pool) {
    release(pool);
    _ZdlPv(pool);
}
static void *allocate_monotonic(struct monotonic *pool, size_t size, size_t alignment) {
    size += size == 0;
    size_t skipped = -(uintptr_t)pool->current & (alignment - 1);
    if (!pool->current || pool->left < size || pool->left - size < skipped) {
        new_buffer(pool, size, alignment);
        skipped = -(uintptr_t)pool->current & (alignment - 1);
    }
    char *memory = (char *)pool->current + skipped;
    pool->current = memory + size;
    pool->left -= size + skipped;
    return memory;
}
static void keep_block(struct monotonic *pool, void *memory, size_t size, size_t alignment) {
    (void)pool, (void)memory, (void)size, (void)alignment;
}

/* The constructors are inline: they store the address of the library's table, which this one replaces. */
void *const _ZTV__ez_stand_in__ZTVNSt3pmr25monotonic_buffer_resourceE[] = {
    NULL,
    NULL,
    (void *)destroy_monotonic,
    (void *)delete_monotonic,
    (void *)allocate_monotonic,
    (void *)keep_block,
    (void *)is_same,
};
