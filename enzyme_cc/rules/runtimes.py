"""Rules of math functions in runtime libraries: flang's, compiler-rt's and libgcc's, and our own."""

from __future__ import annotations

from .arithmetic import REMAINDER
from .math import SCALED
from .rule import Rule, constant_rows, renamed, rows

_POWER = ("where(x == 0, where(y == 1, 1, 0), y*(r/x))", "0")
#: flang; {} is the kind. The last two operands of Mod and Modulo are the source file and line
_FLANG = rows(
    {
        "_FortranAModReal{}": (*REMAINDER, "0", "0"),
        "_FortranAModuloReal{}": (*REMAINDER, "0", "0"),
        "_FortranAErfcScaled{}": ("2*x*r - two_over_sqrt_pi",),
        "_FortranAFraction{}": (SCALED,),
        "_FortranAScale{}": ("scalbln(1, y)", "0"),
        "_FortranASetExponent{}": ("where(x == 0, 0, r/x)", "0"),
        "_FortranASpacing{}": ("0",),
        "_FortranARRSpacing{}": ("where(x == 0, 0, r/x)",),
        "_FortranANearest{}": ("1", "0"),
        "_FortranAFPow{}i": _POWER,
        "_FortranAFPow{}k": _POWER,
    }
)
#: functions of toolchain/runtime/math.c, which derivatives call; the rules serve second derivatives. {} is C's suffix
_OWN = rows({"__ez_digamma{}": ("polygamma(1, x)",), "__ez_polygamma{}": ("0", "polygamma(x + 1, y)")})
#: functions of toolchain/runtime/formats.c, by which truncated code computes: their derivatives neglect the rounding
_FORMATS = rows(
    {
        "__ez_round_to": ("1", "0", "0"),
        "__ez_format_add": ("1", "1", "0", "0"),
        "__ez_format_multiply": ("y", "x", "0", "0"),
        "__ez_format_divide": ("1/y", "-r/y", "0", "0"),
        "__ez_format_root": ("where(r == 0, 0, 0.5/r)", "0", "0"),
        "__ez_format_fused": ("y", "x", "1", "0", "0"),
    }
)
#: functions that normalise/bits/number_bits.py inserts; the type at the end of the name is cut off
GENERIC = rows({"__ez_constant": ("0",), "__ez_sloped": ("1", "z", "0")})
_KINDS = ("2", "3", "4", "8", "10", "16")


def _spelled() -> dict[str, Rule]:
    spelled = {name.format(kind): rule for name, rule in _FLANG.items() for kind in _KINDS}
    return spelled | {name.format(suffix): rule for name, rule in _OWN.items() for suffix in ("f", "", "l", "f128")}


_TO_INTEGER = [f"_FortranA{name}{kind}_{to}" for name in ("Exponent", "Ceiling", "Floor", "Nint")
               for kind in _KINDS for to in ("1", "2", "4", "8", "16")]  # fmt: skip

RUNTIMES: dict[str, Rule] = {
    **{name: renamed(name, rule) for name, rule in _spelled().items()},
    **_FORMATS,
    **constant_rows(" ".join(_TO_INTEGER)),
    **constant_rows("signbitq issignalingq"),  # libquadmath's
    **{f"_FortranAIs{what}{kind}": rule for kind in _KINDS for what, rule in constant_rows("Finite NaN").items()},
    **rows({f"__powi{width}f2": _POWER for width in "hsdxt"}),
}
