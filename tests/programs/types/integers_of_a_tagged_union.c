/* An interpreter's values: numbers, integers and links in one union. A tag tells which, and integers are computed with. */
#include "../check.h"
#include <stdint.h>

enum tag { NUMBER, INTEGER, LINK };
typedef struct value {
  union {
    double number;
    int64_t integer;
    struct value *link;
  } u;
  unsigned char tag;
} value;

NOINLINE static const value *behind(const value *v) {
  while (v->tag == LINK) v = v->u.link;
  return v;
}

NOINLINE static double number(const value *v) {
  v = behind(v);
  return v->tag == INTEGER ? (double)v->u.integer : v->u.number;
}

NOINLINE static void operate(value *to, const value *a, const value *b, char how) {
  a = behind(a), b = behind(b);
  if (a->tag == INTEGER && b->tag == INTEGER) {
    int64_t x = a->u.integer, y = b->u.integer;
    to->u.integer = how == '+' ? x + y : how == '*' ? x * y : how == '^' ? x ^ y : x - y;
    to->tag = INTEGER;
    return;
  }
  double x = number(a), y = number(b);
  to->u.number = how == '+' ? x + y : how == '*' ? x * y : x - y;
  to->tag = NUMBER;
}

static double f(double *x) {
  value *s = malloc(8 * sizeof *s);
  for (int i = 0; i < 3; i++) s[i].u.number = x[i] * x[0], s[i].tag = NUMBER;
  for (int i = 3; i < 6; i++) s[i].u.integer = i, s[i].tag = INTEGER;
  s[6].u.link = &s[2], s[6].tag = LINK;
  s[7].u.link = &s[6], s[7].tag = LINK;
  operate(&s[0], &s[7], &s[0], '+');
  for (int k = 0; k < 4; k++) {
    operate(&s[7], &s[3], &s[4], "+*^-"[k]); /* integers */
    operate(&s[3], &s[7], &s[5], '+');
    operate(&s[1], &s[1], &s[7], '*'); /* a number and an integer */
    operate(&s[2], &s[6], &s[1], '-'); /* a number behind a link, which lies where other values lie */
    s[7] = s[k % 3];                   /* a number where an integer was, and an integer where a number was */
    operate(&s[0], &s[0], &s[7], '*');
  }
  double r = number(&s[0]) * 1e-2 + number(&s[1]) * number(&s[6]) * 1e-6 + (double)number(&s[3]);
  free(s);
  return r;
}

int main(void) {
  CHECK(f, 0.5, 0.75, -1.25);
  return failures;
}
