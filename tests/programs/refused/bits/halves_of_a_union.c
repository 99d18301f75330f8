/* EZ0304: words are made of halves by arithmetic. One half is a float, the other a float or an integer.
   expect: reason: it copies bytes, and type analysis cannot tell whether they are a number, an integer or a pointer */
#include "../../check.h"
#include <stdint.h>

typedef struct {
  float a;
  union {
    float number;
    int integer;
  } b;
  int is_integer;
} value;

NOINLINE static uint64_t pack(const value *v) {
  uint64_t word;
  memcpy(&word, v, sizeof word);
  return word;
}
NOINLINE static void unpack(value *v, uint64_t word) { memcpy(v, &word, sizeof word); }
NOINLINE static uint64_t halves(uint64_t a, uint64_t b) { return (a & UINT32_MAX) + (b & ~(uint64_t)UINT32_MAX); }

static double f(double *x) {
  value v[3];
  double s = 0;
  for (int i = 0; i < 3; i++) {
    v[i].a = x[i], v[i].is_integer = i & 1;
    if (i & 1)
      v[i].b.integer = i;
    else
      v[i].b.number = x[i] * x[0];
  }
  unpack(&v[0], halves(pack(&v[0]), pack(&v[2])));
  for (int i = 0; i < 3; i++)
    s += v[i].a * v[i].a + (v[i].is_integer ? 0.1 * v[i].b.integer : v[i].b.number);
  return s;
}

int main(void) {
  CHECK(f, 0.5, 0.75, -1.25);
  return failures;
}
