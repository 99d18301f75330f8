#include "handle.h"
/* Registers itself before main. */
static double alternating(const struct handle *h, const double *x, size_t n) {
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += (i % 2 ? -1 : 1) * x[i] * x[i];
    return s;
}
__attribute__((constructor)) static void enter(void) { register_kind("alternating", alternating); }
void use_alternating(void) {}
