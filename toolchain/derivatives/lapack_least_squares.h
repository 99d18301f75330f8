/* LAPACK's LQ factorisation, least squares, and the names of all that stands on QR, for one type T with the letter P.
 *
 * They have bodies, which call the factorisation QR and solutions with triangles. The factors of LQ are those of QR of
 * the adjoint: A = (Q R)^H. */

static ALWAYS_INLINE void OWN(geqrf)(int64_t m, int64_t n, T *a, int64_t lda, T *tau, int *info) {
    ROUTINE(geqrf)(0, m, n, a, lda, tau, info);
}
static ALWAYS_INLINE void OWN(ORTHOGONAL(gqr))(int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau, int *info) {
    ROUTINE(ORTHOGONAL(gqr))(0, m, n, k, a, lda, tau, info);
}
static ALWAYS_INLINE void OWN(ORTHOGONAL(mqr))(char side, char trans, int64_t m, int64_t n, int64_t k, const T *a,
                                               int64_t lda, const T *tau, T *c, int64_t ldc, int *info) {
    ROUTINE(ORTHOGONAL(mqr))(0, side, trans, m, n, k, a, lda, tau, c, ldc, info);
}

/* B = A^H */
static void OWN(put_adjoint)(const T *a, int64_t lda, int64_t rows, int64_t columns, T *b, int64_t ldb) {
    OWN(transpose)(a, lda, rows, columns, b, ldb);
    OWN(conjugate)(b, columns, rows, ldb);
}

static void OWN(gelqf)(int64_t m, int64_t n, T *a, int64_t lda, T *tau, int *info) {
    T *turned = OWN(new)(n, m);
    OWN(put_adjoint)(a, lda, m, n, turned, at_least_1(n));
    ROUTINE(geqrf)(0, n, m, turned, at_least_1(n), tau, info);
    OWN(put_adjoint)(turned, at_least_1(n), n, m, a, lda);
    free(turned);
}

static void OWN(ORTHOGONAL(glq))(int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau, int *info) {
    T *turned = OWN(new)(n, m);
    OWN(put_adjoint)(a, lda, m, n, turned, at_least_1(n));
    ROUTINE(ORTHOGONAL(gqr))(0, n, m, k, turned, at_least_1(n), tau, info);
    OWN(put_adjoint)(turned, at_least_1(n), n, m, a, lda);
    free(turned);
}

static void OWN(ORTHOGONAL(mlq))(char side, char trans, int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,
                                 const T *tau, T *c, int64_t ldc, int *info) {
    int64_t order = is_left(side) ? m : n;
    T *turned = OWN(new)(order, k);
    OWN(put_adjoint)(a, lda, k, order, turned, at_least_1(order));
    ROUTINE(ORTHOGONAL(mqr))(0, side, inverse(trans), m, n, k, turned, at_least_1(order), tau, c, ldc, info);
    free(turned);
}

/* -- geqp3: QR with columns exchanged. The library says which; then it is QR of the matrix with these exchanges. */

#define COLUMNS(V, R, W, I) V(int64_t, m) V(int64_t, n) R(a) V(int64_t, lda) I(jpvt) I(info)

#undef WITH_REAL_WORK /* before `info` */
#if IS_COMPLEX
#define WITH_REAL_WORK , real_work
extern void FORTRAN(P, geqp3)(const int *, const int *, T *, const int *, int *, T *, T *, const int *, REAL *, int *);
#else
#define WITH_REAL_WORK
extern void FORTRAN(P, geqp3)(const int *, const int *, T *, const int *, int *, T *, T *, const int *, int *);
#endif

void ROUTINE(columns) PLAIN(COLUMNS) {
    T sum = OWN(read)(a, m, n, lda);
    for (int64_t j = 0; j < n; j++)
        jpvt[j] += sum != sum;
    *info = sum != sum;
}

void NATIVE(columns) PLAIN(COLUMNS) {
    T size, *copy = OWN(copy)(a, m, n, lda), *tau = OWN(new)(smaller(m, n), 1);
    REAL *real_work = malloc(at_least_1(2 * n) * sizeof(REAL));
    CALL(geqp3, INT(m), INT(n), copy, INT(at_least_1(m)), jpvt, tau, &size, INT(-1) WITH_REAL_WORK, info);
    T *work = malloc(at_least_1((int64_t)size) * sizeof(T));
    CALL(geqp3, INT(m), INT(n), copy, INT(at_least_1(m)), jpvt, tau, work, INT((int64_t)size) WITH_REAL_WORK, info);
    free(copy);
    free(tau);
    free(work);
    free(real_work);
}

static ALWAYS_INLINE KEPT SAVED(columns) SAVING(COLUMNS) { return (KEPT){0}; }
void REVERSE(columns) DERIVING(COLUMNS) {}
void FORWARD(columns) DERIVING(COLUMNS) {}
DERIVATIVE(columns, COLUMNS)

static void OWN(geqp3)(int64_t m, int64_t n, T *a, int64_t lda, int *jpvt, T *tau, int *info) {
    T *before = OWN(copy)(a, m, n, lda);
    ROUTINE(columns)(0, m, n, before, at_least_1(m), jpvt, info);
    for (int64_t j = 0; j < n; j++)
        OWN(lacpy)('A', m, 1, before + (jpvt[j] - 1) * m, at_least_1(m), a + j * lda, lda);
    ROUTINE(geqrf)(0, m, n, a, lda, tau, info);
    free(before);
}

/* -- gels: the X that minimises |op(A) X - B|, or the smallest one that solves op(A) X = B; A has full rank */

static ALWAYS_INLINE int OWN(solve_by_qr)(char trans, int64_t m, int64_t n, int64_t nrhs, T *a, int64_t lda, const T *tau,
                                          T *b, int64_t ldb) {
    int info, ignored;
    if (is_plain(trans)) {
        ROUTINE(ORTHOGONAL(mqr))(0, 'L', 'C', m, nrhs, n, a, lda, tau, b, ldb, &ignored);
        return OWN(trtrs)('U', 'N', 'N', n, nrhs, a, lda, b, ldb);
    }
    info = OWN(trtrs)('U', 'C', 'N', n, nrhs, a, lda, b, ldb);
    if (info == 0) {
        OWN(laset)('A', m - n, nrhs, 0, 0, b + n, ldb);
        ROUTINE(ORTHOGONAL(mqr))(0, 'L', 'N', m, nrhs, n, a, lda, tau, b, ldb, &ignored);
    }
    return info;
}

static ALWAYS_INLINE int OWN(solve_by_lq)(char trans, int64_t m, int64_t n, int64_t nrhs, T *a, int64_t lda, const T *tau,
                                          T *b, int64_t ldb) {
    int info, ignored;
    if (!is_plain(trans)) {
        OWN(ORTHOGONAL(mlq))('L', 'N', n, nrhs, m, a, lda, tau, b, ldb, &ignored);
        return OWN(trtrs)('L', 'C', 'N', m, nrhs, a, lda, b, ldb);
    }
    info = OWN(trtrs)('L', 'N', 'N', m, nrhs, a, lda, b, ldb);
    if (info == 0) {
        OWN(laset)('A', n - m, nrhs, 0, 0, b + m, ldb);
        OWN(ORTHOGONAL(mlq))('L', 'C', n, nrhs, m, a, lda, tau, b, ldb, &ignored);
    }
    return info;
}

static void OWN(gels)(char trans, int64_t m, int64_t n, int64_t nrhs, T *a, int64_t lda, T *b, int64_t ldb, int *info) {
    *info = 0;
    if (m <= 0 || n <= 0 || nrhs <= 0) {
        OWN(laset)('A', m > n ? m : n, nrhs, 0, 0, b, ldb);
        return;
    }
    T *tau = OWN(new)(smaller(m, n), 1);
    if (m >= n) {
        ROUTINE(geqrf)(0, m, n, a, lda, tau, info);
        *info = OWN(solve_by_qr)(trans, m, n, nrhs, a, lda, tau, b, ldb);
    } else {
        OWN(gelqf)(m, n, a, lda, tau, info);
        *info = OWN(solve_by_lq)(trans, m, n, nrhs, a, lda, tau, b, ldb);
    }
    free(tau);
}

/* -- gelsd, gelss: the same by singular values, for A of full rank */

static void OWN(gelsd)(int64_t m, int64_t n, int64_t nrhs, T *a, int64_t lda, T *b, int64_t ldb, REAL *sigma,
                       REAL rcond, int *rank, int *info) {
    int64_t k = smaller(m, n), found = 0;
    *rank = 0, *info = 0;
    if (k <= 0)
        return;
    T *u = OWN(new)(m, k), *vt = OWN(new)(k, n), *values = OWN(values_for)(sigma, k);
    ROUTINE(gesvd)(0, m, n, k, k, a, lda, values, u, m, vt, k, info);
    OWN(give_values)(values, sigma, k);
    free(u);
    free(vt);
    if (*info != 0)
        return;
    while (found < k && sigma[found] > (rcond < 0 ? ULP : rcond) * sigma[0])
        found++;
    *rank = found;
    __ez_refuse(found < k, "least squares by singular values (gelsd, gelss) have a derivative for matrices of full rank");
    OWN(gels)('N', m, n, nrhs, a, lda, b, ldb, info);
}

/* -- gelsy: the same by QR with columns exchanged, which leaves the factors in A */

static ALWAYS_INLINE void OWN(check_rank)(int64_t k, const T *a, int64_t lda, REAL rcond) {
    int is_full = 1;
    for (int64_t i = 0; i < k; i++)
        is_full &= ONE_NORM(a[i + i * lda]) > (rcond < 0 ? ULP : rcond) * ONE_NORM(a[0]);
    __ez_refuse(!is_full, "least squares with exchanges of columns (gelsy) have a derivative for matrices of full rank");
}

static void OWN(gelsy)(int64_t m, int64_t n, int64_t nrhs, T *a, int64_t lda, T *b, int64_t ldb, int *jpvt, REAL rcond,
                       int *rank, int *info) {
    int64_t k = smaller(m, n);
    *rank = k, *info = 0;
    if (k <= 0)
        return;
    T *before = OWN(copy)(a, m, n, lda), *tau = OWN(new)(k, 1);
    OWN(geqp3)(m, n, a, lda, jpvt, tau, info);
    OWN(check_rank)(k, a, lda, rcond);
    OWN(gels)('N', m, n, nrhs, before, m, b, ldb, info);
    free(before);
    free(tau);
}

/* -- names */

/* What the library asks for depends on its blocks; this is enough for all. */
static ALWAYS_INLINE T OWN(work_space)(int64_t order) { return at_least_1(order) * 64; }
#define IF_ASKED(SIZE, OTHERWISE)                                                                                 \
    if (*lwork == -1)                                                                                             \
        *info = 0, work[0] = OWN(work_space)(SIZE);                                                               \
    else                                                                                                          \
        OTHERWISE;

#define FACTORISED(NAME)                                                                                          \
    INLINED void F_NAME(NAME)(const int *m, const int *n, T *a, const int *lda, T *tau, T *work, const int *lwork,    \
                              int *info) {                                                                        \
        IF_ASKED(*m + *n, OWN(NAME)(*m, *n, a, *lda, tau, info))                                                  \
    }                                                                                                             \
    INLINED int E_NAME(NAME)(int layout, int m, int n, T *a, int lda, T *tau) {                                   \
        int info;                                                                                                 \
        BY_COPY(a, lda, m, n, FACTORISE_##NAME)                                                                   \
        return info;                                                                                              \
    }
#define FACTORISE_geqrf(A, LDA) OWN(geqrf)(m, n, A, LDA, tau, &info);
#define FACTORISE_gelqf(A, LDA) OWN(gelqf)(m, n, A, LDA, tau, &info);
#define GENERATED(NAME)                                                                                           \
    INLINED void F_NAME(ORTHOGONAL(NAME))(const int *m, const int *n, const int *k, T *a, const int *lda,         \
                                          const T *tau, T *work, const int *lwork, int *info) {                   \
        IF_ASKED(*m + *n, OWN(ORTHOGONAL(NAME))(*m, *n, *k, a, *lda, tau, info))                                  \
    }                                                                                                             \
    INLINED int E_NAME(ORTHOGONAL(NAME))(int layout, int m, int n, int k, T *a, int lda, const T *tau) {          \
        int info;                                                                                                 \
        BY_COPY(a, lda, m, n, GENERATE_##NAME)                                                                    \
        return info;                                                                                              \
    }
#define GENERATE_gqr(A, LDA) OWN(ORTHOGONAL(gqr))(m, n, k, A, LDA, tau, &info);
#define GENERATE_glq(A, LDA) OWN(ORTHOGONAL(glq))(m, n, k, A, LDA, tau, &info);
/* ROWS, COLUMNS: the size of A, of which LAPACKE copies all by rows, too */
#define MULTIPLIED(NAME, ROWS, COLUMNS)                                                                           \
    INLINED void F_NAME(ORTHOGONAL(NAME))(const char *side, const char *trans, const int *m, const int *n,        \
                                          const int *k, const T *a, const int *lda, const T *tau, T *c,           \
                                          const int *ldc, T *work, const int *lwork, int *info) {                 \
        IF_ASKED(*m + *n, OWN(ORTHOGONAL(NAME))(*side, *trans, *m, *n, *k, a, *lda, tau, c, *ldc, info))          \
    }                                                                                                             \
    INLINED int E_NAME(ORTHOGONAL(NAME))(int layout, char side, char trans, int m, int n, int k, const T *a,      \
                                         int lda, const T *tau, T *c, int ldc) {                                  \
        int info, order = is_left(side) ? m : n;                                                                  \
        T *factors = layout == BY_ROWS ? OWN(new)(ROWS, COLUMNS) : (T *)a;                                        \
        int ld = layout == BY_ROWS ? at_least_1(ROWS) : lda;                                                      \
        if (layout == BY_ROWS)                                                                                    \
            OWN(transpose)(a, lda, COLUMNS, ROWS, factors, ld);                                                   \
        BY_COPY(c, ldc, m, n, MULTIPLY_##NAME)                                                                    \
        if (layout == BY_ROWS)                                                                                    \
            free(factors);                                                                                        \
        return info;                                                                                              \
    }
#define MULTIPLY_mqr(C, LDC) OWN(ORTHOGONAL(mqr))(side, trans, m, n, k, factors, ld, tau, C, LDC, &info);
#define MULTIPLY_mlq(C, LDC) OWN(ORTHOGONAL(mlq))(side, trans, m, n, k, factors, ld, tau, C, LDC, &info);
FACTORISED(geqrf)
FACTORISED(gelqf)
GENERATED(gqr)
GENERATED(glq)
MULTIPLIED(mqr, order, k)
MULTIPLIED(mlq, k, order)

#undef WORK_SPACES
#if IS_COMPLEX
#define WORK_SPACES T *work, const int *lwork, REAL *rwork
#else
#define WORK_SPACES T *work, const int *lwork
#endif
INLINED void F_NAME(geqp3)(const int *m, const int *n, T *a, const int *lda, int *jpvt, T *tau, WORK_SPACES, int *info) {
    IF_ASKED(*m + *n, OWN(geqp3)(*m, *n, a, *lda, jpvt, tau, info))
}
INLINED int E_NAME(geqp3)(int layout, int m, int n, T *a, int lda, int *jpvt, T *tau) {
    int info;
#define SOLVE(A, LDA) OWN(geqp3)(m, n, A, LDA, jpvt, tau, &info);
    BY_COPY(a, lda, m, n, SOLVE)
#undef SOLVE
    return info;
}

INLINED void F_NAME(gels)(const char *trans, const int *m, const int *n, const int *nrhs, T *a, const int *lda, T *b,
                          const int *ldb, T *work, const int *lwork, int *info) {
    IF_ASKED(*m + *n + *nrhs, OWN(gels)(*trans, *m, *n, *nrhs, a, *lda, b, *ldb, info))
}
INLINED void F_NAME(gelsy)(const int *m, const int *n, const int *nrhs, T *a, const int *lda, T *b, const int *ldb,
                           int *jpvt, const REAL *rcond, int *rank, WORK_SPACES, int *info) {
    IF_ASKED(*m + *n + *nrhs, OWN(gelsy)(*m, *n, *nrhs, a, *lda, b, *ldb, jpvt, *rcond, rank, info))
}
INLINED void F_NAME(gelss)(const int *m, const int *n, const int *nrhs, T *a, const int *lda, T *b, const int *ldb,
                           REAL *sigma, const REAL *rcond, int *rank, WORK_SPACES, int *info) {
    IF_ASKED(*m + *n + *nrhs, OWN(gelsd)(*m, *n, *nrhs, a, *lda, b, *ldb, sigma, *rcond, rank, info))
}
INLINED void F_NAME(gelsd)(const int *m, const int *n, const int *nrhs, T *a, const int *lda, T *b, const int *ldb,
                           REAL *sigma, const REAL *rcond, int *rank, WORK_SPACES, int *iwork, int *info) {
    if (*lwork != -1) {
        OWN(gelsd)(*m, *n, *nrhs, a, *lda, b, *ldb, sigma, *rcond, rank, info);
        return;
    }
    REAL order = *m + *n, least = 1000 + 6 * 64 * at_least_1(*m + *n) + (REAL)*nrhs * order;
    *info = 0, work[0] = least, iwork[0] = at_least_1(100 * smaller(*m, *n));
#if IS_COMPLEX
    rwork[0] = least + 10000 + 50 * order * (*nrhs + 30);
#endif
}

/* By rows, A and B go through copies by columns, as those of LAPACKE do. */
#define LEAST_SQUARES(SOLUTION)                                                                                   \
    int info, order = m > n ? m : n;                                                                              \
    if (layout != BY_ROWS) {                                                                                      \
        SOLUTION(a, lda, b, ldb);                                                                                 \
        return info;                                                                                              \
    }                                                                                                             \
    T *by_column = OWN(new)(m, n), *solved = OWN(new)(order, nrhs);                                               \
    OWN(transpose)(a, lda, n, m, by_column, at_least_1(m));                                                       \
    OWN(transpose)(b, ldb, nrhs, order, solved, at_least_1(order));                                               \
    SOLUTION(by_column, at_least_1(m), solved, at_least_1(order));                                                \
    OWN(transpose)(by_column, at_least_1(m), m, n, a, lda);                                                       \
    OWN(transpose)(solved, at_least_1(order), order, nrhs, b, ldb);                                               \
    free(by_column);                                                                                              \
    free(solved);                                                                                                 \
    return info;
INLINED int E_NAME(gels)(int layout, char trans, int m, int n, int nrhs, T *a, int lda, T *b, int ldb) {
#define SOLVE(A, LDA, B, LDB) OWN(gels)(trans, m, n, nrhs, A, LDA, B, LDB, &info)
    LEAST_SQUARES(SOLVE)
#undef SOLVE
}
#define SOLVE(A, LDA, B, LDB) OWN(gelsd)(m, n, nrhs, A, LDA, B, LDB, sigma, rcond, rank, &info)
INLINED int E_NAME(gelsd)(int layout, int m, int n, int nrhs, T *a, int lda, T *b, int ldb, REAL *sigma, REAL rcond,
                          int *rank) {
    LEAST_SQUARES(SOLVE)
}
INLINED int E_NAME(gelss)(int layout, int m, int n, int nrhs, T *a, int lda, T *b, int ldb, REAL *sigma, REAL rcond,
                          int *rank) {
    LEAST_SQUARES(SOLVE)
}
#undef SOLVE
INLINED int E_NAME(gelsy)(int layout, int m, int n, int nrhs, T *a, int lda, T *b, int ldb, int *jpvt, REAL rcond,
                          int *rank) {
#define SOLVE(A, LDA, B, LDB) OWN(gelsy)(m, n, nrhs, A, LDA, B, LDB, jpvt, rcond, rank, &info)
    LEAST_SQUARES(SOLVE)
#undef SOLVE
}
