/* What Fortran cannot write down: addresses of procedures in constants. A small C file declares what Fortran's procedures
 * and module variables are. */
#include "../../check.h"

extern void quick_sine(void), rounded(void), take(void), give_back(void), cube(void), derivative_of_cube(void), norm(void),
    augmented_norm(void), forward_norm(void), differentiate_all(double *);
extern double log_of_calls[];
extern int live, calls;

void *__enzyme_function_like_sine[] = {quick_sine, "sin"};
void *__enzyme_inactivefn_rounded[] = {rounded};
void *__enzyme_inactive_global_log[] = {log_of_calls};
void *__enzyme_allocation_like_take[] = {take, (void *)1, "-1,1,0", give_back};
void *__enzyme_register_derivative_cube[] = {cube, derivative_of_cube};
void *__enzyme_register_splitderivative_norm[] = {norm, augmented_norm, forward_norm};

int main(void) {
  double d[14];
  differentiate_all(d);
  SAME(d[0], 3 * cos(1)); /* function_like */
  SAME(d[1], 6 * cos(1));
  SAME(d[2], 3); /* inactivefn */
  SAME(d[3], 3);
  SAME(d[4], 3); /* inactive_global */
  SAME(d[5], 3);
  SAME(calls, 2);
  SAME(log_of_calls[1], 3);
  SAME(d[6], 54); /* register_derivative is of forward mode */
  SAME(d[7], 540);
  SAME(d[8], 20 * 2 * 3); /* register_splitderivative */
  SAME(d[9], 2 * 2 * 3);
  SAME(d[10], 3 * 4 + 9 + 25); /* allocation_like: (x1² + x2² + x3²) x1 by x1 */
  SAME(d[11], 12);
  SAME(d[12], 20);
  SAME(d[13], 3 * 4 + 9 + 25 + 12 + 20);
  SAME(live, 0);
  return failures;
}
