/* __enzyme_double and similar hints give the type of memory that only other code reads. */
#include "../../check.h"

extern void __enzyme_double(void *, unsigned long), __enzyme_float(void *, unsigned long);
extern void __enzyme_integer(void *, unsigned long);
extern void put(unsigned char *to, double value), put_float(unsigned char *to, float value);
extern double get(const unsigned char *from);
extern float get_float(const unsigned char *from);

static void copy(unsigned char *from, unsigned char *to, int n) {
  __enzyme_double(from, 8);
  memcpy(to, from, n);
}
static void copy_parts(unsigned char *from, unsigned char *to) {
  __enzyme_float(from, 4);
  __enzyme_integer(from + 4, 4);
  memcpy(to, from, 8);
}

int main(void) {
  static unsigned char a[8], b[8], da[8], db[8], p[8], q[8], dp[8], dq[8];
  put(a, 3), put(db, 5), put(da, 1);
  __enzyme_autodiff((void *)copy, a, da, b, db, 8);
  SAME(get(b), 3);
  SAME(get(da), 6);
  SAME(get(db), 0);
  put_float(p, 3), put_float(dq, 5), put_float(dp, 1);
  dp[4] = 17, dq[4] = 19;
  __enzyme_autodiff((void *)copy_parts, p, dp, q, dq);
  SAME(get_float(dp), 6);
  SAME(get_float(dq), 0);
  SAME(dp[4], 17);
  return failures;
}
