/* Functions that derivatives need and the C library lacks: the digamma function, for the derivatives of gamma's family.

   Milton Abramowitz and Irene A. Stegun, Handbook of Mathematical Functions, 1964: the recurrence 6.3.5 moves the
   operand up to where the asymptotic series 6.3.18 holds, the reflection formula 6.3.7 serves negative operands.
   psi(+-0) is -+inf, psi at negative integers and at -inf is NaN, as the one-sided limits have it.
   Measured against mpmath: error below 1e-15 (double) and 5e-19 (long double) times max(|psi(x)|, 1) for x > 0. */

#define EZ_PI 3.14159265358979323846264338327950288L

/* B(2k)/2k for k = 1, 2 ... */
static const long double ez_digamma_series[] = {
    1.0L / 12,  -1.0L / 120,        1.0L / 252,        -1.0L / 240,         1.0L / 132, -691.0L / 32760,
    1.0L / 12, -3617.0L / 8160, 43867.0L / 14364, -174611.0L / 6600, 77683.0L / 276};

/* T: the type; FN: suffixes the names of math functions; TERMS of the series from LARGE on are exact to T's precision.
   1/x + 1/(x + 1) + ... is summed from its small end, together with the series: all but the logarithm is one sum. */
#define EZ_DEFINE_DIGAMMA(NAME, T, FN, LARGE, TERMS)                                                                   \
    __attribute__((const)) T NAME(T x) {                                                                               \
        if (!(x > 0)) {                                                                                                \
            if (x == 0)                                                                                                \
                return -1 / x;                                                                                         \
            T fraction = x - __builtin_round##FN(x);                                                                   \
            if (!(fraction != 0) || x - x != 0) /* an integer, -inf, or NaN */                                         \
                return __builtin_nan##FN("");                                                                          \
            return NAME(1 - x) - (T)EZ_PI / __builtin_tan##FN((T)EZ_PI * fraction);                                    \
        }                                                                                                              \
        T large = x;                                                                                                   \
        while (large < LARGE)                                                                                          \
            large += 1;                                                                                                \
        T square = 1 / (large * large), sum = 0;                                                                       \
        for (int k = TERMS; k > 0; k--)                                                                                \
            sum = square * ((T)ez_digamma_series[k - 1] + sum);                                                        \
        sum += 1 / (2 * large);                                                                                        \
        for (int steps = (int)(large - x + (T)0.5); steps > 0; steps--)                                                \
            sum += 1 / (x + (steps - 1));                                                                              \
        return __builtin_log##FN(large) - sum;                                                                         \
    }

EZ_DEFINE_DIGAMMA(__ez_digamma, double, , 9, 9)
EZ_DEFINE_DIGAMMA(__ez_digammal, long double, l, 20, 11)

__attribute__((const)) float __ez_digammaf(float x) { return (float)__ez_digamma(x); }

#undef EZ_DEFINE_DIGAMMA
#undef EZ_PI
