/* LAPACK's singular values and vectors, for one type T with the letter P.
 *
 * A = U diag(s) V^H with k = min(m, n) columns in U and V. The formulas are those of J. Townsend, "Differentiating the
 * singular value decomposition" (2016). The vectors' adjoints divide by differences of squares of singular values; equal
 * ones have no derivative, unless what is divided vanishes, too.
 *
 * Complex vectors u and v may be multiplied by one number of absolute value 1. LAPACK makes the first component of v real,
 * or that of u if there are fewer rows than columns. The derivative keeps it real. */

#ifndef EZ_LAPACK_SVD_H
#define EZ_LAPACK_SVD_H
static ALWAYS_INLINE int asks_for_all(char job) { return job == 'A' || job == 'a'; }
#endif

/* -- gesvd, with nu vectors on the left side and nv on the right: k, or all. The singular values are of type T.
 *
 * Vectors beyond the k-th ones are a basis of what is orthogonal to these. The derivative is that of functions of which the
 * choice of the basis does not change the value: U2' = -U U'^H U2. */

#define GESVD(V, R, W, I)                                                                                         \
    V(int64_t, m) V(int64_t, n) V(int64_t, nu) V(int64_t, nv) W(a) V(int64_t, lda) W(sigma) W(u) V(int64_t, ldu) W(vt) V(int64_t, ldvt) I(info)

void ROUTINE(gesvd) PLAIN(GESVD) {
    T sum = OWN(read)(a, m, n, lda);
    int64_t k = smaller(m, n);
    for (int64_t i = 0; i < k; i++)
        sigma[i] = sum;
    for (int64_t j = 0; j < nu; j++)
        for (int64_t i = 0; i < m; i++)
            u[i + j * ldu] = sum;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < nv; i++)
            vt[i + j * ldvt] = sum;
    *info = sum != sum;
}

/* The library's function destroys A. This one leaves it as it is. */
void NATIVE(gesvd) PLAIN(GESVD) {
    int64_t k = smaller(m, n);
    char of_u = nu > k ? 'A' : 'S', of_v = nv > k ? 'A' : 'S';
    T size, *copy = OWN(copy)(a, m, n, lda);
    REAL *values = (REAL *)sigma, *real_work = malloc(at_least_1(5 * k) * sizeof(REAL));
    CALL(gesvd, &of_u, &of_v, INT(m), INT(n), copy, INT(at_least_1(m)), values, u, INT(ldu), vt, INT(ldvt), &size,
         INT(-1) REAL_WORK, info, 1, 1);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(gesvd, &of_u, &of_v, INT(m), INT(n), copy, INT(at_least_1(m)), values, u, INT(ldu), vt, INT(ldvt), work,
         INT((int64_t)size) REAL_WORK, info, 1, 1);
    OWN(spread_values)(sigma, k);
    free(work);
    free(real_work);
    free(copy);
}

static ALWAYS_INLINE KEPT SAVED(gesvd) SAVING(GESVD) {
    KEPT s = {0};
    int64_t k = smaller(m, n);
    OWN(keep)(&s, 0, !!da, UNCHANGED(7), sigma, k, 1, at_least_1(k), tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, UNCHANGED(8), u, m, nu, ldu, tape, moment == AFTER);
    OWN(keep)(&s, 2, !!da, UNCHANGED(10), vt, nv, n, ldvt, tape, moment == AFTER);
    OWN(keep_integers)(&s, 3, 1, info, 1, tape, moment == AFTER);
    return s;
}

/* what makes the first component of each vector real: the vectors' phases, of which M = W^H W' gets its part */
#if IS_COMPLEX
/* w[j * step] is that of vector j, perhaps conjugated; `other` is the product for the vectors of the other side. */
static ALWAYS_INLINE void OWN(reverse_phases_of_both)(int64_t k, const T *w, int64_t step, int is_conjugate, T *m,
                                                      const T *other) {
    for (int64_t j = 0; j < k; j++) {
        REAL by_phase = __imag__ m[j + j * k] + __imag__ other[j + j * k];
        int has_phase = OWN(has_phase)(w[j * step]);
        __ez_refuse(!has_phase && ABSOLUTE(by_phase) > ROUNDED,
                    "a singular vector's phase has no derivative where the component that fixes it is zero (gesvd)");
        for (int64_t i = 0; has_phase && i < k; i++)
            m[i + j * k] -=
                1.0fi * by_phase / __real__ w[j * step] * OWN(conj_if)(!is_conjugate, w[i * step]);
    }
}

/* U' += U i p, V'^H -= i p V^H, where the number p of each vector makes the tangent of its component real */
static ALWAYS_INLINE void OWN(forward_phases_of_both)(int64_t m, int64_t n, int64_t k, MATRIX U, MATRIX V, T *du,
                                                      int64_t ldu, T *dvt, int64_t ldvt) {
    for (int64_t j = 0; j < k; j++) {
        T component = m < n ? U.at[j * U.ld] : V.at[j];
        if (!OWN(has_phase)(component))
            continue;
        REAL phase = (m < n ? -__imag__ du[j * ldu] : __imag__ dvt[j]) / __real__ component;
        if (du)
            OWN(add)(du + j * ldu, ldu, U.at + j * U.ld, U.ld, m, 1, 1.0fi * phase);
        if (dvt)
            OWN(add)(dvt + j, ldvt, V.at + j, V.ld, 1, n, -1.0fi * phase);
    }
}
#endif

/* W += B S^-1. A singular value of 0 has no derivative of its vectors. */
static ALWAYS_INLINE void OWN(add_scaled_columns)(T *w, const T *b, int64_t rows, int64_t k, const T *values,
                                                  REAL largest) {
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < rows; i++)
            w[i + j * rows] += OWN(over_difference)(b[i + j * rows], __real__ values[j], largest);
}

static ALWAYS_INLINE void OWN(clear_singular)(int64_t m, int64_t n, int64_t k, int64_t nu, int64_t nv, T *dsigma, T *du,
                                              int64_t ldu, T *dvt, int64_t ldvt) {
    if (dsigma)
        OWN(scale)(dsigma, k, 1, k, 0);
    if (du)
        OWN(scale)(du, m, nu, ldu, 0);
    if (dvt)
        OWN(scale)(dvt, nv, n, ldvt, 0);
}

/* -- vectors beyond the k-th ones, as columns of U2: R = U2^H U2' must be its own adjoint */
static ALWAYS_INLINE void OWN(check_basis)(int64_t count, const T *r) {
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i <= j; i++)
            __ez_refuse(ONE_NORM(r[i + j * count] - CONJ(r[j + i * count])) > ROUNDED * (1 + ONE_NORM(r[i + j * count])),
                        "singular vectors beyond the singular values have a derivative where the choice of their basis does"
                        " not count (gesvd)");
}

/* X = S^-1 X */
static ALWAYS_INLINE void OWN(over_values)(T *x, int64_t k, int64_t columns, const T *values, REAL largest) {
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < k; i++)
            x[i + j * k] = OWN(over_difference)(x[i + j * k], __real__ values[i], largest);
}

/* A' -= U2 U2'^H U S^-1 V^H */
static ALWAYS_INLINE void OWN(reverse_more_left)(int64_t library, int64_t m, int64_t n, int64_t k, int64_t nu, const T *values,
                                                 REAL largest, MATRIX U, MATRIX V, const T *du, int64_t ldu, T *da,
                                                 int64_t lda) {
    int64_t count = nu - k;
    const T *u2 = U.at + k * U.ld, *du2 = du + k * ldu;
    T *r = OWN(new)(count, count), *p = OWN(new)(k, count), *w = OWN(new)(m, k);
    OWN(gemm)(library, 'C', 'N', count, count, m, 1, u2, U.ld, du2, ldu, 0, r, count);
    OWN(check_basis)(count, r);
    OWN(gemm)(library, 'C', 'N', k, count, m, 1, U.at, U.ld, du2, ldu, 0, p, k);
    OWN(over_values)(p, k, count, values, largest);
    OWN(gemm)(library, 'N', 'C', m, k, count, -1, u2, U.ld, p, k, 0, w, m);
    OWN(gemm)(library, 'N', 'N', m, n, k, 1, w, m, V.at, V.ld, 1, da, lda);
    free(r);
    free(p);
    free(w);
}

/* A' -= U S^-1 V^H V2' V2^H */
static ALWAYS_INLINE void OWN(reverse_more_right)(int64_t library, int64_t m, int64_t n, int64_t k, int64_t nv,
                                                  const T *values, REAL largest, MATRIX U, MATRIX V, const T *dvt,
                                                  int64_t ldvt, T *da, int64_t lda) {
    int64_t count = nv - k;
    T *r = OWN(new)(count, count), *p = OWN(new)(k, count), *w = OWN(new)(m, count);
    OWN(gemm)(library, 'N', 'C', count, count, n, 1, V.at + k, V.ld, dvt + k, ldvt, 0, r, count);
    OWN(check_basis)(count, r);
    OWN(gemm)(library, 'N', 'C', k, count, n, 1, V.at, V.ld, dvt + k, ldvt, 0, p, k);
    OWN(over_values)(p, k, count, values, largest);
    OWN(gemm)(library, 'N', 'N', m, count, k, -1, U.at, U.ld, p, k, 0, w, m);
    OWN(gemm)(library, 'N', 'N', m, n, count, 1, w, m, V.at + k, V.ld, 1, da, lda);
    free(r);
    free(p);
    free(w);
}

/* A' = U [diag(s') + (F o (U^H U' - U'^H U)) S + S (F o (V^H V' - V'^H V))] V^H + (1 - U U^H) U' S^-1 V^H
 *      + U S^-1 V'^H (1 - V V^H), with F_ij = 1/(s_j^2 - s_i^2); the diagonal also has i im(U^H U') S^-1 */
void REVERSE(gesvd) DERIVING(GESVD) {
    KEPT s = SAVED_OF(gesvd, GESVD);
    MATRIX U = s.m[1], V = s.m[2];
    int64_t k = smaller(m, n);
    if (k <= 0 || s.m[3].at[0] != 0)
        return;
    if (da) {
        const T *values = s.m[0].at;
        T *mu = calloc(k * k, sizeof(T)), *mv = calloc(k * k, sizeof(T)), *w = OWN(new)(m > n ? m : n, k);
        REAL largest = OWN(largest_of)(values, k);
        if (du)
            OWN(gemm)(library, 'C', 'N', k, k, m, 1, U.at, U.ld, du, ldu, 0, mu, k);
        if (dvt)
            OWN(gemm)(library, 'N', 'C', k, k, n, 1, V.at, V.ld, dvt, ldvt, 0, mv, k);
#if IS_COMPLEX
        if (m < n)
            OWN(reverse_phases_of_both)(k, U.at, U.ld, 0, mu, mv);
        else
            OWN(reverse_phases_of_both)(k, V.at, 1, 1, mv, mu);
#endif
        T *inner = OWN(new)(k, k);
        for (int64_t j = 0; j < k; j++)
            for (int64_t i = 0; i < k; i++) {
                REAL si = __real__ values[i], sj = __real__ values[j];
                T of_u = (mu[i + j * k] - CONJ(mu[j + i * k])) * sj, of_v = (mv[i + j * k] - CONJ(mv[j + i * k])) * si;
                T own = dsigma ? __real__ dsigma[i] : 0;
#if IS_COMPLEX
                if (i == j)
                    own += 1.0fi * OWN(over_difference)(__imag__ mu[i + i * k], si, largest);
#endif
                inner[i + j * k] = i == j ? own : OWN(over_difference)(of_u + of_v, sj * sj - si * si, largest * largest);
            }
        OWN(gemm)(library, 'N', 'N', m, k, k, 1, U.at, U.ld, inner, k, 0, w, m); /* U (…) */
        if (du && m > k) {                                                        /* + (U' - U U^H U') S^-1 */
            T *rest = OWN(copy)(du, m, k, ldu);
            OWN(gemm)(library, 'N', 'N', m, k, k, -1, U.at, U.ld, mu, k, 1, rest, m);
            OWN(add_scaled_columns)(w, rest, m, k, values, largest);
            free(rest);
        }
        OWN(gemm)(library, 'N', 'N', m, n, k, 1, w, m, V.at, V.ld, 1, da, lda);
        if (dvt && n > k) { /* + U S^-1 (V'^H - V'^H V V^H) */
            T *rest = OWN(copy)(dvt, k, n, ldvt), *scaled = calloc(m * k, sizeof(T));
            OWN(gemm)(library, 'C', 'N', k, n, k, -1, mv, k, V.at, V.ld, 1, rest, k);
            T *vectors = OWN(copy)(U.at, m, k, U.ld);
            OWN(add_scaled_columns)(scaled, vectors, m, k, values, largest);
            OWN(gemm)(library, 'N', 'N', m, n, k, 1, scaled, m, rest, k, 1, da, lda);
            free(rest);
            free(scaled);
            free(vectors);
        }
        if (du && nu > k)
            OWN(reverse_more_left)(library, m, n, k, nu, values, largest, U, V, du, ldu, da, lda);
        if (dvt && nv > k)
            OWN(reverse_more_right)(library, m, n, k, nv, values, largest, U, V, dvt, ldvt, da, lda);
        free(mu);
        free(mv);
        free(inner);
        free(w);
    }
    OWN(clear_singular)(m, n, k, nu, nv, dsigma, du, ldu, dvt, ldvt);
}

/* The product of F and P S + S P^H, element by element, or with P^H in the place of P. The diagonal has the difference of
 * the phases of u and v, on the side whose phases do not stay. */
static ALWAYS_INLINE void OWN(mix)(int64_t k, int is_adjoint, int has_phases, const T *p, const T *values, REAL largest,
                                   T *inner) {
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < k; i++) {
            T pij = is_adjoint ? CONJ(p[j + i * k]) : p[i + j * k], pji = is_adjoint ? CONJ(p[i + j * k]) : p[j + i * k];
            REAL si = __real__ values[i], sj = __real__ values[j];
            T off = i == j ? 0 : OWN(over_difference)(pij * sj + si * CONJ(pji), sj * sj - si * si, largest * largest);
#if IS_COMPLEX
            if (i == j && has_phases)
                off = 1.0fi * OWN(over_difference)(__imag__ pij, si, largest);
#endif
            inner[i + j * k] = off;
        }
}

/* With P = U^H A' V: s' = diag(P), U' = U (F o (P S + S P^H)) + (1 - U U^H) A' V S^-1, and V' alike with P^H */
void FORWARD(gesvd) DERIVING(GESVD) {
    KEPT s = SAVED_OF(gesvd, GESVD);
    MATRIX U = s.m[1], V = s.m[2];
    int64_t k = smaller(m, n);
    if (k <= 0 || s.m[3].at[0] != 0)
        return;
    if (!da) {
        OWN(clear_singular)(m, n, k, nu, nv, dsigma, du, ldu, dvt, ldvt);
        return;
    }
    const T *values = s.m[0].at;
    T *av = OWN(new)(m, k), *atu = OWN(new)(n, k), *p = OWN(new)(k, k), *inner = OWN(new)(k, k);
    REAL largest = OWN(largest_of)(values, k);
    OWN(gemm)(library, 'N', 'C', m, k, n, 1, da, lda, V.at, V.ld, 0, av, m);
    OWN(gemm)(library, 'C', 'N', n, k, m, 1, da, lda, U.at, U.ld, 0, atu, n);
    OWN(gemm)(library, 'C', 'N', k, k, m, 1, U.at, U.ld, av, m, 0, p, k);
    for (int64_t i = 0; dsigma && i < k; i++)
        dsigma[i] = __real__ p[i + i * k];
    T *given_du = du, *given_dvt = dvt; /* complex vectors have the phases that stay, even if these are not asked for */
    if (IS_COMPLEX && !du && dvt && m < n)
        du = OWN(new)(m, k), ldu = m;
    if (IS_COMPLEX && !dvt && du && m >= n)
        dvt = OWN(new)(k, n), ldvt = k;
    if (du) {
        OWN(mix)(k, 0, m >= n, p, values, largest, inner);
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
        OWN(mix)(k, 1, m < n, p, values, largest, inner);
        OWN(gemm)(library, 'C', 'N', k, n, k, 1, inner, k, V.at, V.ld, 0, dvt, ldvt);
        if (n > k) {
            T *rest = OWN(copy)(atu, n, k, n), *scaled = calloc(n * k, sizeof(T));
            OWN(gemm)(library, 'C', 'C', n, k, k, -1, V.at, V.ld, p, k, 1, rest, n);
            OWN(add_scaled_columns)(scaled, rest, n, k, values, largest);
            for (int64_t j = 0; j < n; j++)
                for (int64_t i = 0; i < k; i++)
                    dvt[i + j * ldvt] += CONJ(scaled[j + i * n]);
            free(rest);
            free(scaled);
        }
    }
    if (du && nu > k) { /* U2' = -U S^-1 V^H A'^H U2 */
        T *r = OWN(new)(k, nu - k);
        OWN(gemm)(library, 'C', 'N', k, nu - k, m, 1, av, m, U.at + k * U.ld, U.ld, 0, r, k);
        OWN(over_values)(r, k, nu - k, values, largest);
        OWN(gemm)(library, 'N', 'N', m, nu - k, k, -1, U.at, U.ld, r, k, 0, du + k * ldu, ldu);
        free(r);
    }
    if (dvt && nv > k) { /* V2'^H = -V2^H A'^H U S^-1 V^H */
        T *r = OWN(new)(k, nv - k);
        OWN(gemm)(library, 'C', 'C', k, nv - k, n, 1, atu, n, V.at + k, V.ld, 0, r, k);
        OWN(over_values)(r, k, nv - k, values, largest);
        OWN(gemm)(library, 'C', 'N', nv - k, n, k, -1, r, k, V.at, V.ld, 0, dvt + k, ldvt);
        free(r);
    }
#if IS_COMPLEX
    if (du || dvt)
        OWN(forward_phases_of_both)(m, n, k, U, V, du, ldu, dvt, ldvt);
#endif
    if (du != given_du)
        free(du);
    if (dvt != given_dvt)
        free(dvt);
    free(av);
    free(atu);
    free(p);
    free(inner);
}
DERIVATIVE(gesvd, GESVD)

/* Vectors that are not asked for are computed apart. */
#define SINGULAR(NAME)                                                                                            \
    static ALWAYS_INLINE void OWN(NAME)(char jobu, char jobvt, int64_t m, int64_t n, T *a, int64_t lda, REAL *sigma, \
                                        T *u, int64_t ldu, T *vt, int64_t ldvt, int *info) {                      \
        int64_t k = smaller(m, n), nu = asks_for_all(jobu) ? m : k, nv = asks_for_all(jobvt) ? n : k;             \
        int has_u = jobu != 'N' && jobu != 'n', has_v = jobvt != 'N' && jobvt != 'n';                             \
        T *own_u = OWN(new)(m, nu), *own_v = OWN(new)(nv, n), *values = OWN(values_for)(sigma, k);                \
        __ez_refuse(jobu == 'O' || jobu == 'o' || jobvt == 'O' || jobvt == 'o',                                   \
                    "singular vectors in the place of A are not differentiated (" #NAME                           \
                    "): ask for S in place of O");                                                                \
        ROUTINE(NAME)(0, m, n, nu, nv, a, lda, values, has_u ? u : own_u, has_u ? ldu : at_least_1(m),            \
                      has_v ? vt : own_v, has_v ? ldvt : at_least_1(nv), info);                                   \
        OWN(give_values)(values, sigma, k);                                                                       \
        free(own_u);                                                                                              \
        free(own_v);                                                                                              \
    }
SINGULAR(gesvd)

#undef MORE_WORK
#if IS_COMPLEX
#define MORE_WORK , REAL *rwork
#else
#define MORE_WORK
#endif
INLINED void F_NAME(gesvd)(const char *jobu, const char *jobvt, const int *m, const int *n, T *a, const int *lda,
                           REAL *sigma, T *u, const int *ldu, T *vt, const int *ldvt, T *work, const int *lwork MORE_WORK,
                           int *info) {
    *info = 0;
    if (*lwork == -1)
        work[0] = at_least_1(5 * (*m + *n));
    else
        OWN(gesvd)(*jobu, *jobvt, *m, *n, a, *lda, sigma, u, *ldu, vt, *ldvt, info);
}
