/* Blocks of Householder's reflections, their adjoints and tangents, for one type T with the letter P.
 *
 * A block of reflections is B = 1 - V S V^H, where S is upper triangular (R. Schreiber and C. van Loan, 1989). It is
 * unitary, so the reverse sweep gets back what was there before by applying it again: nothing else is kept. */

enum { OWN(reflections) = 32 };

/* A block as explicit matrices: V has `rows` rows, S is of order `count`. */
#define BLOCK struct OWN(block_of_reflections)
BLOCK {
    int64_t rows, count;
    T *v, *s, *products;
};

/* V with its ones and zeros */
static ALWAYS_INLINE T *OWN(vectors)(int64_t rows, int64_t count, const T *a, int64_t lda, T diagonal) {
    T *v = calloc(at_least_1(rows * count), sizeof(T));
    for (int64_t j = 0; j < count; j++) {
        v[j + j * rows] = diagonal;
        for (int64_t i = j + 1; i < rows; i++)
            v[i + j * rows] = a[i + j * lda];
    }
    return v;
}

/* Column j of S above the diagonal is -tau_j S_j g_j: S_j is what is left of it, g_j the products of v_j with the others. */
static void OWN(make_s)(int64_t count, const T *products, const T *tau, T *s) {
    for (int64_t j = 0; j < count; j++) {
        s[j + j * count] = tau[j];
        for (int64_t i = 0; i < j; i++) {
            T sum = 0;
            for (int64_t l = i; l < j; l++)
                sum += s[i + l * count] * products[l + j * count];
            s[i + j * count] = -tau[j] * sum;
        }
    }
}

static ALWAYS_INLINE BLOCK OWN(make_block)(int64_t library, int64_t rows, int64_t count, const T *a, int64_t lda,
                                           const T *tau) {
    BLOCK b = {rows, count, OWN(vectors)(rows, count, a, lda, 1), calloc(count * count, sizeof(T)), OWN(new)(count, count)};
    OWN(gemm)(library, 'C', 'N', count, count, rows, 1, b.v, rows, b.v, rows, 0, b.products, count);
    OWN(make_s)(count, b.products, tau, b.s);
    return b;
}

static ALWAYS_INLINE void OWN(free_block)(BLOCK b) {
    free(b.v);
    free(b.s);
    free(b.products);
}

/* C = op(B) C */
static ALWAYS_INLINE void OWN(apply_block)(int64_t library, char trans, BLOCK b, T *c, int64_t ldc, int64_t columns) {
    T *w = OWN(new)(b.count, columns), *sw = OWN(new)(b.count, columns);
    OWN(gemm)(library, 'C', 'N', b.count, columns, b.rows, 1, b.v, b.rows, c, ldc, 0, w, b.count);
    OWN(gemm)(library, trans, 'N', b.count, columns, b.count, 1, b.s, b.count, w, b.count, 0, sw, b.count);
    OWN(gemm)(library, 'N', 'N', b.rows, columns, b.count, -1, b.v, b.rows, sw, b.count, 1, c, ldc);
    free(w);
    free(sw);
}

/* -- adjoints of blocks */

/* C becomes what it was before op(B). Adjoints of V and S are added to. */
static void OWN(reverse_apply)(int64_t library, char trans, BLOCK b, T *c, int64_t ldc, T *dc, int64_t lddc,
                               int64_t columns, T *dv, T *ds) {
    int64_t k = b.count;
    T *w = OWN(new)(k, columns), *sw = OWN(new)(k, columns), *dsw = OWN(new)(k, columns), *dw = OWN(new)(k, columns);
    OWN(apply_block)(library, inverse(trans), b, c, ldc, columns);
    OWN(gemm)(library, 'C', 'N', k, columns, b.rows, 1, b.v, b.rows, c, ldc, 0, w, k);
    OWN(gemm)(library, trans, 'N', k, columns, k, 1, b.s, k, w, k, 0, sw, k);
    OWN(gemm)(library, 'N', 'C', b.rows, k, columns, -1, dc, lddc, sw, k, 1, dv, b.rows);
    OWN(gemm)(library, 'C', 'N', k, columns, b.rows, -1, b.v, b.rows, dc, lddc, 0, dsw, k);
    if (is_plain(trans))
        OWN(gemm)(library, 'N', 'C', k, k, columns, 1, dsw, k, w, k, 1, ds, k);
    else
        OWN(gemm)(library, 'N', 'C', k, k, columns, 1, w, k, dsw, k, 1, ds, k);
    OWN(gemm)(library, inverse(trans), 'N', k, columns, k, 1, b.s, k, dsw, k, 0, dw, k);
    OWN(gemm)(library, 'N', 'C', b.rows, k, columns, 1, c, ldc, dw, k, 1, dv, b.rows);
    OWN(gemm)(library, 'N', 'N', b.rows, columns, k, 1, b.v, b.rows, dw, k, 1, dc, lddc);
    free(w);
    free(sw);
    free(dsw);
    free(dw);
}

/* the adjoint of make_s: what S has is spent */
static void OWN(reverse_s)(int64_t count, const T *products, const T *tau, const T *s, T *ds, T *dproducts, T *dtau) {
    for (int64_t j = count - 1; j >= 0; j--) {
        dtau[j] += ds[j + j * count];
        for (int64_t i = 0; i < j; i++) {
            T sum = 0, d = ds[i + j * count];
            for (int64_t l = i; l < j; l++) {
                sum += s[i + l * count] * products[l + j * count];
                ds[i + l * count] -= d * CONJ(tau[j] * products[l + j * count]);
                dproducts[l + j * count] -= d * CONJ(tau[j] * s[i + l * count]);
            }
            dtau[j] -= d * CONJ(sum);
        }
    }
}

/* the adjoint of make_block: adds those of V below its diagonal to da */
static ALWAYS_INLINE void OWN(reverse_block_made)(int64_t library, BLOCK b, const T *tau, T *dv, T *ds, T *da, int64_t ldda,
                                                  T *dtau) {
    int64_t k = b.count;
    T *dproducts = calloc(k * k, sizeof(T));
    OWN(reverse_s)(k, b.products, tau, b.s, ds, dproducts, dtau);
    OWN(gemm)(library, 'N', 'N', b.rows, k, k, 1, b.v, b.rows, dproducts, k, 1, dv, b.rows);
    OWN(gemm)(library, 'N', 'C', b.rows, k, k, 1, b.v, b.rows, dproducts, k, 1, dv, b.rows);
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = j + 1; i < b.rows; i++)
            da[i + j * ldda] += dv[i + j * b.rows];
    free(dproducts);
}

/* One block of op(Q) C, whose reflections begin at row and column `begin`: C becomes what it was before. */
static ALWAYS_INLINE void OWN(reverse_one)(int64_t library, char trans, int64_t begin, int64_t rows, int64_t count,
                                           const T *a, int64_t lda, const T *tau, T *c, int64_t ldc, T *dc, int64_t lddc,
                                           int64_t columns, T *da, int64_t ldda, T *dtau) {
    int64_t size = rows - begin;
    BLOCK b = OWN(make_block)(library, size, count, a + begin + begin * lda, lda, tau + begin);
    T *dv = calloc(at_least_1(size * count), sizeof(T)), *ds = calloc(count * count, sizeof(T));
    OWN(reverse_apply)(library, trans, b, c + begin, ldc, dc + begin, lddc, columns, dv, ds);
    OWN(reverse_block_made)(library, b, tau + begin, dv, ds, da + begin + begin * ldda, ldda, dtau + begin);
    OWN(free_block)(b);
    free(dv);
    free(ds);
}

/* The blocks of `count` reflections in the order in which op(Q) C applies them, or back. */
#define EACH_BLOCK(BEGIN, SIZE, COUNT, IS_UP)                                                                     \
    for (int64_t l_ = 0, blocks_ = ((COUNT) + OWN(reflections) - 1) / OWN(reflections),                           \
                 BEGIN = ((IS_UP) ? 0 : blocks_ - 1) * OWN(reflections), SIZE;                                    \
         l_ < blocks_ && (SIZE = smaller(OWN(reflections), (COUNT) - BEGIN), 1);                                  \
         l_++, BEGIN += (IS_UP) ? OWN(reflections) : -OWN(reflections))

/* The adjoint of C = op(Q) C, where Q has k reflections of `rows` rows. C becomes what it was before. */
static void OWN(reverse_product)(int64_t library, char trans, int64_t rows, int64_t columns, int64_t k, const T *a,
                                 int64_t lda, const T *tau, T *c, int64_t ldc, T *dc, int64_t lddc, T *da, int64_t ldda,
                                 T *dtau) {
    EACH_BLOCK(begin, size, k, is_plain(trans))
    OWN(reverse_one)
    (library, trans, begin, rows, size, a, lda, tau, c, ldc, dc, lddc, columns, da, ldda, dtau);
}

/* -- tangents of blocks */

static void OWN(forward_s)(int64_t count, const T *products, const T *dproducts, const T *tau, const T *dtau, const T *s,
                           T *ds) {
    for (int64_t j = 0; j < count; j++) {
        ds[j + j * count] = dtau[j];
        for (int64_t i = 0; i < j; i++) {
            T sum = 0, dsum = 0;
            for (int64_t l = i; l < j; l++) {
                sum += s[i + l * count] * products[l + j * count];
                dsum += ds[i + l * count] * products[l + j * count] + s[i + l * count] * dproducts[l + j * count];
            }
            ds[i + j * count] = -dtau[j] * sum - tau[j] * dsum;
        }
    }
}

/* C and its tangent become op(B) C and that one's. C' - V' S V^H C - V (S' V^H C + S (V'^H C + V^H C')) */
static void OWN(forward_apply)(int64_t library, char trans, BLOCK b, const T *dv, const T *ds, T *c, int64_t ldc, T *dc,
                               int64_t lddc, int64_t columns) {
    int64_t k = b.count;
    T *w = OWN(new)(k, columns), *sw = OWN(new)(k, columns), *dw = OWN(new)(k, columns), *dsw = OWN(new)(k, columns);
    OWN(gemm)(library, 'C', 'N', k, columns, b.rows, 1, b.v, b.rows, c, ldc, 0, w, k);
    OWN(gemm)(library, 'C', 'N', k, columns, b.rows, 1, dv, b.rows, c, ldc, 0, dw, k);
    OWN(gemm)(library, 'C', 'N', k, columns, b.rows, 1, b.v, b.rows, dc, lddc, 1, dw, k);
    OWN(gemm)(library, trans, 'N', k, columns, k, 1, b.s, k, w, k, 0, sw, k);
    OWN(gemm)(library, trans, 'N', k, columns, k, 1, ds, k, w, k, 0, dsw, k);
    OWN(gemm)(library, trans, 'N', k, columns, k, 1, b.s, k, dw, k, 1, dsw, k);
    OWN(gemm)(library, 'N', 'N', b.rows, columns, k, -1, dv, b.rows, sw, k, 1, dc, lddc);
    OWN(gemm)(library, 'N', 'N', b.rows, columns, k, -1, b.v, b.rows, dsw, k, 1, dc, lddc);
    OWN(gemm)(library, 'N', 'N', b.rows, columns, k, -1, b.v, b.rows, sw, k, 1, c, ldc);
    free(w);
    free(sw);
    free(dw);
    free(dsw);
}

static ALWAYS_INLINE void OWN(forward_one)(int64_t library, char trans, int64_t begin, int64_t rows, int64_t count,
                                           const T *a, int64_t lda, const T *tau, const T *da, int64_t ldda, const T *dtau,
                                           T *c, int64_t ldc, T *dc, int64_t lddc, int64_t columns) {
    int64_t size = rows - begin;
    BLOCK b = OWN(make_block)(library, size, count, a + begin + begin * lda, lda, tau + begin);
    T *dv = OWN(vectors)(size, count, da + begin + begin * ldda, ldda, 0), *ds = calloc(count * count, sizeof(T));
    T *dproducts = OWN(new)(count, count);
    OWN(gemm)(library, 'C', 'N', count, count, size, 1, dv, size, b.v, size, 0, dproducts, count);
    OWN(gemm)(library, 'C', 'N', count, count, size, 1, b.v, size, dv, size, 1, dproducts, count);
    OWN(forward_s)(count, b.products, dproducts, tau + begin, dtau + begin, b.s, ds);
    OWN(forward_apply)(library, trans, b, dv, ds, c + begin, ldc, dc + begin, lddc, columns);
    OWN(free_block)(b);
    free(dv);
    free(ds);
    free(dproducts);
}

/* The tangent of C = op(Q) C. C is what it was before, and becomes what it is after. */
static void OWN(forward_product)(int64_t library, char trans, int64_t rows, int64_t columns, int64_t k, const T *a,
                                 int64_t lda, const T *tau, const T *da, int64_t ldda, const T *dtau, T *c, int64_t ldc,
                                 T *dc, int64_t lddc) {
    EACH_BLOCK(begin, size, k, !is_plain(trans))
    OWN(forward_one)
    (library, trans, begin, rows, size, a, lda, tau, da, ldda, dtau, c, ldc, dc, lddc, columns);
}
