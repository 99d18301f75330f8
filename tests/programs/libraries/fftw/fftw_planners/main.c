/* Each planner of FFTW with random options. The plan is made inside of the function, passed to it with new arrays, or kept
 * in a handle. All is linear: the derivative along v is f(v).
 * flags: -lfftw3 -lm */
#include "options.h"
#include "planners.h"
#include <enzyme/enzyme.h>

static T weight(int i) { return ((i * 37 + 11) % 17 - 8) / (T)8; }
static int padding(const struct cfg *c, int i) { /* in place: what lies beside the real numbers is anything */
  int last = c->n[c->rank-1], row = 2 * (last / 2 + 1);
  if (c->api == MANY && c->nemb) row = c->oemb[c->rank-1];
  i /= c->api == MANY ? c->os : 1;
  if (c->api == MANY && i >= c->howmany * c->od) return 1;
  return i % row >= last;
}
static T sum(const struct cfg *c, const T *in, const T *out) {
  T s = 0;
  for (int i = 0; i < c->size_out; i++) if (!(c->inplace && c->form == C2R && padding(c, i))) s += weight(i) * out[i];
  if (!c->inplace && c->form != C2R && !(c->flags & FFTW_DESTROY_INPUT))
    for (int i = 0; i < c->size_in; i++) s += weight(i+5) * in[i];
  return s;
}
static void fill(const struct cfg *c, const T *x, T *in, T *out) {
  if (!c->inplace) for (int i = 0; i < c->size_out; i++) out[i] = x[c->size_in + i];
  for (int i = 0; i < c->size_in; i++) in[i] = 2 * x[i];
}
/* plan made inside */
static T inside(const struct cfg *c, const T *x) {
  T *in = X(malloc)((c->size_in > c->size_out ? c->size_in : c->size_out) * sizeof(T));
  T *out = c->inplace ? in : X(alloc_real)(c->size_out);
  X(plan) p = make(c, in, out);
  fill(c, x, in, out);
  X(execute)(p);
  T s = sum(c, in, out);
  X(destroy_plan)(p);
  if (!c->inplace) X(free)(out);
  X(free)(in);
  return s;
}
/* plan is an argument, new arrays */
static T newly(const struct cfg *c, X(plan) p, const T *x) {
  T *in = X(malloc)((c->size_in > c->size_out ? c->size_in : c->size_out) * sizeof(T));
  T *out = c->inplace ? in : X(alloc_real)(c->size_out);
  fill(c, x, in, out);
  renew(c, p, in, out);
  T s = sum(c, in, out);
  if (!c->inplace) X(free)(out);
  X(free)(in);
  return s;
}
struct handle { X(plan) p; T *in, *out; };
static T handled(const struct cfg *c, struct handle *h, const T *x) {
  fill(c, x, h->in, h->out);
  X(execute)(h->p);
  return sum(c, h->in, h->out);
}
static T dot(const T *a, const T *b, int n) { T s = 0; for (int i = 0; i < n; i++) s += a[i]*b[i]; return s; }
static int bad, good;
static void told(const struct cfg *c, const char *what, T a, T b, T scale) {
  if (!(fabsl(a - b) <= 1e-11 * (1 + scale))) { bad++; printf("WRONG %s form %d api %d rank %d n %d %d %d inplace %d flags %d kinds %d %d %d: %Lg %Lg\n", what, c->form, c->api, c->rank, c->n[0], c->n[1], c->n[2], c->inplace, c->flags, c->kinds[0], c->kinds[1], c->kinds[2], (long double)a, (long double)b); }
  else good++;
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 4;
  srand(argc > 2 ? atoi(argv[2]) : 1);
  for (int r = 0; r < rounds; r++)
    for (int api = D1; api <= SPLIT64; api++)
      for (int form = C2C; form <= R2R; form++) {
        if (api >= SPLIT && form == R2R) continue;
        struct cfg c; config(&c, form, api);
        int n = c.size_in + c.size_out, m = c.size_in > c.size_out ? c.size_in : c.size_out;
        T *x = calloc(n, sizeof(T)), *dx = calloc(n, sizeof(T)), *v = calloc(n, sizeof(T));
        for (int i = 0; i < n; i++) x[i] = rnd(100) / (T)50 - 1, v[i] = rnd(100) / (T)50 - 1;
        if (c.inplace) for (int i = c.size_in; i < n; i++) v[i] = 0;
        T *in = X(malloc)(m * sizeof(T)), *out = c.inplace ? in : X(malloc)(m * sizeof(T));
        T *din = X(malloc)(m * sizeof(T)), *dout = c.inplace ? din : X(malloc)(m * sizeof(T));
        X(plan) p = make(&c, in, out);
                X(plan) dp = make(&c, din, dout);
        struct handle h = {p, in, out}, dh = {dp, din, dout};
        T expect = newly(&c, p, v), scale = 0;
        for (int i = 0; i < n; i++) scale += fabsl(v[i]);
        scale *= 10;
        memset(dx, 0, n*sizeof(T));
        __enzyme_autodiff((void *)newly, enzyme_const, &c, enzyme_const, p, enzyme_dup, x, dx);
        told(&c, "new", dot(dx, v, n), expect, scale);
        memset(dx, 0, n*sizeof(T));
        __enzyme_autodiff((void *)inside, enzyme_const, &c, enzyme_dup, x, dx);
        told(&c, "inside", dot(dx, v, n), expect, scale);
        memset(dx, 0, n*sizeof(T)); memset(din, 0, m*sizeof(T)); memset(dout, 0, m*sizeof(T));
        __enzyme_autodiff((void *)handled, enzyme_const, &c, enzyme_dup, &h, &dh, enzyme_dup, x, dx);
        told(&c, "handle", dot(dx, v, n), expect, scale);
        T t;
        t = __enzyme_fwddiff((void *)inside, enzyme_const, &c, enzyme_dup, x, v);
        told(&c, "fwd inside", t, expect, scale);
        t = __enzyme_fwddiff((void *)handled, enzyme_const, &c, enzyme_dup, &h, &dh, enzyme_dup, x, v);
        told(&c, "fwd handle", t, expect, scale);
        X(destroy_plan)(p), X(destroy_plan)(dp);
      }
  printf("%d right, %d wrong\n", good, bad);
  return bad != 0;
}
