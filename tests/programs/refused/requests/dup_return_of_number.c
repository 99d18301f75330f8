/* EZ0206: a returned number has no shadow. */
extern void *__enzyme_augmentfwd(void *, ...);
extern int enzyme_dup_return;
double f(double x) { return x * x; }
int main(void) { return __enzyme_augmentfwd((void *)f, enzyme_dup_return, 3.0) == 0; }
