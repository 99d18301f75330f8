/* BLAS, levels 1 and 2: what only real types have, or by other names than complex ones. */

INLINED T F_NAME(dot)(I n, const T *x, I incx, const T *y, I incy) { return OWN(inner)(0, *n, x, *incx, y, *incy); }
INLINED T C_NAME(dot)(int n, const T *x, int incx, const T *y, int incy) { return OWN(inner)(0, n, x, incx, y, incy); }
INLINED T F_NAME(nrm2)(I n, const T *x, I incx) { return OWN(nrm2)(*n, x, *incx); }
INLINED T C_NAME(nrm2)(int n, const T *x, int incx) { return OWN(nrm2)(n, x, incx); }
INLINED T F_NAME(asum)(I n, const T *x, I incx) { return OWN(asum)(*n, x, *incx); }
INLINED T C_NAME(asum)(int n, const T *x, int incx) { return OWN(asum)(n, x, incx); }

/* a, b become r, z; |r| = sqrt(a^2 + b^2), with the sign of the larger of the two */
static void OWN(rotg)(T *a, T *b, T *c, T *s) {
    T x = *a, y = *b;
    if (y == 0) {
        *c = 1, *s = 0, *b = 0;
        return;
    }
    if (x == 0) {
        *c = 0, *s = 1, *a = y, *b = 1;
        return;
    }
    int is_first = ABSOLUTE(x) > ABSOLUTE(y);
    T scale = is_first ? ABSOLUTE(x) : ABSOLUTE(y), sign = (is_first ? x : y) > 0 ? 1 : -1;
    T r = sign * scale * ROOT(x / scale * (x / scale) + y / scale * (y / scale));
    *c = x / r, *s = y / r, *a = r;
    *b = is_first ? *s : *c != 0 ? 1 / *c : 1;
}

static void OWN(rotm)(int64_t n, T *x, int64_t incx, T *y, int64_t incy, const T *h) {
    T *p = x + start(n, incx), *q = y + start(n, incy);
    if (h[0] == -2)
        return;
    T a = h[0] == 0 ? 1 : h[1], d = h[0] == 0 ? 1 : h[4], b = h[0] == 1 ? 1 : h[3], c = h[0] == 1 ? -1 : h[2];
    for (int64_t i = 0; i < n; i++) {
        T t = a * p[i * incx] + b * q[i * incy];
        q[i * incy] = c * p[i * incx] + d * q[i * incy];
        p[i * incx] = t;
    }
}

F(rot)(I n, T *x, I incx, T *y, I incy, const T *c, const T *s) { OWN(rot)(*n, x, *incx, y, *incy, *c, *s); }
C(rot)(int n, T *x, int incx, T *y, int incy, T c, T s) { OWN(rot)(n, x, incx, y, incy, c, s); }
F(rotg)(T *a, T *b, T *c, T *s) { OWN(rotg)(a, b, c, s); }
C(rotg)(T *a, T *b, T *c, T *s) { OWN(rotg)(a, b, c, s); }
F(rotm)(I n, T *x, I incx, T *y, I incy, const T *h) { OWN(rotm)(*n, x, *incx, y, *incy, h); }
C(rotm)(int n, T *x, int incx, T *y, int incy, const T *h) { OWN(rotm)(n, x, incx, y, incy, h); }

OUTER(ger, 0)
ON_TRIANGLES(sbmv, SYMMETRIC, COMMA I k, COMMA int k, COMMA I lda, COMMA int lda, BAND_F, BAND_C)
RANK_2(syr2, SYMMETRIC, COMMA I lda, COMMA int lda, FULL_F, FULL_C)
RANK_2(spr2, SYMMETRIC, , , PACKED_F, PACKED_C)
#undef F
#undef C
#undef I
