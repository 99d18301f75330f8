/* EZ0214: a misspelt registration would have no effect.
 * expect: did you mean __enzyme_register_gradient?
 * expect: registration_unknown.c:9: error
 */
extern double __enzyme_autodiff(void *, ...);
double g(double x) { return x * x; }
double augmented_g(double x) { return x * x; }
double reverse_g(double x, double d) { return 2 * x * d; }
void *__enzyme_register_gradent_g[] = {(void *)g, (void *)augmented_g, (void *)reverse_g};
double f(double x) { return 3 * g(x); }
int main(void) { return __enzyme_autodiff((void *)f, 3.0) != 18; }
