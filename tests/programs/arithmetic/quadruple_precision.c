/* Numbers of 128 bits: arithmetic, memory, and functions of libquadmath, between arguments of 64 bits.
 * flags: -lquadmath */
#include "../check.h"

extern __float128 sinq(__float128), expq(__float128), powq(__float128, __float128), sqrtq(__float128),
    fabsq(__float128), logq(__float128), fmaq(__float128, __float128, __float128);

typedef _Complex float __attribute__((mode(TC))) quads; /* __complex128 */
extern __float128 lgammaq(__float128), cabsq(quads), cargq(quads);
extern quads csqrtq(quads), clogq(quads), cexpq(quads), casinq(quads), cacoshq(quads), catanhq(quads), cpowq(quads, quads),
    ctanq(quads);
extern int signbitq(__float128);

static double arithmetic(double *x) {
  __float128 sum = 0, cells[3] = {x[0], x[1], x[0] * x[1]};
  for (int i = 0; i < 6; i++)
    sum += cells[i % 3] * cells[(i + 1) % 3] / (sum + 1);
  return (double)(sum * x[0]);
}

static double functions(double *x) {
  __float128 a = x[0], b = x[1];
  return (double)(sinq(a) * expq(b) + powq(a, b) + sqrtq(a) * fabsq(b - 2) + logq(fmaq(a, b, a)));
}

/* The ABI passes complex operands in memory. */
static double complex_functions(double *x) {
  quads z, sum;
  __real__ z = x[0];
  __imag__ z = x[1];
  sum = csqrtq(z) * clogq(z) + cexpq(casinq(z)) + cacoshq(z) * catanhq(z) + cpowq(z, ctanq(z));
  return (double)(__real__ sum + __imag__ sum * cabsq(z) + cargq(z) + lgammaq(x[0]) * (signbitq(x[1]) ? 1 : 3));
}

/* The difference of neighbours has all its digits only in 128 bits. */
static double cancellation(double *x) {
  __float128 large = (__float128)1e17 + (__float128)x[0] * x[1];
  return (double)(large - (__float128)1e17) * x[0];
}

int main(void) {
  CHECK(arithmetic, 1.5, 0.75);
  CHECK(functions, 1.5, 0.75);
  CHECK(complex_functions, 1.5, 0.75);
  CHECK(cancellation, 1.5, 0.75);
  return failures;
}
