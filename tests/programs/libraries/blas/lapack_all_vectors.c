/* gesvd and gesdd with all vectors (job A): those beyond the singular values by what does not depend on their basis; a single
 * one of a real matrix by what does not depend on its sign.
 * flags: -lopenblas */
#include "options.h"
typedef double _Complex Z;
extern void dgesvd_(C, C, I, I, double *, I, double *, double *, I, double *, I, double *, I, int *);
extern void dgesdd_(C, I, I, double *, I, double *, double *, I, double *, I, double *, I, int *, int *);
extern void zgesvd_(C, C, I, I, Z *, I, double *, Z *, I, Z *, I, Z *, I, double *, int *);
extern void zgesdd_(C, I, I, Z *, I, double *, Z *, I, Z *, I, Z *, I, double *, int *, int *);
enum { ALL = 2 * SIZE };
/* the product of the basis with itself, as V V^H, of `count` vectors of n numbers, which are `step` apart */
static double projector(int n, int count, const Z *v, int of_number, int of_vector) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Z p = 0;
      for (int l = 0; l < count; l++) p += v[i * of_number + l * of_vector] * ~v[j * of_number + l * of_vector];
      s += __real__ p * sin(i + 2 * j) + __imag__ p * cos(i * j + 1);
    }
  return s;
}
static double f(const double *x, const struct options *o) {
  Z u[SIZE] = {0}, v[SIZE] = {0}, work[600], a[SIZE];
  double w[LD], s = 0, du[SIZE] = {0}, dv[SIZE] = {0}, dwork[600], da[SIZE], rwork[600];
  int ld = LD, size = 600, info, iwork[64], k = o->m < o->n ? o->m : o->n, is_real = o->trans == 'N';
  for (int i = 0; i < SIZE; i++) da[i] = x[i], a[i] = x[i] + 1i * x[i + SIZE];
  if (is_real && o->use) dgesvd_("A", "A", &o->m, &o->n, da, &ld, w, du, &ld, dv, &ld, dwork, &size, &info);
  else if (is_real) dgesdd_("A", &o->m, &o->n, da, &ld, w, du, &ld, dv, &ld, dwork, &size, iwork, &info);
  else if (o->use) zgesvd_("A", "A", &o->m, &o->n, a, &ld, w, u, &ld, v, &ld, work, &size, rwork, &info);
  else zgesdd_("A", &o->m, &o->n, a, &ld, w, u, &ld, v, &ld, work, &size, rwork, iwork, &info);
  for (int i = 0; is_real && i < SIZE; i++) u[i] = du[i], v[i] = dv[i];
  for (int i = 0; i < k; i++) s += sin(w[i]);
  if (o->m > k) s += projector(o->m, o->m - k, u + k * LD, 1, LD);
  if (o->n > k) s += projector(o->n, o->n - k, v + k, LD, 1);
  if (o->m == k + 1 && is_real) for (int i = 0; i < o->m; i++) s += du[i + k * LD] * du[(i + 1) % o->m + k * LD];
  return s + projector(o->m, k - 1, u, 1, LD) + projector(o->n, 1, v, LD, 1);
}
int main(void) {
  for (int bits = 0; bits < 8; bits++)
    for (int m = 1; m < 6; m++)
      for (int n = 1; n < 6; n++) {
        struct options o = options_of(0, bits, 0);
        o.m = m, o.n = n;
        check(f, f, &o, ALL, -1);
      }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
