/* One function for each routine of LAPACK with complex numbers. It is called NAME, with helpers LARGE_NAME and VECTORS_NAME. NUMBER and
 * REAL are the types; Z and E make the names of the routines. */
#define N NUMBER *
#define P const NUMBER *
extern void Z(potrf)(C, I, N, I, int *), Z(potrs)(C, I, I, P, I, N, I, int *), Z(posv)(C, I, I, N, I, N, I, int *);
extern void Z(getrf)(I, I, N, I, int *, int *), Z(getrs)(C, I, I, P, I, I, N, I, int *), Z(gesv)(I, I, N, I, int *, N, I, int *);
extern void Z(heev)(C, C, I, N, I, REAL *, N, I, REAL *, int *);
extern void Z(heevd)(C, C, I, N, I, REAL *, N, I, REAL *, I, int *, I, int *);
extern void Z(trtri)(C, C, I, N, I, int *), Z(potri)(C, I, N, I, int *), Z(getri)(I, N, I, I, N, I, int *);
extern void Z(gels)(C, I, I, I, N, I, N, I, N, I, int *), Z(trtrs)(C, C, C, I, I, P, I, N, I, int *);
extern void Z(gesvd)(C, C, I, I, N, I, REAL *, N, I, N, I, N, I, REAL *, int *);
extern void Z(gesdd)(C, I, I, N, I, REAL *, N, I, N, I, N, I, REAL *, int *, int *);
extern int E(potrf)(int, char, int, N, int), E(potri)(int, char, int, N, int), E(trtri)(int, char, char, int, N, int);
extern int E(posv)(int, char, int, int, N, int, N, int), E(potrs)(int, char, int, int, P, int, N, int);
extern int E(gesv)(int, int, int, N, int, int *, N, int), E(trtrs)(int, char, char, char, int, int, P, int, N, int);
extern int E(getrf)(int, int, int, N, int, int *), E(getri)(int, int, N, int, I);
extern int E(getrs)(int, char, int, int, P, int, I, N, int), E(heev)(int, char, char, int, N, int, REAL *);
/* The sum of a function of the factor of x x^H + 101. */
static double LARGE_NAME(const double *x, const struct options *o) {
  static NUMBER a[LARGE * LARGE];
  int n = LARGE, info;
  double s = 0;
  for (int i = 0; i < LARGE; i++)
    for (int j = 0; j < LARGE; j++)
      a[i + j * LARGE] = (x[i % ALL] + 1.0i * x[(i + 7) % ALL]) * (x[j % ALL] - 1.0i * x[(j + 7) % ALL]) + (i == j) * LARGE;
  Z(potrf)(&o->uplo, &n, a, &n, &info);
  for (int i = 0; i < LARGE * LARGE; i++)
    s += (__real__ a[i] * sin(i) + __imag__ a[i] * cos(i)) * (o->uplo == 'U' ? i % LARGE <= i / LARGE : i % LARGE >= i / LARGE);
  return s;
}

static double VECTORS_NAME(int n, const NUMBER *a, const REAL *w, int row, int column, int has_vectors) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += sin(w[i]) * (i + 1);
    for (int j = 0; has_vectors && j < n; j++) /* the sign of a vector is free: only products of its components */
      for (int k = 0; k < n; k++) {
        NUMBER p = a[i * column + j * row] * a[i * column + k * row];
        s += __real__ p * sin(i + 2 * j + k) + __imag__ p * cos(i + j + 3 * k);
      }
  }
  return s;
}

static double NAME(const double *x, const struct options *o) {
  NUMBER a[SIZE], b[SIZE], work[64];
  REAL *p = (REAL *)a, *q = (REAL *)b, w[LD], rwork[200];
  double s = 0;
  int ld = LD, info = 0, pivots[LD], size = 64, large_size = 200, iwork[64];
  const char *u = &o->uplo, *t = &o->trans, *g = &o->diag;
  I m = &o->m, n = &o->n, k = &o->k;
  if (o->routine == LAST) return LARGE_NAME(x, o);
  for (int i = 0; i < 2 * SIZE; i++) p[i] = x[i], q[i] = x[i + 2 * SIZE];
  int is_hermitian = o->routine < 4 || o->routine == 11 || (o->routine >= 15 && o->routine <= 17) || o->routine == 22;
  for (int i = 0; i < LD; i++) a[i * LD + i] += is_hermitian ? 6 : 0.5;
  int is_eigen = o->routine == 9 || o->routine == 14 || o->routine == 21, has_vectors = o->diag != 'U';
  switch (o->routine) {
  case 0: Z(potrf)(u, n, a, &ld, &info); break;
  case 1: Z(potrs)(u, n, k, a, &ld, b, &ld, &info); break;
  case 2: Z(potrf)(u, n, a, &ld, &info); Z(potrs)(u, n, k, a, &ld, b, &ld, &info); break;
  case 3: Z(posv)(u, n, k, a, &ld, b, &ld, &info); break;
  case 4: Z(getrf)(m, n, a, &ld, pivots, &info); break;
  case 5: for (int i = 0; i < LD; i++) pivots[i] = i + 1 + (i + 1 < *n); Z(getrs)(t, n, k, a, &ld, pivots, b, &ld, &info); break;
  case 6: Z(getrf)(n, n, a, &ld, pivots, &info); Z(getrs)(t, n, k, a, &ld, pivots, b, &ld, &info); break;
  case 7: Z(gesv)(n, k, a, &ld, pivots, b, &ld, &info); break;
  case 8: Z(trtrs)(u, t, g, n, k, a, &ld, b, &ld, &info); break;
  case 9: Z(heev)(has_vectors ? "V" : "N", u, n, a, &ld, w, work, &size, rwork, &info); break;
  case 10: Z(trtri)(u, g, n, a, &ld, &info); break;
  case 11: Z(potrf)(u, n, a, &ld, &info); Z(potri)(u, n, a, &ld, &info); break;
  case 12: Z(getrf)(n, n, a, &ld, pivots, &info); Z(getri)(n, a, &ld, pivots, work, &size, &info); break;
  case 13: { /* no more columns than rows; only the solution is used */
    int rows = *m > *n ? *m : *n, columns = *m > *n ? *n : *m;
    Z(gels)("N", &rows, &columns, k, a, &ld, b, &ld, work, &size, &info);
    memset(a, 0, sizeof a);
    for (int i = 0; i < SIZE; i++) b[i] = i % LD < columns ? b[i] : 0;
    break;
  }
  case 14: Z(heevd)(has_vectors ? "V" : "N", u, n, a, &ld, w, work, &size, rwork, &large_size, iwork, &size, &info); break;
#ifdef LAPACKE
  case 15: info = E(potrf)(o->layout, *u, *n, a, LD); break;
  case 16: info = E(posv)(o->layout, *u, *n, *k, a, LD, b, LD); break;
  case 17: info = E(potrf)(o->layout, *u, *n, a, LD); info += E(potrs)(o->layout, *u, *n, *k, a, LD, b, LD); break;
  case 18: info = E(gesv)(o->layout, *n, *k, a, LD, pivots, b, LD); break;
  case 19: info = E(getrf)(o->layout, *n, *n, a, LD, pivots); info += E(getrs)(o->layout, *t, *n, *k, a, LD, pivots, b, LD); break;
  case 20: info = E(trtrs)(o->layout, *u, *t, *g, *n, *k, a, LD, b, LD); break;
  case 21: info = E(heev)(o->layout, has_vectors ? 'V' : 'N', *u, *n, a, LD, w); break;
  case 22:
    info = *m % 2 ? E(trtri)(o->layout, *u, *g, *n, a, LD) : E(potrf)(o->layout, *u, *n, a, LD);
    if (!info && *m % 2 == 0) info = E(potri)(o->layout, *u, *n, a, LD);
    break;
#endif
  case SVD: case SVD + 1: { /* products that do not change if both vectors change their signs */
    I m = o->trans2 == 'C' ? &o->n : &o->m, n = o->trans2 == 'C' ? &o->m : &o->n; /* more rows, or more columns */
    NUMBER v[SIZE], more[512];
    REAL larger[1024];
    int least = *m < *n ? *m : *n, has_u = has_vectors, has_v = o->side == 'L', many[8 * LD], sizes = 512;
    if (o->routine == SVD) Z(gesvd)(has_u ? "S" : "N", has_v ? "S" : "N", m, n, a, &ld, w, b, &ld, v, &ld, more, &sizes, larger, &info);
    else has_v = has_u, Z(gesdd)(has_u ? "S" : "N", m, n, a, &ld, w, b, &ld, v, &ld, more, &sizes, larger, many, &info);
    for (int j = 0; j < least; j++) {
      s += sin(w[j]) * (j + 1);
      for (int i = 0; i < LD; i++) {
        NUMBER of_u = has_u && i < *m ? b[j * LD] * b[j * LD + i] : 0, of_v = has_v && i < *n ? v[j] * v[j + i * LD] : 0;
        NUMBER of_both = has_u && has_v && i < *m ? b[j * LD + i] * v[j + LD * (*n - 1)] : 0;
        s += __real__ of_u * (i + 1) + __imag__ of_u * sin(i + j) + __real__ of_v * cos(i) + 2 * __imag__ of_v + __real__ of_both - __imag__ of_both;
      }
    }
    memset(a, 0, sizeof a), memset(b, 0, sizeof b);
    break;
  }
  }
  if (info) return NAN;
  if (is_eigen) {
    int is_by_rows = o->routine == 21 && o->layout == 101;
    s = VECTORS_NAME(*n, a, w, is_by_rows ? LD : 1, is_by_rows ? 1 : LD, has_vectors);
    memset(a, 0, sizeof a);
  }
  for (int i = 0; i < 2 * SIZE; i++) s += q[i] * sin(i + 1.0) * (1 + q[i]) + (o->use ? p[i] * cos(i + 2.0) * x[i] : 0);
  if (o->k & 1) memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  return s + p[0];
}

#undef N
#undef P
#undef NAME
#undef LARGE_NAME
#undef NUMBER
#undef REAL
#undef Z
#undef E
#undef VECTORS_NAME
