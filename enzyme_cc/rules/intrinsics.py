"""Rules of LLVM's floating-point intrinsics, by name without `llvm.` and without types."""

from __future__ import annotations

from .arithmetic import INSTRUCTIONS
from .math import FMAX, FMIN, MATH, MAXIMUM, MINIMUM
from .rule import Rule, RuleKind, constant_rows, partials, renamed, rows

#: intrinsics with the name and the rule of a function of math.h
_LIBRARY = """
    sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 exp10 log log2 log10 pow sqrt fabs copysign fma ldexp
    floor ceil trunc rint nearbyint round roundeven lrint llrint lround llround
"""

_OWN = rows(
    {
        "powi": ("where(y == 0, 0, y*powi(x, y - 1))", "0"),
        "fmuladd": ("y", "x", "1"),
        "minnum": FMIN,
        "maxnum": FMAX,
        "minimumnum": FMIN,
        "maximumnum": FMAX,
        "minimum": MINIMUM,
        "maximum": MAXIMUM,
        "canonicalize": ("1",),
        "arithmetic.fence": ("1",),
        "ssa.copy": ("1",),
    }
)

_STRUCTS = {
    "modf": Rule("modf", partials("0"), (partials("1"), partials("0"))),
    "frexp": Rule("frexp", partials("0"), (partials("where(r0 == x, 1, r0/x)"), partials("0"))),
    "sincos": Rule("sincos", partials("0"), (partials("r1"), partials("-r0"))),
    "sincospi": Rule("sincospi", partials("0"), (partials("pi*r1"), partials("-pi*r0"))),
}

# approximations: their derivatives are those of the exact functions
_RECIPROCAL, _RECIPROCAL_ROOT = "-r*r", "-0.5*(r*r*r)"
_APPROXIMATE = rows(
    {
        "x86.sse.rcp.ps": (_RECIPROCAL,),
        "x86.avx.rcp.ps.256": (_RECIPROCAL,),
        "x86.sse.rsqrt.ps": (_RECIPROCAL_ROOT,),
        "x86.avx.rsqrt.ps.256": (_RECIPROCAL_ROOT,),
    }
)

# their partials are vectors: see reduce.partials
_REDUCTIONS: dict[str, Rule] = {
    **{f"vector.reduce.{n}": Rule(f"vector.reduce.{n}", partials("1", "1"), kind="reduce") for n in ("fadd", "fmul")},
    **{
        f"vector.reduce.{n}": Rule(f"vector.reduce.{n}", partials("1"), kind="reduce")
        for n in ("fmin", "fmax", "fminimum", "fmaximum")
    },
}

_CONSTANT = {
    **constant_rows("fptosi.sat fptoui.sat"),
    **constant_rows("is.fpclass", operands=2),
}

_PLAIN: dict[str, Rule] = {**{name: MATH[name] for name in _LIBRARY.split()}, **_OWN, **_CONSTANT}
_CAST: RuleKind = "cast"


def _constrained() -> dict[str, Rule]:
    """Returns rules of strict floating point: the same partials; operands for rounding and exceptions follow."""
    prefix = "experimental.constrained."
    out = {prefix + name: renamed(prefix + name, rule) for name, rule in {**INSTRUCTIONS, **_PLAIN}.items()}
    for name in ("fptosi", "fptoui", "sitofp", "uitofp"):
        out[prefix + name] = Rule(prefix + name, partials("0"))
    for name in ("fcmp", "fcmps"):
        out[prefix + name] = Rule(prefix + name, partials("0", "0"))
    for name in ("fptrunc", "fpext"):
        out[prefix + name] = Rule(prefix + name, partials("1"), kind=_CAST)
    return out


INTRINSICS: dict[str, Rule] = {
    **_PLAIN,
    **_STRUCTS,
    **_REDUCTIONS,
    **_APPROXIMATE,
    "fptrunc.round": Rule("fptrunc.round", partials("1"), kind=_CAST),
    **_constrained(),
}
