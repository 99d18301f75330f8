"""Costs of math functions: the reverse sweep repeats a cheap call, and the tape holds the result of others."""

from __future__ import annotations

from functools import cache

#: intrinsics that cost about as much as an addition, by a part of their name
_INTRINSICS = """
    fabs fmuladd fma copysign sqrt floor ceil trunc rint nearbyint smax smin umax umin abs minnum maxnum minimum maximum
    is.fpclass fshl fshr ctpop ctlz cttz bswap usub.sat uadd.sat ssub.sat sadd.sat minimumnum maximumnum with.overflow
""".split()
_FUNCTIONS = frozenset(f"{name}{suffix}" for name in ("sqrt", "fabs", "floor", "ceil") for suffix in ("", "f", "l"))
_SQUARE_ROOTS = frozenset({"sqrt", "sqrtf", "sqrtl"})


@cache
def is_cheap(name: str) -> bool:
    """True if a call of this math function or intrinsic costs about as much as an addition."""
    if not name.startswith("llvm."):
        return name in _FUNCTIONS
    return any(part in name for part in _INTRINSICS)


def is_slow(name: str) -> bool:
    """True for what is one instruction, but takes the time of ten additions: square roots."""
    return name.startswith("llvm.sqrt.") or name in _SQUARE_ROOTS
