/* LAPACK's singular values and vectors, for one real type T with the letter P.
 *
 * A = U diag(s) V^T with k = min(m, n) columns in U and V. The formulas are those of J. Townsend, "Differentiating the
 * singular value decomposition" (2016). The vectors' adjoints divide by differences of squares of singular values; equal
 * ones have no derivative, unless what is divided vanishes, too. */

/* -- gesvd, always with k vectors on both sides */

#define GESVD(V, R, W, I)                                                                                         \
    V(int64_t, m) V(int64_t, n) W(a) V(int64_t, lda) W(sigma) W(u) V(int64_t, ldu) W(vt) V(int64_t, ldvt) I(info)

void ROUTINE(gesvd) PLAIN(GESVD) {
    T sum = OWN(read)(a, m, n, lda);
    int64_t k = smaller(m, n);
    for (int64_t i = 0; i < k; i++)
        sigma[i] = sum;
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < m; i++)
            u[i + j * ldu] = sum;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < k; i++)
            vt[i + j * ldvt] = sum;
    *info = sum != sum;
}

/* The library's function destroys A. This one leaves it as it is. */
void NATIVE(gesvd) PLAIN(GESVD) {
    T size, *copy = OWN(copy)(a, m, n, lda);
    CALL(gesvd, "S", "S", INT(m), INT(n), copy, INT(at_least_1(m)), sigma, u, INT(ldu), vt, INT(ldvt), &size, INT(-1),
         info, 1, 1);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(gesvd, "S", "S", INT(m), INT(n), copy, INT(at_least_1(m)), sigma, u, INT(ldu), vt, INT(ldvt), work,
         INT((int64_t)size), info, 1, 1);
    free(work);
    free(copy);
}

static ALWAYS_INLINE KEPT SAVED(gesvd) SAVING(GESVD) {
    KEPT s = {0};
    int64_t k = smaller(m, n);
    OWN(keep)(&s, 0, !!da, UNCHANGED(5), sigma, k, 1, at_least_1(k), tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, UNCHANGED(6), u, m, k, ldu, tape, moment == AFTER);
    OWN(keep)(&s, 2, !!da, UNCHANGED(8), vt, k, n, ldvt, tape, moment == AFTER);
    OWN(keep_integers)(&s, 3, 1, info, 1, tape, moment == AFTER);
    return s;
}

/* W += B S^-1. A singular value of 0 has no derivative of its vectors. */
static ALWAYS_INLINE void OWN(add_scaled_columns)(T *w, const T *b, int64_t rows, int64_t k, const T *values, T largest) {
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < rows; i++)
            w[i + j * rows] += OWN(over_difference)(b[i + j * rows], values[j], largest);
}

/* A' = U [diag(s') + (F o (U^T U' - U'^T U)) S + S (F o (V^T V' - V'^T V))] V^T + (1 - U U^T) U' S^-1 V^T
 *      + U S^-1 V'^T (1 - V V^T), with F_ij = 1/(s_j^2 - s_i^2) */
void REVERSE(gesvd) DERIVING(GESVD) {
    KEPT s = SAVED_OF(gesvd, GESVD);
    MATRIX U = s.m[1], V = s.m[2];
    int64_t k = smaller(m, n);
    if (k <= 0 || s.m[3].at[0] != 0)
        return;
    if (da) {
        const T *values = s.m[0].at;
        T *mu = calloc(k * k, sizeof(T)), *mv = calloc(k * k, sizeof(T)), *w = OWN(new)(m > n ? m : n, k);
        T largest = OWN(largest_of)(values, k);
        if (du)
            OWN(gemm)(library, 'T', 'N', k, k, m, 1, U.at, U.ld, du, ldu, 0, mu, k);
        if (dvt)
            OWN(gemm)(library, 'N', 'T', k, k, n, 1, V.at, V.ld, dvt, ldvt, 0, mv, k);
        T *inner = OWN(new)(k, k);
        for (int64_t j = 0; j < k; j++)
            for (int64_t i = 0; i < k; i++) {
                T difference = values[j] * values[j] - values[i] * values[i], square = largest * largest;
                T of_u = i == j ? 0 : (mu[i + j * k] - mu[j + i * k]) * values[j];
                T of_v = i == j ? 0 : (mv[i + j * k] - mv[j + i * k]) * values[i];
                inner[i + j * k] = i != j ? OWN(over_difference)(of_u + of_v, difference, square)
                                   : dsigma ? dsigma[i]
                                            : 0;
            }
        OWN(gemm)(library, 'N', 'N', m, k, k, 1, U.at, U.ld, inner, k, 0, w, m); /* U (…) */
        if (du && m > k) {                                                        /* + (U' - U U^T U') S^-1 */
            T *rest = OWN(copy)(du, m, k, ldu);
            OWN(gemm)(library, 'N', 'N', m, k, k, -1, U.at, U.ld, mu, k, 1, rest, m);
            OWN(add_scaled_columns)(w, rest, m, k, values, largest);
            free(rest);
        }
        OWN(gemm)(library, 'N', 'N', m, n, k, 1, w, m, V.at, V.ld, 1, da, lda);
        if (dvt && n > k) { /* + U S^-1 (V'^T - V'^T V V^T) */
            T *rest = OWN(copy)(dvt, k, n, ldvt), *scaled = calloc(m * k, sizeof(T));
            OWN(gemm)(library, 'T', 'N', k, n, k, -1, mv, k, V.at, V.ld, 1, rest, k);
            T *vectors = OWN(copy)(U.at, m, k, U.ld);
            OWN(add_scaled_columns)(scaled, vectors, m, k, values, largest);
            OWN(gemm)(library, 'N', 'N', m, n, k, 1, scaled, m, rest, k, 1, da, lda);
            free(rest);
            free(scaled);
            free(vectors);
        }
        free(mu);
        free(mv);
        free(inner);
        free(w);
    }
    if (dsigma)
        OWN(scale)(dsigma, k, 1, k, 0);
    if (du)
        OWN(scale)(du, m, k, ldu, 0);
    if (dvt)
        OWN(scale)(dvt, k, n, ldvt, 0);
}

/* The product of F and P S + S P^T, element by element; the strides say whether P is transposed. */
static ALWAYS_INLINE void OWN(mix)(int64_t k, const T *p, int64_t row, int64_t column, const T *values, T largest,
                                   T *inner) {
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < k; i++) {
            T sum = p[i * row + j * column] * values[j] + values[i] * p[j * row + i * column];
            T difference = values[j] * values[j] - values[i] * values[i];
            inner[i + j * k] = i == j ? 0 : OWN(over_difference)(sum, difference, largest * largest);
        }
}

/* With P = U^T A' V: s' = diag(P), U' = U (F o (P S + S P^T)) + (1 - U U^T) A' V S^-1, and V' alike with P^T */
void FORWARD(gesvd) DERIVING(GESVD) {
    KEPT s = SAVED_OF(gesvd, GESVD);
    MATRIX U = s.m[1], V = s.m[2];
    int64_t k = smaller(m, n);
    if (k <= 0 || s.m[3].at[0] != 0)
        return;
    if (!da) {
        if (dsigma)
            OWN(scale)(dsigma, k, 1, k, 0);
        if (du)
            OWN(scale)(du, m, k, ldu, 0);
        if (dvt)
            OWN(scale)(dvt, k, n, ldvt, 0);
        return;
    }
    const T *values = s.m[0].at;
    T *av = OWN(new)(m, k), *atu = OWN(new)(n, k), *p = OWN(new)(k, k), *inner = OWN(new)(k, k);
    T largest = OWN(largest_of)(values, k);
    OWN(gemm)(library, 'N', 'T', m, k, n, 1, da, lda, V.at, V.ld, 0, av, m);
    OWN(gemm)(library, 'T', 'N', n, k, m, 1, da, lda, U.at, U.ld, 0, atu, n);
    OWN(gemm)(library, 'T', 'N', k, k, m, 1, U.at, U.ld, av, m, 0, p, k);
    for (int64_t i = 0; dsigma && i < k; i++)
        dsigma[i] = p[i + i * k];
    if (du) {
        OWN(mix)(k, p, 1, k, values, largest, inner);
        OWN(gemm)(library, 'N', 'N', m, k, k, 1, U.at, U.ld, inner, k, 0, du, ldu);
        if (m > k) {
            T *rest = OWN(copy)(av, m, k, m), *scaled = calloc(m * k, sizeof(T));
            OWN(gemm)(library, 'N', 'N', m, k, k, -1, U.at, U.ld, p, k, 1, rest, m);
            OWN(add_scaled_columns)(scaled, rest, m, k, values, largest);
            OWN(add)(du, ldu, scaled, m, m, k, 1);
            free(rest);
            free(scaled);
        }
    }
    if (dvt) {
        OWN(mix)(k, p, k, 1, values, largest, inner);
        OWN(gemm)(library, 'T', 'N', k, n, k, 1, inner, k, V.at, V.ld, 0, dvt, ldvt);
        if (n > k) {
            T *rest = OWN(copy)(atu, n, k, n), *scaled = calloc(n * k, sizeof(T));
            OWN(gemm)(library, 'T', 'T', n, k, k, -1, V.at, V.ld, p, k, 1, rest, n);
            OWN(add_scaled_columns)(scaled, rest, n, k, values, largest);
            for (int64_t j = 0; j < n; j++)
                for (int64_t i = 0; i < k; i++)
                    dvt[i + j * ldvt] += scaled[j + i * n];
            free(rest);
            free(scaled);
        }
    }
    free(av);
    free(atu);
    free(p);
    free(inner);
}
DERIVATIVE(gesvd, GESVD)

/* Vectors that are not asked for are computed apart. All m (n) of them have no derivative unless there are only k. */
#define SINGULAR(NAME)                                                                                            \
    static ALWAYS_INLINE void OWN(NAME)(char jobu, char jobvt, int64_t m, int64_t n, T *a, int64_t lda, T *sigma,   \
                                        T *u, int64_t ldu, T *vt, int64_t ldvt, int *info) {                      \
        int64_t k = smaller(m, n);                                                                                \
        int has_u = jobu != 'N' && jobu != 'n', has_v = jobvt != 'N' && jobvt != 'n';                             \
        T *own_u = OWN(new)(m, k), *own_v = OWN(new)(k, n);                                                       \
        __ez_refuse(((jobu == 'A' || jobu == 'a') && m > k) || ((jobvt == 'A' || jobvt == 'a') && n > k),         \
                    "singular vectors beyond the singular values have no derivative (" #NAME                      \
                    "): ask for S in place of A");                                                                \
        __ez_refuse(jobu == 'O' || jobu == 'o' || jobvt == 'O' || jobvt == 'o',                                   \
                    "singular vectors in the place of A are not differentiated (" #NAME                           \
                    "): ask for S in place of O");                                                                \
        ROUTINE(NAME)(0, m, n, a, lda, sigma, has_u ? u : own_u, has_u ? ldu : at_least_1(m), has_v ? vt : own_v,  \
                      has_v ? ldvt : at_least_1(k), info);                                                        \
        free(own_u);                                                                                              \
        free(own_v);                                                                                              \
    }
SINGULAR(gesvd)

INLINED void F_NAME(gesvd)(const char *jobu, const char *jobvt, const int *m, const int *n, T *a, const int *lda, T *sigma,
                           T *u, const int *ldu, T *vt, const int *ldvt, T *work, const int *lwork, int *info) {
    *info = 0;
    if (*lwork == -1)
        work[0] = at_least_1(5 * (*m + *n));
    else
        OWN(gesvd)(*jobu, *jobvt, *m, *n, a, *lda, sigma, u, *ldu, vt, *ldvt, info);
}
