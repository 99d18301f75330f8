/* Floating-point formats of any width up to that of double, on numbers that are stored as double.

   __ez_odd_… computes an operation and rounds it to odd: of the two numbers around an inexact result, it returns the one
   whose last bit is 1. A second rounding, to a format of at most 50 explicit bits, is then the only one that counts: S.
   Boldo and G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd, IEEE
   Transactions on Computers 57 (2008). The exact errors of sum and product are Knuth's and Dekker's. */
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

/* r rounded to odd; the exact result is greater than r, equal, or less, as the sign of `rest` says. */
static inline double ez_to_odd(double r, double rest) {
    uint64_t bits = ez_bits_of(r);
    if (rest == 0 || rest != rest || r - r != 0 || bits & 1)
        return r;
    if (r == 0) /* it underflowed: the least number of the sign */
        return __builtin_copysign(4.9406564584124654e-324, rest);
    return ez_of_bits((rest > 0) == (r > 0) ? bits + 1 : bits - 1);
}

__attribute__((const)) double __ez_odd_add(double a, double b) {
    double s = a + b, b_part = s - a, a_part = s - b_part;
    return ez_to_odd(s, (a - a_part) + (b - b_part));
}

__attribute__((const)) double __ez_odd_multiply(double a, double b) {
    double r = a * b;
    return ez_to_odd(r, __builtin_fma(a, b, -r));
}

__attribute__((const)) double __ez_odd_divide(double a, double b) {
    double r = a / b, rest = __builtin_fma(-r, b, a);
    return ez_to_odd(r, b < 0 ? -rest : rest);
}

__attribute__((const)) double __ez_odd_root(double a) {
    double r = __builtin_sqrt(a);
    return ez_to_odd(r, __builtin_fma(-r, r, a));
}

__attribute__((const)) double __ez_odd_fused(double a, double b, double c) {
    double p = a * b;
    if (p - p != 0 || c - c != 0)
        return __builtin_fma(a, b, c);
    double p_rest = __builtin_fma(a, b, -p);
    double low = c + p_rest, low_part = low - c;
    double low_rest = (c - (low - low_part)) + (p_rest - low_part);
    double high = p + low, high_part = high - p;
    double high_rest = (p - (high - high_part)) + (low - high_part);
    return __ez_odd_add(high, __ez_odd_add(high_rest, low_rest));
}

/* x, rounded to nearest (ties to even), with gradual underflow and overflow to infinity, in the format with so many bits
   of exponent and so many explicit bits of mantissa. */
__attribute__((const)) double __ez_round_to(double x, int32_t exponent_bits, int32_t mantissa_bits) {
    uint64_t bits = ez_bits_of(x), sign = bits & (UINT64_C(1) << 63), size = bits ^ sign;
    int32_t field = (int32_t)(size >> 52), bias = (1 << (exponent_bits - 1)) - 1;
    if (field == 0x7ff || size == 0)
        return x;
    int32_t exponent = (field ? field : 1) - 1023, below = 1 - bias - exponent;
    int32_t dropped = 52 - mantissa_bits + (below > 0 ? below : 0);
    if (dropped > 53)
        return ez_of_bits(sign);
    if (dropped == 53) { /* less than the least number; its half is rounded to zero */
        if (!field || !(size & EZ_LOW_BITS(52)))
            return ez_of_bits(sign);
        size = (uint64_t)(exponent + 1 + 1023) << 52;
    } else if (dropped > 0) {
        uint64_t odd = dropped == 52 ? field != 0 : size >> dropped & 1;
        size = (size + EZ_LOW_BITS(dropped - 1) + odd) & ~EZ_LOW_BITS(dropped);
    }
    if ((int32_t)(size >> 52) - 1023 > bias)
        size = UINT64_C(0x7ff) << 52;
    return ez_of_bits(sign | size);
}
