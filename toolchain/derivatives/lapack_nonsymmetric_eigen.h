/* LAPACK's eigenvalues and eigenvectors of general matrices, for one real type T with the letter P.
 *
 * A V = V diag(w), U = V^-1 (M. Giles, "An extended collection of matrix derivative results", 2008). With P = U A' V: w' is
 * its diagonal, and v_j' = u + c v_j, where u is the sum of v_i P_ij/(w_j - w_i) over i != j. The vectors have length 1, and
 * in each complex one the largest element is real: this gives c. The left vectors are the right ones of A^T with the
 * conjugate eigenvalues. Equal eigenvalues have no derivative of their vectors, and of themselves if A has not n vectors. */

#define GEEV(V, R, W, I)                                                                                          \
    V(int64_t, n) W(a) V(int64_t, lda) W(wr) W(wi) W(vl) V(int64_t, ldvl) W(vr) V(int64_t, ldvr) I(info)

extern void FORTRAN(P, geev)(const char *, const char *, const int *, T *, const int *, T *, T *, T *, const int *, T *,
                             const int *, T *, const int *, int *, size_t, size_t);

void ROUTINE(geev) PLAIN(GEEV) {
    T sum = OWN(read)(a, n, n, lda);
    for (int64_t i = 0; i < n; i++)
        wr[i] = wi[i] = sum;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            vl[i + j * ldvl] = vr[i + j * ldvr] = sum;
    *info = sum != sum;
}

/* The library's function destroys A. This one leaves it as it is. */
void NATIVE(geev) PLAIN(GEEV) {
    T size, *copy = OWN(copy)(a, n, n, lda);
    CALL(geev, "V", "V", INT(n), copy, INT(at_least_1(n)), wr, wi, vl, INT(ldvl), vr, INT(ldvr), &size, INT(-1), info, 1, 1);
    T *work = malloc((size_t)size * sizeof(T));
    CALL(geev, "V", "V", INT(n), copy, INT(at_least_1(n)), wr, wi, vl, INT(ldvl), vr, INT(ldvr), work, INT((int64_t)size),
         info, 1, 1);
    free(work);
    free(copy);
}

static ALWAYS_INLINE KEPT SAVED(geev) SAVING(GEEV) {
    KEPT s = {0};
    int64_t ld = at_least_1(n);
    OWN(keep)(&s, 0, !!da, UNCHANGED(4), wr, n, 1, ld, tape, moment == AFTER);
    OWN(keep)(&s, 1, !!da, UNCHANGED(5), wi, n, 1, ld, tape, moment == AFTER);
    OWN(keep)(&s, 2, !!da, UNCHANGED(6), vl, n, n, ldvl, tape, moment == AFTER);
    OWN(keep)(&s, 3, !!da, UNCHANGED(8), vr, n, n, ldvr, tape, moment == AFTER);
    OWN(keep_integers)(&s, 4, 1, info, 1, tape, moment == AFTER);
    return s;
}

/* A complex matrix of order n as two real ones */
#define COMPLEX_MATRIX struct OWN(complex_matrix)
COMPLEX_MATRIX {
    T *re, *im;
};

static ALWAYS_INLINE COMPLEX_MATRIX OWN(new_complex)(int64_t n) {
    return (COMPLEX_MATRIX){calloc(n * n, sizeof(T)), calloc(n * n, sizeof(T))};
}
static ALWAYS_INLINE void OWN(free_complex)(COMPLEX_MATRIX m) {
    free(m.re);
    free(m.im);
}

/* C = op(A) op(B); T: transposed and conjugate */
static ALWAYS_INLINE void OWN(product_complex)(int64_t library, char ta, char tb, int64_t n, COMPLEX_MATRIX a,
                                               COMPLEX_MATRIX b, COMPLEX_MATRIX c) {
    T of_a = is_plain(ta) ? 1 : -1, of_b = is_plain(tb) ? 1 : -1;
    OWN(gemm)(library, ta, tb, n, n, n, 1, a.re, n, b.re, n, 0, c.re, n);
    OWN(gemm)(library, ta, tb, n, n, n, -of_a * of_b, a.im, n, b.im, n, 1, c.re, n);
    OWN(gemm)(library, ta, tb, n, n, n, of_a, a.im, n, b.re, n, 0, c.im, n);
    OWN(gemm)(library, ta, tb, n, n, n, of_b, a.re, n, b.im, n, 1, c.im, n);
}

/* What the eigenvalues and the vectors of one side are. `sign`: that of the imaginary part of the eigenvalues in wi, -1
 * for the left vectors. first[j]: column j is that of a real eigenvalue (1), or the first of a pair (2); 0: the second. */
#define SPECTRUM struct OWN(spectrum)
SPECTRUM {
    int64_t n, *first;
    const T *wr, *wi;
    T sign, largest;
    COMPLEX_MATRIX v, u;
};

/* v is column j, and for a pair column j + i (j + 1) and its conjugate. */
static ALWAYS_INLINE COMPLEX_MATRIX OWN(complex_vectors)(int64_t n, const T *packed, int64_t ld, const T *wi) {
    COMPLEX_MATRIX v = OWN(new_complex)(n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            if (wi[j] == 0)
                v.re[i + j * n] = packed[i + j * ld];
            else if (wi[j] > 0 && j + 1 < n) {
                v.re[i + j * n] = v.re[i + (j + 1) * n] = packed[i + j * ld];
                v.im[i + j * n] = packed[i + (j + 1) * ld];
                v.im[i + (j + 1) * n] = -packed[i + (j + 1) * ld];
            }
        }
    return v;
}

/* The inverse of the vectors of one side is, row by row, made of those of the other side. */
static ALWAYS_INLINE COMPLEX_MATRIX OWN(inverse_of_vectors)(int64_t n, COMPLEX_MATRIX v, COMPLEX_MATRIX opposite) {
    COMPLEX_MATRIX u = OWN(new_complex)(n);
    for (int64_t j = 0; j < n; j++) {
        T re = 0, im = 0;
        for (int64_t i = 0; i < n; i++) {
            T a = opposite.re[i + j * n], b = -opposite.im[i + j * n], c = v.re[i + j * n], d = v.im[i + j * n];
            re += a * c - b * d, im += a * d + b * c;
        }
        T square = re * re + im * im;
        __ez_refuse(!(square > EPSILON * EPSILON), "a matrix without n eigenvectors has no derivative of its eigenvalues (geev)");
        for (int64_t i = 0; i < n; i++) {
            T a = opposite.re[i + j * n], b = -opposite.im[i + j * n];
            u.re[j + i * n] = (a * re + b * im) / square;
            u.im[j + i * n] = (b * re - a * im) / square;
        }
    }
    return u;
}

static ALWAYS_INLINE SPECTRUM OWN(spectrum_of)(int64_t n, KEPT s, int is_left_side) {
    const T *wr = s.m[0].at, *wi = s.m[1].at;
    COMPLEX_MATRIX l = OWN(complex_vectors)(n, s.m[2].at, s.m[2].ld, wi), r = OWN(complex_vectors)(n, s.m[3].at, s.m[3].ld, wi);
    SPECTRUM f = {n, calloc(n, sizeof(int64_t)), wr, wi, is_left_side ? -1 : 1, 0, r, r};
    f.v = is_left_side ? l : r;
    f.u = OWN(inverse_of_vectors)(n, f.v, is_left_side ? r : l);
    OWN(free_complex)(is_left_side ? r : l);
    for (int64_t j = 0; j < n; j++) {
        T size = ABSOLUTE(wr[j]) + ABSOLUTE(wi[j]);
        f.largest = size > f.largest ? size : f.largest;
        f.first[j] = wi[j] == 0 ? 1 : wi[j] > 0 ? 2 : 0;
    }
    return f;
}

static ALWAYS_INLINE void OWN(free_spectrum)(SPECTRUM f) {
    OWN(free_complex)(f.v);
    OWN(free_complex)(f.u);
    free(f.first);
}

/* Divides by w_j - w_i, or by its conjugate. */
static ALWAYS_INLINE void OWN(over_distance)(SPECTRUM f, int64_t i, int64_t j, int is_conjugate, T *re, T *im) {
    T a = f.wr[j] - f.wr[i], b = f.sign * (f.wi[j] - f.wi[i]), square = a * a + b * b, x = *re, y = *im;
    int are_equal = ABSOLUTE(a) + ABSOLUTE(b) <= EPSILON * f.largest;
    __ez_refuse(are_equal && ABSOLUTE(x) + ABSOLUTE(y) > ROUNDED, "eigenvectors of equal eigenvalues have no derivative (geev)");
    b = is_conjugate ? b : -b;
    *re = are_equal ? 0 : (x * a - y * b) / square;
    *im = are_equal ? 0 : (y * a + x * b) / square;
}

/* the row of the element that is made real: the largest one */
static ALWAYS_INLINE int64_t OWN(real_row)(SPECTRUM f, int64_t j) {
    int64_t found = 0;
    T most = -1;
    for (int64_t i = 0; i < f.n; i++) {
        T re = f.v.re[i + j * f.n], im = f.v.im[i + j * f.n];
        if (re * re + im * im > most)
            most = re * re + im * im, found = i;
    }
    return found;
}

/* G becomes the adjoint of u: G - Re(h) v - i Im(h)/v_k e_k, with h = v^H G */
static ALWAYS_INLINE void OWN(reverse_length)(SPECTRUM f, int64_t j, COMPLEX_MATRIX g) {
    T *re = g.re + j * f.n, *im = g.im + j * f.n, *vr = f.v.re + j * f.n, *vi = f.v.im + j * f.n, of_re = 0, of_im = 0;
    for (int64_t i = 0; i < f.n; i++)
        of_re += vr[i] * re[i] + vi[i] * im[i], of_im += vr[i] * im[i] - vi[i] * re[i];
    for (int64_t i = 0; i < f.n; i++)
        re[i] -= of_re * vr[i], im[i] -= of_re * vi[i];
    if (f.first[j] == 2) {
        int64_t k = OWN(real_row)(f, j);
        im[k] -= of_im / vr[k];
    }
}

/* A' = Re(U^H P' V^H) for one side. g has the adjoints of the vectors; those of the eigenvalues are 0 for the left side. */
static T *OWN(reverse_side)(int64_t library, SPECTRUM f, T *g_packed, int64_t ldg, const T *dwr, const T *dwi) {
    int64_t n = f.n;
    COMPLEX_MATRIX g = OWN(new_complex)(n), p = OWN(new_complex)(n), w = OWN(new_complex)(n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; f.first[j] && g_packed && i < n; i++) {
            g.re[i + j * n] = g_packed[i + j * ldg];
            g.im[i + j * n] = f.first[j] == 2 ? g_packed[i + (j + 1) * ldg] : 0;
        }
    for (int64_t j = 0; j < n; j++)
        if (f.first[j])
            OWN(reverse_length)(f, j, g);
    OWN(product_complex)(library, 'T', 'N', n, f.v, g, p);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            int64_t at = i + j * n, is_pair = f.first[j] == 2;
            if (i != j)
                OWN(over_distance)(f, i, j, 1, p.re + at, p.im + at);
            else {
                p.re[at] = f.first[j] && dwr ? dwr[j] + (is_pair ? dwr[j + 1] : 0) : 0;
                p.im[at] = is_pair && dwi ? dwi[j] - dwi[j + 1] : 0;
            }
        }
    OWN(product_complex)(library, 'T', 'N', n, f.u, p, w);
    OWN(product_complex)(library, 'N', 'T', n, w, f.v, g);
    OWN(free_complex)(p);
    OWN(free_complex)(w);
    free(g.im);
    return g.re;
}

void REVERSE(geev) DERIVING(GEEV) {
    KEPT s = SAVED_OF(geev, GEEV);
    if (n <= 0 || s.m[4].at[0] != 0)
        return;
    if (da) {
        SPECTRUM right = OWN(spectrum_of)(n, s, 0);
        T *sum = OWN(reverse_side)(library, right, dvr, ldvr, dwr, dwi);
        OWN(add)(da, lda, sum, n, n, n, 1);
        OWN(free_spectrum)(right);
        free(sum);
    }
    if (da && dvl && !OWN(is_zero)(dvl, n, n, ldvl)) {
        SPECTRUM left = OWN(spectrum_of)(n, s, 1);
        T *sum = OWN(reverse_side)(library, left, dvl, ldvl, NULL, NULL), *turned = OWN(transposed)(sum, n, n);
        OWN(add)(da, lda, turned, n, n, n, 1);
        OWN(free_spectrum)(left);
        free(sum);
        free(turned);
    }
    for (int64_t i = 0; i < n; i++) {
        if (dwr)
            dwr[i] = 0;
        if (dwi)
            dwi[i] = 0;
    }
    if (dvl)
        OWN(scale)(dvl, n, n, ldvl, 0);
    if (dvr)
        OWN(scale)(dvr, n, n, ldvr, 0);
}

/* u + c v for column j of u: c = -Re(v^H u) - i Im(u_k)/v_k, as tangents of the packed vectors */
static ALWAYS_INLINE void OWN(put_tangent)(SPECTRUM f, int64_t j, COMPLEX_MATRIX u, T *to, int64_t ld) {
    int64_t n = f.n, k = OWN(real_row)(f, j);
    const T *re = u.re + j * n, *im = u.im + j * n, *vr = f.v.re + j * n, *vi = f.v.im + j * n;
    T c = 0, d = f.first[j] == 2 ? -im[k] / vr[k] : 0;
    for (int64_t i = 0; i < n; i++)
        c -= vr[i] * re[i] + vi[i] * im[i];
    for (int64_t i = 0; i < n; i++) {
        to[i + j * ld] = re[i] + c * vr[i] - d * vi[i];
        if (f.first[j] == 2)
            to[i + (j + 1) * ld] = im[i] + c * vi[i] + d * vr[i];
    }
}

/* The tangents of one side, of which the program may ask for the vectors, the eigenvalues, or both. */
static void OWN(forward_side)(int64_t library, SPECTRUM f, T *da, T *to, int64_t ld, T *dwr, T *dwi) {
    int64_t n = f.n;
    COMPLEX_MATRIX a = {da, calloc(n * n, sizeof(T))}, w = OWN(new_complex)(n), p = OWN(new_complex)(n);
    OWN(product_complex)(library, 'N', 'N', n, f.u, a, w);
    OWN(product_complex)(library, 'N', 'N', n, w, f.v, p);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            int64_t at = i + j * n;
            if (i == j && dwr)
                dwr[j] = p.re[at];
            if (i == j && dwi)
                dwi[j] = f.first[j] == 1 ? 0 : p.im[at];
            if (i == j)
                p.re[at] = p.im[at] = 0;
            else if (to)
                OWN(over_distance)(f, i, j, 0, p.re + at, p.im + at);
        }
    if (to) {
        OWN(product_complex)(library, 'N', 'N', n, f.v, p, w);
        for (int64_t j = 0; j < n; j++)
            if (f.first[j])
                OWN(put_tangent)(f, j, w, to, ld);
    }
    free(a.im);
    OWN(free_complex)(w);
    OWN(free_complex)(p);
}

void FORWARD(geev) DERIVING(GEEV) {
    KEPT s = SAVED_OF(geev, GEEV);
    if (n <= 0 || s.m[4].at[0] != 0)
        return;
    if (dvl)
        OWN(scale)(dvl, n, n, ldvl, 0);
    if (dvr)
        OWN(scale)(dvr, n, n, ldvr, 0);
    for (int64_t i = 0; i < n; i++) {
        if (dwr)
            dwr[i] = 0;
        if (dwi)
            dwi[i] = 0;
    }
    if (!da)
        return;
    T *tangent = OWN(copy)(da, n, n, lda), *turned = OWN(transposed)(tangent, n, n);
    SPECTRUM right = OWN(spectrum_of)(n, s, 0);
    OWN(forward_side)(library, right, tangent, dvr, ldvr, dwr, dwi);
    OWN(free_spectrum)(right);
    if (dvl) {
        SPECTRUM left = OWN(spectrum_of)(n, s, 1);
        OWN(forward_side)(library, left, turned, dvl, ldvl, NULL, NULL);
        OWN(free_spectrum)(left);
    }
    free(tangent);
    free(turned);
}
DERIVATIVE(geev, GEEV)
