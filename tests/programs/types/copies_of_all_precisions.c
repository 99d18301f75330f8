/* Numbers of 2 and 16 bytes are copied, moved, swapped and zeroed, alone and in structs with others. */
#include "../check.h"

typedef __float128 quad;
struct body {
  int id;
  quad mass, place[3];
  double rate;
};
struct halves {
  int id;
  _Float16 h[3];
  float f;
  _Float16 g;
};

NOINLINE static void copy_all(struct body *to, const struct body *from, int n) { memcpy(to, from, n * sizeof *to); }
NOINLINE static void swap(quad *a, quad *b) {
  quad t = *a;
  *a = *b, *b = t;
}
NOINLINE static void move(quad *a, int n) { memmove(a + 1, a, n * sizeof *a); }
NOINLINE static void zero(quad *a, int n) { memset(a, 0, n * sizeof *a); }

static double of_quads(double *x) {
  struct body b[2], c[2];
  quad a[8], s = 0;
  for (int i = 0; i < 2; i++) {
    b[i].id = i, b[i].mass = x[i], b[i].rate = x[2];
    for (int k = 0; k < 3; k++)
      b[i].place[k] = x[k] * (k + i + 1);
  }
  copy_all(c, b, 2);
  struct body d = c[1];
  swap(&d.mass, &d.place[1]);
  for (int i = 0; i < 7; i++)
    a[i] = d.place[i % 3] * (i + 1);
  move(a, 7);
  zero(a + 5, 2);
  for (int i = 0; i < 8; i++)
    s += a[i] * a[i] * (i + 1);
  return (double)(s * d.mass / 1000 + c[0].mass * c[0].place[2] + c[1].rate);
}
static void quads(quad *out, const quad *in, int n) { memcpy(out, in, n * sizeof *in); }
static void halves(_Float16 *out, const _Float16 *in, int n) { memmove(out, in, n * sizeof *in); }
static void structs(struct halves *out, const struct halves *in, int n) { memcpy(out, in, n * sizeof *in); }

int main(void) {
  CHECK(of_quads, 0.3, 1.2, 0.7);

  quad q[3] = {1, 2, 3}, dq[3] = {0}, p[3], dp[3] = {4, 5, 6};
  __enzyme_autodiff((void *)quads, p, dp, q, dq, enzyme_const, 3);
  SAME(dq[0], 4);
  SAME(dq[2], 6);
  SAME(dp[1], 0);
  _Float16 h[3] = {1, 2, 3}, dh[3] = {0}, g[3], dg[3] = {4, 5, 6};
  __enzyme_autodiff((void *)halves, g, dg, h, dh, enzyme_const, 3);
  SAME(dh[0], 4);
  SAME(dh[2], 6);
  SAME(dg[1], 0);
  struct halves x[2] = {{1, {1, 2, 3}, 4, 5}}, dx[2] = {{0}}, y[2];
  struct halves dy[2] = {{0, {1, 2, 3}, 4, 5}, {0, {6, 7, 8}, 9, 10}};
  __enzyme_autodiff((void *)structs, y, dy, x, dx, enzyme_const, 2);
  SAME(dx[0].h[1], 2);
  SAME(dx[1].h[2], 8);
  SAME(dx[0].f, 4);
  SAME(dx[1].g, 10);
  return failures;
}
