/* expect: differentiated code calls assembled, which cannot be differentiated [EZ0310]
 * expect: inline assembly in differentiated code [EZ0301] (in function assembled)
 * A function that has no derivative, too long to be inlined, is called under conditions. */
extern double __enzyme_autodiff(void *, ...);

#define ROOT __asm__("sqrtsd %0, %0" : "+x"(x));
#define ROOTS ROOT ROOT ROOT ROOT ROOT ROOT ROOT ROOT
#define MANY ROOTS ROOTS ROOTS ROOTS ROOTS ROOTS ROOTS ROOTS
static double assembled(double x) {
  MANY MANY
  return x;
}

static double f(double x, int kind) { return kind == 1 ? assembled(x) : kind == 2 ? -assembled(x) : x * x; }

int main(int argc, char **argv) {
  (void)argv;
  return __enzyme_autodiff((void *)f, 4.0, argc) != 0.25;
}
