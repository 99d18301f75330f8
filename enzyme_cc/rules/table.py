"""Finds the derivative rule of a callee by its name.

The rows have base names (math.py, complex.py, intrinsics.py, runtimes.py). This file has the spellings of each name in
LLVM IR.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from .arithmetic import INSTRUCTIONS
from .complex import COMPLEX, COMPLEX_RUNTIME
from .intrinsics import INTRINSICS
from .math import MATH
from .rule import Rule
from .runtimes import GENERIC, RUNTIMES

#: suffixes of double, float, long double, the types of TS 18661-3, and libquadmath
_SUFFIXES = ("", "f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x", "q")
#: the same without the types whose complex numbers the ABI passes by reference, but long double (library_forms.py)
_COMPLEX_SUFFIXES = ("", "f", "l", "f32", "f64", "f32x")
#: ending that follows the suffix: lgammaf_r
_REENTRANT = "_r"
#: the types at the end of an intrinsic's name
TRAILING_TYPES = re.compile(r"(?:\.(?:nx)?(?:v\d+)?(?:f16|bf16|f32|f64|f80|f128|ppcf128|i\d+|p\d+))*$")
_FINITE = re.compile(r"__(\w+)_finite")
_VECTOR_LIBRARY = re.compile(r"_ZGV[a-zA-Z]N\d+([vu]+)_(\w+)")  # libmvec and SLEEF: _ZGVbN2v_sin


def spellings(base: str) -> Iterator[str]:
    """Yields the names in C of a function of math.h or complex.h, for each floating-point type that has a rule."""
    stem, tail = (base.removesuffix(_REENTRANT), _REENTRANT) if base.endswith(_REENTRANT) else (base, "")
    for suffix in _COMPLEX_SUFFIXES if base in COMPLEX else _SUFFIXES:
        yield f"{stem}{suffix}{tail}"


def _by_name() -> dict[str, Rule]:
    names: dict[str, Rule] = {**RUNTIMES, **COMPLEX_RUNTIME}
    for base, rule in {**MATH, **COMPLEX}.items():
        for name in spellings(base):
            assert name not in names, f"two rules are called {name}"
            names[name] = rule
    # functions of the runtime (complex.c) that take by value what the ABI passes by reference
    return names | {f"__ez_{base}l": rule for base, rule in COMPLEX.items()}


_NAMES: Mapping[str, Rule] = _by_name()


@cache
def lookup(callee_name: str) -> Rule | None:
    """Returns the rule of a callee, named as in LLVM IR without the @. None if no row has the name."""
    if callee_name.startswith("llvm."):
        return _intrinsic(callee_name.removeprefix("llvm."))
    found = _NAMES.get(callee_name) or generic(callee_name)
    if found is None:
        match = _FINITE.fullmatch(callee_name)
        found = _NAMES.get(match[1]) if match else _of_vectors(callee_name)
    return found


def _of_vectors(callee_name: str) -> Rule | None:
    """Returns the rule of a function of vectors. None if it stores its results: `_ZGVbN2vvv_sincos`."""
    match = _VECTOR_LIBRARY.fullmatch(callee_name)
    found = _NAMES.get(match[2]) if match else None
    return found if found is not None and not found.outputs else None


def generic(callee_name: str) -> Rule | None:
    """Returns the rule of a function that the engine inserts itself. None for other functions."""
    return GENERIC.get(callee_name.partition(".")[0])


def _intrinsic(name: str) -> Rule | None:
    base = TRAILING_TYPES.sub("", name)
    return INTRINSICS.get(base)


__all__ = ["INSTRUCTIONS", "INTRINSICS", "Rule", "generic", "lookup", "spellings"]
