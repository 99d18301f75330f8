/* EZ0207: calling the function for its result, which the augmented function does not return, would count twice. */
extern double __enzyme_autodiff(void *, ...);
static int calls;
__attribute__((noinline)) static double half(double x) { return calls++, 0.5 * x; }
static void augmented_half(double x) { calls++; }
static double reverse_half(double x, double seed) { return 0.5 * seed; }
void *__enzyme_register_gradient_half[] = {(void *)half, (void *)augmented_half, (void *)reverse_half};
static double squared(double x) { return half(x) * half(x); }
int main(void) { return __enzyme_autodiff((void *)squared, 3.0) != 1.5; }
