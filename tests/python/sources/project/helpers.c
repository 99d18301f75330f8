#include "helpers.h"
double square(double x) { return x * x; }
