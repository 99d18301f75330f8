/* Functions of which only the address is known: their numbers for dispatching functions, and the message for a pointer
 * to an unknown function. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The functions that calls through pointers may reach, null at the end. Made with the derivatives. */
extern const void *const __ez_functions[] __attribute__((weak));

/* A hash table of these, with linear probing: numbers by address. At most half of it is used. */
struct numbers {
    size_t mask;
    struct number {
        const void *function;
        int32_t number;
    } slots[];
};

static _Atomic(struct numbers *) numbers;

__attribute__((destructor)) static void free_numbers(void) {
    free(__c11_atomic_exchange(&numbers, 0, __ATOMIC_ACQ_REL));
}

static size_t first_slot(const struct numbers *n, const void *function) {
    return ((uintptr_t)function >> 4) * 0x9E3779B97F4A7C15u >> 20 & n->mask;
}

static struct numbers *make_numbers(void) {
    size_t count = 0, size = 16;
    while (__ez_functions[count])
        count++;
    while (size < 2 * count)
        size *= 2;
    struct numbers *made = calloc(1, sizeof *made + size * sizeof *made->slots);
    if (!made) {
        fputs("enzyme-cc: out of memory for the table of functions\n", stderr);
        abort();
    }
    made->mask = size - 1;
    for (size_t k = 0; k < count; k++) {
        size_t slot = first_slot(made, __ez_functions[k]);
        while (made->slots[slot].function)
            slot = (slot + 1) & made->mask;
        made->slots[slot] = (struct number){__ez_functions[k], (int32_t)k};
    }
    struct numbers *other = 0;
    if (__c11_atomic_compare_exchange_strong(&numbers, &other, made, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return other;
}

/* Returns the number of a function in the table, -1 if it is not in the table. */
int32_t __ez_function_number(const void *function) {
    struct numbers *n = __c11_atomic_load(&numbers, __ATOMIC_ACQUIRE);
    if (!n)
        n = make_numbers();
    for (size_t slot = first_slot(n, function); n->slots[slot].function; slot = (slot + 1) & n->mask)
        if (n->slots[slot].function == function)
            return n->slots[slot].number;
    return -1;
}

/* As in <dlfcn.h>, which declares it for GNU programs only. */
struct place {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
};
extern int dladdr(const void *address, struct place *place) __attribute__((weak));

/* A derivative reached a function pointer that no known function matches. */
__attribute__((noreturn, cold)) void __ez_unknown_function(const char *type, const void *function) {
    struct place place = {0};
    fprintf(stderr,
            "enzyme-cc: differentiated code called a function pointer (%s) that is no function with bitcode in this ",
            type);
    fputs("program; compile the file that defines it with enzyme-cc", stderr);
    if (!function)
        fputs("\n  the pointer is null\n", stderr);
    else if (dladdr && dladdr(function, &place) && place.symbol && place.address == function)
        fprintf(stderr, "\n  the function is %s of %s\n", place.symbol, place.file);
    else if (place.file)
        fprintf(stderr, "\n  the function lies at offset 0x%zx of %s; addr2line -f tells its name\n",
                (size_t)((const char *)function - (const char *)place.base), place.file);
    else
        fputs("\n", stderr);
    abort();
}

/* A derivative reached, through a function pointer, a function that cannot be differentiated. */
__attribute__((noreturn, cold)) void __ez_not_differentiable(const char *name) {
    fprintf(stderr,
            "enzyme-cc: differentiated code called %s through a function pointer, but it cannot be differentiated; "
            "request its derivative directly to see why\n",
            name);
    abort();
}
