#include "shared.h"
#include <math.h>
extern double __enzyme_autodiff(void *, ...);

double shared(double x) { return sin(x) * x; }
static double local(double x) { return x * x * x; }
double slope_a(double x) { return __enzyme_autodiff((void *)shared, x) + __enzyme_autodiff((void *)local, x); }
