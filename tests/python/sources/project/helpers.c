/* A static library that the solver is linked with. */
#include "helpers.h"
double square(double x) { return x * x; }
