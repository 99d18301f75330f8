/* One function for the routines of LAPACK with complex numbers that real types have, too. It is called NAME. NUMBER and REAL
 * are the types; Z and E make the names of the routines. */
#define N NUMBER *
#define P const NUMBER *
extern void Z(geqrf)(I, I, N, I, N, N, I, int *), Z(gelqf)(I, I, N, I, N, N, I, int *);
extern void Z(ungqr)(I, I, I, N, I, P, N, I, int *), Z(unglq)(I, I, I, N, I, P, N, I, int *);
extern void Z(unmqr)(C, C, I, I, I, P, I, P, N, I, N, I, int *), Z(unmlq)(C, C, I, I, I, P, I, P, N, I, N, I, int *);
extern void Z(geqp3)(I, I, N, I, int *, N, N, I, REAL *, int *), Z(gels)(C, I, I, I, N, I, N, I, N, I, int *);
extern void Z(gelss)(I, I, I, N, I, N, I, REAL *, const REAL *, int *, N, I, REAL *, int *);
extern void Z(gelsd)(I, I, I, N, I, N, I, REAL *, const REAL *, int *, N, I, REAL *, int *, int *);
extern void Z(gelsy)(I, I, I, N, I, N, I, int *, const REAL *, int *, N, I, REAL *, int *);
extern void Z(hetrf)(C, I, N, I, int *, N, I, int *), Z(hetrs)(C, I, I, P, I, I, N, I, int *), Z(hetri)(C, I, N, I, I, N, int *);
extern void Z(sytrf)(C, I, N, I, int *, N, I, int *), Z(sytrs)(C, I, I, P, I, I, N, I, int *), Z(sytri)(C, I, N, I, I, N, int *);
extern void Z(hesv)(C, I, I, N, I, int *, N, I, N, I, int *), Z(sysv)(C, I, I, N, I, int *, N, I, N, I, int *);
extern void Z(gtsv)(I, I, N, N, N, N, I, int *), Z(pttrf)(I, REAL *, N, int *), Z(ptsv)(I, I, REAL *, N, N, I, int *);
extern void Z(pttrs)(C, I, I, const REAL *, P, N, I, int *), Z(gbtrf)(I, I, I, I, N, I, int *, int *);
extern void Z(gbtrs)(C, I, I, I, I, P, I, I, N, I, int *), Z(gbsv)(I, I, I, I, N, I, int *, N, I, int *);
extern void Z(pbtrf)(C, I, I, N, I, int *), Z(pbtrs)(C, I, I, I, P, I, N, I, int *), Z(pbsv)(C, I, I, I, N, I, N, I, int *);
extern void Z(heevr)(C, C, C, I, N, I, const REAL *, const REAL *, I, I, const REAL *, int *, REAL *, N, I, int *, N, I, REAL *, I, int *, I, int *);
extern void Z(heevx)(C, C, C, I, N, I, const REAL *, const REAL *, I, I, const REAL *, int *, REAL *, N, I, N, I, REAL *, int *, int *, int *);
extern void Z(hegv)(I, C, C, I, N, I, N, I, REAL *, N, I, REAL *, int *);
extern void Z(hegvd)(I, C, C, I, N, I, N, I, REAL *, N, I, REAL *, I, int *, I, int *);
extern void Z(geev)(C, C, I, N, I, N, N, I, N, I, N, I, REAL *, int *);
extern void Z(geevx)(C, C, C, C, I, N, I, N, N, I, N, I, int *, int *, REAL *, REAL *, REAL *, REAL *, N, I, REAL *, int *);
extern REAL Z(lange)(C, I, I, P, I, REAL *), Z(lanhe)(C, C, I, P, I, REAL *), Z(lansy)(C, C, I, P, I, REAL *), Z(lantr)(C, C, C, I, I, P, I, REAL *);
extern void Z(gecon)(C, I, P, I, const REAL *, REAL *, N, REAL *, int *), Z(pocon)(C, I, P, I, const REAL *, REAL *, N, REAL *, int *);
extern void Z(lacpy)(C, I, I, P, I, N, I), Z(laset)(C, I, I, P, P, N, I), Z(lascl)(C, I, I, const REAL *, const REAL *, I, I, N, I, int *);
extern void Z(laswp)(I, N, I, I, I, I, I);
extern void Z(gesvx)(C, C, I, I, N, I, N, I, int *, char *, REAL *, REAL *, N, I, N, I, REAL *, REAL *, REAL *, N, REAL *, int *);
extern void Z(posvx)(C, C, I, I, N, I, N, I, char *, REAL *, N, I, N, I, REAL *, REAL *, REAL *, N, REAL *, int *);
extern void Z(gbsvx)(C, C, I, I, I, I, N, I, N, I, int *, char *, REAL *, REAL *, N, I, N, I, REAL *, REAL *, REAL *, N, REAL *, int *);
extern int E(geqrf)(int, int, int, N, int, N), E(gelqf)(int, int, int, N, int, N), E(ungqr)(int, int, int, int, N, int, P);
extern int E(unmqr)(int, char, char, int, int, int, P, int, P, N, int), E(unmlq)(int, char, char, int, int, int, P, int, P, N, int);
extern int E(gels)(int, char, int, int, int, N, int, N, int), E(geev)(int, char, char, int, N, int, N, N, int, N, int);
extern int E(hesv)(int, char, int, int, N, int, int *, N, int), E(sysv)(int, char, int, int, N, int, int *, N, int);
extern int E(gtsv)(int, int, int, N, N, N, N, int), E(gbsv)(int, int, int, int, int, N, int, int *, N, int);
extern int E(pbsv)(int, char, int, int, int, N, int, N, int), E(hegv)(int, int, char, char, int, N, int, N, int, REAL *);
extern int E(heevr)(int, char, char, char, int, N, int, REAL, REAL, int, int, REAL, int *, REAL *, N, int, int *);

#define BOTH(EXPRESSION, F) (sin(F) * __real__(EXPRESSION) + cos(3 * (F)) * __imag__(EXPRESSION))
static double NAME(const double *x, const struct options *o) {
  NUMBER a[SIZE], b[SIZE], q[SIZE] = {0}, z[SIZE] = {0}, tau[LD] = {0}, v[LD] = {0}, one = 2 + 1i, two = 0.5 - 1i, work[SPACE];
  REAL w[LD] = {0}, d[LD], more[SPACE], rcond = -1, low = -0.5, high = 9, none = 0, from_scale = 2, to_scale = 3, ferr[LD], berr[LD];
  double s = 0;
  int ld = LD, info = 0, pivots[2 * LD] = {0}, size = SPACE, iwork[SPACE] = {0}, found = 0, rank, ends[2], from = 1, to = (o->n + 1) / 2;
  int m = o->m, n = o->n, k = m < n ? m : n, nrhs = o->k, rows = o->m, columns = o->n, kl = 1 + o->use, ku = (kl == 1) + (o->diag == 'U');
  int r = o->routine, is_plain = o->trans == 'N', is_pair = 0, by_rows = o->layout == 101, layout = o->layout, use_factors = 1;
  const char *u = &o->uplo, *t = is_plain ? "N" : "C", *job = o->diag == 'U' ? "N" : "V", *three = is_plain ? "N" : o->diag == 'U' ? "T" : "C";
  char scaled = 'N';
  for (int i = 0; i < SIZE; i++) a[i] = x[2 * i] + 1i * x[2 * i + 1], b[i] = x[2 * i + 2 * SIZE] + 1i * x[2 * i + 1 + 2 * SIZE];
  for (int i = 0; i < LD; i++) a[i * LD + i] *= is_plain ? 0.1 : 3, d[i] = 6 + __real__ a[i];
  switch (r) {
  case 0: Z(geqrf)(&m, &n, a, &ld, tau, work, &size, &info); break;
  case 1: Z(gelqf)(&m, &n, a, &ld, tau, work, &size, &info); break;
  case 2: Z(geqrf)(&m, &n, a, &ld, tau, work, &size, &info), memcpy(q, a, sizeof q), Z(ungqr)(&m, o->use ? &m : &k, &k, q, &ld, tau, work, &size, &info); break;
  case 3: Z(gelqf)(&m, &n, a, &ld, tau, work, &size, &info), memcpy(q, a, sizeof q), Z(unglq)(o->use ? &n : &k, &n, &k, q, &ld, tau, work, &size, &info); break;
  case 4:
    Z(geqrf)(&m, &n, a, &ld, tau, work, &size, &info);
    if (o->side == 'L') columns = o->k; else rows = o->k, columns = m;
    Z(unmqr)(&o->side, t, &rows, &columns, &k, a, &ld, tau, b, &ld, work, &size, &info);
    break;
  case 5:
    Z(gelqf)(&m, &n, a, &ld, tau, work, &size, &info);
    if (o->side == 'L') rows = n, columns = o->k; else rows = o->k, columns = n;
    Z(unmlq)(&o->side, t, &rows, &columns, &k, a, &ld, tau, b, &ld, work, &size, &info);
    break;
  case 6: Z(gels)(t, &m, &n, &nrhs, a, &ld, b, &ld, work, &size, &info); break;
  case 7:
    use_factors = 0;
    if (is_plain) Z(gelss)(&m, &n, &nrhs, a, &ld, b, &ld, w, &rcond, &rank, work, &size, more, &info);
    else if (o->use) Z(gelsd)(&m, &n, &nrhs, a, &ld, b, &ld, w, &rcond, &rank, work, &size, more, iwork, &info);
    else Z(gelsy)(&m, &n, &nrhs, a, &ld, b, &ld, iwork, &rcond, &rank, work, &size, more, &info);
    break;
  case 8: Z(geqp3)(&m, &n, a, &ld, iwork, tau, work, &size, more, &info); break;
  case 9: case 10: case 11: case 12: /* factors, solutions, inverses, and all at once; Hermitian or symmetric */
    if (o->side == 'L') {
      if (r < 12) Z(hetrf)(u, &n, a, &ld, pivots, work, &size, &info);
      if (r == 10) Z(hetrs)(u, &n, &nrhs, a, &ld, pivots, b, &ld, &info);
      if (r == 11) Z(hetri)(u, &n, a, &ld, pivots, work, &info);
      if (r == 12) Z(hesv)(u, &n, &nrhs, a, &ld, pivots, b, &ld, work, &size, &info);
    } else {
      if (r < 12) Z(sytrf)(u, &n, a, &ld, pivots, work, &size, &info);
      if (r == 10) Z(sytrs)(u, &n, &nrhs, a, &ld, pivots, b, &ld, &info);
      if (r == 11) Z(sytri)(u, &n, a, &ld, pivots, work, &info);
      if (r == 12) Z(sysv)(u, &n, &nrhs, a, &ld, pivots, b, &ld, work, &size, &info);
    }
    is_pair = 1;
    break;
  case 13: Z(gtsv)(&n, &nrhs, a, a + 6, a + 12, b, &ld, &info); break;
  case 14:
    if (o->use) Z(ptsv)(&n, &nrhs, d, a, b, &ld, &info);
    else Z(pttrf)(&n, d, a, &info), Z(pttrs)(u, &n, &nrhs, d, a, b, &ld, &info);
    s += d[0] * d[1] + d[n - 1];
    break;
  case 15: Z(gbtrf)(&m, &n, &kl, &ku, a, &ld, pivots, &info); break;
  case 16: Z(gbtrf)(&n, &n, &kl, &ku, a, &ld, pivots, &info), Z(gbtrs)(three, &n, &kl, &ku, &nrhs, a, &ld, pivots, b, &ld, &info); break;
  case 17: Z(gbsv)(&n, &kl, &ku, &nrhs, a, &ld, pivots, b, &ld, &info); break;
  case 18:
    for (int i = 0; i < LD; i++) a[i * LD + (o->uplo == 'U' ? kl : 0)] += 7;
    if (is_plain) Z(pbsv)(u, &n, &kl, &nrhs, a, &ld, b, &ld, &info);
    else Z(pbtrf)(u, &n, &kl, a, &ld, &info), Z(pbtrs)(u, &n, &kl, &nrhs, a, &ld, b, &ld, &info);
    break;
  case 19: Z(heevr)(job, o->use ? "A" : is_plain ? "I" : "V", u, &n, a, &ld, &low, &high, &from, &to, &none, &found, w, z, &ld, pivots, work, &size, more, &size, iwork, &size, &info); break;
  case 20: Z(heevx)(job, o->use ? "A" : is_plain ? "I" : "V", u, &n, a, &ld, &low, &high, &from, &to, &none, &found, w, z, &ld, work, &size, more, iwork, pivots, &info); break;
  case 21: {
    int type = 1 + (o->n + o->use) % 3;
    for (int i = 0; i < LD; i++) b[i * LD + i] += 7;
    if (is_plain) Z(hegv)(&type, job, u, &n, a, &ld, b, &ld, w, work, &size, more, &info);
    else Z(hegvd)(&type, job, u, &n, a, &ld, b, &ld, w, work, &size, more, &size, iwork, &size, &info);
    found = n, memcpy(z, a, sizeof z), use_factors = 0;
    break;
  }
  case 22:
    if (is_plain) Z(geev)(o->use ? "V" : "N", job, &n, a, &ld, v, z, &ld, q, &ld, work, &size, more, &info);
    else Z(geevx)("N", o->use ? "V" : "N", job, "N", &n, a, &ld, v, z, &ld, q, &ld, ends, ends + 1, w, d, ferr, berr, work, &size, more, &info);
    use_factors = 0;
    break;
  case 23:
    s += Z(lange)(o->use ? "F" : o->diag == 'U' ? "1" : is_plain ? "I" : "M", &m, &n, a, &ld, more) + 2 * Z(lansy)(o->use ? "I" : "F", u, &n, a, &ld, more);
    s += Z(lanhe)(o->use ? "I" : "F", u, &n, b, &ld, more) + 3 * Z(lantr)("F", u, &o->diag, &n, &n, b, &ld, more);
    Z(gecon)("1", &n, a, &ld, &to_scale, &rcond, work, more, &info), s += rcond != rcond;
    break;
  case 24: {
    int rows_of[2] = {2, 1}, last = 2, back = is_plain ? 1 : -1;
    Z(lacpy)(u, &m, &n, a, &ld, z, &ld), Z(lascl)("G", &kl, &ku, &from_scale, &to_scale, &m, &n, a, &ld, &info);
    one = b[0], two = b[1], Z(laset)(o->use ? "A" : u, &n, &n, &one, &two, q, &ld), Z(laswp)(&n, b, &ld, &from, &last, rows_of, &back);
    break;
  }
  case 25: case 26: case 27:
    for (int i = 0; i < LD; i++) a[i * (r == 27 ? LD : LD + 1)] += 7;
    if (r == 25) Z(gesvx)("N", three, &n, &nrhs, a, &ld, q, &ld, pivots, &scaled, more, more, b, &ld, z, &ld, &rcond, ferr, berr, work, more, &info);
    if (r == 26) Z(posvx)("N", u, &n, &nrhs, a, &ld, q, &ld, &scaled, more, b, &ld, z, &ld, &rcond, ferr, berr, work, more, &info);
    if (r == 27) Z(gbsvx)("N", three, &n, &kl, &ku, &nrhs, a, &ld, q, &ld, pivots, &scaled, more, more, b, &ld, z, &ld, &rcond, ferr, berr, work, more, &info);
    memset(a, 0, sizeof a), memset(q, 0, sizeof q);
    break;
#ifdef LAPACKE
  case 28: info = E(geqrf)(layout, n, n, a, LD, tau), info += E(unmqr)(layout, o->side, *t, n, n, n, a, LD, tau, b, LD); break;
  case 29: info = E(gelqf)(layout, n, n, a, LD, tau), info += E(unmlq)(layout, o->side, *t, n, n, n, a, LD, tau, b, LD); break;
  case 30: info = E(geqrf)(layout, n, n, a, LD, tau), info += E(ungqr)(layout, n, n, n, a, LD, tau); break;
  case 31: info = E(gels)(layout, *t, n, n, nrhs, a, LD, b, LD); break;
  case 32: info = E(geev)(layout, 'V', 'V', n, a, LD, v, z, LD, q, LD), use_factors = 0; break;
  case 33: info = o->side == 'L' ? E(hesv)(layout, *u, n, nrhs, a, LD, pivots, b, LD) : E(sysv)(layout, *u, n, nrhs, a, LD, pivots, b, LD), use_factors = 0; break;
  case 34: info = E(gtsv)(layout, n, nrhs, a, a + 6, a + 12, b, LD); break;
  case 35: info = E(gbsv)(layout, n, 1, 1, nrhs, a, LD, pivots, b, LD); break;
  case 36:
    for (int i = 0; i < SIZE; i++) a[i] += (by_rows ? i / LD : i % LD) == (o->uplo == 'U') ? 7 : 0;
    info = E(pbsv)(layout, *u, n, 1, nrhs, a, LD, b, LD);
    break;
  case 37:
    for (int i = 0; i < LD; i++) b[i * LD + i] += 7;
    info = E(hegv)(layout, 1, *job, *u, n, a, LD, b, LD, w), found = n, memcpy(z, a, sizeof z), use_factors = 0;
    break;
  case 38: info = E(heevr)(layout, *job, 'A', *u, n, a, LD, 0, 0, 0, 0, 0, &found, w, z, LD, pivots), use_factors = 0; break;
#endif
  }
  if (info) return NAN;
  if ((*job == 'N' && (r == 21 || r == 37)) || (r >= 19 && r <= 21)) memset(a, 0, sizeof a);
  if (found) { /* products that keep if the phase changes: of a vector's first and other components */
    memset(a, 0, sizeof a), use_factors = 0;
    for (int j = 0; j < found; j++)
      for (int i = 0; *job == 'V' && i < n; i++) {
        NUMBER first = z[by_rows && r > 27 ? j : j * LD], other = z[by_rows && r > 27 ? j + i * LD : j * LD + i];
        s += BOTH((__real__ first - 1i * __imag__ first) * other, i + 3.0 * j);
      }
    memset(z, 0, sizeof z);
  }
  int use_b = use_factors || (r >= 7 && r <= 12) || r == 33;
  for (int i = 0; i < SIZE; i++) {
    int row = i % LD, column = i / LD, is_kept = is_pair ? (o->uplo == 'U' ? row <= column : row >= column) && row < n && column < n : use_factors;
    if (use_b && (r != 7 || row < n)) s += BOTH(b[i], i + 1.0) * (1 + __real__ b[i]);
    if (is_kept) s += BOTH(a[i], i + 2.0) * x[i];
    s += BOTH(z[i] * z[i / 2], i * 1.5) + BOTH(q[i], i * i * 0.7);
  }
  for (int i = 0; i < LD; i++) s += sin(w[i]) * (i + 1) + BOTH(v[i], i * 2.0) * (i + 1) + BOTH(tau[i], i + 0.5);
  return s;
}

#undef BOTH
#undef N
#undef P
#undef NAME
#undef NUMBER
#undef REAL
#undef Z
#undef E
