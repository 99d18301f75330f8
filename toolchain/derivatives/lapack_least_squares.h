/* LAPACK's LQ factorisation, least squares, and the names of all that stands on QR, for one real type T with the letter P.
 *
 * They have bodies, which call the factorisation QR and solutions with triangles. The factors of LQ are those of QR of
 * the transpose: A = (Q R)^T. */

static ALWAYS_INLINE void OWN(geqrf)(int64_t m, int64_t n, T *a, int64_t lda, T *tau, int *info) {
    ROUTINE(geqrf)(0, m, n, a, lda, tau, info);
}
static ALWAYS_INLINE void OWN(orgqr)(int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau, int *info) {
    ROUTINE(orgqr)(0, m, n, k, a, lda, tau, info);
}
static ALWAYS_INLINE void OWN(ormqr)(char side, char trans, int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,
                                     const T *tau, T *c, int64_t ldc, int *info) {
    ROUTINE(ormqr)(0, side, trans, m, n, k, a, lda, tau, c, ldc, info);
}

static void OWN(gelqf)(int64_t m, int64_t n, T *a, int64_t lda, T *tau, int *info) {
    T *transposed = OWN(new)(n, m);
    OWN(transpose)(a, lda, m, n, transposed, at_least_1(n));
    ROUTINE(geqrf)(0, n, m, transposed, at_least_1(n), tau, info);
    OWN(transpose)(transposed, at_least_1(n), n, m, a, lda);
    free(transposed);
}

static void OWN(orglq)(int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau, int *info) {
    T *transposed = OWN(new)(n, m);
    OWN(transpose)(a, lda, m, n, transposed, at_least_1(n));
    ROUTINE(orgqr)(0, n, m, k, transposed, at_least_1(n), tau, info);
    OWN(transpose)(transposed, at_least_1(n), n, m, a, lda);
    free(transposed);
}

static void OWN(ormlq)(char side, char trans, int64_t m, int64_t n, int64_t k, const T *a, int64_t lda, const T *tau, T *c,
                       int64_t ldc, int *info) {
    int64_t order = is_left(side) ? m : n;
    T *transposed = OWN(new)(order, k);
    OWN(transpose)(a, lda, k, order, transposed, at_least_1(order));
    ROUTINE(ormqr)(0, side, other(trans), m, n, k, transposed, at_least_1(order), tau, c, ldc, info);
    free(transposed);
}

/* -- geqp3: QR with columns exchanged. The library says which; then it is QR of the matrix with these exchanges. */

#define COLUMNS(V, R, W, I) V(int64_t, m) V(int64_t, n) R(a) V(int64_t, lda) I(jpvt) I(info)

extern void FORTRAN(P, geqp3)(const int *, const int *, T *, const int *, int *, T *, T *, const int *, int *);

void ROUTINE(columns) PLAIN(COLUMNS) {
    T sum = OWN(read)(a, m, n, lda);
    for (int64_t j = 0; j < n; j++)
        jpvt[j] += sum != sum;
    *info = sum != sum;
}

void NATIVE(columns) PLAIN(COLUMNS) {
    T *copy = OWN(copy)(a, m, n, lda), *tau = OWN(new)(smaller(m, n), 1);
    WITH_WORK_SPACE(geqp3, NO_LENGTH, INT(m), INT(n), copy, INT(at_least_1(m)), jpvt, tau)
    free(copy);
    free(tau);
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
        ROUTINE(ormqr)(0, 'L', 'T', m, nrhs, n, a, lda, tau, b, ldb, &ignored);
        return OWN(trtrs)('U', 'N', 'N', n, nrhs, a, lda, b, ldb);
    }
    info = OWN(trtrs)('U', 'T', 'N', n, nrhs, a, lda, b, ldb);
    if (info == 0) {
        OWN(laset)('A', m - n, nrhs, 0, 0, b + n, ldb);
        ROUTINE(ormqr)(0, 'L', 'N', m, nrhs, n, a, lda, tau, b, ldb, &ignored);
    }
    return info;
}

static ALWAYS_INLINE int OWN(solve_by_lq)(char trans, int64_t m, int64_t n, int64_t nrhs, T *a, int64_t lda, const T *tau,
                                          T *b, int64_t ldb) {
    int info, ignored;
    if (!is_plain(trans)) {
        OWN(ormlq)('L', 'N', n, nrhs, m, a, lda, tau, b, ldb, &ignored);
        return OWN(trtrs)('L', 'T', 'N', m, nrhs, a, lda, b, ldb);
    }
    info = OWN(trtrs)('L', 'N', 'N', m, nrhs, a, lda, b, ldb);
    if (info == 0) {
        OWN(laset)('A', n - m, nrhs, 0, 0, b + m, ldb);
        OWN(ormlq)('L', 'T', n, nrhs, m, a, lda, tau, b, ldb, &ignored);
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

static void OWN(gelsd)(int64_t m, int64_t n, int64_t nrhs, T *a, int64_t lda, T *b, int64_t ldb, T *sigma, T rcond,
                       int *rank, int *info) {
    int64_t k = smaller(m, n), found = 0;
    *rank = 0, *info = 0;
    if (k <= 0)
        return;
    T *u = OWN(new)(m, k), *vt = OWN(new)(k, n);
    ROUTINE(gesvd)(0, m, n, a, lda, sigma, u, m, vt, k, info);
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

/* -- names */

/* What the library asks for depends on its blocks; this is enough for all. */
static ALWAYS_INLINE T OWN(work_space)(int64_t order) { return at_least_1(order) * 64; }
#define IF_ASKED(SIZE, OTHERWISE)                                                                                 \
    if (*lwork == -1)                                                                                             \
        *info = 0, work[0] = OWN(work_space)(SIZE);                                                               \
    else                                                                                                          \
        OTHERWISE;

#define FACTORISED(NAME, BY_ROWS_NAME)                                                                            \
    INLINED void F_NAME(NAME)(const int *m, const int *n, T *a, const int *lda, T *tau, T *work, const int *lwork,    \
                              int *info) {                                                                        \
        IF_ASKED(*m + *n, OWN(NAME)(*m, *n, a, *lda, tau, info))                                                  \
    }                                                                                                             \
    INLINED int E_NAME(NAME)(int layout, int m, int n, T *a, int lda, T *tau) {                                   \
        int info;                                                                                                 \
        if (layout == BY_ROWS)                                                                                    \
            OWN(BY_ROWS_NAME)(n, m, a, lda, tau, &info);                                                          \
        else                                                                                                      \
            OWN(NAME)(m, n, a, lda, tau, &info);                                                                  \
        return info;                                                                                              \
    }
#define GENERATED(NAME, BY_ROWS_NAME)                                                                             \
    INLINED void F_NAME(NAME)(const int *m, const int *n, const int *k, T *a, const int *lda, const T *tau, T *work,  \
                              const int *lwork, int *info) {                                                      \
        IF_ASKED(*m + *n, OWN(NAME)(*m, *n, *k, a, *lda, tau, info))                                              \
    }                                                                                                             \
    INLINED int E_NAME(NAME)(int layout, int m, int n, int k, T *a, int lda, const T *tau) {                      \
        int info;                                                                                                 \
        if (layout == BY_ROWS)                                                                                    \
            OWN(BY_ROWS_NAME)(n, m, k, a, lda, tau, &info);                                                       \
        else                                                                                                      \
            OWN(NAME)(m, n, k, a, lda, tau, &info);                                                               \
        return info;                                                                                              \
    }
/* By rows, A is its transpose, and op(Q) C is C^T op(Q)^T. */
#define MULTIPLIED(NAME, BY_ROWS_NAME)                                                                            \
    INLINED void F_NAME(NAME)(const char *side, const char *trans, const int *m, const int *n, const int *k,      \
                              const T *a, const int *lda, const T *tau, T *c, const int *ldc, T *work,            \
                              const int *lwork, int *info) {                                                      \
        IF_ASKED(*m + *n, OWN(NAME)(*side, *trans, *m, *n, *k, a, *lda, tau, c, *ldc, info))                      \
    }                                                                                                             \
    INLINED int E_NAME(NAME)(int layout, char side, char trans, int m, int n, int k, const T *a, int lda,         \
                             const T *tau, T *c, int ldc) {                                                       \
        int info;                                                                                                 \
        if (layout == BY_ROWS)                                                                                    \
            OWN(BY_ROWS_NAME)(is_left(side) ? 'R' : 'L', trans, n, m, k, a, lda, tau, c, ldc, &info);             \
        else                                                                                                      \
            OWN(NAME)(side, trans, m, n, k, a, lda, tau, c, ldc, &info);                                          \
        return info;                                                                                              \
    }
FACTORISED(geqrf, gelqf)
FACTORISED(gelqf, geqrf)
GENERATED(orgqr, orglq)
GENERATED(orglq, orgqr)
MULTIPLIED(ormqr, ormlq)
MULTIPLIED(ormlq, ormqr)

INLINED void F_NAME(geqp3)(const int *m, const int *n, T *a, const int *lda, int *jpvt, T *tau, T *work, const int *lwork,
                           int *info) {
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
INLINED int E_NAME(gels)(int layout, char trans, int m, int n, int nrhs, T *a, int lda, T *b, int ldb) {
    int info, order = m > n ? m : n, is_by_rows = layout == BY_ROWS;
    char op = is_by_rows ? other(trans) : trans;
    int rows = is_by_rows ? n : m, columns = is_by_rows ? m : n;
#define SOLVE(B, LDB) OWN(gels)(op, rows, columns, nrhs, a, lda, B, LDB, &info);
    BY_COPY(b, ldb, order, nrhs, SOLVE)
#undef SOLVE
    return info;
}
INLINED void F_NAME(gelss)(const int *m, const int *n, const int *nrhs, T *a, const int *lda, T *b, const int *ldb,
                           T *sigma, const T *rcond, int *rank, T *work, const int *lwork, int *info) {
    IF_ASKED(*m + *n + *nrhs, OWN(gelsd)(*m, *n, *nrhs, a, *lda, b, *ldb, sigma, *rcond, rank, info))
}
INLINED void F_NAME(gelsd)(const int *m, const int *n, const int *nrhs, T *a, const int *lda, T *b, const int *ldb,
                           T *sigma, const T *rcond, int *rank, T *work, const int *lwork, int *iwork, int *info) {
    if (*lwork == -1)
        *info = 0, work[0] = 1000 + 6 * OWN(work_space)(*m + *n) + (T)*nrhs * (*m + *n),
        iwork[0] = at_least_1(100 * smaller(*m, *n));
    else
        OWN(gelsd)(*m, *n, *nrhs, a, *lda, b, *ldb, sigma, *rcond, rank, info);
}
#define BY_SINGULAR_VALUES(NAME)                                                                                  \
    INLINED int E_NAME(NAME)(int layout, int m, int n, int nrhs, T *a, int lda, T *b, int ldb, T *sigma, T rcond, \
                             int *rank) {                                                                         \
        int info, order = m > n ? m : n;                                                                          \
        if (layout != BY_ROWS) {                                                                                  \
            OWN(gelsd)(m, n, nrhs, a, lda, b, ldb, sigma, rcond, rank, &info);                                    \
            return info;                                                                                          \
        }                                                                                                         \
        T *by_column = OWN(new)(m, n), *solved = OWN(new)(order, nrhs);                                           \
        OWN(transpose)(a, lda, n, m, by_column, at_least_1(m));                                                   \
        OWN(transpose)(b, ldb, nrhs, order, solved, at_least_1(order));                                           \
        OWN(gelsd)(m, n, nrhs, by_column, at_least_1(m), solved, at_least_1(order), sigma, rcond, rank, &info);   \
        OWN(transpose)(by_column, at_least_1(m), m, n, a, lda);                                                   \
        OWN(transpose)(solved, at_least_1(order), order, nrhs, b, ldb);                                           \
        free(by_column);                                                                                          \
        free(solved);                                                                                             \
        return info;                                                                                              \
    }
BY_SINGULAR_VALUES(gelsd)
BY_SINGULAR_VALUES(gelss)
