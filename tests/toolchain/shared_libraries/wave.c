/* The library's other file, with hidden symbols. */
#include <math.h>
__attribute__((visibility("hidden"))) double factors[3] = {1, 2, 3};
static double shift[2] = {0.5, 0.25}; /* never changes */
void set_factor(int i, double value) { factors[i] = value; }
__attribute__((visibility("hidden"))) double wave(double x) { return sin(x + shift[1]) * factors[1]; }
