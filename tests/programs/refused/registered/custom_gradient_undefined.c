/* EZ0207: clang makes no code of a static function that only an attribute names. */
#include <enzyme/enzyme.h>
static double augment(double x) { return x; }
static double gradient(double x, double d) { return d; }
__attribute__((enzyme("augment", augment))) __attribute__((enzyme("gradient", gradient))) double f(double x);
double f(double x) { return x; }
int main(void) { return __enzyme_autodiff((void *)f, 1.0) != 1; }
