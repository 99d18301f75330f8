/* Atomic operations on more bytes than the processor has instructions for (libatomic): long double, complex numbers. */
#include "stand_in.h"

INLINED void STAND_IN(__atomic_load)(size_t size, void *place, void *result, int order) {
    (void)order;
    memcpy(result, place, size);
}
INLINED void STAND_IN(__atomic_store)(size_t size, void *place, void *value, int order) {
    (void)order;
    memcpy(place, value, size);
}
INLINED void STAND_IN(__atomic_exchange)(size_t size, void *place, void *value, void *result, int order) {
    (void)order;
    memcpy(result, place, size);
    memcpy(place, value, size);
}
INLINED _Bool STAND_IN(__atomic_compare_exchange)(size_t size, void *place, void *expected, void *value, int success,
                                                  int failure) {
    (void)success, (void)failure;
    if (!memcmp(place, expected, size)) {
        memcpy(place, value, size);
        return 1;
    }
    memcpy(expected, place, size);
    return 0;
}
