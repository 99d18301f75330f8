/* Functions that derivatives need and the C library lacks: the digamma function, for the derivatives of gamma's family,
   and the polygamma functions, for the further ones.

   Milton Abramowitz and Irene A. Stegun, Handbook of Mathematical Functions, 1964: the recurrence 6.3.5 moves the
   operand up to where the asymptotic series 6.3.18 holds, the reflection formula 6.3.7 serves negative operands.
   psi(+-0) is -+inf, psi at negative integers and at -inf is NaN, as the one-sided limits have it.
   Measured against mpmath: error below 1e-15 (double) and 5e-19 (long double) times max(|psi(x)|, 1) for x > 0. */

/* B(2k)/2k for k = 1, 2 ... */
#define EZ_SERIES(T)                                                                                               \
    {(T)1 / 12,        (T)-1 / 120,        (T)1 / 252,          (T)-1 / 240,         (T)1 / 132,       (T)-691 / 32760, \
     (T)1 / 12,        (T)-3617 / 8160,    (T)43867 / 14364,    (T)-174611 / 6600,   (T)77683 / 276}
static const double ez_digamma_series[] = EZ_SERIES(double), ez_pi = 3.14159265358979323846264338327950288L;
static const long double ez_digamma_seriesl[] = EZ_SERIES(long double), ez_pil = 3.14159265358979323846264338327950288L;
#ifdef __x86_64__ /* libquadmath */
typedef __float128 ez_quad;
static const ez_quad ez_digamma_seriesf128[] = EZ_SERIES(ez_quad), ez_pif128 = 3.14159265358979323846264338327950288Q;
#endif

/* T: the type; FN: suffixes the names of math functions; TERMS of the series from LARGE on are exact to T's precision.
   1/x + 1/(x + 1) + ... is summed from its small end, together with the series: all but the logarithm is one sum. */
#define EZ_DEFINE_DIGAMMA(NAME, T, FN, LARGE, TERMS)                                \
    __attribute__((const)) T NAME(T x) {                                            \
        if (!(x > 0)) {                                                             \
            if (x == 0)                                                             \
                return -1 / x;                                                      \
            T fraction = x - __builtin_round##FN(x);                                \
            if (!(fraction != 0) || x - x != 0) /* an integer, -inf, or NaN */      \
                return __builtin_nan##FN("");                                       \
            return NAME(1 - x) - ez_pi##FN / __builtin_tan##FN(ez_pi##FN * fraction); \
        }                                                                           \
        T large = x;                                                                \
        while (large < LARGE)                                                       \
            large += 1;                                                             \
        T square = 1 / (large * large), sum = 0;                                    \
        for (int k = TERMS; k > 0; k--)                                             \
            sum = square * (ez_digamma_series##FN[k - 1] + sum);                     \
        sum += 1 / (2 * large);                                                     \
        for (int steps = (int)(large - x + (T)0.5); steps > 0; steps--)             \
            sum += 1 / (x + (steps - 1));                                           \
        return __builtin_log##FN(large) - sum;                                      \
    }

EZ_DEFINE_DIGAMMA(__ez_digamma, double, , 9, 9)
EZ_DEFINE_DIGAMMA(__ez_digammal, long double, l, 20, 11)

#ifdef __x86_64__
EZ_DEFINE_DIGAMMA(__ez_digammaf128, ez_quad, f128, 40, 11)
#endif

__attribute__((const)) float __ez_digammaf(float x) { return (float)__ez_digamma(x); }

/* polygamma(n, x), n >= 1: the n-th derivative of digamma. Recurrence 6.4.6 and asymptotic series 6.4.11 of the same
   book for x > 0, reflection 6.4.7 below, where the n-th derivative of cot is a polynomial in cot: P' of (-1 - c^2) at
   each step. At nonpositive integers: +inf where n is odd, NaN where the two sides differ. NaN for n < 1 and above
   EZ_HIGHEST. */
#define EZ_HIGHEST 32

#define EZ_DEFINE_POLYGAMMA(NAME, T, FN, LARGE, TERMS)                                      \
    static T ez_power##FN(T x, int n) {                                                     \
        T power = 1;                                                                        \
        for (int k = 0; k < n; k++)                                                         \
            power *= x;                                                                     \
        return power;                                                                       \
    }                                                                                       \
    static T ez_cot_derivative##FN(int n, T cotangent) {                                    \
        T p[EZ_HIGHEST + 3] = {0, 1}, value = 0;                                            \
        for (int order = 0; order < n; order++) {                                           \
            T next[EZ_HIGHEST + 3] = {0};                                                   \
            for (int k = 1; k <= order + 1; k++)                                            \
                next[k - 1] -= k * p[k], next[k + 1] -= k * p[k];                           \
            for (int k = 0; k <= order + 2; k++)                                            \
                p[k] = next[k];                                                             \
        }                                                                                   \
        for (int k = n + 1; k >= 0; k--)                                                    \
            value = value * cotangent + p[k];                                               \
        return value;                                                                       \
    }                                                                                       \
    __attribute__((const)) T NAME(int n, T x) {                                             \
        if (n < 1 || n > EZ_HIGHEST || x != x)                                              \
            return __builtin_nan##FN("");                                                   \
        T sign = n % 2 ? 1 : -1;                                                            \
        if (!(x > 0)) {                                                                     \
            T fraction = x - __builtin_round##FN(x), scale = ez_power##FN(ez_pi##FN, n + 1); \
            if (!(fraction != 0) || x - x != 0)                                             \
                return n % 2 && x - x == 0 ? __builtin_inf##FN() : __builtin_nan##FN("");   \
            T cotangent = 1 / __builtin_tan##FN(ez_pi##FN * fraction);                       \
            return -sign * NAME(n, 1 - x) - scale * ez_cot_derivative##FN(n, cotangent);    \
        }                                                                                   \
        T large = x;                                                                        \
        while (large < LARGE + 2 * n)                                                       \
            large += 1;                                                                     \
        T square = 1 / (large * large), series = 0, factorial = 1;                          \
        for (int k = TERMS; k > 0; k--) {                                                   \
            T ratio = 1; /* (2k + n - 1)! / (2k - 1)! / n! */                               \
            for (int j = 1; j <= n; j++)                                                    \
                ratio *= (T)(2 * k - 1 + j) / j;                                            \
            series += ez_digamma_series##FN[k - 1] * ratio * ez_power##FN(square, k);        \
        }                                                                                   \
        T sum = (series + (T)1 / n + 1 / (2 * large)) * ez_power##FN(1 / large, n);         \
        for (int steps = (int)(large - x + (T)0.5); steps > 0; steps--)                     \
            sum += ez_power##FN(1 / (x + (steps - 1)), n + 1);                              \
        for (int k = 2; k <= n; k++)                                                        \
            factorial *= k;                                                                 \
        return sign * factorial * sum;                                                      \
    }

EZ_DEFINE_POLYGAMMA(__ez_polygamma, double, , 9, 9)
EZ_DEFINE_POLYGAMMA(__ez_polygammal, long double, l, 20, 11)

#ifdef __x86_64__
EZ_DEFINE_POLYGAMMA(__ez_polygammaf128, ez_quad, f128, 40, 11)
#endif

__attribute__((const)) float __ez_polygammaf(int n, float x) { return (float)__ez_polygamma(n, x); }

#undef EZ_DEFINE_DIGAMMA
#undef EZ_DEFINE_POLYGAMMA
#undef EZ_HIGHEST
#undef EZ_SERIES
