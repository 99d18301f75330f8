/* setjmp marks where a scanner of text goes on after an error: reverse mode follows it while there is none. */
#include "../check.h"
#include <setjmp.h>

struct scanner {
  jmp_buf on_error;
  const char *text;
};

NOINLINE static void fail(struct scanner *s) { longjmp(s->on_error, 1); }

NOINLINE static double number(struct scanner *s) {
  double value = 0;
  while (*s->text >= '0' && *s->text <= '9')
    value = 10 * value + (*s->text++ - '0');
  if (*s->text && *s->text != ' ')
    fail(s);
  return value;
}

/* Returns whether the text is right; scales x[0] by its first number, and writes the second one over x[1]. */
NOINLINE static int scan(const char *text, double *x) {
  struct scanner s;
  s.text = text;
  x[1] = sin(x[1]);
  if (setjmp(s.on_error))
    return 0;
  x[0] *= number(&s);
  if (*s.text++)
    x[1] = number(&s);
  return 1;
}

static const char *volatile texts[] = {"12", "3 4", "5x6"};

static double f(double *x) {
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    double pair[] = {x[0] * x[1], x[1] + i};
    if (scan(texts[i], pair))
      sum += pair[0] * pair[0] + pair[1];
  }
  return sum;
}

/* The error comes after both numbers have changed. */
static double after_error(double *x) {
  double pair[] = {x[0] * x[1], x[1]};
  return scan(texts[2], pair) ? 0 : pair[0] * pair[1];
}

int main(void) {
  CHECK(f, 0.5, 1.2);
  double x[] = {0.5, 1.2}, dx[] = {0, 1};
  SAME(__enzyme_fwddiff((void *)after_error, x, dx), x[0] * (sin(x[1]) + x[1] * cos(x[1])));
  return failures;
}
