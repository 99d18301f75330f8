/* The names by which programs call LAPACK's eigenvalues of general matrices, for one type T with the letter P. Complex types
 * have the eigenvalues in one array, real ones in two. Vectors that are not asked for are computed apart. */

#undef VALUES
#undef VALUES_GIVEN
#undef MORE_EIGEN_WORK
#undef MORE_EXPERT_WORK
#if IS_COMPLEX
#define VALUES T *w
#define VALUES_GIVEN w
#define MORE_EIGEN_WORK REAL *rwork,
#define MORE_EXPERT_WORK REAL *rwork
#else
#define VALUES T *wr, T *wi
#define VALUES_GIVEN wr, wi
#define MORE_EIGEN_WORK
#define MORE_EXPERT_WORK int *iwork
#endif

static ALWAYS_INLINE void OWN(geev)(char jobvl, char jobvr, int64_t n, T *a, int64_t lda, VALUES, T *vl, int64_t ldvl,
                                    T *vr, int64_t ldvr, int *info) {
    int has_left = jobvl == 'V' || jobvl == 'v', has_right = jobvr == 'V' || jobvr == 'v';
    T *own_left = OWN(new)(n, n), *own_right = OWN(new)(n, n);
    ROUTINE(geev)(0, n, a, lda, VALUES_GIVEN, has_left ? vl : own_left, has_left ? ldvl : at_least_1(n),
                  has_right ? vr : own_right, has_right ? ldvr : at_least_1(n), info);
    free(own_left);
    free(own_right);
}

/* geevx without condition numbers: the matrix is not balanced, which changes rounding alone. */
static ALWAYS_INLINE void OWN(geevx)(char jobvl, char jobvr, char sense, int64_t n, T *a, int64_t lda, VALUES, T *vl,
                                     int64_t ldvl, T *vr, int64_t ldvr, int *ilo, int *ihi, REAL *scale, REAL *abnrm,
                                     int *info) {
    __ez_refuse(sense != 'N' && sense != 'n', "condition numbers of eigenvalues are not differentiated (geevx)");
    *ilo = 1, *ihi = n, *abnrm = OWN(norm)('1', general(n, n, lda), a);
    for (int64_t i = 0; i < n; i++)
        scale[i] = 1;
    OWN(geev)(jobvl, jobvr, n, a, lda, VALUES_GIVEN, vl, ldvl, vr, ldvr, info);
}

INLINED void F_NAME(geev)(const char *jobvl, const char *jobvr, const int *n, T *a, const int *lda, VALUES, T *vl,
                          const int *ldvl, T *vr, const int *ldvr, T *work, const int *lwork, MORE_EIGEN_WORK int *info) {
    IF_ASKED(*n, OWN(geev)(*jobvl, *jobvr, *n, a, *lda, VALUES_GIVEN, vl, *ldvl, vr, *ldvr, info))
}
INLINED void F_NAME(geevx)(const char *balanc, const char *jobvl, const char *jobvr, const char *sense, const int *n, T *a,
                           const int *lda, VALUES, T *vl, const int *ldvl, T *vr, const int *ldvr, int *ilo, int *ihi,
                           REAL *scale, REAL *abnrm, REAL *rconde, REAL *rcondv, T *work, const int *lwork,
                           MORE_EXPERT_WORK, int *info) {
    IF_ASKED(*n, OWN(geevx)(*jobvl, *jobvr, *sense, *n, a, *lda, VALUES_GIVEN, vl, *ldvl, vr, *ldvr, ilo, ihi, scale, abnrm,
                            info))
}

INLINED int E_NAME(geev)(int layout, char jobvl, char jobvr, int n, T *a, int lda, VALUES, T *vl, int ldvl, T *vr,
                         int ldvr) {
    int info;
    if (layout != BY_ROWS) {
        OWN(geev)(jobvl, jobvr, n, a, lda, VALUES_GIVEN, vl, ldvl, vr, ldvr, &info);
        return info;
    }
    T *by_column = OWN(new)(n, n), *left = OWN(new)(n, n), *right = OWN(new)(n, n);
    OWN(transpose)(a, lda, n, n, by_column, at_least_1(n));
    ROUTINE(geev)(0, n, by_column, at_least_1(n), VALUES_GIVEN, left, at_least_1(n), right, at_least_1(n), &info);
    if (jobvl == 'V' || jobvl == 'v')
        OWN(transpose)(left, at_least_1(n), n, n, vl, ldvl);
    if (jobvr == 'V' || jobvr == 'v')
        OWN(transpose)(right, at_least_1(n), n, n, vr, ldvr);
    free(by_column);
    free(left);
    free(right);
    return info;
}
