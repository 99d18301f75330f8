/* EZ0208: a native registered gradient that may change memory cannot be called for each direction.
 * expect: there is no bitcode of it to see what memory that changes
 */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_width, enzyme_dup;
__attribute__((noinline)) static void cube(double *x) { *x *= *x * *x; }
extern void *augmented(double *x, double *dx);
extern void reverse(double *x, double *dx, void *tape);
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmented, (void *)reverse};
static double f(double *x) {
  double y = x[0] * x[1];
  cube(&y);
  return y;
}
int main(void) {
  double x[2] = {0.5, 0.7}, dx[2][2] = {{0}};
  __enzyme_autodiff((void *)f, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1]);
  return dx[0][0] == 0;
}
