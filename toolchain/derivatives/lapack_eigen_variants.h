/* LAPACK's other ways to eigenvalues of symmetric matrices, and to singular values, for one real type T with the letter P.
 *
 * Their derivatives are those of syev and gesvd. Each calls the routine that the program calls: the signs of vectors may
 * differ between routines. */

extern void FORTRAN(P, syevd)(const char *, const char *, const int *, T *, const int *, T *, T *, const int *, int *,
                              const int *, int *, size_t, size_t);
extern void FORTRAN(P, syevr)(const char *, const char *, const char *, const int *, T *, const int *, const T *, const T *,
                              const int *, const int *, const T *, int *, T *, T *, const int *, int *, T *, const int *,
                              int *, const int *, int *, size_t, size_t, size_t);
extern void FORTRAN(P, syevx)(const char *, const char *, const char *, const int *, T *, const int *, const T *, const T *,
                              const int *, const int *, const T *, int *, T *, T *, const int *, T *, const int *, int *,
                              int *, int *, size_t, size_t, size_t);
extern void FORTRAN(P, gesdd)(const char *, const int *, const int *, T *, const int *, T *, T *, const int *, T *,
                              const int *, T *, const int *, int *, int *, size_t);

/* A routine that does what another one does */
#define SAME_AS(NAME, OTHER, LIST)                                                                                \
    void ROUTINE(NAME) PLAIN(LIST) { ROUTINE(OTHER)(library LIST(EZ_NAME_OF_VALUE, EZ_NAME, EZ_NAME, EZ_NAME)); }  \
    static ALWAYS_INLINE KEPT SAVED(NAME) SAVING(LIST) { return SAVED(OTHER)(EZ_GIVEN_PAIRS(LIST), tape, moment); } \
    void REVERSE(NAME) DERIVING(LIST) { REVERSE(OTHER)(EZ_GIVEN_PAIRS(LIST), tape); }                             \
    void FORWARD(NAME) DERIVING(LIST) { FORWARD(OTHER)(EZ_GIVEN_PAIRS(LIST), tape); }

void NATIVE(syevd) PLAIN(SYEV) {
    T size;
    int64_t integers = 0;
    CALL(syevd, "V", &uplo, INT(n), a, INT(lda), w, &size, INT(-1), (int *)&integers, INT(-1), info, 1, 1);
    T *work = malloc((size_t)size * sizeof(T));
    int64_t *iwork = malloc(integers * sizeof(int64_t));
    CALL(syevd, "V", &uplo, INT(n), a, INT(lda), w, work, INT((int64_t)size), (int *)iwork, INT(integers), info, 1, 1);
    free(work);
    free(iwork);
}

/* This routine and the next one leave vectors in memory of their own. */
void NATIVE(syevr) PLAIN(SYEV) {
    int64_t ld = at_least_1(n), found, *integers = malloc(12 * ld * sizeof(int64_t));
    T zero = 0, *vectors = OWN(new)(n, n), *work = OWN(new)(40 * ld, 1);
    CALL(syevr, "V", "A", &uplo, INT(n), a, INT(lda), &zero, &zero, INT(0), INT(0), &zero, (int *)&found, w, vectors, INT(ld),
         (int *)(integers + 10 * ld), work, INT(40 * ld), (int *)integers, INT(10 * ld), info, 1, 1, 1);
    OWN(lacpy)('A', n, n, vectors, ld, a, lda);
    free(integers);
    free(vectors);
    free(work);
}

void NATIVE(syevx) PLAIN(SYEV) {
    int64_t ld = at_least_1(n), found, *integers = malloc(6 * ld * sizeof(int64_t));
    T zero = 0, *vectors = OWN(new)(n, n), *work = OWN(new)(40 * ld, 1);
    CALL(syevx, "V", "A", &uplo, INT(n), a, INT(lda), &zero, &zero, INT(0), INT(0), &zero, (int *)&found, w, vectors, INT(ld),
         work, INT(40 * ld), (int *)integers, (int *)(integers + 5 * ld), info, 1, 1, 1);
    OWN(lacpy)('A', n, n, vectors, ld, a, lda);
    free(integers);
    free(vectors);
    free(work);
}

/* The library's function destroys A. This one leaves it as it is. */
void NATIVE(gesdd) PLAIN(GESVD) {
    T size, *copy = OWN(copy)(a, m, n, lda);
    int64_t *integers = malloc(at_least_1(8 * smaller(m, n)) * sizeof(int64_t));
    CALL(gesdd, "S", INT(m), INT(n), copy, INT(at_least_1(m)), sigma, u, INT(ldu), vt, INT(ldvt), &size, INT(-1),
         (int *)integers, info, 1);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(gesdd, "S", INT(m), INT(n), copy, INT(at_least_1(m)), sigma, u, INT(ldu), vt, INT(ldvt), work, INT((int64_t)size),
         (int *)integers, info, 1);
    free(work);
    free(copy);
    free(integers);
}

SAME_AS(syevd, syev, SYEV)
SAME_AS(syevr, syev, SYEV)
SAME_AS(syevx, syev, SYEV)
SAME_AS(gesdd, gesvd, GESVD)
DERIVATIVE(syevd, SYEV)
DERIVATIVE(syevr, SYEV)
DERIVATIVE(syevx, SYEV)
DERIVATIVE(gesdd, GESVD)

/* -- names of those that take the arguments of syev and gesvd */

static ALWAYS_INLINE void OWN(eigen_divided)(char jobz, char uplo, int64_t n, T *a, int64_t lda, T *w, int *info) {
    if (jobz == 'V' || jobz == 'v') {
        ROUTINE(syevd)(0, uplo, n, a, lda, w, info);
        return;
    }
    T *vectors = OWN(copy)(a, n, n, lda);
    ROUTINE(syevd)(0, uplo, n, vectors, at_least_1(n), w, info);
    free(vectors);
}
INLINED void F_NAME(syevd)(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *w, T *work,
                           const int *lwork, int *iwork, const int *liwork, int *info) {
    *info = 0;
    if (*lwork == -1 || *liwork == -1)
        work[0] = OWN(work_space)(*n) + 2 * (T)*n * *n, iwork[0] = 5 * *n + 3;
    else
        OWN(eigen_divided)(*jobz, *uplo, *n, a, *lda, w, info);
}
INLINED int E_NAME(syevd)(int layout, char jobz, char uplo, int n, T *a, int lda, T *w) {
    int info;
#define SOLVE(A, LDA) OWN(eigen_divided)(jobz, uplo, n, A, LDA, w, &info);
    BY_COPY(a, lda, n, n, SOLVE)
#undef SOLVE
    return info;
}

SINGULAR(gesdd)
INLINED void F_NAME(gesdd)(const char *jobz, const int *m, const int *n, T *a, const int *lda, T *sigma, T *u, const int *ldu,
                           T *vt, const int *ldvt, T *work, const int *lwork, int *iwork, int *info) {
    *info = 0;
    if (*lwork == -1)
        work[0] = OWN(work_space)(*m + *n) + 4 * (T)smaller(*m, *n) * smaller(*m, *n);
    else
        OWN(gesdd)(*jobz, *jobz, *m, *n, a, *lda, sigma, u, *ldu, vt, *ldvt, info);
}

/* By rows, through copies by columns, as LAPACKE does. */
#define SINGULAR_BY_ROWS(NAME, JOBU, JOBVT)                                                                       \
    int info;                                                                                                     \
    int64_t k = smaller(m, n);                                                                                    \
    int has_u = (JOBU) != 'N' && (JOBU) != 'n', has_v = (JOBVT) != 'N' && (JOBVT) != 'n';                         \
    if (layout != BY_ROWS) {                                                                                      \
        OWN(NAME)(JOBU, JOBVT, m, n, a, lda, sigma, u, ldu, vt, ldvt, &info);                                     \
        return info;                                                                                              \
    }                                                                                                             \
    T *by_column = OWN(new)(m, n), *own_u = OWN(new)(m, k), *own_v = OWN(new)(k, n);                              \
    OWN(transpose)(a, lda, n, m, by_column, at_least_1(m));                                                       \
    OWN(NAME)(JOBU, JOBVT, m, n, by_column, at_least_1(m), sigma, own_u, at_least_1(m), own_v, at_least_1(k), &info); \
    if (has_u)                                                                                                    \
        OWN(transpose)(own_u, at_least_1(m), m, k, u, ldu);                                                       \
    if (has_v)                                                                                                    \
        OWN(transpose)(own_v, at_least_1(k), k, n, vt, ldvt);                                                     \
    free(by_column);                                                                                              \
    free(own_u);                                                                                                  \
    free(own_v);                                                                                                  \
    return info;
INLINED int E_NAME(gesvd)(int layout, char jobu, char jobvt, int m, int n, T *a, int lda, T *sigma, T *u, int ldu, T *vt,
                          int ldvt, T *superb) {
    SINGULAR_BY_ROWS(gesvd, jobu, jobvt)
}
INLINED int E_NAME(gesdd)(int layout, char jobz, int m, int n, T *a, int lda, T *sigma, T *u, int ldu, T *vt, int ldvt) {
    SINGULAR_BY_ROWS(gesdd, jobz, jobz)
}

/* -- parts of the spectrum */

static ALWAYS_INLINE int64_t OWN(count_to)(int64_t n, const T *values, T limit) {
    int64_t found = 0;
    while (found < n && values[found] <= limit)
        found++;
    return found;
}

/* Computes all, and gives what the range asks for: values in (vl, vu], or those from the il-th to the iu-th. */
#define SELECTED(NAME)                                                                                            \
    static int OWN(NAME)(char jobz, char range, char uplo, int64_t n, const T *a, int64_t lda, T vl, T vu,        \
                         int64_t il, int64_t iu, int *m, T *w, T *z, int64_t ldz) {                               \
        T *vectors = OWN(copy)(a, n, n, lda), *values = OWN(new)(n, 1);                                           \
        int info, by_value = range == 'V' || range == 'v', by_number = range == 'I' || range == 'i';              \
        ROUTINE(NAME)(0, uplo, n, vectors, at_least_1(n), values, &info);                                         \
        int64_t from = by_number ? il - 1 : by_value ? OWN(count_to)(n, values, vl) : 0;                          \
        int64_t to = by_number ? iu : by_value ? OWN(count_to)(n, values, vu) : n;                                \
        *m = to > from ? to - from : 0;                                                                           \
        for (int64_t i = from; i < to; i++)                                                                       \
            w[i - from] = values[i];                                                                              \
        if (jobz == 'V' || jobz == 'v')                                                                           \
            OWN(lacpy)('A', n, *m, vectors + from * n, at_least_1(n), z, ldz);                                    \
        free(vectors);                                                                                            \
        free(values);                                                                                             \
        return info;                                                                                              \
    }
SELECTED(syevr)
SELECTED(syevx)

INLINED void F_NAME(syevr)(const char *jobz, const char *range, const char *uplo, const int *n, T *a, const int *lda,
                           const T *vl, const T *vu, const int *il, const int *iu, const T *abstol, int *m, T *w, T *z,
                           const int *ldz, int *isuppz, T *work, const int *lwork, int *iwork, const int *liwork, int *info) {
    *info = 0;
    if (*lwork == -1 || *liwork == -1) {
        work[0] = OWN(work_space)(*n), iwork[0] = at_least_1(10 * *n);
        return;
    }
    int by_value = *range == 'V' || *range == 'v', by_number = *range == 'I' || *range == 'i';
    *info = OWN(syevr)(*jobz, *range, *uplo, *n, a, *lda, by_value ? *vl : 0, by_value ? *vu : 0, by_number ? *il : 0,
                       by_number ? *iu : 0, m, w, z, *ldz);
    for (int64_t i = 0; i < *m; i++)
        isuppz[2 * i] = 1, isuppz[2 * i + 1] = *n;
}
INLINED void F_NAME(syevx)(const char *jobz, const char *range, const char *uplo, const int *n, T *a, const int *lda,
                           const T *vl, const T *vu, const int *il, const int *iu, const T *abstol, int *m, T *w, T *z,
                           const int *ldz, T *work, const int *lwork, int *iwork, int *ifail, int *info) {
    *info = 0;
    if (*lwork == -1) {
        work[0] = OWN(work_space)(*n);
        return;
    }
    int by_value = *range == 'V' || *range == 'v', by_number = *range == 'I' || *range == 'i', has_vectors = *jobz == 'V' || *jobz == 'v';
    *info = OWN(syevx)(*jobz, *range, *uplo, *n, a, *lda, by_value ? *vl : 0, by_value ? *vu : 0, by_number ? *il : 0,
                       by_number ? *iu : 0, m, w, z, *ldz);
    for (int64_t i = 0; has_vectors && i < *m; i++)
        ifail[i] = 0;
}

/* -- sygv: A x = w B x, A B x = w x, or B A x = w x, by the Cholesky factor of B */

/* A = F^-1 A F^-T, or F^T A F, where B = F F^T */
static void OWN(reduce)(int64_t type, char uplo, int64_t n, T *a, int64_t lda, const T *b, int64_t ldb) {
    T one = 1, *whole = OWN(whole)(uplo, a, lda, n, 1);
    char first = is_upper(uplo) ? 'T' : 'N';
    int64_t order = at_least_1(n);
    if (type == 1) {
        ROUTINE(trsm)(0, 'L', uplo, first, 'N', n, n, &one, b, ldb, whole, order);
        ROUTINE(trsm)(0, 'R', uplo, other(first), 'N', n, n, &one, b, ldb, whole, order);
    } else {
        ROUTINE(trmm)(0, 'L', uplo, is_upper(uplo) ? 'N' : 'T', 'N', n, n, &one, b, ldb, whole, order);
        ROUTINE(trmm)(0, 'R', uplo, is_upper(uplo) ? 'T' : 'N', 'N', n, n, &one, b, ldb, whole, order);
    }
    OWN(lacpy)(is_upper(uplo) ? 'U' : 'L', n, n, whole, order, a, lda);
    free(whole);
}

#define GENERALISED(NAME, EIGEN)                                                                                  \
    static int OWN(NAME)(int64_t type, char jobz, char uplo, int64_t n, T *a, int64_t lda, T *b, int64_t ldb, T *w) { \
        T one = 1;                                                                                                \
        int info;                                                                                                 \
        ROUTINE(potrf)(0, uplo, n, b, ldb, &info);                                                                \
        if (info != 0)                                                                                            \
            return n + info;                                                                                      \
        OWN(reduce)(type, uplo, n, a, lda, b, ldb);                                                               \
        ROUTINE(EIGEN)(0, uplo, n, a, lda, w, &info);                                                             \
        if (info != 0 || (jobz != 'V' && jobz != 'v'))                                                            \
            return info;                                                                                          \
        if (type == 3)                                                                                            \
            ROUTINE(trmm)(0, 'L', uplo, is_upper(uplo) ? 'T' : 'N', 'N', n, n, &one, b, ldb, a, lda);             \
        else                                                                                                      \
            ROUTINE(trsm)(0, 'L', uplo, is_upper(uplo) ? 'N' : 'T', 'N', n, n, &one, b, ldb, a, lda);             \
        return 0;                                                                                                 \
    }
GENERALISED(sygv, syev)
GENERALISED(sygvd, syevd)

INLINED void F_NAME(sygv)(const int *itype, const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *b,
                          const int *ldb, T *w, T *work, const int *lwork, int *info) {
    IF_ASKED(*n, *info = OWN(sygv)(*itype, *jobz, *uplo, *n, a, *lda, b, *ldb, w))
}
INLINED void F_NAME(sygvd)(const int *itype, const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *b,
                           const int *ldb, T *w, T *work, const int *lwork, int *iwork, const int *liwork, int *info) {
    *info = 0;
    if (*lwork == -1 || *liwork == -1)
        work[0] = OWN(work_space)(*n) + 2 * (T)*n * *n, iwork[0] = at_least_1(5 * *n + 3);
    else
        *info = OWN(sygvd)(*itype, *jobz, *uplo, *n, a, *lda, b, *ldb, w);
}
