/* Functions of long double complex with operands by value. x86-64's ABI passes such operands in memory, where they have
 * no adjoint. enzyme_cc/autodiff/normalise/library_forms.py calls these functions instead.
 */
#include <complex.h>

#define EZ_UNARY(T, NAME)                                                          \
    __attribute__((always_inline)) T __ez_##NAME(long double re, long double im) { \
        return NAME(__builtin_complex(re, im));                                    \
    }

EZ_UNARY(long double complex, cexpl)
EZ_UNARY(long double complex, clogl)
EZ_UNARY(long double complex, csqrtl)
EZ_UNARY(long double complex, csinl)
EZ_UNARY(long double complex, ccosl)
EZ_UNARY(long double complex, ctanl)
EZ_UNARY(long double complex, casinl)
EZ_UNARY(long double complex, cacosl)
EZ_UNARY(long double complex, catanl)
EZ_UNARY(long double complex, csinhl)
EZ_UNARY(long double complex, ccoshl)
EZ_UNARY(long double complex, ctanhl)
EZ_UNARY(long double complex, casinhl)
EZ_UNARY(long double complex, cacoshl)
EZ_UNARY(long double complex, catanhl)
EZ_UNARY(long double complex, conjl)
EZ_UNARY(long double complex, cprojl)
EZ_UNARY(long double, cabsl)
EZ_UNARY(long double, cargl)
EZ_UNARY(long double, creall)
EZ_UNARY(long double, cimagl)

extern long double complex clog10l(long double complex); /* GNU's */
EZ_UNARY(long double complex, clog10l)

__attribute__((always_inline)) long double complex __ez_cpowl(long double re, long double im, long double p,
                                                              long double q) {
    return cpowl(__builtin_complex(re, im), __builtin_complex(p, q));
}

#undef EZ_UNARY
