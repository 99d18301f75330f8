/* LAPACK's systems with three diagonals and with bands, for one type T with the letter P.
 *
 * Memory bounds their time, so they have plain bodies, which are differentiated like the program's own code: the algorithms
 * without blocks, with LAPACK's choice of pivots (E. Anderson et al., LAPACK Users' Guide, 1999). */

/* -- three diagonals: dl below the main one, d, du above */

/* Row i, whose multiple is subtracted from the next one, is the larger of the two. The second superdiagonal that exchanges
 * make takes the place of dl. */
static int OWN(gtsv)(int64_t n, int64_t nrhs, T *dl, T *d, T *du, T *b, int64_t ldb) {
    for (int64_t i = 0; i + 1 < n; i++) {
        int is_exchanged = !(ONE_NORM(d[i]) >= ONE_NORM(dl[i])), has_second = i + 2 < n;
        if (!is_exchanged && d[i] == 0)
            return i + 1;
        T f = is_exchanged ? d[i] / dl[i] : dl[i] / d[i], next = d[i + 1];
        if (is_exchanged) {
            d[i] = dl[i], d[i + 1] = du[i] - f * next, du[i] = next;
            if (has_second)
                dl[i] = du[i + 1], du[i + 1] = -f * dl[i];
        } else {
            d[i + 1] = next - f * du[i];
            if (has_second)
                dl[i] = 0;
        }
        for (int64_t j = 0; j < nrhs; j++) {
            T *x = b + i + j * ldb, first = x[0], second = x[1];
            x[0] = is_exchanged ? second : first;
            x[1] = is_exchanged ? first - f * second : second - f * first;
        }
    }
    if (n > 0 && d[n - 1] == 0)
        return n;
    for (int64_t j = 0; j < nrhs; j++)
        for (int64_t i = n - 1; i >= 0; i--) {
            T *x = b + i + j * ldb, value = x[0];
            if (i + 1 < n)
                value -= du[i] * x[1];
            if (i + 2 < n)
                value -= dl[i] * x[2];
            x[0] = value / d[i];
        }
    return 0;
}

/* A = L D L^H, positive definite; e is below the main diagonal. D is real. */
static int OWN(pttrf)(int64_t n, REAL *d, T *e) {
    for (int64_t i = 0; i < n; i++) {
        if (!(d[i] > 0))
            return i + 1;
        if (i + 1 < n) {
            T value = e[i];
            e[i] = value / d[i];
            d[i + 1] -= __real__(e[i] * CONJ(value));
        }
    }
    return 0;
}

/* The factor L has e below its diagonal, or the conjugate of e: then e is above the diagonal of L^H. */
static void OWN(pttrs)(char uplo, int64_t n, int64_t nrhs, const REAL *d, const T *e, T *b, int64_t ldb) {
    int is_above = is_upper(uplo);
    for (int64_t j = 0; j < nrhs; j++) {
        T *x = b + j * ldb;
        for (int64_t i = 1; i < n; i++)
            x[i] -= x[i - 1] * OWN(conj_if)(is_above, e[i - 1]);
        for (int64_t i = n - 1; i >= 0; i--)
            x[i] = x[i] / d[i] - (i + 1 < n ? x[i + 1] * OWN(conj_if)(!is_above, e[i]) : 0);
    }
}

static int OWN(ptsv)(int64_t n, int64_t nrhs, REAL *d, T *e, T *b, int64_t ldb) {
    int info = OWN(pttrf)(n, d, e);
    if (info == 0)
        OWN(pttrs)('L', n, nrhs, d, e, b, ldb);
    return info;
}

INLINED void F_NAME(gtsv)(const int *n, const int *nrhs, T *dl, T *d, T *du, T *b, const int *ldb, int *info) {
    *info = OWN(gtsv)(*n, *nrhs, dl, d, du, b, *ldb);
}
INLINED void F_NAME(pttrf)(const int *n, REAL *d, T *e, int *info) { *info = OWN(pttrf)(*n, d, e); }
#undef TRIANGLE /* complex types say where e is */
#undef GIVEN_TRIANGLE
#if IS_COMPLEX
#define TRIANGLE(...) __VA_ARGS__,
#define GIVEN_TRIANGLE(UPLO) UPLO
#else
#define TRIANGLE(...)
#define GIVEN_TRIANGLE(UPLO) 'L'
#endif
INLINED void F_NAME(pttrs)(TRIANGLE(const char *uplo) const int *n, const int *nrhs, const REAL *d, const T *e, T *b,
                           const int *ldb, int *info) {
    *info = 0;
    OWN(pttrs)(GIVEN_TRIANGLE(*uplo), *n, *nrhs, d, e, b, *ldb);
}
INLINED void F_NAME(ptsv)(const int *n, const int *nrhs, REAL *d, T *e, T *b, const int *ldb, int *info) {
    *info = OWN(ptsv)(*n, *nrhs, d, e, b, *ldb);
}
INLINED int E_NAME(gtsv)(int layout, int n, int nrhs, T *dl, T *d, T *du, T *b, int ldb) {
    int info;
#define SOLVE(B, LDB) info = OWN(gtsv)(n, nrhs, dl, d, du, B, LDB);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    return info;
}
INLINED int E_NAME(pttrf)(int n, REAL *d, T *e) { return OWN(pttrf)(n, d, e); }
INLINED int E_NAME(pttrs)(int layout, TRIANGLE(char uplo) int n, int nrhs, const REAL *d, const T *e, T *b, int ldb) {
#define SOLVE(B, LDB) OWN(pttrs)(GIVEN_TRIANGLE(uplo), n, nrhs, d, e, B, LDB);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    return 0;
}
INLINED int E_NAME(ptsv)(int layout, int n, int nrhs, REAL *d, T *e, T *b, int ldb) {
    int info;
#define SOLVE(B, LDB) info = OWN(ptsv)(n, nrhs, d, e, B, LDB);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    return info;
}

/* -- bands: LU with kl diagonals below the main one, ku above, and room for kl more, which exchanges fill */

/* element (i, j) of a matrix whose main diagonal is in row `diagonal` of AB */
static ALWAYS_INLINE T *OWN(in_band)(T *ab, int64_t ldab, int64_t diagonal, int64_t i, int64_t j) {
    return ab + diagonal + i - j + j * ldab;
}
#define AT(I, J) (*OWN(in_band)(ab, ldab, kl + ku, I, J))

static ALWAYS_INLINE int64_t OWN(pivot_of_band)(const T *column, int64_t below) {
    int64_t found = 0;
    for (int64_t i = 1; i <= below; i++)
        if (ONE_NORM(column[i]) > ONE_NORM(column[found]))
            found = i;
    return found;
}

static int OWN(gbtrf)(int64_t m, int64_t n, int64_t kl, int64_t ku, T *ab, int64_t ldab, int *ipiv) {
    int64_t last = 0; /* the last column that exchanges have reached */
    int info = 0;
    for (int64_t j = ku + 1; j < n; j++)
        for (int64_t i = j - ku - kl > 0 ? j - ku - kl : 0; i < j - ku; i++)
            AT(i, j) = 0;
    for (int64_t j = 0; j < m && j < n; j++) {
        int64_t below = smaller(kl, m - 1 - j), pivot = OWN(pivot_of_band)(&AT(j, j), below);
        ipiv[j] = pivot + j + 1;
        if (AT(j + pivot, j) == 0) {
            info = info ? info : j + 1;
            continue;
        }
        int64_t reached = smaller(j + ku + pivot, n - 1);
        last = reached > last ? reached : last;
        for (int64_t c = j; pivot && c <= last; c++) {
            T t = AT(j, c);
            AT(j, c) = AT(j + pivot, c);
            AT(j + pivot, c) = t;
        }
        for (int64_t i = j + 1; i <= j + below; i++)
            AT(i, j) /= AT(j, j);
        for (int64_t c = j + 1; c <= last; c++)
            for (int64_t i = j + 1; i <= j + below; i++)
                AT(i, c) -= AT(i, j) * AT(j, c);
    }
    return info;
}
#undef AT
#define AT(I, J) (*OWN(in_band)((T *)ab, ldab, kl + ku, I, J))

static ALWAYS_INLINE void OWN(exchange_two)(T *x, int64_t i, int64_t j) {
    T t = x[i];
    x[i] = x[j];
    x[j] = t;
}

static void OWN(gbtrs)(char trans, int64_t n, int64_t kl, int64_t ku, int64_t nrhs, const T *ab, int64_t ldab,
                       const int *ipiv, T *b, int64_t ldb) {
    struct triangle upper = band('U', n, kl + ku, ldab);
    for (int64_t c = 0; c < nrhs; c++) {
        T *x = b + c * ldb;
        for (int64_t j = 0; is_plain(trans) && kl > 0 && j < n - 1; j++) {
            OWN(exchange_two)(x, j, ipiv[j] - 1);
            for (int64_t i = j + 1; i <= j + kl && i < n; i++)
                x[i] -= AT(i, j) * x[j];
        }
        OWN(trsv)(upper, trans, 'N', ab, x, 1);
        for (int64_t j = n - 2; !is_plain(trans) && kl > 0 && j >= 0; j--) {
            for (int64_t i = j + 1; i <= j + kl && i < n; i++)
                x[j] -= OWN(conj_if)(is_conjugated(trans), AT(i, j)) * x[i];
            OWN(exchange_two)(x, j, ipiv[j] - 1);
        }
    }
}
#undef AT

static int OWN(gbsv)(int64_t n, int64_t kl, int64_t ku, int64_t nrhs, T *ab, int64_t ldab, int *ipiv, T *b, int64_t ldb) {
    int info = OWN(gbtrf)(n, n, kl, ku, ab, ldab, ipiv);
    if (info == 0)
        OWN(gbtrs)('N', n, kl, ku, nrhs, ab, ldab, ipiv, b, ldb);
    return info;
}

INLINED void F_NAME(gbtrf)(const int *m, const int *n, const int *kl, const int *ku, T *ab, const int *ldab, int *ipiv,
                           int *info) {
    *info = OWN(gbtrf)(*m, *n, *kl, *ku, ab, *ldab, ipiv);
}
INLINED void F_NAME(gbtrs)(const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs, const T *ab,
                           const int *ldab, const int *ipiv, T *b, const int *ldb, int *info) {
    *info = 0;
    OWN(gbtrs)(*trans, *n, *kl, *ku, *nrhs, ab, *ldab, ipiv, b, *ldb);
}
INLINED void F_NAME(gbsv)(const int *n, const int *kl, const int *ku, const int *nrhs, T *ab, const int *ldab, int *ipiv,
                          T *b, const int *ldb, int *info) {
    *info = OWN(gbsv)(*n, *kl, *ku, *nrhs, ab, *ldab, ipiv, b, *ldb);
}

/* A band that is stored by rows, as LAPACKE takes it, goes through a copy by columns. */
static ALWAYS_INLINE T *OWN(band_by_columns)(int layout, int64_t rows, int64_t n, T *ab, int64_t ldab) {
    if (layout != BY_ROWS)
        return ab;
    T *copy = OWN(new)(rows, n);
    OWN(transpose)(ab, ldab, n, rows, copy, rows);
    return copy;
}
static ALWAYS_INLINE void OWN(put_band)(int layout, int64_t rows, int64_t n, T *copy, T *ab, int64_t ldab) {
    if (layout != BY_ROWS)
        return;
    OWN(transpose)(copy, rows, rows, n, ab, ldab);
    free(copy);
}

INLINED int E_NAME(gbtrf)(int layout, int m, int n, int kl, int ku, T *ab, int ldab, int *ipiv) {
    int rows = 2 * kl + ku + 1, ld = layout == BY_ROWS ? rows : ldab;
    T *band = OWN(band_by_columns)(layout, rows, n, ab, ldab);
    int info = OWN(gbtrf)(m, n, kl, ku, band, ld, ipiv);
    OWN(put_band)(layout, rows, n, band, ab, ldab);
    return info;
}
INLINED int E_NAME(gbtrs)(int layout, char trans, int n, int kl, int ku, int nrhs, const T *ab, int ldab, const int *ipiv,
                          T *b, int ldb) {
    int rows = 2 * kl + ku + 1, ld = layout == BY_ROWS ? rows : ldab;
    T *band = OWN(band_by_columns)(layout, rows, n, (T *)ab, ldab);
#define SOLVE(B, LDB) OWN(gbtrs)(trans, n, kl, ku, nrhs, band, ld, ipiv, B, LDB);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    if (layout == BY_ROWS)
        free(band);
    return 0;
}
INLINED int E_NAME(gbsv)(int layout, int n, int kl, int ku, int nrhs, T *ab, int ldab, int *ipiv, T *b, int ldb) {
    int rows = 2 * kl + ku + 1, ld = layout == BY_ROWS ? rows : ldab, info;
    T *band = OWN(band_by_columns)(layout, rows, n, ab, ldab);
#define SOLVE(B, LDB) info = OWN(gbsv)(n, kl, ku, nrhs, band, ld, ipiv, B, LDB);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    OWN(put_band)(layout, rows, n, band, ab, ldab);
    return info;
}

/* -- bands, positive definite: Cholesky */

/* Column j below the diagonal, or row j beyond it, of a Hermitian band: element (i, j), or (j, i), which is its conjugate */
static ALWAYS_INLINE int64_t OWN(of_factor)(struct triangle t, int64_t i, int64_t j) {
    return t.is_upper ? element(t, j, i) : element(t, i, j);
}

static int OWN(pbtrf)(char uplo, int64_t n, int64_t kd, T *ab, int64_t ldab) {
    struct triangle t = band(uplo, n, kd, ldab);
    for (int64_t j = 0; j < n; j++) {
        T *diagonal = ab + element(t, j, j);
        REAL value = __real__ *diagonal;
        int64_t last = smaller(j + kd, n - 1);
        if (!(value > 0))
            return j + 1;
        value = ROOT(value), *diagonal = value;
        for (int64_t i = j + 1; i <= last; i++)
            ab[OWN(of_factor)(t, i, j)] /= value;
        for (int64_t c = j + 1; c <= last; c++)
            for (int64_t i = c; i <= last; i++) {
                T product = ab[OWN(of_factor)(t, i, j)] * CONJ(ab[OWN(of_factor)(t, c, j)]);
                ab[OWN(of_factor)(t, i, c)] -= i == c ? __real__ product : product;
            }
    }
    return 0;
}

static void OWN(pbtrs)(char uplo, int64_t n, int64_t kd, int64_t nrhs, const T *ab, int64_t ldab, T *b, int64_t ldb) {
    struct triangle t = band(uplo, n, kd, ldab);
    char first = is_upper(uplo) ? 'C' : 'N';
    for (int64_t j = 0; j < nrhs; j++) {
        OWN(trsv)(t, first, 'N', ab, b + j * ldb, 1);
        OWN(trsv)(t, inverse(first), 'N', ab, b + j * ldb, 1);
    }
}

static int OWN(pbsv)(char uplo, int64_t n, int64_t kd, int64_t nrhs, T *ab, int64_t ldab, T *b, int64_t ldb) {
    int info = OWN(pbtrf)(uplo, n, kd, ab, ldab);
    if (info == 0)
        OWN(pbtrs)(uplo, n, kd, nrhs, ab, ldab, b, ldb);
    return info;
}

INLINED void F_NAME(pbtrf)(const char *uplo, const int *n, const int *kd, T *ab, const int *ldab, int *info) {
    *info = OWN(pbtrf)(*uplo, *n, *kd, ab, *ldab);
}
INLINED void F_NAME(pbtrs)(const char *uplo, const int *n, const int *kd, const int *nrhs, const T *ab, const int *ldab,
                           T *b, const int *ldb, int *info) {
    *info = 0;
    OWN(pbtrs)(*uplo, *n, *kd, *nrhs, ab, *ldab, b, *ldb);
}
INLINED void F_NAME(pbsv)(const char *uplo, const int *n, const int *kd, const int *nrhs, T *ab, const int *ldab, T *b,
                          const int *ldb, int *info) {
    *info = OWN(pbsv)(*uplo, *n, *kd, *nrhs, ab, *ldab, b, *ldb);
}
INLINED int E_NAME(pbtrf)(int layout, char uplo, int n, int kd, T *ab, int ldab) {
    int ld = layout == BY_ROWS ? kd + 1 : ldab;
    T *band = OWN(band_by_columns)(layout, kd + 1, n, ab, ldab);
    int info = OWN(pbtrf)(uplo, n, kd, band, ld);
    OWN(put_band)(layout, kd + 1, n, band, ab, ldab);
    return info;
}
INLINED int E_NAME(pbtrs)(int layout, char uplo, int n, int kd, int nrhs, const T *ab, int ldab, T *b, int ldb) {
    int ld = layout == BY_ROWS ? kd + 1 : ldab;
    T *band = OWN(band_by_columns)(layout, kd + 1, n, (T *)ab, ldab);
#define SOLVE(B, LDB) OWN(pbtrs)(uplo, n, kd, nrhs, band, ld, B, LDB);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    if (layout == BY_ROWS)
        free(band);
    return 0;
}
INLINED int E_NAME(pbsv)(int layout, char uplo, int n, int kd, int nrhs, T *ab, int ldab, T *b, int ldb) {
    int ld = layout == BY_ROWS ? kd + 1 : ldab, info;
    T *band = OWN(band_by_columns)(layout, kd + 1, n, ab, ldab);
#define SOLVE(B, LDB) info = OWN(pbsv)(uplo, n, kd, nrhs, band, ld, B, LDB);
    BY_COPY(b, ldb, n, nrhs, SOLVE)
#undef SOLVE
    OWN(put_band)(layout, kd + 1, n, band, ab, ldab);
    return info;
}
