/* LAPACK's routines that divide and conquer, for one type T with the letter P: eigenvalues of symmetric and Hermitian
 * matrices, and singular values.
 *
 * Their derivatives are those of syev and gesvd. Each calls the routine that the program calls: the signs of vectors may
 * differ between routines. */

#if IS_COMPLEX
#define REAL_WORK_OF(...) , __VA_ARGS__
extern void FORTRAN(P, heevd)(const char *, const char *, const int *, T *, const int *, REAL *, T *, const int *, REAL *,
                              const int *, int *, const int *, int *, size_t, size_t);
extern void FORTRAN(P, gesdd)(const char *, const int *, const int *, T *, const int *, REAL *, T *, const int *, T *,
                              const int *, T *, const int *, REAL *, int *, int *, size_t);
#else
#define REAL_WORK_OF(...)
extern void FORTRAN(P, syevd)(const char *, const char *, const int *, T *, const int *, T *, T *, const int *, int *,
                              const int *, int *, size_t, size_t);
extern void FORTRAN(P, gesdd)(const char *, const int *, const int *, T *, const int *, T *, T *, const int *, T *,
                              const int *, T *, const int *, int *, int *, size_t);
#endif

/* A routine that does what another one does */
#define SAME_AS(NAME, OTHER, LIST)                                                                                \
    void ROUTINE(NAME) PLAIN(LIST) { ROUTINE(OTHER)(library LIST(EZ_NAME_OF_VALUE, EZ_NAME, EZ_NAME, EZ_NAME)); }  \
    static ALWAYS_INLINE KEPT SAVED(NAME) SAVING(LIST) { return SAVED(OTHER)(EZ_GIVEN_PAIRS(LIST), tape, moment); } \
    void REVERSE(NAME) DERIVING(LIST) { REVERSE(OTHER)(EZ_GIVEN_PAIRS(LIST), tape); }                             \
    void FORWARD(NAME) DERIVING(LIST) { FORWARD(OTHER)(EZ_GIVEN_PAIRS(LIST), tape); }

void NATIVE(SELF_ADJOINT(evd)) PLAIN(SYEV) {
    T size;
    REAL real_size = 0, *values = (REAL *)w;
    int64_t integers = 0;
    CALL(SELF_ADJOINT(evd), "V", &uplo, INT(n), a, INT(lda), values, &size, INT(-1) REAL_WORK_OF(&real_size, INT(-1)),
         (int *)&integers, INT(-1), info, 1, 1);
    T *work = malloc((size_t)size * sizeof(T));
    REAL *real_work = malloc(at_least_1((int64_t)real_size) * sizeof(REAL));
    int64_t *iwork = malloc(integers * sizeof(int64_t));
    CALL(SELF_ADJOINT(evd), "V", &uplo, INT(n), a, INT(lda), values, work,
         INT((int64_t)size) REAL_WORK_OF(real_work, INT((int64_t)real_size)), (int *)iwork, INT(integers), info, 1, 1);
    OWN(spread_values)(w, n);
    free(work);
    free(real_work);
    free(iwork);
}

/* The library's function destroys A. This one leaves it as it is. */
void NATIVE(gesdd) PLAIN(GESVD) {
    int64_t k = smaller(m, n), most = m > n ? m : n;
    const char *job = nu > k || nv > k ? "A" : "S";
    T size, *copy = OWN(copy)(a, m, n, lda);
    REAL *values = (REAL *)sigma, *real_work = malloc(at_least_1(k * (5 * k + 2 * most + 7)) * sizeof(REAL));
    int64_t *integers = malloc(at_least_1(8 * k) * sizeof(int64_t));
    CALL(gesdd, job, INT(m), INT(n), copy, INT(at_least_1(m)), values, u, INT(ldu), vt, INT(ldvt), &size,
         INT(-1) REAL_WORK_OF(real_work), (int *)integers, info, 1);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(gesdd, job, INT(m), INT(n), copy, INT(at_least_1(m)), values, u, INT(ldu), vt, INT(ldvt), work,
         INT((int64_t)size) REAL_WORK_OF(real_work), (int *)integers, info, 1);
    OWN(spread_values)(sigma, k);
    free(work);
    free(real_work);
    free(copy);
    free(integers);
}

SAME_AS(SELF_ADJOINT(evd), SELF_ADJOINT(ev), SYEV)
SAME_AS(gesdd, gesvd, GESVD)
DERIVATIVE(SELF_ADJOINT(evd), SYEV)
DERIVATIVE(gesdd, GESVD)

/* -- names */

EIGEN(SELF_ADJOINT(evd))
#if IS_COMPLEX
INLINED void F_NAME(heevd)(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, REAL *w, T *work,
                           const int *lwork, REAL *rwork, const int *lrwork, int *iwork, const int *liwork, int *info) {
    int is_question = *lwork == -1 || *lrwork == -1 || *liwork == -1;
    if (is_question)
        rwork[0] = 1 + 5 * *n + 2 * (REAL)*n * *n;
#else
INLINED void F_NAME(syevd)(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *w, T *work,
                           const int *lwork, int *iwork, const int *liwork, int *info) {
    int is_question = *lwork == -1 || *liwork == -1;
#endif
    *info = 0;
    if (is_question)
        work[0] = at_least_1(64 * *n) + 2 * (REAL)*n * *n, iwork[0] = 5 * *n + 3;
    else
        OWN(SELF_ADJOINT(evd))(*jobz, *uplo, *n, a, *lda, w, info);
}

SINGULAR(gesdd)
INLINED void F_NAME(gesdd)(const char *jobz, const int *m, const int *n, T *a, const int *lda, REAL *sigma, T *u,
                           const int *ldu, T *vt, const int *ldvt, T *work, const int *lwork MORE_WORK, int *iwork,
                           int *info) {
    *info = 0;
    if (*lwork == -1)
        work[0] = at_least_1(64 * (*m + *n)) + 4 * (REAL)smaller(*m, *n) * smaller(*m, *n);
    else
        OWN(gesdd)(*jobz, *jobz, *m, *n, a, *lda, sigma, u, *ldu, vt, *ldvt, info);
}

/* By rows, through copies by columns, as LAPACKE does. */
#define SINGULAR_BY_ROWS(NAME, JOBU, JOBVT)                                                                       \
    int info;                                                                                                     \
    int64_t k = smaller(m, n), nu = asks_for_all(JOBU) ? m : k, nv = asks_for_all(JOBVT) ? n : k;                 \
    int has_u = (JOBU) != 'N' && (JOBU) != 'n', has_v = (JOBVT) != 'N' && (JOBVT) != 'n';                         \
    if (layout != BY_ROWS) {                                                                                      \
        OWN(NAME)(JOBU, JOBVT, m, n, a, lda, sigma, u, ldu, vt, ldvt, &info);                                     \
        return info;                                                                                              \
    }                                                                                                             \
    T *by_column = OWN(new)(m, n), *own_u = OWN(new)(m, nu), *own_v = OWN(new)(nv, n);                            \
    OWN(transpose)(a, lda, n, m, by_column, at_least_1(m));                                                       \
    OWN(NAME)(JOBU, JOBVT, m, n, by_column, at_least_1(m), sigma, own_u, at_least_1(m), own_v, at_least_1(nv), &info); \
    if (has_u)                                                                                                    \
        OWN(transpose)(own_u, at_least_1(m), m, nu, u, ldu);                                                      \
    if (has_v)                                                                                                    \
        OWN(transpose)(own_v, at_least_1(nv), nv, n, vt, ldvt);                                                    \
    free(by_column);                                                                                              \
    free(own_u);                                                                                                  \
    free(own_v);                                                                                                  \
    return info;
INLINED int E_NAME(gesvd)(int layout, char jobu, char jobvt, int m, int n, T *a, int lda, REAL *sigma, T *u, int ldu, T *vt,
                          int ldvt, REAL *superb) {
    SINGULAR_BY_ROWS(gesvd, jobu, jobvt)
}
INLINED int E_NAME(gesdd)(int layout, char jobz, int m, int n, T *a, int lda, REAL *sigma, T *u, int ldu, T *vt, int ldvt) {
    SINGULAR_BY_ROWS(gesdd, jobz, jobz)
}
#undef REAL_WORK_OF
