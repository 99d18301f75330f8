/* Floating-point formats of any width up to that of double, on numbers that are stored as double.

   An operation is computed in double, which gives the nearest double and the sign of the exact rest. The nearest double is
   rounded to the format, and the sign of the rest breaks ties: a point halfway between two numbers of the format is a
   double itself, so the exact result is on the same side of it as the nearest double, or the nearest double is this
   point. The exact errors of sum and product are Knuth's and Dekker's. The rest of a fused operation comes from a sum that
   is rounded to odd: of the two numbers around an inexact result, this takes the one whose last bit is 1 (S. Boldo and G.
   Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd, IEEE Transactions on
   Computers 57 (2008)). */
#include <stdint.h>
#include <string.h>

#define EZ_LOW_BITS(n) ((UINT64_C(1) << (n)) - 1)

static inline uint64_t ez_bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double ez_of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A result of double precision. The exact result is greater, equal, or less, as the sign of `rest` says. */
struct ez_result {
    double nearest, rest;
};

static inline double ez_to_odd(struct ez_result r) {
    uint64_t bits = ez_bits_of(r.nearest);
    if (r.rest == 0 || r.rest != r.rest || r.nearest - r.nearest != 0 || bits & 1)
        return r.nearest;
    if (r.nearest == 0) /* it underflowed: the least number of the sign */
        return __builtin_copysign(4.9406564584124654e-324, r.rest);
    return ez_of_bits((r.rest > 0) == (r.nearest > 0) ? bits + 1 : bits - 1);
}

static inline struct ez_result ez_sum(double a, double b) {
    double s = a + b, b_part = s - a, a_part = s - b_part;
    return (struct ez_result){s, (a - a_part) + (b - b_part)};
}

static inline struct ez_result ez_fused(double a, double b, double c) {
    double p = a * b;
    if (p - p != 0 || c - c != 0)
        return (struct ez_result){__builtin_fma(a, b, c), 0};
    struct ez_result low = ez_sum(c, __builtin_fma(a, b, -p)), high = ez_sum(p, low.nearest);
    return ez_sum(high.nearest, ez_to_odd(ez_sum(high.rest, low.rest)));
}

/* Rounds to nearest (ties to even), with gradual underflow and overflow to infinity, to the format with so many bits of
   exponent and so many explicit bits of mantissa. */
static inline double ez_rounded(struct ez_result result, int32_t exponent_bits, int32_t mantissa_bits) {
    double x = result.nearest;
    uint64_t bits = ez_bits_of(x), sign = bits & (UINT64_C(1) << 63), size = bits ^ sign;
    int32_t field = (int32_t)(size >> 52), bias = (1 << (exponent_bits - 1)) - 1;
    if (field == 0x7ff || size == 0)
        return x;
    int32_t exponent = (field ? field : 1) - 1023, below = 1 - bias - exponent;
    int32_t dropped = 52 - mantissa_bits + (below > 0 ? below : 0);
    int32_t more = result.rest == 0 || result.rest != result.rest ? 0 : (result.rest > 0) == (x > 0) ? 1 : -1;
    if (dropped > 53)
        return ez_of_bits(sign);
    if (dropped == 53) { /* less than the least number; its half is rounded to zero */
        if (!field || (!(size & EZ_LOW_BITS(52)) && more <= 0))
            return ez_of_bits(sign);
        size = (uint64_t)(exponent + 1 + 1023) << 52;
    } else if (dropped > 0) {
        uint64_t odd = dropped == 52 ? field != 0 : size >> dropped & 1;
        uint64_t up = more > 0 || (more == 0 && odd);
        size = (size + EZ_LOW_BITS(dropped - 1) + up) & ~EZ_LOW_BITS(dropped);
    }
    if ((int32_t)(size >> 52) - 1023 > bias)
        size = UINT64_C(0x7ff) << 52;
    return ez_of_bits(sign | size);
}

__attribute__((const)) double __ez_round_to(double x, int32_t exponent_bits, int32_t mantissa_bits) {
    return ez_rounded((struct ez_result){x, 0}, exponent_bits, mantissa_bits);
}

__attribute__((const)) double __ez_format_add(double a, double b, int32_t exponent_bits, int32_t mantissa_bits) {
    return ez_rounded(ez_sum(a, b), exponent_bits, mantissa_bits);
}

__attribute__((const)) double __ez_format_multiply(double a, double b, int32_t exponent_bits, int32_t mantissa_bits) {
    double r = a * b;
    return ez_rounded((struct ez_result){r, __builtin_fma(a, b, -r)}, exponent_bits, mantissa_bits);
}

__attribute__((const)) double __ez_format_divide(double a, double b, int32_t exponent_bits, int32_t mantissa_bits) {
    double r = a / b, rest = __builtin_fma(-r, b, a);
    return ez_rounded((struct ez_result){r, b < 0 ? -rest : rest}, exponent_bits, mantissa_bits);
}

__attribute__((const)) double __ez_format_root(double a, int32_t exponent_bits, int32_t mantissa_bits) {
    double r = __builtin_sqrt(a);
    return ez_rounded((struct ez_result){r, __builtin_fma(-r, r, a)}, exponent_bits, mantissa_bits);
}

__attribute__((const)) double __ez_format_fused(double a, double b, double c, int32_t exponent_bits,
                                                int32_t mantissa_bits) {
    return ez_rounded(ez_fused(a, b, c), exponent_bits, mantissa_bits);
}
