/* EZ0203: an estimate of the error of a function that returns nothing.
 * expect: sum returns no number
 */
extern double __enzyme_error_estimate(void *, ...);
void sum(const double *x, double *s) { *s = x[0] + x[1]; }
int main(void) {
  double x[2] = {1, 2}, dx[2] = {0}, s, ds = 0;
  return (int)__enzyme_error_estimate((void *)sum, x, dx, &s, &ds);
}
