/* Complex functions of libquadmath, by its real ones and by plain arithmetic. The ABI passes their operands in memory,
 * so rules do not serve them. The inverse functions are those of W. Kahan, "Branch cuts for complex elementary
 * functions" (1987), without his care for operands that overflow. */
#include "stand_in.h"

#ifdef __x86_64__
typedef __float128 quad;
typedef _Complex float __attribute__((mode(TC))) quads;

quad atan2q(quad, quad), hypotq(quad, quad), copysignq(quad, quad), asinhq(quad), log1pq(quad), fabsq(quad);
quad expq(quad), logq(quad), sqrtq(quad), sinq(quad), cosq(quad), sinhq(quad), coshq(quad);
int isinfq(quad);

static ALWAYS_INLINE quads pair(quad re, quad im) {
    quads z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}
#define RE(Z) (__real__(Z))
#define IM(Z) (__imag__(Z))
#define TIMES_I(Z) pair(-IM(Z), RE(Z))
#define BY_I(Z) pair(IM(Z), -RE(Z))

static ALWAYS_INLINE quads product(quads a, quads b) {
    return pair(RE(a) * RE(b) - IM(a) * IM(b), RE(a) * IM(b) + IM(a) * RE(b));
}
static ALWAYS_INLINE quads logarithm(quads z) { return pair(logq(hypotq(RE(z), IM(z))), atan2q(IM(z), RE(z))); }
static ALWAYS_INLINE quads exponential(quads z) {
    quad size = expq(RE(z));
    return pair(size * cosq(IM(z)), size * sinq(IM(z)));
}
static ALWAYS_INLINE quads root(quads z) {
    quad large = sqrtq((hypotq(RE(z), IM(z)) + fabsq(RE(z))) / 2), small = large == 0 ? 0 : IM(z) / (2 * large);
    return RE(z) >= 0 ? pair(large, small) : pair(fabsq(small), copysignq(large, IM(z)));
}
static ALWAYS_INLINE quads arcsine(quads z) {
    quads below = root(pair(1 - RE(z), -IM(z))), above = root(pair(1 + RE(z), IM(z)));
    quad re = RE(below) * RE(above) - IM(below) * IM(above);
    return pair(atan2q(RE(z), re), asinhq(RE(below) * IM(above) - IM(below) * RE(above)));
}
static ALWAYS_INLINE quads arctangent_h(quads z) { /* of the hyperbolic tangent */
    quad x = RE(z), y = IM(z), y2 = y * y;
    return pair(log1pq(4 * x / ((1 - x) * (1 - x) + y2)) / 4, atan2q(2 * y, (1 - x) * (1 + x) - y2) / 2);
}
static ALWAYS_INLINE quads tangent_h(quads z) {
    quad sum = coshq(2 * RE(z)) + cosq(2 * IM(z));
    return pair(sinhq(2 * RE(z)) / sum, sinq(2 * IM(z)) / sum);
}

#define QUADS(NAME, RESULT)                                                                                         \
    INLINED quads STAND_IN(NAME)(quads z) { return RESULT; }
#define QUAD(NAME, RESULT)                                                                                          \
    INLINED quad STAND_IN(NAME)(quads z) { return RESULT; }
QUAD(cabsq, hypotq(RE(z), IM(z)))
QUAD(cargq, atan2q(IM(z), RE(z)))
QUAD(crealq, RE(z))
QUAD(cimagq, IM(z))
QUADS(cprojq, isinfq(RE(z)) || isinfq(IM(z)) ? pair(__builtin_inf(), copysignq(0, IM(z))) : z)
QUADS(conjq, pair(RE(z), -IM(z)))
QUADS(cexpq, exponential(z))
QUADS(clogq, logarithm(z))
QUADS(clog10q, product(logarithm(z), pair(0.434294481903251827651128918916605082Q, 0)))
QUADS(csqrtq, root(z))
QUADS(csinq, pair(sinq(RE(z)) * coshq(IM(z)), cosq(RE(z)) * sinhq(IM(z))))
QUADS(ccosq, pair(cosq(RE(z)) * coshq(IM(z)), -sinq(RE(z)) * sinhq(IM(z))))
QUADS(csinhq, pair(sinhq(RE(z)) * cosq(IM(z)), coshq(RE(z)) * sinq(IM(z))))
QUADS(ccoshq, pair(coshq(RE(z)) * cosq(IM(z)), sinhq(RE(z)) * sinq(IM(z))))
QUADS(ctanhq, tangent_h(z))
QUADS(ctanq, BY_I(tangent_h(TIMES_I(z))))
QUADS(casinq, arcsine(z))
QUADS(casinhq, BY_I(arcsine(TIMES_I(z))))
QUADS(cacosq, pair(1.57079632679489661923132169163975144Q - RE(arcsine(z)), -IM(arcsine(z))))
QUADS(catanhq, arctangent_h(z))
QUADS(catanq, BY_I(arctangent_h(TIMES_I(z))))
INLINED quads STAND_IN(cacoshq)(quads z) {
    quads below = root(pair(RE(z) - 1, IM(z))), above = root(pair(RE(z) + 1, IM(z)));
    quad re = RE(below) * RE(above) + IM(below) * IM(above);
    return pair(asinhq(re), 2 * atan2q(IM(below), RE(above)));
}
INLINED quads STAND_IN(cexpiq)(quad x) { return pair(cosq(x), sinq(x)); }
INLINED quads STAND_IN(cpowq)(quads z, quads w) { return exponential(product(logarithm(z), w)); }
#endif
