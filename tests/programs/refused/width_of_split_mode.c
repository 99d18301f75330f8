/* EZ0206: tapes that the program holds are of one direction. */
extern void *__enzyme_augmentfwd(void *, ...);
extern int enzyme_width;
double f(double x) { return x * x; }
int main(void) { return __enzyme_augmentfwd((void *)f, enzyme_width, 2, 2.0) == 0; }
