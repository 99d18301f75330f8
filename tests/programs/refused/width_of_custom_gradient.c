/* EZ0208: a registered gradient serves one direction. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_width;
__attribute__((noinline)) double f(double x) { return x * x; }
double augmented(double x) { return x; }
double reverse(double x, double d, double tape) { return 2 * tape * d; }
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)augmented, (void *)reverse};
typedef struct {
  double a, b;
} two;
extern two __enzyme_autodiff_two(void *, ...);
double twice(double x) { return f(x) + 1; }
int main(void) { return __enzyme_autodiff_two((void *)twice, enzyme_width, 2, 3.0).a != 6; }
