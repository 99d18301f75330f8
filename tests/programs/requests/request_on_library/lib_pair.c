#include <math.h>

double pair(double a, double b) { return exp(-(a - b) * (a - b)) + a * b; }
