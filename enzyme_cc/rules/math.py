"""Rules of C's math library: C99, POSIX, GNU and C23. `table` adds the suffixes (sinf, sinl …).

Formulas use the result r if that is accurate, and avoid overflow and cancellation. docs/conventions.md lists the values
at points without a derivative, with reasons.
"""

from __future__ import annotations

from .arithmetic import REMAINDER
from .rule import Rule, constant_rows, partials, rows

# atan2's gradient is (y, -x)/(x² + y²) for atan2(x, y) in our names; with t, the smaller over the larger operand m,
# it is (1, -t)/(m (1 + t²)) or (t, -1)/(m (1 + t²)), where no square overflows
_STEEP = "fabs(x) <= fabs(y)"
_LARGER = f"where({_STEEP}, y, x)"
_RATIO = f"(where({_STEEP}, x, y)/{_LARGER})"
_SQUARES = f"({_LARGER}*(1 + {_RATIO}*{_RATIO}))"
_ATAN2 = (
    f"where(x == 0 and y == 0, 0, where({_STEEP}, 1, {_RATIO})/{_SQUARES})",
    f"where(x == 0 and y == 0, 0, -where({_STEEP}, {_RATIO}, 1)/{_SQUARES})",
)
# 1/sqrt(1 + x²) = q/sqrt(q² + min(x², 1)) with q = 1/max(|x|, 1)
_Q = "(1/where(fabs(x) < 1, 1, fabs(x)))"
_ASINH = f"{_Q}/sqrt({_Q}*{_Q} + where(fabs(x) < 1, x*x, 1))"
_TURN = "(x - 2*rint(0.5*x))"  # x modulo 2, exact, so that pi times it is accurate for large x too
_POW = ("where(y == 0 or (x == 0 and y > 0 and y < 1), 0, y*pow(x, y - 1))", "where(x > 0 and r != 0, r*log(x), 0)")
_INTEGER_POWER = "where(x == 0, where(y == 1, 1, 0), y*(r/x))"
#: partial of functions whose result is x times a power of two that depends on x
SCALED = "where(r == x, 1, r/x)"

#: the partial of a square root, finite for all finite numbers: a root is 0, or not tiny
ROOT = "where(r == 0, 0, 0.5*(1/r))"

# 1 for the chosen operand, a half for both if they are equal; a NaN operand is not chosen
FMAX = (
    "where(x == y, 0.5, where(x > y or y != y, 1, 0))",
    "where(x == y, 0.5, where(y > x or x != x, 1, 0))",
)
FMIN = (
    "where(x == y, 0.5, where(x < y or y != y, 1, 0))",
    "where(x == y, 0.5, where(y < x or x != x, 1, 0))",
)
#: the same for functions whose result is NaN if an operand is
MAXIMUM = ("where(x == y, 0.5, where(x > y, 1, 0))", "where(x == y, 0.5, where(y > x, 1, 0))")
MINIMUM = ("where(x == y, 0.5, where(x < y, 1, 0))", "where(x == y, 0.5, where(y < x, 1, 0))")

TRIGONOMETRIC = rows(
    {
        "sin": ("cos(x)",),
        "cos": ("-sin(x)",),
        "tan": ("1 + r*r",),
        "asin": ("1/sqrt((1 - x)*(1 + x))",),
        "acos": ("-1/sqrt((1 - x)*(1 + x))",),
        "atan": ("1/(1 + x*x)",),
        "atan2": _ATAN2,
        "sinpi": (f"pi*cos(pi*{_TURN})",),
        "cospi": (f"-pi*sin(pi*{_TURN})",),
        "tanpi": ("pi*(1 + r*r)",),
        "asinpi": ("(1/pi)/sqrt((1 - x)*(1 + x))",),
        "acospi": ("(-1/pi)/sqrt((1 - x)*(1 + x))",),
        "atanpi": ("(1/pi)/(1 + x*x)",),
        "atan2pi": tuple(f"(1/pi)*{text}" for text in _ATAN2),
        "sinh": ("cosh(x)",),
        "cosh": ("sinh(x)",),
        "tanh": ("(1 - r)*(1 + r)",),
        "asinh": (_ASINH,),
        "acosh": ("1/(sqrt(x - 1)*sqrt(x + 1))",),
        "atanh": ("1/((1 - x)*(1 + x))",),
    }
)

EXPONENTIAL = rows(
    {
        "exp": ("r",),
        "exp2": ("ln2*r",),
        "exp10": ("ln10*r",),
        "pow10": ("ln10*r",),
        "expm1": ("exp(x)",),
        "exp2m1": ("ln2*exp2(x)",),
        "exp10m1": ("ln10*exp10(x)",),
        "log": ("1/x",),
        "log2": ("(1/ln2)/x",),
        "log10": ("(1/ln10)/x",),
        "log1p": ("1/(1 + x)",),
        "logp1": ("1/(1 + x)",),
        "log2p1": ("(1/ln2)/(1 + x)",),
        "log10p1": ("(1/ln10)/(1 + x)",),
        "pow": _POW,
        "powr": _POW,
        "pown": (_INTEGER_POWER, "0"),
        "compoundn": ("y*(r/(1 + x))", "0"),
        "sqrt": (ROOT,),
        "rsqrt": ("-0.5*(r*r*r)",),
        "cbrt": ("where(r == 0, 0, 1/(3*(r*r)))",),
        "rootn": ("where(r == 0, 0, r/(y*x))", "0"),
        "hypot": ("where(r == 0, 0, x/r)", "where(r == 0, 0, y/r)"),
    }
)

SPECIAL = rows(
    {
        "erf": ("two_over_sqrt_pi*exp(-(x*x))",),
        "erfc": ("-two_over_sqrt_pi*exp(-(x*x))",),
        "tgamma": ("r*digamma(x)",),
        "lgamma": ("digamma(x)",),
        "gamma": ("digamma(x)",),  # the GNU function of that name is lgamma
        "lgamma_r": ("digamma(x)", "0"),
        "gamma_r": ("digamma(x)", "0"),
        "j0": ("-j1(x)",),
        "j1": ("where(x == 0, 0.5, j0(x) - r/x)",),
        "jn": ("0", "0.5*(jn(x - 1, y) - jn(x + 1, y))"),
        "y0": ("-y1(x)",),
        "y1": ("y0(x) - r/x",),
        "yn": ("0", "0.5*(yn(x - 1, y) - yn(x + 1, y))"),
    }
)

PIECEWISE = rows(
    {
        "fabs": ("where(x < 0, -1, 1)",),
        "copysign": ("where(x < 0, -copysign(1, y), copysign(1, y))", "0"),
        "fmax": FMAX,
        "fmin": FMIN,
        "fmaximum": MAXIMUM,
        "fminimum": MINIMUM,
        "fmaximum_num": FMAX,
        "fminimum_num": FMIN,
        "fdim": ("where(x == y, 0.5, where(x > y, 1, 0))", "where(x == y, -0.5, where(x > y, -1, 0))"),
        "fma": ("y", "x", "1"),
        "fmod": REMAINDER,
        "remainder": REMAINDER,
        "drem": REMAINDER,
        "remquo": (*REMAINDER, "0"),
        "ldexp": ("ldexp(1, y)", "0"),
        "scalbn": ("ldexp(1, y)", "0"),
        "scalbln": ("scalbln(1, y)", "0"),
        "scalb": ("exp2(y)", "0"),  # defined for integral y only
        "frexp": (SCALED, "0"),
        "significand": (SCALED,),
        "nextafter": ("1", "0"),
        "nexttoward": ("1", "0"),
        "nextup": ("1",),
        "nextdown": ("1",),
    }
)

STORING = {
    "modf": Rule("modf", partials("1", "0"), outputs={1: partials("0", "0")}),
    "sincos": Rule(
        "sincos",
        partials("0", "0", "0"),
        outputs={1: partials("cos(x)", "0", "0"), 2: partials("-sin(x)", "0", "0")},
    ),
}

CONSTANT = {
    **constant_rows("floor ceil trunc rint nearbyint round roundeven logb"),
    **constant_rows("ilogb llogb lrint llrint lround llround"),
    **constant_rows("isnan isinf finite __isnan __isinf __finite __fpclassify __signbit __issignaling"),
    **constant_rows("__iseqsig", operands=2),
    **constant_rows("fromfp ufromfp fromfpx ufromfpx", operands=3),
}

#: rules by base name
MATH: dict[str, Rule] = {**TRIGONOMETRIC, **EXPONENTIAL, **SPECIAL, **PIECEWISE, **STORING, **CONSTANT}
