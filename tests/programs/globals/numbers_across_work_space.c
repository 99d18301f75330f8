/* Numbers all over the work space that main made: far from each other, where constants were read before, across the ends of
 * cache lines and pages, at odd places. The runtime keeps the shadows in blocks and remembers the last ones. */
#include "../check.h"
#include <complex.h>

enum { BYTES = 1 << 20, WORDS = BYTES / sizeof(double), FAR = 4096 };
static char *work;
static double *words;

/* reads of constants and numbers by turns in places that are 32 KiB apart, and side by side */
static double far(double *x) {
  double s = 0;
  for (int round = 0; round < 3; round++)
    for (int k = 0; k + 1 < WORDS / FAR; k++) {
      s += words[k * FAR + 1] * x[2] + words[k * FAR + round];
      words[k * FAR + round] = x[k % 3] * (k + 1) + words[(k + 1) * FAR + 2];
      s += words[k * FAR + round] * words[k * FAR + 1];
    }
  for (int k = 0; k < WORDS / FAR; k++) /* as main left it, for the differences */
    for (int round = 0; round < 3; round++)
      words[k * FAR + round] = 0.1 * k;
  return s;
}

/* odd places: each number lies in two words, some in two blocks */
static double at(const char *place) {
  double number;
  memcpy(&number, place, sizeof number);
  return number;
}
static void set(char *place, double number) { memcpy(place, &number, sizeof number); }
static double odd(double *x) {
  double s = 0;
  for (int k = 0; k < 200; k++)
    set(work + 3 + 12 * k, x[k % 3] * k);
  for (int k = 1; k < 200; k++)
    s += at(work + 3 + 12 * k) * at(work + 3 + 12 * (k - 1));
  return s * (1 + words[FAR]);
}

/* numbers of 16 bytes at places that are multiples of eight */
static double wide(double *x) {
  complex double *pairs = (complex double *)(words + 1);
  long double *large = (long double *)(work + FAR);
  for (int k = 0; k < 100; k++) {
    pairs[k] = cexp(x[k % 3] * 0.1 * I) * x[0];
    large[k] = (long double)x[1] * k + (k ? large[k - 1] : 0);
  }
  complex double product = 1;
  for (int k = 0; k < 100; k++)
    product = product * pairs[k] / cabs(pairs[(k + 7) % 100]) + (double)large[k] * 1e-3;
  return creal(product) + cimag(product) * x[2];
}

/* what another request left is constant, until this one writes there */
static double again(double *x) {
  double s = words[5] * x[0] + words[FAR + 1] * x[1];
  words[5] = x[2] * x[2];
  s += words[5] * x[0] + words[6];
  memset(words + 5, 0, 2 * sizeof *words);
  s += words[5] * x[1] + x[1] * x[1];
  words[6] = s * x[0];
  s = words[6];
  words[6] = 0.7, words[5] = 0.3;
  return s + words[6] * x[2];
}

int main(int argc, char **argv) {
  work = aligned_alloc(64, argc * BYTES);
  words = (double *)work;
  for (int k = 0; k < argc * WORDS; k++)
    words[k] = argv ? 0.1 * (k / FAR) : 0;
  words[5] = 0.3, words[6] = 0.7;
  for (int round = 0; round < 2; round++) {
    CHECK(far, 0.7, 0.3, 0.04);
    CHECK(again, 0.7, 1.3, 0.4);
    CHECK(odd, 0.7, 0.3, 0.4);
    CHECK(wide, 0.7, 0.3, 0.4);
    for (int k = 0; k < 3 * FAR; k++)
      words[k] = 0.1 * (k / FAR);
    words[5] = 0.3, words[6] = 0.7;
  }
  return failures;
}
