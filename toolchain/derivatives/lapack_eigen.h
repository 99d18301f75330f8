/* LAPACK's eigenvalues and eigenvectors of symmetric and Hermitian matrices, for one type T with the letter P.
 *
 * A = V diag(w) V^H. The adjoint of the vectors divides by differences of eigenvalues. Equal ones have no derivative,
 * unless what is divided vanishes, too: as in a function of the eigenvalues alone.
 *
 * A complex vector may be multiplied by any number of absolute value 1. LAPACK makes its first component real, or its last
 * one if the upper triangle is stored. The derivative keeps it real. */

/* -- syev (heev), always with vectors, which take the place of A. The eigenvalues are of type T. */

#define SYEV(V, R, W, I) V(char, uplo) V(int64_t, n) W(a) V(int64_t, lda) W(w) I(info)

void ROUTINE(SELF_ADJOINT(ev)) PLAIN(SYEV) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        w[i] = sum;
    OWN(change)(a, n, n, lda, sum);
    *info = sum != sum;
}

/* The library writes real values at the beginning of the memory of n numbers. */
static ALWAYS_INLINE void OWN(spread_values)(T *values, int64_t n) {
    for (int64_t i = n - 1; IS_COMPLEX && i >= 0; i--)
        values[i] = ((REAL *)values)[i];
}

#undef REAL_WORK
#if IS_COMPLEX
#define REAL_WORK , real_work
#else
#define REAL_WORK
#endif
void NATIVE(SELF_ADJOINT(ev)) PLAIN(SYEV) {
    T size;
    REAL *values = (REAL *)w;
    REAL *real_work = malloc(at_least_1(3 * n) * sizeof(REAL));
    CALL(SELF_ADJOINT(ev), "V", &uplo, INT(n), a, INT(lda), values, &size, INT(-1) REAL_WORK, info, 1, 1);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(SELF_ADJOINT(ev), "V", &uplo, INT(n), a, INT(lda), values, work, INT((int64_t)size) REAL_WORK, info, 1, 1);
    OWN(spread_values)(w, n);
    free(work);
    free(real_work);
}

static ALWAYS_INLINE KEPT SAVED(SELF_ADJOINT(ev)) SAVING(SYEV) {
    KEPT s = {0};
    OWN(keep)(&s, 0, 1, UNCHANGED(3), a, n, n, lda, tape, moment == AFTER);
    OWN(keep)(&s, 1, 1, UNCHANGED(5), w, n, 1, at_least_1(n), tape, moment == AFTER);
    OWN(keep_integers)(&s, 2, 1, info, 1, tape, moment == AFTER);
    return s;
}

/* M divided by the differences of the eigenvalues. */
static ALWAYS_INLINE T OWN(over_difference)(T m, REAL difference, REAL largest) {
    int are_equal = ABSOLUTE(difference) <= EPSILON * largest;
    __ez_refuse(are_equal && ONE_NORM(m) > ROUNDED, "eigenvectors of equal eigenvalues have no derivative (syev, heev)");
    return are_equal ? 0 : m / difference;
}

static ALWAYS_INLINE REAL OWN(largest_of)(const T *w, int64_t n) {
    REAL found = 0;
    for (int64_t i = 0; i < n; i++)
        found = ABSOLUTE(__real__ w[i]) > found ? ABSOLUTE(__real__ w[i]) : found;
    return found;
}

#if IS_COMPLEX
/* whether the component that LAPACK makes real is so, and is not zero */
static ALWAYS_INLINE int OWN(has_phase)(T component) {
    return __real__ component != 0 && ABSOLUTE(__imag__ component) <= ROUNDED * ABSOLUTE(__real__ component);
}

/* The vectors' phases follow from the component that stays real: its part is added to M = V^H V'. */
static ALWAYS_INLINE void OWN(reverse_phases)(char uplo, int64_t n, MATRIX V, T *m) {
    const T *row = V.at + (is_upper(uplo) ? n - 1 : 0);
    for (int64_t j = 0; j < n; j++) {
        REAL by_phase = __imag__ m[j + j * n];
        int has_phase = OWN(has_phase)(row[j * V.ld]);
        __ez_refuse(!has_phase && ABSOLUTE(by_phase) > ROUNDED,
                    "an eigenvector's phase has no derivative where the component that fixes it is zero (heev)");
        for (int64_t i = 0; has_phase && i < n; i++)
            m[i + j * n] -= 1.0fi * by_phase / __real__ row[j * V.ld] * CONJ(row[i * V.ld]);
    }
}

static ALWAYS_INLINE void OWN(forward_phases)(char uplo, int64_t n, MATRIX V, T *dv, int64_t ld) {
    int64_t p = is_upper(uplo) ? n - 1 : 0;
    for (int64_t j = 0; j < n; j++) {
        T component = V.at[p + j * V.ld];
        if (OWN(has_phase)(component))
            OWN(add)(dv + j * ld, ld, V.at + j * V.ld, V.ld, n, 1, -1.0fi * __imag__ dv[p + j * ld] / __real__ component);
    }
}
#else
static ALWAYS_INLINE void OWN(reverse_phases)(char uplo, int64_t n, MATRIX V, T *m) {}
static ALWAYS_INLINE void OWN(forward_phases)(char uplo, int64_t n, MATRIX V, T *dv, int64_t ld) {}
#endif

/* A' = V (diag(w') + F o (V^H V')) V^H with F_ij = 1/(w_j - w_i); only its Hermitian part counts */
void REVERSE(SELF_ADJOINT(ev)) DERIVING(SYEV) {
    KEPT s = SAVED_OF(SELF_ADJOINT(ev), SYEV);
    MATRIX V = s.m[0];
    const T *values = s.m[1].at;
    int64_t ld = at_least_1(n);
    if (n <= 0 || s.m[2].at[0] != 0)
        return;
    T *m = calloc(n * n, sizeof(T)), *v = OWN(new)(n, n);
    REAL largest = OWN(largest_of)(values, n);
    if (da) {
        OWN(gemm)(library, 'C', 'N', n, n, n, 1, V.at, V.ld, da, lda, 0, m, ld);
        OWN(reverse_phases)(uplo, n, V, m);
    }
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < j; i++) {
            T half = 0.5f * (m[i + j * n] - CONJ(m[j + i * n]));
            m[i + j * n] = OWN(over_difference)(half, __real__(values[j] - values[i]), largest);
            m[j + i * n] = CONJ(m[i + j * n]);
        }
        m[j + j * n] = dw ? __real__ dw[j] : 0;
    }
    for (int64_t i = 0; dw && i < n; i++)
        dw[i] = 0;
    if (da) {
        OWN(gemm)(library, 'N', 'N', n, n, n, 1, V.at, V.ld, m, ld, 0, v, ld);
        OWN(gemm)(library, 'N', 'C', n, n, n, 1, v, ld, V.at, V.ld, 0, m, ld);
        OWN(scale)(da, n, n, lda, 0);
        OWN(add_triangle)(uplo, 1, da, lda, m, ld, n, 2);
        for (int64_t i = 0; i < n; i++)
            da[i + i * lda] = __real__ m[i + i * n];
    }
    free(m);
    free(v);
}

/* w' is the diagonal of V^H A' V, and V' = V (F o (V^H A' V)) */
void FORWARD(SELF_ADJOINT(ev)) DERIVING(SYEV) {
    KEPT s = SAVED_OF(SELF_ADJOINT(ev), SYEV);
    MATRIX V = s.m[0];
    const T *values = s.m[1].at;
    int64_t ld = at_least_1(n);
    if (n <= 0 || s.m[2].at[0] != 0)
        return;
    T *m = calloc(n * n, sizeof(T)), *v = OWN(new)(n, n);
    REAL largest = OWN(largest_of)(values, n);
    if (da) {
        OWN(SELF_ADJOINT(mm))(library, 'L', uplo, n, n, 1, da, lda, V.at, V.ld, 0, v, ld);
        OWN(gemm)(library, 'C', 'N', n, n, n, 1, V.at, V.ld, v, ld, 0, m, ld);
    }
    for (int64_t j = 0; j < n; j++) {
        if (dw)
            dw[j] = __real__ m[j + j * n];
        for (int64_t i = 0; i < n; i++)
            m[i + j * n] = i == j ? 0 : OWN(over_difference)(m[i + j * n], __real__(values[j] - values[i]), largest);
    }
    if (da) {
        OWN(gemm)(library, 'N', 'N', n, n, n, 1, V.at, V.ld, m, ld, 0, da, lda);
        OWN(forward_phases)(uplo, n, V, da, lda);
    }
    free(m);
    free(v);
}
DERIVATIVE(SELF_ADJOINT(ev), SYEV)

/* Eigenvalues and singular values are real. The routines of complex types have them as complex numbers. */
static ALWAYS_INLINE T *OWN(values_for)(REAL *w, int64_t n) { return IS_COMPLEX ? OWN(new)(n, 1) : (T *)w; }
static ALWAYS_INLINE void OWN(give_values)(T *values, REAL *w, int64_t n) {
    for (int64_t i = 0; IS_COMPLEX && i < n; i++)
        w[i] = __real__ values[i];
    if (IS_COMPLEX)
        free(values);
}

/* Without vectors, LAPACK leaves nothing of use in A: it stays as it is. By rows, LAPACKE transposes the stored triangle; the
 * other one would give vectors of other signs. */
#define EIGEN(NAME)                                                                                               \
    static ALWAYS_INLINE void OWN(NAME)(char jobz, char uplo, int64_t n, T *a, int64_t lda, REAL *w, int *info) { \
        T *values = OWN(values_for)(w, n);                                                                        \
        if (jobz == 'V' || jobz == 'v') {                                                                         \
            ROUTINE(NAME)(0, uplo, n, a, lda, values, info);                                                      \
        } else {                                                                                                  \
            T *vectors = OWN(copy)(a, n, n, lda);                                                                 \
            ROUTINE(NAME)(0, uplo, n, vectors, at_least_1(n), values, info);                                      \
            free(vectors);                                                                                        \
        }                                                                                                         \
        OWN(give_values)(values, w, n);                                                                           \
    }                                                                                                             \
    INLINED int E_NAME(NAME)(int layout, char jobz, char uplo, int n, T *a, int lda, REAL *w) {                   \
        int info;                                                                                                 \
        T *copy = layout == BY_ROWS ? OWN(new)(n, n) : a;                                                         \
        if (layout == BY_ROWS)                                                                                    \
            OWN(transpose)(a, lda, n, n, copy, at_least_1(n));                                                    \
        OWN(NAME)(jobz, uplo, n, copy, layout == BY_ROWS ? at_least_1(n) : lda, w, &info);                        \
        if (layout == BY_ROWS) {                                                                                  \
            OWN(transpose)(copy, at_least_1(n), n, n, a, lda);                                                    \
            free(copy);                                                                                           \
        }                                                                                                         \
        return info;                                                                                              \
    }
EIGEN(SELF_ADJOINT(ev))

#if IS_COMPLEX
INLINED void F_NAME(heev)(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, REAL *w, T *work,
                          const int *lwork, REAL *rwork, int *info) {
#else
INLINED void F_NAME(syev)(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, T *w, T *work,
                          const int *lwork, int *info) {
#endif
    *info = 0;
    if (*lwork == -1)
        work[0] = at_least_1(3 * *n);
    else
        OWN(SELF_ADJOINT(ev))(*jobz, *uplo, *n, a, *lda, w, info);
}
