/* expect: differentiated code calls assembled, which cannot be differentiated [EZ0310]
 * expect: inline assembly in differentiated code [EZ0301] (in function assembled)
 * expect: its derivative cannot be known
 * A function that a pointer may reach, and does, and that contains assembly. */
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }
static double assembled(double x) {
  __asm__("sqrtsd %0, %0" : "+x"(x));
  return x;
}

static double (*volatile apply)(double) = square;
static double f(double x) { return apply(x); }

int main(int argc, char **argv) {
  apply = argv ? assembled : square;
  return __enzyme_autodiff((void *)f, (double)argc) != 0.5;
}
