#include "handle.h"
#include <math.h>
/* More kinds than are compared one by one. */
#define KIND(name, term)                                                                                               \
    static double name(const struct handle *h, const double *x, size_t n) {                                            \
        double s = 0;                                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                                 \
            s += term;                                                                                                 \
        return s;                                                                                                      \
    }
KIND(sum, x[i])
KIND(squares, x[i] * x[i])
KIND(cubes, x[i] * x[i] * x[i])
KIND(sines, sin(x[i]))
KIND(cosines, cos(x[i]))
KIND(exponentials, exp(-x[i]))
KIND(logarithms, log(1 + x[i] * x[i]))
KIND(roots, sqrt(1 + x[i] * x[i]))
KIND(products, x[i] * x[(i + 1) % n])
KIND(scaled, h->scale * x[i] * x[i])
const struct kind builtin_kinds[] = {
    {"sum", sum},
    {"squares", squares},
    {"cubes", cubes},
    {"sines", sines},
    {"cosines", cosines},
    {"exponentials", exponentials},
    {"logarithms", logarithms},
    {"roots", roots},
    {"products", products},
    {"scaled", scaled},
    {NULL, NULL},
};
