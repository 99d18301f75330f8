/* The gradient of gsl_sf_hyperg_1F1(a, b, x): each point goes another way through GSL's choice of methods. */
#include "check.h"

#include <gsl/gsl_sf_hyperg.h>

static double f(const double *v) {
    return gsl_sf_hyperg_1F1(v[0], v[1], v[2]);
}

int main(void) {
    static double points[][3] = {{0.5, 1.5, 0.3},   {0.5, 1.5, -2.2}, {1.2, 3.4, 5.5},   {2.7, 0.4, 1.1},
                                 {-0.7, 2.3, -6.1}, {3.3, 2.1, 60.5}, {1.7, 2.2, -110.5}, {6.4, 12.9, 3.3}};
    for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
        CHECK_AT(f, points[k], 3, 0.005);
    return failures;
}
