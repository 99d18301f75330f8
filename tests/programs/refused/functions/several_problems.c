/* EZ0302 EZ0301: the link reports all problems at once, with the calls that lead to each.
 * flags: -Wl,--unresolved-symbols=ignore-all */
extern double __enzyme_autodiff(void *, ...);
double mystery(double), enigma(double); /* expect: the differentiated code calls mystery, which has no bitcode */
#define NOINLINE __attribute__((noinline))
NOINLINE static double inner(double x) {
  double y = enigma(x);
  __asm__("sqrtsd %0, %0" : "+x"(x)); /* expect: 8:3: error: inline assembly in differentiated code [EZ0301] */
  return x * y;
}
static double inlined(double x) { return mystery(x); }
NOINLINE static double outer(double x) { return inlined(x) + inner(x); }
double f(double x) { return outer(x) * x; }
int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 4; }
/* expect: several_problems.c:14:25, f calls outer calls inlined */
/* expect: calls enigma, which has no */
