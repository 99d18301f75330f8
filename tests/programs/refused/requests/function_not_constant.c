/* EZ0204: the function is known at run time only. */
extern double __enzyme_autodiff(void *, ...);
double f(double x) { return x * x; }
double g(double x) { return x * x * x; }
double (*volatile which)(double) = f;
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    which = g;
  return __enzyme_autodiff((void *)which, 2.0) != 4;
}
