/* LAPACK's eigenvalues and eigenvectors of symmetric matrices, for one real type T with the letter P.
 *
 * A = V diag(w) V^T. The adjoint of the vectors divides by differences of eigenvalues. Equal ones have no derivative,
 * unless what is divided vanishes, too: as in a function of the eigenvalues alone. */

/* -- syev, always with vectors, which take the place of A */

#define SYEV(V, R, W, I) V(char, uplo) V(int64_t, n) W(a) V(int64_t, lda) W(w) I(info)

void ROUTINE(syev) PLAIN(SYEV) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        w[i] = sum;
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(syev) PLAIN(SYEV) {
    T size;
    CALL(syev, "V", &uplo, INT(n), a, INT(lda), w, &size, INT(-1), info, 1, 1);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(syev, "V", &uplo, INT(n), a, INT(lda), w, work, INT((int64_t)size), info, 1, 1);
    free(work);
}

static ALWAYS_INLINE KEPT SAVED(syev) SAVING(SYEV) {
    KEPT s = {0};
    OWN(keep)(&s, 0, 1, UNCHANGED(3), a, n, n, lda, tape, moment == AFTER);
    OWN(keep)(&s, 1, 1, UNCHANGED(5), w, n, 1, at_least_1(n), tape, moment == AFTER);
    OWN(keep_integers)(&s, 2, 1, info, 1, tape, moment == AFTER);
    return s;
}

/* M divided by the differences of the eigenvalues. */
static ALWAYS_INLINE T OWN(over_difference)(T m, T difference, T largest) {
    int are_equal = ABSOLUTE(difference) <= EPSILON * largest;
    __ez_refuse(are_equal && ABSOLUTE(m) > ROUNDED, "eigenvectors of equal eigenvalues have no derivative (syev)");
    return are_equal ? 0 : m / difference;
}

static ALWAYS_INLINE T OWN(largest_of)(const T *w, int64_t n) {
    T found = 0;
    for (int64_t i = 0; i < n; i++)
        found = ABSOLUTE(w[i]) > found ? ABSOLUTE(w[i]) : found;
    return found;
}

/* A' = V (diag(w') + F o (V^T V')) V^T with F_ij = 1/(w_j - w_i); only its symmetric part counts */
void REVERSE(syev) DERIVING(SYEV) {
    KEPT s = SAVED_OF(syev, SYEV);
    MATRIX V = s.m[0];
    const T *values = s.m[1].at;
    int64_t ld = at_least_1(n);
    if (n <= 0 || s.m[2].at[0] != 0)
        return;
    T *m = calloc(n * n, sizeof(T)), *v = OWN(new)(n, n), largest = OWN(largest_of)(values, n);
    if (da)
        OWN(gemm)(library, 'T', 'N', n, n, n, 1, V.at, V.ld, da, lda, 0, m, ld);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < j; i++)
            m[i + j * n] = m[j + i * n] =
                OWN(over_difference)(0.5f * (m[i + j * n] - m[j + i * n]), values[j] - values[i], largest);
        m[j + j * n] = dw ? dw[j] : 0;
    }
    for (int64_t i = 0; dw && i < n; i++)
        dw[i] = 0;
    if (da) {
        OWN(gemm)(library, 'N', 'N', n, n, n, 1, V.at, V.ld, m, ld, 0, v, ld);
        OWN(gemm)(library, 'N', 'T', n, n, n, 1, v, ld, V.at, V.ld, 0, m, ld);
        OWN(scale)(da, n, n, lda, 0);
        OWN(add_triangle)(uplo, 1, da, lda, m, ld, n, 2);
        for (int64_t i = 0; i < n; i++)
            da[i + i * lda] = m[i + i * n];
    }
    free(m);
    free(v);
}

/* w' is the diagonal of V^T A' V, and V' = V (F o (V^T A' V)) */
void FORWARD(syev) DERIVING(SYEV) {
    KEPT s = SAVED_OF(syev, SYEV);
    MATRIX V = s.m[0];
    const T *values = s.m[1].at;
    int64_t ld = at_least_1(n);
    if (n <= 0 || s.m[2].at[0] != 0)
        return;
    T *m = calloc(n * n, sizeof(T)), *v = OWN(new)(n, n), largest = OWN(largest_of)(values, n);
    if (da) {
        OWN(symm)(library, 'L', uplo, n, n, 1, da, lda, V.at, V.ld, 0, v, ld);
        OWN(gemm)(library, 'T', 'N', n, n, n, 1, V.at, V.ld, v, ld, 0, m, ld);
    }
    for (int64_t j = 0; j < n; j++) {
        if (dw)
            dw[j] = m[j + j * n];
        for (int64_t i = 0; i < n; i++)
            m[i + j * n] = i == j ? 0 : OWN(over_difference)(m[i + j * n], values[j] - values[i], largest);
    }
    if (da)
        OWN(gemm)(library, 'N', 'N', n, n, n, 1, V.at, V.ld, m, ld, 0, da, lda);
    free(m);
    free(v);
}
DERIVATIVE(syev, SYEV)

/* Without vectors, LAPACK leaves nothing of use in A: it stays as it is. */
static ALWAYS_INLINE void OWN(eigen)(char jobz, char uplo, int64_t n, T *a, int64_t lda, T *w, int *info) {
    if (jobz == 'V' || jobz == 'v') {
        ROUTINE(syev)(0, uplo, n, a, lda, w, info);
        return;
    }
    T *vectors = OWN(copy)(a, n, n, lda);
    ROUTINE(syev)(0, uplo, n, vectors, at_least_1(n), w, info);
    free(vectors);
}

INLINED void F_NAME(syev)(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *w, T *work,
                          const int *lwork, int *info) {
    *info = 0;
    if (*lwork == -1)
        work[0] = at_least_1(3 * *n);
    else
        OWN(eigen)(*jobz, *uplo, *n, a, *lda, w, info);
}
#if IS_COMPLEX /* lapack_eigen_variants.h has that of real types */
INLINED void F_NAME(syevd)(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *w, T *work,
                           const int *lwork, int *iwork, const int *liwork, int *info) {
    *info = 0;
    if (*lwork == -1 || *liwork == -1)
        work[0] = at_least_1(3 * *n), iwork[0] = 1;
    else
        OWN(eigen)(*jobz, *uplo, *n, a, *lda, w, info);
}

#endif

/* By rows, LAPACKE transposes the stored triangle. The other triangle would give vectors of other signs. */
static ALWAYS_INLINE int OWN(eigen_of)(int layout, char jobz, char uplo, int n, T *a, int lda, T *w) {
    int info;
#define SOLVE(A, LDA) OWN(eigen)(jobz, uplo, n, A, LDA, w, &info);
    BY_COPY(a, lda, n, n, SOLVE)
#undef SOLVE
    return info;
}
INLINED int E_NAME(syev)(int layout, char jobz, char uplo, int n, T *a, int lda, T *w) {
    return OWN(eigen_of)(layout, jobz, uplo, n, a, lda, w);
}
#if IS_COMPLEX
INLINED int E_NAME(syevd)(int layout, char jobz, char uplo, int n, T *a, int lda, T *w) {
    return OWN(eigen_of)(layout, jobz, uplo, n, a, lda, w);
}
#endif
