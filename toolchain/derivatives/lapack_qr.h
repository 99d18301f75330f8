/* LAPACK's QR factorisation and the products with Q, for one type T with the letter P.
 *
 * Q = H_1 … H_k, where H_i = 1 - tau_i v_i v_i^H. R has a real diagonal. The derivatives are those of the stored form: R, the vectors v_i and the
 * numbers tau_i. So they are right whatever the program does next: orgqr, ormqr, or a look at R alone. */

/* -- geqrf */

#define GEQRF(V, R, W, I) V(int64_t, m) V(int64_t, n) W(a) V(int64_t, lda) W(tau) I(info)

extern void FORTRAN(P, geqrf)(const int *, const int *, T *, const int *, T *, T *, const int *, int *);
extern void FORTRAN(P, ORTHOGONAL(gqr))(const int *, const int *, const int *, T *, const int *, const T *, T *, const int *, int *);
extern void FORTRAN(P, ORTHOGONAL(mqr))(const char *, const char *, const int *, const int *, const int *, const T *, const int *,
                              const T *, T *, const int *, T *, const int *, int *, size_t, size_t);

#define ORMQR(V, R, W, I)                                                                                         \
    V(char, side) V(char, trans) V(int64_t, m) V(int64_t, n) V(int64_t, k) R(a) V(int64_t, lda) R(tau) W(c)         \
    V(int64_t, ldc) I(info)
void ROUTINE(ORTHOGONAL(mqr)) PLAIN(ORMQR);

void ROUTINE(geqrf) PLAIN(GEQRF) {
    T sum = OWN(read)(a, m, n, lda);
    OWN(change)(a, m, n, lda, sum);
    for (int64_t i = 0; i < m && i < n; i++)
        tau[i] = sum;
    *info = sum != sum;
}

/* Asks the library how much work space it wants, and calls it with that. */
#define WITH_WORK_SPACE(NAME, LENGTHS, ...)                                                                       \
    T size_;                                                                                                      \
    CALL(NAME, __VA_ARGS__, &size_, INT(-1), info LENGTHS);                                                       \
    T *work_ = malloc(at_least_1((int64_t)size_) * sizeof(T));                                                    \
    CALL(NAME, __VA_ARGS__, work_, INT((int64_t)size_), info LENGTHS);                                            \
    free(work_);
#define NO_LENGTH
#define TWO_LENGTHS , 1, 1

void NATIVE(geqrf) PLAIN(GEQRF) { WITH_WORK_SPACE(geqrf, NO_LENGTH, INT(m), INT(n), a, INT(lda), tau) }

static ALWAYS_INLINE KEPT SAVED(geqrf) SAVING(GEQRF) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(3), a, m, n, lda, tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, UNCHANGED(5), tau, smaller(m, n), 1, at_least_1(smaller(m, n)), tape, moment == AFTER);
    return s;
}

/* A reflection sends (alpha, x) to (beta, 0): beta = -sign(re alpha) |(alpha, x)|, tau = 1 - alpha/beta, v = x/(alpha - beta).
 * With tau = 0 it is the identity. The column holds beta and v, and then alpha and x. */
static ALWAYS_INLINE void OWN(reverse_reflection)(int64_t below, T *column, T tau, T *dcolumn, T dtau) {
    REAL beta = __real__ column[0];
    T difference = -beta * tau, alpha = beta + difference, dot = 0;
    if (tau == 0)
        return;
    for (int64_t i = 1; i <= below; i++)
        dot += dcolumn[i] * CONJ(column[i]);
    T dalpha = -dot / CONJ(difference) - dtau / beta;
    REAL dbeta = __real__(dcolumn[0] + dot / CONJ(difference) + dtau * CONJ(alpha) / (beta * beta));
    for (int64_t i = 1; i <= below; i++) {
        column[i] *= difference;
        dcolumn[i] = dcolumn[i] / CONJ(difference) + dbeta * column[i] / beta;
    }
    column[0] = alpha;
    dcolumn[0] = dalpha + dbeta * alpha / beta;
}

/* The adjoint of C = C - tau* v (v^H C) for one column of C, which becomes what it was before. */
static ALWAYS_INLINE void OWN(reverse_column)(int64_t below, const T *v, T tau, T *c, T *dc, T *dv, T *dtau) {
    T product = c[0], y, z = dc[0];
    for (int64_t i = 1; i <= below; i++)
        product += CONJ(v[i]) * c[i], z += CONJ(v[i]) * dc[i];
    c[0] -= tau * product, y = c[0], dc[0] -= tau * z;
    for (int64_t i = 1; i <= below; i++)
        c[i] -= tau * product * v[i], y += CONJ(v[i]) * c[i];
    *dtau -= y * CONJ(z);
    for (int64_t i = 1; i <= below; i++) {
        dv[i] -= tau * dc[i] * CONJ(y) + c[i] * CONJ(tau * z);
        dc[i] -= tau * z * v[i];
    }
}

/* The adjoint of the factorisation of some columns without blocks. Both matrices become what they were before. */
static void OWN(reverse_panel)(int64_t rows, int64_t columns, int64_t count, T *a, int64_t lda, const T *tau, T *da,
                               int64_t ldda, T *dtau) {
    for (int64_t i = count - 1; i >= 0; i--) {
        T *v = a + i + i * lda, *dv = da + i + i * ldda;
        for (int64_t j = i + 1; j < columns; j++)
            OWN(reverse_column)(rows - 1 - i, v, tau[i], a + i + j * lda, da + i + j * ldda, dv, dtau + i);
        OWN(reverse_reflection)(rows - 1 - i, v, tau[i], dv, dtau[i]);
    }
}

static void OWN(reverse_qr)(int64_t library, int64_t m, int64_t n, T *a, int64_t lda, const T *tau, T *da, int64_t ldda,
                            T *dtau) {
    EACH_BLOCK(begin, size, smaller(m, n), 0) {
        int64_t end = begin + size;
        if (end < n)
            OWN(reverse_one)
        (library, 'C', begin, m, size, a, lda, tau, a + end * lda, lda, da + end * ldda, ldda, n - end, da, ldda, dtau);
        OWN(reverse_panel)
        (m - begin, size, size, a + begin + begin * lda, lda, tau + begin, da + begin + begin * ldda, ldda, dtau + begin);
    }
}

void REVERSE(geqrf) DERIVING(GEQRF) {
    KEPT s = SAVED_OF(geqrf, GEQRF);
    int64_t k = smaller(m, n);
    if (da && k > 0) {
        T *w = OWN(copy)(s.m[0].at, m, n, s.m[0].ld), *of_tau = calloc(k, sizeof(T));
        for (int64_t i = 0; dtau && i < k; i++)
            of_tau[i] = dtau[i];
        OWN(reverse_qr)(library, m, n, w, m, s.m[1].at, da, lda, of_tau);
        free(w);
        free(of_tau);
    }
    for (int64_t i = 0; dtau && i < k; i++)
        dtau[i] = 0;
}

/* The column (alpha, x) becomes (beta, v), its tangent alike. Returns the tangent of tau. */
static ALWAYS_INLINE T OWN(forward_reflection)(int64_t below, T *column, T *dcolumn, T tau) {
    T alpha = column[0], dalpha = dcolumn[0];
    REAL dot = __real__(CONJ(alpha) * dalpha), square = SQUARE(alpha);
    if (tau == 0)
        return 0;
    for (int64_t i = 1; i <= below; i++)
        dot += __real__(CONJ(column[i]) * dcolumn[i]), square += SQUARE(column[i]);
    REAL beta = __real__ alpha >= 0 ? -ROOT(square) : ROOT(square), dbeta = dot / beta;
    T difference = alpha - beta;
    for (int64_t i = 1; i <= below; i++) {
        column[i] /= difference;
        dcolumn[i] = (dcolumn[i] - column[i] * (dalpha - dbeta)) / difference;
    }
    column[0] = beta, dcolumn[0] = dbeta;
    return (alpha * dbeta / beta - dalpha) / beta;
}

static ALWAYS_INLINE void OWN(forward_column)(int64_t below, const T *v, const T *dv, T tau, T dtau, T *c, T *dc) {
    T y = c[0], dy = dc[0];
    for (int64_t i = 1; i <= below; i++)
        y += CONJ(v[i]) * c[i], dy += CONJ(v[i]) * dc[i] + CONJ(dv[i]) * c[i];
    dy = CONJ(dtau) * y + CONJ(tau) * dy, y *= CONJ(tau);
    c[0] -= y, dc[0] -= dy;
    for (int64_t i = 1; i <= below; i++) {
        dc[i] -= dy * v[i] + y * dv[i];
        c[i] -= y * v[i];
    }
}

static void OWN(forward_panel)(int64_t rows, int64_t columns, int64_t count, T *a, int64_t lda, const T *tau, T *da,
                               int64_t ldda, T *dtau) {
    for (int64_t i = 0; i < count; i++) {
        T *v = a + i + i * lda, *dv = da + i + i * ldda;
        dtau[i] = OWN(forward_reflection)(rows - 1 - i, v, dv, tau[i]);
        for (int64_t j = i + 1; j < columns; j++)
            OWN(forward_column)(rows - 1 - i, v, dv, tau[i], dtau[i], a + i + j * lda, da + i + j * ldda);
    }
}

/* A becomes what it was before the factorisation. */
static ALWAYS_INLINE T *OWN(before_qr)(int64_t library, int64_t m, int64_t n, MATRIX factors, const T *tau) {
    int64_t k = smaller(m, n), ignored;
    T *a = calloc(m * n, sizeof(T));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j && i < m; i++)
            a[i + j * m] = factors.at[i + j * factors.ld];
    ROUTINE(ORTHOGONAL(mqr))(library, 'L', 'N', m, n, k, factors.at, factors.ld, tau, a, m, (int *)&ignored);
    return a;
}

void FORWARD(geqrf) DERIVING(GEQRF) {
    KEPT s = SAVED_OF(geqrf, GEQRF);
    int64_t k = smaller(m, n);
    if (da && k > 0) {
        const T *t = s.m[1].at;
        T *w = OWN(before_qr)(library, m, n, s.m[0], t), *of_tau = calloc(k, sizeof(T));
        EACH_BLOCK(begin, size, k, 1) {
            int64_t end = begin + size, corner = begin + begin * m;
            OWN(forward_panel)
            (m - begin, size, size, w + corner, m, t + begin, da + begin + begin * lda, lda, of_tau + begin);
            if (end < n)
                OWN(forward_one)
            (library, 'C', begin, m, size, w, m, t, da, lda, of_tau, w + end * m, m, da + end * lda, lda, n - end);
        }
        for (int64_t i = 0; dtau && i < k; i++)
            dtau[i] = of_tau[i];
        free(w);
        free(of_tau);
    }
    for (int64_t i = 0; !da && dtau && i < k; i++)
        dtau[i] = 0;
}
DERIVATIVE(geqrf, GEQRF)

/* -- orgqr: the first n columns of Q take the place of the vectors of k reflections */

#define ORGQR(V, R, W, I) V(int64_t, m) V(int64_t, n) V(int64_t, k) W(a) V(int64_t, lda) R(tau) I(info)

void ROUTINE(ORTHOGONAL(gqr)) PLAIN(ORGQR) {
    T sum = OWN(read)(a, m, n, lda) + OWN(read)(tau, k, 1, k);
    OWN(change)(a, m, n, lda, sum);
    *info = sum != sum;
}

void NATIVE(ORTHOGONAL(gqr)) PLAIN(ORGQR) { WITH_WORK_SPACE(ORTHOGONAL(gqr), NO_LENGTH, INT(m), INT(n), INT(k), a, INT(lda), tau) }

static ALWAYS_INLINE KEPT SAVED(ORTHOGONAL(gqr)) SAVING(ORGQR) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, 0, a, m, k, lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, !!da, UNCHANGED(6), tau, k, 1, at_least_1(k), tape, moment == BEFORE);
    OWN(keep)(&s, 2, !!da, UNCHANGED(4), a, m, n, lda, tape, moment == AFTER);
    return s;
}

void REVERSE(ORTHOGONAL(gqr)) DERIVING(ORGQR) {
    KEPT s = SAVED_OF(ORTHOGONAL(gqr), ORGQR);
    if (!da || m <= 0 || n <= 0)
        return;
    T *q = OWN(copy)(s.m[2].at, m, n, s.m[2].ld), *dq = OWN(copy)(da, m, n, lda), *of_tau = calloc(at_least_1(k), sizeof(T));
    OWN(scale)(da, m, n, lda, 0);
    OWN(reverse_product)(library, 'N', m, n, k, s.m[0].at, s.m[0].ld, s.m[1].at, q, m, dq, m, da, lda, of_tau);
    for (int64_t i = 0; dtau && i < k; i++)
        dtau[i] += of_tau[i];
    free(q);
    free(dq);
    free(of_tau);
}

void FORWARD(ORTHOGONAL(gqr)) DERIVING(ORGQR) {
    KEPT s = SAVED_OF(ORTHOGONAL(gqr), ORGQR);
    if (!da || m <= 0 || n <= 0)
        return;
    T *q = calloc(m * n, sizeof(T)), *of_a = OWN(copy)(da, m, k, lda), *of_tau = calloc(at_least_1(k), sizeof(T));
    for (int64_t i = 0; dtau && i < k; i++)
        of_tau[i] = dtau[i];
    for (int64_t i = 0; i < n; i++)
        q[i + i * m] = 1;
    OWN(scale)(da, m, n, lda, 0);
    OWN(forward_product)(library, 'N', m, n, k, s.m[0].at, s.m[0].ld, s.m[1].at, of_a, m, of_tau, q, m, da, lda);
    free(q);
    free(of_a);
    free(of_tau);
}
DERIVATIVE(ORTHOGONAL(gqr), ORGQR)

/* -- ormqr: op(Q) C or C op(Q) takes the place of C */

void ROUTINE(ORTHOGONAL(mqr)) PLAIN(ORMQR) {
    T sum = OWN(read)(a, is_left(side) ? m : n, k, lda) + OWN(read)(tau, k, 1, k);
    OWN(change)(c, m, n, ldc, sum);
    *info = sum != sum;
}

void NATIVE(ORTHOGONAL(mqr)) PLAIN(ORMQR) {
    char op = is_plain(trans) ? 'N' : IS_COMPLEX ? 'C' : 'T';
    WITH_WORK_SPACE(ORTHOGONAL(mqr), TWO_LENGTHS, &side, &op, INT(m), INT(n), INT(k), a, INT(lda), tau, c, INT(ldc))
}

static ALWAYS_INLINE KEPT SAVED(ORTHOGONAL(mqr)) SAVING(ORMQR) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!dc, UNCHANGED(6), a, is_left(side) ? m : n, k, lda, tape, moment == BEFORE);
    OWN(keep)(&s, 1, !!dc, UNCHANGED(8), tau, k, 1, at_least_1(k), tape, moment == BEFORE);
    OWN(keep)(&s, 2, da || dtau, UNCHANGED(9), c, m, n, ldc, tape, moment == AFTER);
    return s;
}

/* C, or its adjoint if the reflections are on its right: C Q = (Q^H C^H)^H */
static ALWAYS_INLINE T *OWN(upright)(char side, const T *c, int64_t ldc, int64_t m, int64_t n) {
    if (is_left(side))
        return OWN(copy)(c, m, n, ldc);
    T *made = OWN(new)(n, m);
    OWN(transpose)(c, ldc, m, n, made, n);
    OWN(conjugate)(made, n, m, n);
    return made;
}

static ALWAYS_INLINE void OWN(put_upright)(char side, const T *made, T *c, int64_t ldc, int64_t m, int64_t n) {
    if (is_left(side)) {
        OWN(lacpy)('A', m, n, made, m, c, ldc);
    } else {
        OWN(transpose)(made, n, n, m, c, ldc);
        OWN(conjugate)(c, m, n, ldc);
    }
}

void REVERSE(ORTHOGONAL(mqr)) DERIVING(ORMQR) {
    KEPT s = SAVED_OF(ORTHOGONAL(mqr), ORMQR);
    MATRIX A = s.m[0];
    int64_t ignored, rows = is_left(side) ? m : n, columns = is_left(side) ? n : m;
    if (!dc || m <= 0 || n <= 0)
        return;
    if (!da && !dtau) {
        ROUTINE(ORTHOGONAL(mqr))(library, side, inverse(trans), m, n, k, A.at, A.ld, s.m[1].at, dc, ldc, (int *)&ignored);
        return;
    }
    char op = is_left(side) ? trans : inverse(trans);
    T *w = OWN(upright)(side, s.m[2].at, s.m[2].ld, m, n), *dw = OWN(upright)(side, dc, ldc, m, n);
    T *of_a = calloc(at_least_1(rows * k), sizeof(T)), *of_tau = calloc(at_least_1(k), sizeof(T));
    OWN(reverse_product)(library, op, rows, columns, k, A.at, A.ld, s.m[1].at, w, rows, dw, rows, of_a, rows, of_tau);
    OWN(put_upright)(side, dw, dc, ldc, m, n);
    if (da)
        OWN(add)(da, lda, of_a, rows, rows, k, 1);
    for (int64_t i = 0; dtau && i < k; i++)
        dtau[i] += of_tau[i];
    free(w);
    free(dw);
    free(of_a);
    free(of_tau);
}

void FORWARD(ORTHOGONAL(mqr)) DERIVING(ORMQR) {
    KEPT s = SAVED_OF(ORTHOGONAL(mqr), ORMQR);
    MATRIX A = s.m[0];
    int64_t ignored, rows = is_left(side) ? m : n, columns = is_left(side) ? n : m;
    if (!dc || m <= 0 || n <= 0)
        return;
    if (!da && !dtau) {
        ROUTINE(ORTHOGONAL(mqr))(library, side, trans, m, n, k, A.at, A.ld, s.m[1].at, dc, ldc, (int *)&ignored);
        return;
    }
    char op = is_left(side) ? trans : inverse(trans);
    T *w = OWN(upright)(side, s.m[2].at, s.m[2].ld, m, n), *dw = OWN(upright)(side, dc, ldc, m, n);
    T *of_a = calloc(at_least_1(rows * k), sizeof(T)), *of_tau = calloc(at_least_1(k), sizeof(T));
    if (da)
        OWN(add)(of_a, rows, da, lda, rows, k, 1);
    for (int64_t i = 0; dtau && i < k; i++)
        of_tau[i] = dtau[i];
    ROUTINE(ORTHOGONAL(mqr))(library, 'L', inverse(op), rows, columns, k, A.at, A.ld, s.m[1].at, w, rows, (int *)&ignored);
    OWN(forward_product)(library, op, rows, columns, k, A.at, A.ld, s.m[1].at, of_a, rows, of_tau, w, rows, dw, rows);
    OWN(put_upright)(side, dw, dc, ldc, m, n);
    free(w);
    free(dw);
    free(of_a);
    free(of_tau);
}
DERIVATIVE(ORTHOGONAL(mqr), ORMQR)
