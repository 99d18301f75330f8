/* LAPACK's other ways to eigenvalues of symmetric and Hermitian matrices, for one type T with the letter P.
 *
 * Their derivatives are those of syev. Each calls the routine that the program calls: the signs of vectors may
 * differ between routines. */

#undef REAL_VARIANT_WORK
#undef HAS_REAL_QUESTION
#if IS_COMPLEX
#define REAL_VARIANT_WORK(...) , __VA_ARGS__
#define HAS_REAL_QUESTION (*lrwork == -1)
extern void FORTRAN(P, heevr)(const char *, const char *, const char *, const int *, T *, const int *, const REAL *,
                              const REAL *, const int *, const int *, const REAL *, int *, REAL *, T *, const int *, int *,
                              T *, const int *, REAL *, const int *, int *, const int *, int *, size_t, size_t, size_t);
extern void FORTRAN(P, heevx)(const char *, const char *, const char *, const int *, T *, const int *, const REAL *,
                              const REAL *, const int *, const int *, const REAL *, int *, REAL *, T *, const int *, T *,
                              const int *, REAL *, int *, int *, int *, size_t, size_t, size_t);
#else
#define REAL_VARIANT_WORK(...)
#define HAS_REAL_QUESTION 0
extern void FORTRAN(P, syevr)(const char *, const char *, const char *, const int *, T *, const int *, const T *, const T *,
                              const int *, const int *, const T *, int *, T *, T *, const int *, int *, T *, const int *,
                              int *, const int *, int *, size_t, size_t, size_t);
extern void FORTRAN(P, syevx)(const char *, const char *, const char *, const int *, T *, const int *, const T *, const T *,
                              const int *, const int *, const T *, int *, T *, T *, const int *, T *, const int *, int *,
                              int *, int *, size_t, size_t, size_t);
#endif

/* This routine and the next one leave vectors in memory of their own. */
void NATIVE(SELF_ADJOINT(evr)) PLAIN(SYEV) {
    int64_t ld = at_least_1(n), found, *integers = malloc(12 * ld * sizeof(int64_t));
    T *vectors = OWN(new)(n, n), *work = OWN(new)(40 * ld, 1);
    REAL zero = 0, *values = (REAL *)w, *real_work = malloc(24 * ld * sizeof(REAL));
    CALL(SELF_ADJOINT(evr), "V", "A", &uplo, INT(n), a, INT(lda), &zero, &zero, INT(0), INT(0), &zero, (int *)&found, values,
         vectors, INT(ld), (int *)(integers + 10 * ld), work, INT(40 * ld) REAL_VARIANT_WORK(real_work, INT(24 * ld)),
         (int *)integers, INT(10 * ld), info, 1, 1, 1);
    OWN(spread_values)(w, n);
    OWN(lacpy)('A', n, n, vectors, ld, a, lda);
    free(integers);
    free(vectors);
    free(work);
    free(real_work);
}

void NATIVE(SELF_ADJOINT(evx)) PLAIN(SYEV) {
    int64_t ld = at_least_1(n), found, *integers = malloc(6 * ld * sizeof(int64_t));
    T *vectors = OWN(new)(n, n), *work = OWN(new)(40 * ld, 1);
    REAL zero = 0, *values = (REAL *)w, *real_work = malloc(7 * ld * sizeof(REAL));
    CALL(SELF_ADJOINT(evx), "V", "A", &uplo, INT(n), a, INT(lda), &zero, &zero, INT(0), INT(0), &zero, (int *)&found, values,
         vectors, INT(ld), work, INT(40 * ld) REAL_VARIANT_WORK(real_work), (int *)integers, (int *)(integers + 5 * ld), info,
         1, 1, 1);
    OWN(spread_values)(w, n);
    OWN(lacpy)('A', n, n, vectors, ld, a, lda);
    free(integers);
    free(vectors);
    free(work);
    free(real_work);
}

SAME_AS(SELF_ADJOINT(evr), SELF_ADJOINT(ev), SYEV)
SAME_AS(SELF_ADJOINT(evx), SELF_ADJOINT(ev), SYEV)
DERIVATIVE(SELF_ADJOINT(evr), SYEV)
DERIVATIVE(SELF_ADJOINT(evx), SYEV)

/* -- parts of the spectrum */

static ALWAYS_INLINE int64_t OWN(count_to)(int64_t n, const T *values, REAL limit) {
    int64_t found = 0;
    while (found < n && __real__ values[found] <= limit)
        found++;
    return found;
}

/* Computes all, and gives what the range asks for: values in (vl, vu], or those from the il-th to the iu-th. */
#define SELECTED(NAME)                                                                                            \
    static int OWN(NAME)(char jobz, char range, char uplo, int64_t n, const T *a, int64_t lda, REAL vl, REAL vu,  \
                         int64_t il, int64_t iu, int *m, REAL *w, T *z, int64_t ldz) {                               \
        T *vectors = OWN(copy)(a, n, n, lda), *values = OWN(new)(n, 1);                                           \
        int info, by_value = range == 'V' || range == 'v', by_number = range == 'I' || range == 'i';              \
        ROUTINE(NAME)(0, uplo, n, vectors, at_least_1(n), values, &info);                                         \
        int64_t from = by_number ? il - 1 : by_value ? OWN(count_to)(n, values, vl) : 0;                          \
        int64_t to = by_number ? iu : by_value ? OWN(count_to)(n, values, vu) : n;                                \
        *m = to > from ? to - from : 0;                                                                           \
        for (int64_t i = from; i < to; i++)                                                                       \
            w[i - from] = __real__ values[i];                                                                              \
        if (jobz == 'V' || jobz == 'v')                                                                           \
            OWN(lacpy)('A', n, *m, vectors + from * n, at_least_1(n), z, ldz);                                    \
        free(vectors);                                                                                            \
        free(values);                                                                                             \
        return info;                                                                                              \
    }
SELECTED(SELF_ADJOINT(evr))
SELECTED(SELF_ADJOINT(evx))

/* what the range asks for, as limits or as numbers */
#define ASKED_RANGE                                                                                               \
    int by_value = *range == 'V' || *range == 'v', by_number = *range == 'I' || *range == 'i';                    \
    REAL above = by_value ? *vl : 0, up_to = by_value ? *vu : 0;                                                  \
    int64_t first = by_number ? *il : 0, last = by_number ? *iu : 0;

INLINED void F_NAME(SELF_ADJOINT(evr))(const char *jobz, const char *range, const char *uplo, const int *n, T *a,
                                       const int *lda, const REAL *vl, const REAL *vu, const int *il, const int *iu,
                                       const REAL *abstol, int *m, REAL *w, T *z, const int *ldz, int *isuppz, T *work,
                                       const int *lwork REAL_VARIANT_WORK(REAL *rwork, const int *lrwork), int *iwork,
                                       const int *liwork, int *info) {
    *info = 0;
    if (*lwork == -1 || *liwork == -1 || HAS_REAL_QUESTION) {
        work[0] = OWN(work_space)(*n), iwork[0] = at_least_1(10 * *n);
#if IS_COMPLEX
        rwork[0] = at_least_1(24 * *n);
#endif
        return;
    }
    ASKED_RANGE
    *info = OWN(SELF_ADJOINT(evr))(*jobz, *range, *uplo, *n, a, *lda, above, up_to, first, last, m, w, z, *ldz);
    for (int64_t i = 0; i < *m; i++)
        isuppz[2 * i] = 1, isuppz[2 * i + 1] = *n;
}
INLINED void F_NAME(SELF_ADJOINT(evx))(const char *jobz, const char *range, const char *uplo, const int *n, T *a,
                                       const int *lda, const REAL *vl, const REAL *vu, const int *il, const int *iu,
                                       const REAL *abstol, int *m, REAL *w, T *z, const int *ldz, T *work,
                                       const int *lwork REAL_VARIANT_WORK(REAL *rwork), int *iwork, int *ifail, int *info) {
    *info = 0;
    if (*lwork == -1) {
        work[0] = OWN(work_space)(*n);
        return;
    }
    ASKED_RANGE
    int has_vectors = *jobz == 'V' || *jobz == 'v';
    *info = OWN(SELF_ADJOINT(evx))(*jobz, *range, *uplo, *n, a, *lda, above, up_to, first, last, m, w, z, *ldz);
    for (int64_t i = 0; has_vectors && i < *m; i++)
        ifail[i] = 0;
}

/* -- sygv, hegv: A x = w B x, A B x = w x, or B A x = w x, by the Cholesky factor of B */

/* A = F^-1 A F^-H, or F^H A F, where B = F F^H */
static void OWN(reduce)(int64_t type, char uplo, int64_t n, T *a, int64_t lda, const T *b, int64_t ldb) {
    T one = 1, *whole = OWN(whole)(uplo, a, lda, n, 1);
    char first = is_upper(uplo) ? 'C' : 'N';
    int64_t order = at_least_1(n);
    if (type == 1) {
        ROUTINE(trsm)(0, 'L', uplo, first, 'N', n, n, &one, b, ldb, whole, order);
        ROUTINE(trsm)(0, 'R', uplo, inverse(first), 'N', n, n, &one, b, ldb, whole, order);
    } else {
        ROUTINE(trmm)(0, 'L', uplo, is_upper(uplo) ? 'N' : 'C', 'N', n, n, &one, b, ldb, whole, order);
        ROUTINE(trmm)(0, 'R', uplo, is_upper(uplo) ? 'C' : 'N', 'N', n, n, &one, b, ldb, whole, order);
    }
    OWN(lacpy)(is_upper(uplo) ? 'U' : 'L', n, n, whole, order, a, lda);
    free(whole);
}

#define GENERALISED(NAME, EIGEN)                                                                                  \
    static int OWN(NAME)(int64_t type, char jobz, char uplo, int64_t n, T *a, int64_t lda, T *b, int64_t ldb, \
                         REAL *w) {                                                                               \
        T one = 1;                                                                                                \
        int info;                                                                                                 \
        ROUTINE(potrf)(0, uplo, n, b, ldb, &info);                                                                \
        if (info != 0)                                                                                            \
            return n + info;                                                                                      \
        OWN(reduce)(type, uplo, n, a, lda, b, ldb);                                                               \
        OWN(EIGEN)('V', uplo, n, a, lda, w, &info);                                                               \
        if (info != 0 || (jobz != 'V' && jobz != 'v'))                                                            \
            return info;                                                                                          \
        if (type == 3)                                                                                            \
            ROUTINE(trmm)(0, 'L', uplo, is_upper(uplo) ? 'C' : 'N', 'N', n, n, &one, b, ldb, a, lda);             \
        else                                                                                                      \
            ROUTINE(trsm)(0, 'L', uplo, is_upper(uplo) ? 'N' : 'C', 'N', n, n, &one, b, ldb, a, lda);             \
        return 0;                                                                                                 \
    }
GENERALISED(SELF_ADJOINT(gv), SELF_ADJOINT(ev))
GENERALISED(SELF_ADJOINT(gvd), SELF_ADJOINT(evd))

INLINED void F_NAME(SELF_ADJOINT(gv))(const int *itype, const char *jobz, const char *uplo, const int *n, T *a,
                                      const int *lda, T *b, const int *ldb, REAL *w, WORK_SPACES, int *info) {
    IF_ASKED(*n, *info = OWN(SELF_ADJOINT(gv))(*itype, *jobz, *uplo, *n, a, *lda, b, *ldb, w))
}
INLINED void F_NAME(SELF_ADJOINT(gvd))(const int *itype, const char *jobz, const char *uplo, const int *n, T *a,
                                       const int *lda, T *b, const int *ldb, REAL *w, T *work,
                                       const int *lwork REAL_VARIANT_WORK(REAL *rwork, const int *lrwork), int *iwork,
                                       const int *liwork, int *info) {
    REAL order = at_least_1(*n);
    *info = 0;
    if (*lwork == -1 || *liwork == -1 || HAS_REAL_QUESTION) {
        work[0] = OWN(work_space)(*n) + 2 * order * order, iwork[0] = at_least_1(5 * *n + 3);
#if IS_COMPLEX
        rwork[0] = 1 + 5 * order + 2 * order * order;
#endif
        return;
    }
    *info = OWN(SELF_ADJOINT(gvd))(*itype, *jobz, *uplo, *n, a, *lda, b, *ldb, w);
}
/* By rows, LAPACKE transposes A and B, and the stored triangle stays the same. */
#define GENERALISED_BY_ROWS(NAME)                                                                                 \
    INLINED int E_NAME(NAME)(int layout, int itype, char jobz, char uplo, int n, T *a, int lda, T *b, int ldb,    \
                             REAL *w) {                                                                           \
        if (layout != BY_ROWS)                                                                                    \
            return OWN(NAME)(itype, jobz, uplo, n, a, lda, b, ldb, w);                                            \
        T *first = OWN(new)(n, n), *second = OWN(new)(n, n);                                                      \
        OWN(transpose)(a, lda, n, n, first, at_least_1(n));                                                       \
        OWN(transpose)(b, ldb, n, n, second, at_least_1(n));                                                      \
        int info = OWN(NAME)(itype, jobz, uplo, n, first, at_least_1(n), second, at_least_1(n), w);               \
        OWN(transpose)(first, at_least_1(n), n, n, a, lda);                                                       \
        OWN(transpose)(second, at_least_1(n), n, n, b, ldb);                                                      \
        free(first);                                                                                              \
        free(second);                                                                                             \
        return info;                                                                                              \
    }
GENERALISED_BY_ROWS(SELF_ADJOINT(gv))
GENERALISED_BY_ROWS(SELF_ADJOINT(gvd))
/* The parts of the spectrum; by rows, through copies by columns. */
#define SELECTED_BY_ROWS(NAME)                                                                                    \
    static ALWAYS_INLINE int OWN(SELF_ADJOINT(NAME##_in))(int layout, char jobz, char range, char uplo, int n, T *a,   \
                                                             int lda, REAL vl, REAL vu, int il, int iu, int *m, REAL *w,   \
                                                    T *z, int ldz) {                                              \
        if (layout != BY_ROWS)                                                                                    \
            return OWN(SELF_ADJOINT(NAME))(jobz, range, uplo, n, a, lda, vl, vu, il, iu, m, w, z, ldz);                         \
        T *by_column = OWN(new)(n, n), *vectors = OWN(new)(n, n);                                                 \
        OWN(transpose)(a, lda, n, n, by_column, at_least_1(n));                                                   \
        int info = OWN(SELF_ADJOINT(NAME))(jobz, range, uplo, n, by_column, at_least_1(n), vl, vu, il, iu, m, w, vectors,       \
                             at_least_1(n));                                                                      \
        if (jobz == 'V' || jobz == 'v')                                                                           \
            OWN(transpose)(vectors, at_least_1(n), n, *m, z, ldz);                                                \
        free(by_column);                                                                                          \
        free(vectors);                                                                                            \
        return info;                                                                                              \
    }
SELECTED_BY_ROWS(evr)
SELECTED_BY_ROWS(evx)
INLINED int E_NAME(SELF_ADJOINT(evr))(int layout, char jobz, char range, char uplo, int n, T *a, int lda, REAL vl, REAL vu,
                                      int il, int iu, REAL abstol, int *m, REAL *w, T *z, int ldz, int *isuppz) {
    int info = OWN(SELF_ADJOINT(evr_in))(layout, jobz, range, uplo, n, a, lda, vl, vu, il, iu, m, w, z, ldz);
    for (int64_t i = 0; i < *m; i++)
        isuppz[2 * i] = 1, isuppz[2 * i + 1] = n;
    return info;
}
INLINED int E_NAME(SELF_ADJOINT(evx))(int layout, char jobz, char range, char uplo, int n, T *a, int lda, REAL vl, REAL vu,
                                      int il, int iu, REAL abstol, int *m, REAL *w, T *z, int ldz, int *ifail) {
    int info = OWN(SELF_ADJOINT(evx_in))(layout, jobz, range, uplo, n, a, lda, vl, vu, il, iu, m, w, z, ldz);
    for (int64_t i = 0; (jobz == 'V' || jobz == 'v') && i < *m; i++)
        ifail[i] = 0;
    return info;
}
