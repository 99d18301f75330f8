"""What the tests know of each function that has a rule: a reference in mpmath, and where to try it.

A case's signature has a letter per operand: f a float to differentiate by, n a float that takes whole numbers only,
i and l integers of 32 and 64 bits, p a pointer, c a complex number (two floats), d a complex number taken as constant.
`ulps` bounds the error of the partials in units of the type's roundoff, relative to `scale(operands)` where given and
else to the partial itself: it is larger where the formula trades accuracy for speed (docs/conventions.md).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import mpmath
from mpmath import mp, mpc, mpf

from enzyme_cc.rules.arithmetic import INSTRUCTIONS
from enzyme_cc.rules.complex import COMPLEX, COMPLEX_RUNTIME
from enzyme_cc.rules.intrinsics import INTRINSICS
from enzyme_cc.rules.math import MATH
from enzyme_cc.rules.rule import Rule
from enzyme_cc.rules.runtimes import RUNTIMES

Sampler = Callable[[random.Random], Any]


def uniform(low: float, high: float) -> Sampler:
    return lambda rng: rng.uniform(low, high)


def logarithmic(low: float, high: float) -> Sampler:
    """Positive, with all magnitudes between 10**low and 10**high alike."""
    return lambda rng: 10.0 ** rng.uniform(low, high)


def signed(low: float, high: float) -> Sampler:
    return lambda rng: rng.choice([-1, 1]) * 10.0 ** rng.uniform(low, high)


def whole(low: int, high: int) -> Sampler:
    return lambda rng: rng.randint(low, high)


def disc(radius: float, least: float = 0.05) -> Sampler:
    return lambda rng: mp.rect(rng.uniform(least, radius), rng.uniform(-3.1, 3.1))


ANY, MODERATE, POSITIVE, UNIT = signed(-3, 3), uniform(-5, 5), logarithmic(-6, 6), uniform(-0.999, 0.999)


@dataclass(frozen=True)
class Case:
    reference: Callable[..., Any]  # of the operands that are no pointers; a tuple where the result is a struct
    signature: str = "f"
    domain: tuple[Sampler, ...] = (MODERATE,)
    ulps: float = 8
    scale: Callable[..., Any] | None = None
    stored: dict[int, Callable[..., Any]] = field(default_factory=dict)  # through operand k


def trunc(x: Any) -> Any:
    return mp.floor(x) if x >= 0 else mp.ceil(x)


def fraction(x: Any) -> Any:
    return mp.frexp(x)[0]


def remainder(x: Any, y: Any) -> Any:
    return x - y * mp.nint(x / y)


def fmod(x: Any, y: Any) -> Any:
    return x - y * trunc(x / y)


def power(x: Any, n: Any) -> Any:
    return mpf(x) ** int(n) if not isinstance(x, mpc) else x ** int(n)


def log_gamma(x: Any) -> Any:
    return mp.log(abs(mp.gamma(x)))


def copysign(x: Any, y: Any) -> Any:
    return abs(x) if y >= 0 else -abs(x)


def first(x: Any, *others: Any) -> Any:
    return x


def _maximum(operands: int = 2) -> dict[str, Any]:
    return {"signature": "f" * operands, "domain": (MODERATE,) * operands}


def _in_format(case: Case) -> Case:
    """The same with two more operands, bits of exponent and of mantissa."""
    reference = case.reference
    bits = whole(11, 11), whole(50, 52)
    return replace(
        case,
        reference=lambda *operands: reference(*operands[:-2]),
        signature=f"{case.signature}ii",
        domain=(*case.domain, *bits),
    )


TWO: dict[str, Any] = _maximum()
_GAMMA: dict[str, Any] = {
    "domain": (uniform(-4.5, 20),),
    "ulps": 16,
    "scale": lambda x: 1 + abs(mp.digamma(x)) + abs(mp.pi * mp.cot(mp.pi * x)) * (10 if x < 0 else 0),
}
_QUOTIENT: dict[str, Any] = {"signature": "ff", "domain": (uniform(-50, 50), signed(-1, 1))}

REAL: dict[str, Case] = {
    "fadd": Case(lambda x, y: x + y, **TWO),
    "fsub": Case(lambda x, y: x - y, **TWO),
    "fmul": Case(lambda x, y: x * y, **TWO),
    "fdiv": Case(lambda x, y: x / y, "ff", (ANY, ANY)),
    "frem": Case(fmod, **_QUOTIENT),
    "fneg": Case(lambda x: -x),
    "sin": Case(mp.sin, scale=lambda x: 1),
    "cos": Case(mp.cos, scale=lambda x: 1),
    "tan": Case(mp.tan, domain=(uniform(-1.5, 1.5),)),
    "asin": Case(mp.asin, domain=(UNIT,)),
    "acos": Case(mp.acos, domain=(UNIT,)),
    "atan": Case(mp.atan, domain=(ANY,)),
    "atan2": Case(mp.atan2, "ff", (signed(-6, 6), signed(-6, 6)), ulps=10),
    "sinpi": Case(lambda x: mp.sinpi(x), domain=(uniform(-40, 40),), scale=lambda x: mp.pi),
    "cospi": Case(lambda x: mp.cospi(x), domain=(uniform(-40, 40),), scale=lambda x: mp.pi),
    "tanpi": Case(lambda x: mp.sinpi(x) / mp.cospi(x), domain=(uniform(-0.45, 0.45),)),
    "asinpi": Case(lambda x: mp.asin(x) / mp.pi, domain=(UNIT,)),
    "acospi": Case(lambda x: mp.acos(x) / mp.pi, domain=(UNIT,)),
    "atanpi": Case(lambda x: mp.atan(x) / mp.pi, domain=(ANY,)),
    "atan2pi": Case(lambda x, y: mp.atan2(x, y) / mp.pi, "ff", (ANY, ANY), ulps=10),
    "sinh": Case(mp.sinh),
    "cosh": Case(mp.cosh),
    "tanh": Case(mp.tanh, domain=(uniform(-9, 9),), scale=lambda x: 1),
    "asinh": Case(mp.asinh, domain=(signed(-6, 12),)),
    "acosh": Case(mp.acosh, domain=(lambda rng: 1 + 10.0 ** rng.uniform(-3, 12),)),
    "atanh": Case(mp.atanh, domain=(UNIT,)),
    "exp": Case(mp.exp),
    "exp2": Case(lambda x: mpf(2) ** x),
    "exp10": Case(lambda x: mpf(10) ** x),
    "pow10": Case(lambda x: mpf(10) ** x),
    "expm1": Case(mp.expm1, domain=(uniform(-30, 5),)),
    "exp2m1": Case(lambda x: mpf(2) ** x - 1),
    "exp10m1": Case(lambda x: mpf(10) ** x - 1),
    "log": Case(mp.log, domain=(POSITIVE,)),
    "log2": Case(lambda x: mp.log(x, 2), domain=(POSITIVE,)),
    "log10": Case(mp.log10, domain=(POSITIVE,)),
    "log1p": Case(mp.log1p, domain=(logarithmic(-6, 6),)),
    "logp1": Case(mp.log1p, domain=(logarithmic(-6, 6),)),
    "log2p1": Case(lambda x: mp.log1p(x) / mp.log(2), domain=(logarithmic(-6, 6),)),
    "log10p1": Case(lambda x: mp.log1p(x) / mp.log(10), domain=(logarithmic(-6, 6),)),
    "pow": Case(mp.power, "ff", (logarithmic(-2, 2), MODERATE), ulps=24),
    "powr": Case(mp.power, "ff", (logarithmic(-2, 2), MODERATE), ulps=24),
    "pown": Case(power, "fi", (signed(-2, 2), whole(-6, 6)), ulps=12),
    "compoundn": Case(lambda x, n: (1 + x) ** int(n), "fi", (uniform(-0.5, 2), whole(-6, 6)), ulps=12),
    "sqrt": Case(mp.sqrt, domain=(POSITIVE,)),
    "rcp": Case(lambda x: 1 / x, domain=(POSITIVE,)),
    "rsqrt": Case(lambda x: 1 / mp.sqrt(x), domain=(POSITIVE,)),
    "cbrt": Case(lambda x: mp.sign(x) * mp.cbrt(abs(x)), domain=(signed(-6, 6),)),
    "rootn": Case(lambda x, n: mp.root(x, int(n)), "fi", (POSITIVE, whole(1, 9))),
    "hypot": Case(mp.hypot, "ff", (signed(-6, 6), signed(-6, 6))),
    "erf": Case(mp.erf, ulps=40),
    "erfc": Case(mp.erfc, ulps=40),
    "tgamma": Case(
        mp.gamma,
        domain=(uniform(-4.5, 20),),
        ulps=16,
        scale=lambda x: abs(mp.gamma(x)) * _GAMMA["scale"](x),
    ),
    "lgamma": Case(log_gamma, **_GAMMA),
    "gamma": Case(log_gamma, **_GAMMA),
    "lgamma_r": Case(log_gamma, "fp", **_GAMMA),
    "gamma_r": Case(log_gamma, "fp", **_GAMMA),
    "j0": Case(lambda x: mp.besselj(0, x), domain=(uniform(-20, 20),), ulps=16, scale=lambda x: 1),
    "j1": Case(lambda x: mp.besselj(1, x), domain=(uniform(-20, 20),), ulps=16, scale=lambda x: 1),
    "jn": Case(
        lambda n, x: mp.besselj(int(n), x), "if", (whole(-4, 6), uniform(0.1, 20)), ulps=64, scale=lambda n, x: 1
    ),
    "y0": Case(lambda x: mp.bessely(0, x), domain=(uniform(0.1, 20),), ulps=32, scale=lambda x: 1 + 1 / x),
    "y1": Case(lambda x: mp.bessely(1, x), domain=(uniform(0.1, 20),), ulps=32, scale=lambda x: 1 + 1 / x**2),
    "yn": Case(
        lambda n, x: mp.bessely(int(n), x),
        "if",
        (whole(0, 4), uniform(1, 20)),
        ulps=64,
        scale=lambda n, x: 1 + abs(mp.bessely(int(n) + 1, x)),
    ),
    "fabs": Case(abs),
    "copysign": Case(copysign, **TWO),
    "fmax": Case(max, **TWO),
    "fmin": Case(min, **TWO),
    "fmaximum": Case(max, **TWO),
    "fminimum": Case(min, **TWO),
    "fmaximum_num": Case(max, **TWO),
    "fminimum_num": Case(min, **TWO),
    "fdim": Case(lambda x, y: max(x - y, mpf(0)), **TWO),
    "fma": Case(lambda x, y, z: x * y + z, **_maximum(3)),
    "fmod": Case(fmod, **_QUOTIENT),
    "remainder": Case(remainder, **_QUOTIENT),
    "drem": Case(remainder, **_QUOTIENT),
    "remquo": Case(remainder, "ffp", _QUOTIENT["domain"]),
    "ldexp": Case(lambda x, n: mp.ldexp(x, int(n)), "fi", (ANY, whole(-20, 20))),
    "scalbn": Case(lambda x, n: mp.ldexp(x, int(n)), "fi", (ANY, whole(-20, 20))),
    "scalbln": Case(lambda x, n: mp.ldexp(x, int(n)), "fl", (ANY, whole(-20, 20))),
    "scalb": Case(lambda x, n: mp.ldexp(x, int(n)), "fn", (ANY, whole(-20, 20))),
    "frexp": Case(fraction, "fp", (ANY,)),
    "significand": Case(lambda x: 2 * fraction(x), domain=(ANY,)),
    "nextafter": Case(first, **TWO),
    "nexttoward": Case(first, **TWO),
    "nextup": Case(first),
    "nextdown": Case(first),
    "modf": Case(lambda x: x - trunc(x), "fp", (ANY,), stored={1: trunc}),
    "sincos": Case(lambda x: mpf(0), "fpp", scale=lambda x: 1, stored={1: mp.sin, 2: mp.cos}),
}

INTRINSIC: dict[str, Case] = {
    "powi": Case(power, "fi", (signed(-1, 1), whole(-6, 6)), ulps=16),
    "fmuladd": REAL["fma"],
    "canonicalize": Case(first),
    "arithmetic.fence": Case(first),
    "ssa.copy": Case(first),
    "minnum": REAL["fmin"],
    "maxnum": REAL["fmax"],
    "minimum": REAL["fmin"],
    "maximum": REAL["fmax"],
    "minimumnum": REAL["fmin"],
    "maximumnum": REAL["fmax"],
    "modf": Case(lambda x: (x - trunc(x), trunc(x)), "f", (ANY,)),
    "frexp": Case(lambda x: (fraction(x), mpf(mp.frexp(x)[1])), "f", (ANY,)),
    "sincos": Case(lambda x: (mp.sin(x), mp.cos(x)), scale=lambda x: 1),
    "sincospi": Case(lambda x: (mp.sinpi(x), mp.cospi(x)), scale=lambda x: mp.pi),
    "fptrunc": Case(first),
    "fpext": Case(first),
    "fptrunc.round": Case(first),
}


def _poles(n: int, x: Any) -> Any:
    """The size of polygamma(n, x): of the poles on both sides where x is negative, whose parts may cancel."""
    near = abs(x - mp.nint(x)) if x < 0 else mpf(1)
    return abs(mp.polygamma(n, x)) + (mp.factorial(n) * n / near ** (n + 1) * (1 + abs(x) / near) if x < 0 else 0)


RUNTIME: dict[str, Case] = {
    "_FortranAModReal{}": Case(fmod, "ffpp", _QUOTIENT["domain"]),
    "_FortranAModuloReal{}": Case(lambda x, y: x - y * mp.floor(x / y), "ffpp", _QUOTIENT["domain"]),
    "_FortranAErfcScaled{}": Case(
        lambda x: mp.exp(x * x) * mp.erfc(x), domain=(uniform(-2, 3),), ulps=40, scale=lambda x: 1 + mp.exp(x * x)
    ),
    "_FortranAFraction{}": Case(fraction, domain=(ANY,)),
    "_FortranAScale{}": Case(lambda x, n: mp.ldexp(x, int(n)), "fl", (ANY, whole(-20, 20))),
    "_FortranASetExponent{}": Case(lambda x, n: mp.ldexp(fraction(x), int(n)), "fl", (ANY, whole(-20, 20))),
    "_FortranARRSpacing{}": Case(lambda x: abs(mp.ldexp(fraction(x), 10)), domain=(ANY,)),
    "_FortranANearest{}": Case(first, "fi", (ANY, whole(0, 1))),
    "_FortranAFPow{}i": Case(power, "fi", (signed(-1, 1), whole(-6, 6)), ulps=16),
    "_FortranAFPow{}k": Case(power, "fl", (signed(-1, 1), whole(-6, 6)), ulps=16),
    "__ez_digamma{}": Case(lambda x: mp.digamma(x), domain=(uniform(-4.5, 30),), ulps=32, scale=lambda x: _poles(1, x)),
    "__ez_polygamma{}": Case(
        lambda n, x: mp.polygamma(int(n), x),
        "if",
        (whole(1, 5), uniform(-4.5, 30)),
        ulps=64,
        scale=lambda n, x: _poles(int(n) + 1, x),
    ),
    "__powi{}f2": Case(power, "fi", (signed(-1, 1), whole(-6, 6)), ulps=16),
    # what these compute, but for the rounding
    "__ez_round_to": Case(first, "fii", (ANY, whole(2, 11), whole(1, 52))),
    "__ez_format_add": _in_format(REAL["fadd"]),
    "__ez_format_multiply": _in_format(REAL["fmul"]),
    "__ez_format_divide": _in_format(REAL["fdiv"]),
    "__ez_format_root": _in_format(REAL["sqrt"]),
    "__ez_format_fused": _in_format(REAL["fma"]),
}


def _scaled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Each part of a complex derivative is as accurate as its modulus lets it be."""

    def scale(*operands: Any) -> Any:
        return 1 + abs(function(*operands)) ** 2

    return scale


def _holomorphic(function: Callable[[Any], Any], radius: float = 2.0) -> Case:
    return Case(function, "c", (disc(radius),), ulps=64, scale=_scaled(function))


def conjugate(z: Any) -> Any:
    return mp.conj(z)


def complex_product(a: Any, b: Any) -> Any:
    return a * b


def complex_quotient(a: Any, b: Any) -> Any:
    return a / b


COMPLEX_CASES: dict[str, Case] = {
    "cexp": _holomorphic(mp.exp),
    "clog": Case(mp.log, "c", (disc(9),), ulps=16, scale=lambda z: 1 / abs(z)),
    "clog10": Case(lambda z: mp.log(z) / mp.log(10), "c", (disc(9),), ulps=16, scale=lambda z: 1 / abs(z)),
    "csqrt": Case(mp.sqrt, "c", (disc(9),), ulps=16, scale=lambda z: 1 / abs(mp.sqrt(z))),
    **{f"c{name}": _holomorphic(getattr(mp, name)) for name in ("sin", "cos", "sinh", "cosh")},
    **{f"c{name}": _holomorphic(getattr(mp, name), 1.2) for name in ("tan", "tanh")},
    **{f"c{name}": _holomorphic(getattr(mp, name), 0.9) for name in ("asin", "acos", "atan", "asinh", "atanh")},
    "cacosh": _holomorphic(mp.acosh, 0.9),
    "cpow": Case(
        lambda a, b: mp.exp(b * mp.log(a)),
        "cc",
        (disc(3, 0.3), disc(2)),
        ulps=64,
        scale=lambda a, b: abs(mp.exp(b * mp.log(a))) * (1 + abs(b / a) + abs(mp.log(a))),
    ),
    "conj": Case(conjugate, "c", (disc(3),)),
    "cproj": Case(first, "c", (disc(3),)),
    "cabs": Case(abs, "c", (disc(3),)),
    "carg": Case(mp.arg, "c", (disc(3),), ulps=10),
    "creal": Case(mp.re, "c", (disc(3),)),
    "cimag": Case(mp.im, "c", (disc(3),)),
    "__mul{}c3": Case(complex_product, "cc", (disc(3), disc(3))),
    "__div{}c3": Case(
        complex_quotient, "cc", (disc(3), disc(3)), ulps=24, scale=lambda a, b: (1 + abs(a / b)) / abs(b)
    ),
    "_FortranA{}pow{}": Case(
        power,
        "ci",
        (disc(3, 0.3), whole(-5, 5)),
        ulps=64,
        scale=lambda z, n: abs(int(n) * power(z, n) / z),
    ),
}

_CASES: dict[str, Case] = {
    **REAL,
    **RUNTIME,
    **COMPLEX_CASES,
    **{f"llvm.{name}": case for name, case in INTRINSIC.items()},
}
_NORMAL = [
    (re.compile(r"(_FortranA\D*?)(?:2|3|4|8|10|16)([ik]?)$"), r"\1{}\2"),
    (re.compile(r"__ez_(digamma|polygamma)(?:f128|[fl])?"), r"__ez_\1{}"),
    (re.compile(r"__powi[hsdxt]f2"), "__powi{}f2"),
    (re.compile(r"__(mul|div)[hsdxt]c3"), r"__\1{}c3"),
    (re.compile(r"_FortranA(c|z|cq)pow[ik]"), "_FortranA{}pow{}"),
    (re.compile(r"llvm\.experimental\.constrained\.(.*)"), r"llvm.\1"),
    (re.compile(r"llvm\.x86\.(?:sse|avx)\.(rcp|rsqrt)\.ps(?:\.256)?"), r"\1"),
]


def case_of(name: str) -> Case | None:
    """The case of a rule, by the name `every_rule` gives it."""
    if name in _CASES:
        return _CASES[name]
    for pattern, replacement in _NORMAL:
        if pattern.fullmatch(name):
            return case_of(pattern.sub(replacement, name))
    return _CASES.get(name.removeprefix("llvm."))


def every_rule() -> Iterator[tuple[str, Rule]]:
    """Each rule of the tables under a name of its own."""
    for table in (INSTRUCTIONS, MATH, COMPLEX, COMPLEX_RUNTIME, RUNTIMES):
        yield from table.items()
    for name, rule in INTRINSICS.items():
        yield f"llvm.{name}", rule


__all__ = ["Case", "case_of", "every_rule", "mpmath"]
