/* States that reach each other by goto: many values meet where cycles with several entries are made one. LLVM must not
 * mix them up in the code that chooses the next state. */
#include "../check.h"

enum { SEED = 677, FACTOR = 1103515245, SUMMAND = 12345 };

static double states(double *x) {
  double a = x[0], b = x[1], c = x[2], d = x[3], s = 0, u[4] = {a, b, c, d}, v[4] = {d, c * b, b, a};
  unsigned k = SEED, n = 0;
  int i = 0;
second:
  k = k * FACTOR + SUMMAND;
  if (++n > 10)
    goto last;
  s = sin(v[1]) * u[i & 3];
  v[i & 3] = v[(i + 1) & 3] / (2 + v[1] * v[1]);
  a = a / (2 + v[(i + 1) & 3] * v[(i + 1) & 3]);
  switch ((k >> 16) & 3) {
  case 0:
    goto second;
  case 1:
    k = k * FACTOR + SUMMAND;
    if (++n > 29)
      goto last;
    s += d / (2 + a * a);
    u[i & 3] = u[i & 3] * 0.7 + u[i & 3] * 0.3;
    a = v[1] / (2 + v[1] * v[1]);
    if (a > 0.31)
      goto first;
    goto third;
  default:
    goto fourth;
  }
third:
  k = k * FACTOR + SUMMAND;
  if (++n > 10)
    goto before_last;
  s += u[i & 3] * 0.7 + a * 0.3;
  u[i & 3] = sin(a) * c;
  c = u[i & 3] * v[(i + 1) & 3] * 0.2 + 0.5;
  switch ((k >> 16) & 3) {
  case 0:
    goto fifth;
  case 1:
    k = k * FACTOR + SUMMAND;
    if (++n > 20)
      goto before_last;
    if (n % 3 == 0)
      goto third;
    goto sixth;
  default:
    goto first;
  }
first:
  k = k * FACTOR + SUMMAND;
  if (++n > 10)
    goto last;
  s += cos(c + b);
  if ((i ^ 1) & 1)
    goto sixth;
fourth:
  k = k * FACTOR + SUMMAND;
  if (++n > 22)
    goto before_last;
  d = u[i & 3] / (2 + u[i & 3] * u[i & 3]);
  if (((k >> 16) & 3) == 0)
    goto fifth;
  goto second;
fifth:
  k = k * FACTOR + SUMMAND;
  if (++n > 18)
    goto last;
  c = v[1] * 0.7 + a * 0.3;
  b = 0.1;
  for (int m = 0; m < (int)(k % 4); m++)
    b += sin(u[i & 3]) * a * 0.3;
  c = cos(c + c);
  goto first;
sixth:
  k = k * FACTOR + SUMMAND;
  if (++n > 13)
    goto before_last;
  s += cos(d + b);
  b = cos(u[i & 3] + v[1]);
  i++;
  if ((i ^ 1) & 1)
    goto fifth;
  goto first;
before_last:
  s += a * b + u[i & 3];
last:
  s += c * d + v[1];
  return s + a * u[1] + b * v[2] + c + u[0] * v[3];
}

int main(void) {
  CHECK(states, 0.822, 1.372, 0.661, 1.112);
  return failures;
}
