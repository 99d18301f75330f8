/* LAPACK's eigenvalues and eigenvectors of general matrices, for one complex type T with the letter P.
 *
 * A V = V diag(w), U = V^-1 (M. Giles, "An extended collection of matrix derivative results", 2008). With P = U A' V: w' is
 * its diagonal, and v_j' = u + c v_j, where u is the sum of v_i P_ij/(w_j - w_i) over i != j. The vectors have length 1, and
 * the largest element of each is real: this gives c. The left vectors are the right ones of A^H with the conjugate
 * eigenvalues. Equal eigenvalues have no derivative of their vectors, and of themselves if A has not n vectors. */

#define COMPLEX_GEEV(V, R, W, I) V(int64_t, n) W(a) V(int64_t, lda) W(w) W(vl) V(int64_t, ldvl) W(vr) V(int64_t, ldvr) I(info)

extern void FORTRAN(P, geev)(const char *, const char *, const int *, T *, const int *, T *, T *, const int *, T *,
                             const int *, T *, const int *, REAL *, int *, size_t, size_t);

void ROUTINE(geev) PLAIN(COMPLEX_GEEV) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t j = 0; j < n; j++) {
        w[j] = sum;
        for (int64_t i = 0; i < n; i++)
            vl[i + j * ldvl] = vr[i + j * ldvr] = sum;
    }
    *info = sum != sum;
}

/* The library's function destroys A. This one leaves it as it is. */
void NATIVE(geev) PLAIN(COMPLEX_GEEV) {
    T *copy = OWN(copy)(a, n, n, lda), size;
    REAL *real_work = malloc(at_least_1(2 * n) * sizeof(REAL));
    CALL(geev, "V", "V", INT(n), copy, INT(at_least_1(n)), w, vl, INT(ldvl), vr, INT(ldvr), &size, INT(-1), real_work, info,
         1, 1);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(geev, "V", "V", INT(n), copy, INT(at_least_1(n)), w, vl, INT(ldvl), vr, INT(ldvr), work, INT((int64_t)size),
         real_work, info, 1, 1);
    free(work);
    free(real_work);
    free(copy);
}

static ALWAYS_INLINE KEPT SAVED(geev) SAVING(COMPLEX_GEEV) {
    KEPT s = {0};
    OWN(keep)(&s, 0, !!da, UNCHANGED(4), w, n, 1, at_least_1(n), tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, UNCHANGED(5), vl, n, n, ldvl, tape, moment == AFTER);
    OWN(keep)(&s, 2, !!da, UNCHANGED(7), vr, n, n, ldvr, tape, moment == AFTER);
    OWN(keep_integers)(&s, 3, 1, info, 1, tape, moment == AFTER);
    return s;
}

/* The eigenvalues and vectors of one side, and the inverse of these, which is made of those of the other side. Left vectors
 * belong to the conjugate eigenvalues. */
#define SPECTRUM struct OWN(spectrum)
SPECTRUM {
    int64_t n;
    int is_left_side;
    const T *w;
    REAL largest;
    MATRIX v;
    T *u;
};

static ALWAYS_INLINE SPECTRUM OWN(spectrum_of)(int64_t n, KEPT s, int is_left_side) {
    MATRIX opposite = s.m[is_left_side ? 2 : 1];
    SPECTRUM f = {n, is_left_side, s.m[0].at, 0, s.m[is_left_side ? 1 : 2], OWN(new)(n, n)};
    for (int64_t j = 0; j < n; j++) {
        T product = OWN(dot)(f.v.at + j * f.v.ld, n, opposite.at + j * opposite.ld, n, n, 1);
        __ez_refuse(!(SQUARE(product) > EPSILON * EPSILON),
                    "a matrix without n eigenvectors has no derivative of its eigenvalues (geev)");
        for (int64_t i = 0; i < n; i++)
            f.u[j + i * n] = CONJ(opposite.at[i + j * opposite.ld]) / product;
        f.largest = ONE_NORM(f.w[j]) > f.largest ? ONE_NORM(f.w[j]) : f.largest;
    }
    return f;
}

/* X divided by w_j - w_i, or by its conjugate */
static ALWAYS_INLINE T OWN(over_distance)(SPECTRUM f, int64_t i, int64_t j, int is_conjugate, T x) {
    T distance = OWN(conj_if)(is_conjugate != f.is_left_side, f.w[j] - f.w[i]);
    int are_equal = ONE_NORM(distance) <= EPSILON * f.largest;
    __ez_refuse(are_equal && ONE_NORM(x) > ROUNDED, "eigenvectors of equal eigenvalues have no derivative (geev)");
    return are_equal ? 0 : x / distance;
}

/* the row of the element that is made real: the largest one */
static ALWAYS_INLINE int64_t OWN(real_row)(SPECTRUM f, int64_t j) {
    const T *v = f.v.at + j * f.v.ld;
    int64_t found = 0;
    for (int64_t i = 1; i < f.n; i++)
        if (SQUARE(v[i]) > SQUARE(v[found]))
            found = i;
    return found;
}

/* G becomes the adjoint of u: G - Re(h) v - i Im(h)/v_k e_k, with h = v^H G */
static ALWAYS_INLINE void OWN(reverse_length)(SPECTRUM f, int64_t j, T *g) {
    const T *v = f.v.at + j * f.v.ld;
    int64_t k = OWN(real_row)(f, j);
    T h = OWN(dot)(g, f.n, v, f.n, f.n, 1);
    OWN(add)(g, f.n, v, f.n, f.n, 1, -__real__ h);
    g[k] -= 1.0fi * __imag__ h / __real__ v[k];
}

/* A' = U^H P' V^H for one side. g has the adjoints of the vectors, dw those of the eigenvalues. */
static T *OWN(reverse_side)(int64_t library, SPECTRUM f, const T *dv, int64_t ld, const T *dw) {
    int64_t n = f.n;
    T *g = dv ? OWN(copy)(dv, n, n, ld) : calloc(n * n, sizeof(T)), *p = OWN(new)(n, n);
    for (int64_t j = 0; j < n; j++)
        OWN(reverse_length)(f, j, g + j * n);
    OWN(gemm)(library, 'C', 'N', n, n, n, 1, f.v.at, f.v.ld, g, n, 0, p, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            p[i + j * n] = i != j ? OWN(over_distance)(f, i, j, 1, p[i + j * n]) : dw ? dw[j] : 0;
    OWN(gemm)(library, 'C', 'N', n, n, n, 1, f.u, n, p, n, 0, g, n);
    OWN(gemm)(library, 'N', 'C', n, n, n, 1, g, n, f.v.at, f.v.ld, 0, p, n);
    free(g);
    return p;
}

static ALWAYS_INLINE void OWN(clear_spectrum)(int64_t n, T *dw, T *dvl, int64_t ldvl, T *dvr, int64_t ldvr) {
    if (dw)
        OWN(scale)(dw, n, 1, n, 0);
    if (dvl)
        OWN(scale)(dvl, n, n, ldvl, 0);
    if (dvr)
        OWN(scale)(dvr, n, n, ldvr, 0);
}

void REVERSE(geev) DERIVING(COMPLEX_GEEV) {
    KEPT s = SAVED_OF(geev, COMPLEX_GEEV);
    if (n <= 0 || s.m[3].at[0] != 0)
        return;
    if (da) {
        SPECTRUM right = OWN(spectrum_of)(n, s, 0);
        T *sum = OWN(reverse_side)(library, right, dvr, ldvr, dw);
        OWN(add)(da, lda, sum, n, n, n, 1);
        free(right.u);
        free(sum);
    }
    if (da && dvl && !OWN(is_zero)(dvl, n, n, ldvl)) {
        SPECTRUM left = OWN(spectrum_of)(n, s, 1);
        T *sum = OWN(reverse_side)(library, left, dvl, ldvl, NULL), *turned = OWN(transposed)(sum, n, n);
        OWN(conjugate)(turned, n, n, n);
        OWN(add)(da, lda, turned, n, n, n, 1);
        free(left.u);
        free(sum);
        free(turned);
    }
    OWN(clear_spectrum)(n, dw, dvl, ldvl, dvr, ldvr);
}

/* u + c v: c = -Re(v^H u) - i Im(u_k)/v_k */
static ALWAYS_INLINE void OWN(put_tangent)(SPECTRUM f, int64_t j, const T *u, T *to) {
    const T *v = f.v.at + j * f.v.ld;
    int64_t k = OWN(real_row)(f, j);
    T c = -__real__ OWN(dot)(u, f.n, v, f.n, f.n, 1) - 1.0fi * __imag__ u[k] / __real__ v[k];
    for (int64_t i = 0; i < f.n; i++)
        to[i] = u[i] + c * v[i];
}

/* The tangents of one side, of which the program may ask for the vectors, the eigenvalues, or both. */
static void OWN(forward_side)(int64_t library, SPECTRUM f, const T *da, int64_t lda, T *to, int64_t ld, T *dw) {
    int64_t n = f.n;
    T *w = OWN(new)(n, n), *p = OWN(new)(n, n);
    OWN(gemm)(library, 'N', 'N', n, n, n, 1, f.u, n, da, lda, 0, w, n);
    OWN(gemm)(library, 'N', 'N', n, n, n, 1, w, n, f.v.at, f.v.ld, 0, p, n);
    for (int64_t j = 0; dw && j < n; j++)
        dw[j] = p[j + j * n];
    for (int64_t j = 0; to && j < n; j++)
        for (int64_t i = 0; i < n; i++)
            p[i + j * n] = i == j ? 0 : OWN(over_distance)(f, i, j, 0, p[i + j * n]);
    if (to)
        OWN(gemm)(library, 'N', 'N', n, n, n, 1, f.v.at, f.v.ld, p, n, 0, w, n);
    for (int64_t j = 0; to && j < n; j++)
        OWN(put_tangent)(f, j, w + j * n, to + j * ld);
    free(w);
    free(p);
}

void FORWARD(geev) DERIVING(COMPLEX_GEEV) {
    KEPT s = SAVED_OF(geev, COMPLEX_GEEV);
    if (n <= 0 || s.m[3].at[0] != 0)
        return;
    OWN(clear_spectrum)(n, dw, dvl, ldvl, dvr, ldvr);
    if (!da)
        return;
    SPECTRUM right = OWN(spectrum_of)(n, s, 0);
    OWN(forward_side)(library, right, da, lda, dvr, ldvr, dw);
    free(right.u);
    if (dvl) {
        SPECTRUM left = OWN(spectrum_of)(n, s, 1);
        T *tangent = OWN(copy)(da, n, n, lda), *turned = OWN(transposed)(tangent, n, n);
        OWN(conjugate)(turned, n, n, n);
        OWN(forward_side)(library, left, turned, n, dvl, ldvl, NULL);
        free(left.u);
        free(tangent);
        free(turned);
    }
}
DERIVATIVE(geev, COMPLEX_GEEV)
