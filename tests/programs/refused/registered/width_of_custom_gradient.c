/* EZ0208: a registered gradient is called once for each direction, which cannot be where nobody knows what it does.
 * expect: augmented cannot be called for several directions (enzyme_width)
 * expect: reason: it does what f does each time, and augmented calls frexp, and it is unknown what memory this call accesses
 */
#include <math.h>
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_width;
int exponent;
__attribute__((noinline)) double f(double x) { return frexp(x, &exponent); }
double augmented(double x) { return frexp(x, &exponent); }
double reverse(double x, double d) { return ldexp(d, -exponent); }
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)augmented, (void *)reverse};
typedef struct {
  double a, b;
} two;
extern two __enzyme_autodiff_two(void *, ...);
double twice(double x) { return f(x) + 1; }
int main(void) { return __enzyme_autodiff_two((void *)twice, enzyme_width, 2, 3.0).a != 6; }
