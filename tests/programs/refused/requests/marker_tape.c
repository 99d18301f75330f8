/* EZ0206: a tape has no place in __enzyme_autodiff. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_tape;
double f(double x) { return x * x; }
int main(void) {
  int tape;
  return __enzyme_autodiff((void *)f, enzyme_tape, &tape, 2.0) != 4;
}
