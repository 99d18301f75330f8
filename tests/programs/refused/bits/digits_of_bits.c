/* EZ0304: a function that is not inlined writes numbers in base 64; they are read again by a table.
   expect: reason: write_digits is given the bits of a number that carries a derivative, and by tests of these it sets the bits of another, or writes a text from which numbers are read */
#include "../../check.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
enum { BYTES = 3 * sizeof(double), DIGITS = BYTES / 3 * 4 };

NOINLINE static void write_digits(const unsigned char *from, char *text) {
  for (int i = 0, k = 0; i < BYTES; i += 3) {
    unsigned three = (unsigned)(from[i] << 16 | from[i + 1] << 8 | from[i + 2]);
    for (int shift = 18; shift >= 0; shift -= 6)
      text[k++] = digits[three >> shift & 63];
  }
}

NOINLINE static void read_digits(const char *text, unsigned char *to) {
  for (int i = 0; i < DIGITS; i += 4) {
    unsigned three = 0;
    for (int k = 0; k < 4; k++)
      three = three << 6 | (unsigned)(strchr(digits, text[i + k]) - digits);
    for (int shift = 16; shift >= 0; shift -= 8)
      *to++ = (unsigned char)(three >> shift);
  }
}

static double f(double *x) {
  double y[3] = {x[0] * x[1], x[0], x[1]}, z[3];
  char text[DIGITS];
  write_digits((unsigned char *)y, text);
  read_digits(text, (unsigned char *)z);
  return z[0] * z[1] + z[2] * z[2];
}

int main(void) {
  CHECK(f, 1.3, 2.7);
  return failures;
}
