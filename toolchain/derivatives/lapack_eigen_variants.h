/* LAPACK's other ways to eigenvalues of symmetric matrices, for one real type T with the letter P.
 *
 * Their derivatives are those of syev. Each calls the routine that the program calls: the signs of vectors may
 * differ between routines. */

extern void FORTRAN(P, syevr)(const char *, const char *, const char *, const int *, T *, const int *, const T *, const T *,
                              const int *, const int *, const T *, int *, T *, T *, const int *, int *, T *, const int *,
                              int *, const int *, int *, size_t, size_t, size_t);
extern void FORTRAN(P, syevx)(const char *, const char *, const char *, const int *, T *, const int *, const T *, const T *,
                              const int *, const int *, const T *, int *, T *, T *, const int *, T *, const int *, int *,
                              int *, int *, size_t, size_t, size_t);

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

SAME_AS(syevr, syev, SYEV)
SAME_AS(syevx, syev, SYEV)
DERIVATIVE(syevr, SYEV)
DERIVATIVE(syevx, SYEV)

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
