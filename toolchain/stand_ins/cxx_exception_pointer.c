/* libstdc++'s std::exception_ptr, a word that points at the exception: an exchange of two, which its assignment is made of,
 * and the constructors. The references are the library's. */
#include "stand_in.h"

void STAND_IN(_ZNSt15__exception_ptr13exception_ptr4swapERS0_)(void **a, void **b) {
    void *before = *a;
    *a = *b;
    *b = before;
}

void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **pointer);

static void set(void **a, void *object) {
    void *one = object; /* what the library is given counts as overwritten */
    if (object)
        _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(&one);
    *a = object;
}

void STAND_IN(_ZNSt15__exception_ptr13exception_ptrC1ERKS0_)(void **a, void *const *b) { set(a, *b); }
void STAND_IN(_ZNSt15__exception_ptr13exception_ptrC2ERKS0_)(void **a, void *const *b) { set(a, *b); }
void STAND_IN(_ZNSt15__exception_ptr13exception_ptrC1EPv)(void **a, void *object) { set(a, object); }
void STAND_IN(_ZNSt15__exception_ptr13exception_ptrC2EPv)(void **a, void *object) { set(a, object); }
