#include "norm.h"

#include <math.h>

double mag(const double *in, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i] * in[i];
    return sqrt(sum);
}
