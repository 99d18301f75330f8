/* Numbers that are written as text and read back keep their derivative, if the user asks for it.
 * flags: --enzyme-follow-text */
#include "../check.h"

static double at_once(double *x) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", x[0] * x[1]);
  return strtod(text, NULL) * x[0];
}

/* Integers, texts and long doubles stand beside, with widths and precisions. */
static double list(double *x) {
  char text[200], *p = text;
  double s = 0;
  sprintf(text, "%d numbers: %24.16e,%-*.17g %s %.17Lg", 3, x[0] * x[1], 26, sin(x[1]), "and", (long double)x[0]);
  for (p = strchr(text, ':') + 1; *p;) {
    char *end;
    double v = strtod(p, &end);
    if (end == p) {
      p++;
      continue;
    }
    s = s * 0.7 + v * v;
    p = end;
  }
  return s;
}

/* The same buffer, again and again; what only a part of the digits is written of is rounded. */
static double lines(double *x) {
  double s = x[0];
  char line[40];
  for (int i = 0; i < 4; i++) {
    sprintf(line, "%.17g", s * x[1] + i);
    s = atof(line) * sin(s);
    snprintf(line, sizeof line, "%.9f", s);
    s += (double)strtof(line, NULL) * 0;
  }
  return s;
}

/* Other numbers in texts are constants. */
static double constants(double *x) {
  double s = x[0];
  char line[40];
  sprintf(line, "%.17g", s * x[1]);
  return atof("2.5") * s + atof(line) * strtod("1.25e3", NULL);
}

int main(void) {
  CHECK(at_once, 0.5, 1.2);
  CHECK(list, 0.5, 1.2);
  CHECK(lines, 0.5, 1.2);
  CHECK(constants, 0.5, 1.2);
  return failures;
}
