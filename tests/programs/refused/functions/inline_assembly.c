/* EZ0301: inline assembly on the way of an active number. */
extern double __enzyme_autodiff(void *, ...);
double f(double x) {
  __asm__("sqrtsd %0, %0\n\tmulsd %0, %0" : "+x"(x));
  return x;
}
int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 4; }
