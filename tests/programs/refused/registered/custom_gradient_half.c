/* EZ0207: an augmented function without a gradient. */
#include <enzyme/enzyme.h>
static double augment(double x) { return x; }
__attribute__((enzyme("augment", augment))) static double f(double x) { return x; }
int main(void) { return __enzyme_autodiff((void *)f, 1.0) != 1; }
