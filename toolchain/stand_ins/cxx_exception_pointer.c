/* libstdc++'s std::exception_ptr: an exchange of two, which its assignment is made of, is one of two words. */
#include "stand_in.h"

void STAND_IN(_ZNSt15__exception_ptr13exception_ptr4swapERS0_)(void **a, void **b) {
    void *before = *a;
    *a = *b;
    *b = before;
}
