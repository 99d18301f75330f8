/* EZ0215: an estimate of the error of a function without bitcode.
 * expect: the rounding error of drand48_r is not known
 */
#include <stdlib.h>
extern double __enzyme_error_estimate(void *, ...);
double noisy(double x) {
  struct drand48_data state = {0};
  double r;
  drand48_r(&state, &r);
  return x + r;
}
int main(int argc, char **argv) { return (int)__enzyme_error_estimate((void *)noisy, (double)argc, 0.0); }
