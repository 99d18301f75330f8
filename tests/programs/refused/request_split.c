/* EZ0208: split mode is not done yet. */
extern void *__enzyme_augmentfwd(void *, ...);
double f(double x) { return x * x; }
int main(void) { return __enzyme_augmentfwd((void *)f, 3.0) == 0; }
