/* libstdc++'s std::pmr: the base of memory resources, and the resource that calls operator new, which is the default.
 *
 * Where it was made before the derivative is called, its functions are native ones, and a message says that. */
#include "stand_in.h"

void *_Znwm(size_t size);
void _ZdlPv(void *memory);

struct resource {
    void *const *methods;
};

/* ~memory_resource(): programs derive their own resources from this class. */
void STAND_IN(_ZNSt3pmr15memory_resourceD2Ev)(struct resource *resource) { (void)resource; }

static void keep(struct resource *resource) { (void)resource; }
static void *allocate_new(struct resource *resource, size_t size, size_t alignment) {
    (void)resource, (void)alignment;
    return _Znwm(size);
}
static void deallocate_new(struct resource *resource, void *memory, size_t size, size_t alignment) {
    (void)resource, (void)size, (void)alignment;
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
